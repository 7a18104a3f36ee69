import { uuidField } from "@org/core";
import { deviceName, type PersonSession } from "@org/people";
import { z } from "zod";
import { type OwnEndpoint, ownEndpoint } from "../own-endpoint.js";
import { asked, ceremonyAnswer, takeCeremony, withPasskeys } from "./sign-in.js";

const nothing = z.strictObject({});

/** Self-service for people: their sessions, passkeys and recovery codes. */
export const accountEndpoints = [
  ownEndpoint({
    path: "/sessions/list",
    summary: "One's own sessions, newest first",
    body: nothing,
    async handle({ sessions }, { signedIn }) {
      const live = await sessions.list(signedIn.person);
      return { items: live.map((session) => viewOf(session, signedIn.session)) };
    },
  }),
  ownEndpoint({
    path: "/sessions/end",
    summary: "End one of one's own sessions",
    body: z.strictObject({ session_id: uuidField }),
    async handle({ sessions, cookies }, { signedIn, browser, exchange }, { session_id }) {
      await sessions.end(signedIn, session_id, browser);
      if (session_id === signedIn.session.session_id) cookies.clearSession(exchange.response);
      return {};
    },
  }),
  ownEndpoint({
    path: "/passkeys/list",
    summary: "One's own passkeys, oldest first, and how many recovery codes are left",
    body: nothing,
    handle: ({ signingIn }, { signedIn }) => signingIn.passkeys(signedIn),
  }),
  ownEndpoint({
    path: "/passkeys/begin",
    summary: "What another passkey is to be made by",
    isDangerous: true,
    body: nothing,
    handle: async (own, call) =>
      asked(own, call, "add-passkey", await withPasskeys(own).beginAddingPasskey(call.signedIn)),
  }),
  ownEndpoint({
    // Not marked dangerous: `/passkeys/begin` required a recent proof, and its ceremony belongs to this session.
    path: "/passkeys/add",
    summary: "Add a passkey",
    body: z.strictObject({ answer: ceremonyAnswer, name: z.string().max(200).optional() }),
    handle: (own, call, body) =>
      own.signingIn.addPasskey(
        call.signedIn,
        { ceremony: takeCeremony(own, call, "add-passkey"), ...body },
        call.browser,
      ),
  }),
  ownEndpoint({
    path: "/passkeys/remove",
    summary: "Remove a passkey, but for the last",
    isDangerous: true,
    body: z.strictObject({ passkey_id: z.string().min(1).max(1_400) }),
    async handle({ signingIn }, { signedIn, browser }, { passkey_id }) {
      await signingIn.removePasskey(signedIn, passkey_id, browser);
      return {};
    },
  }),
  ownEndpoint({
    path: "/recovery-codes/new",
    summary: "New recovery codes in place of the old; they are shown this once",
    isDangerous: true,
    body: nothing,
    handle: async ({ signingIn }, { signedIn, browser }) => ({
      recovery_codes: await signingIn.newRecoveryCodes(signedIn, browser),
    }),
  }),
] as const satisfies readonly OwnEndpoint[];

function viewOf(session: PersonSession, own: PersonSession) {
  const { session_id, method, device, created_at, seen_at, expires_at } = session;
  return {
    session_id,
    method,
    device: deviceName(device),
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    expires_at: expires_at.toISOString(),
    is_this: session_id === own.session_id,
  };
}
