import { conflict, uuidField } from "@org/core";
import { type Begun, type CeremonyOptions, NO_ADDRESS, PeopleError } from "@org/people";
import { z } from "zod";
import type { Ceremony } from "../cookies.js";
import {
  type OpenCall,
  type OwnCall,
  type OwnEndpoint,
  type OwnServices,
  openEndpoint,
  ownEndpoint,
  type SignInOutcome,
} from "../own-endpoint.js";
import { orSignedOut, sessionView } from "./session-view.js";

const nothing = z.strictObject({});
/** The JSON that `navigator.credentials` returned. @org/people parses it. */
export const ceremonyAnswer: z.ZodType<Record<string, unknown>, object> = z.looseObject({});
const name = z.string().max(200).optional();
const invitation = z.string().max(200);

/** Signing in and out, and the state of the session. */
export const signInEndpoints = [
  openEndpoint({
    path: "/session",
    summary: "Who is signed in, and how to sign in",
    body: z.strictObject({ tenant_id: uuidField.optional() }),
    async handle(own, { exchange }, { tenant_id }) {
      const signedIn = await orSignedOut(own.browserSessions.open(exchange));
      if (!signedIn && own.cookies.session(exchange.request)) own.cookies.clearSession(exchange.response);
      return sessionView(own, signedIn, tenant_id ?? null);
    },
  }),
  openEndpoint({
    path: "/sign-in/begin",
    summary: "What a passkey is to sign",
    body: nothing,
    handle: async (own, call) => asked(own, call, "sign-in", await withPasskeys(own).beginSignIn()),
  }),
  openEndpoint({
    path: "/sign-in/finish",
    summary: "Sign in with a passkey",
    body: z.strictObject({ answer: ceremonyAnswer }),
    handle: (own, call, body) =>
      begun(own, call, { method: "passkey", of: passkeyOf(body.answer) }, "sign-in", (ceremony) =>
        own.signingIn.signIn({ ceremony, ...body }, call.browser),
      ),
  }),
  openEndpoint({
    path: "/sign-in/recover",
    summary: "Sign in with a recovery code, which is used up",
    body: z.strictObject({ email: z.string().max(300), code: z.string().max(100) }),
    handle: (own, call, body) =>
      begun(own, call, { method: "recovery_code", of: body.email.trim().toLowerCase() }, null, () =>
        own.signingIn.recover(body, call.browser),
      ),
  }),
  openEndpoint({
    path: "/join/show",
    summary: "Whom an invitation is for",
    body: z.strictObject({ invitation }),
    handle: (own, call, body) =>
      proving(own, call, { method: "invitation", of: body.invitation }, async () => {
        const { tenant_id, email, name, role } = await own.signingIn.invited(body.invitation);
        const known = email === NO_ADDRESS ? { email: null, name: "" } : { email, name };
        return { ...known, role, tenant_name: await own.tenantNameOf(tenant_id) };
      }),
  }),
  openEndpoint({
    path: "/join/begin",
    summary: "What a first passkey is to be made by",
    body: z.strictObject({ invitation, name, email: z.string().max(300).optional() }),
    handle: (own, call, { invitation: text, ...said }) =>
      proving(own, call, { method: "invitation", of: text }, async () =>
        asked(own, call, "join", await withPasskeys(own).beginJoining(text, said)),
      ),
  }),
  openEndpoint({
    path: "/join/finish",
    summary: "Accept an invitation with a passkey; the recovery codes are shown this once",
    body: z.strictObject({ invitation, answer: ceremonyAnswer, name }),
    async handle(own, call, body) {
      const ceremony = takeCeremony(own, call, "join");
      const { recovery_codes, ...session } = await proving(
        own,
        call,
        { method: "invitation", of: body.invitation },
        () => own.signingIn.join({ ceremony, ...body }, call.browser),
      );
      return { ...(await sessionView(own, await enter(own, call, session))), recovery_codes };
    },
  }),
  ownEndpoint({
    path: "/confirm/begin",
    summary: "What one's own passkey is to sign, to prove again who one is",
    body: nothing,
    handle: async (own, call) => asked(own, call, "confirm", await withPasskeys(own).beginConfirming(call.signedIn)),
  }),
  ownEndpoint({
    path: "/confirm/finish",
    summary: "Prove again who one is",
    body: z.strictObject({ answer: ceremonyAnswer }),
    handle: (own, call: OwnCall, body) =>
      proving(own, call, { method: "confirmation", of: call.signedIn.person.person_id }, async () => {
        await own.signingIn.confirm(call.signedIn, { ceremony: takeCeremony(own, call, "confirm"), ...body });
        return sessionView(own, await own.browserSessions.open(call.exchange));
      }),
  }),
  ownEndpoint({
    path: "/sign-out",
    summary: "End this session",
    body: nothing,
    async handle(own, { signedIn, browser, exchange }) {
      const idToken = await own.sessions.end(signedIn, signedIn.session.session_id, browser);
      own.cookies.clearSession(exchange.response);
      const { person, session } = signedIn;
      if (session.method !== "oidc" || !own.providerSignIn) return { sign_out_url: null };
      return { sign_out_url: await own.providerSignIn.endSessionUrl(person, `${own.publicUrl}/console`, idToken) };
    },
  }),
] as const satisfies readonly OwnEndpoint[];

/** Returns the passkey operations when browsers support passkeys here. @throws CoreError CONFLICT */
export function withPasskeys({ signingIn, passkeyFault }: OwnServices): OwnServices["signingIn"] {
  if (passkeyFault !== null) throw conflict("no_passkeys", passkeyFault);
  return signingIn;
}

/** Returns a question for the browser, and stores its ceremony in a cookie. */
export function asked<O>(
  { cookies }: OwnServices,
  { exchange }: OpenCall,
  kind: Ceremony,
  question: CeremonyOptions<O>,
) {
  cookies.setCeremony(exchange.response, kind, question.ceremony);
  return { options: question.options };
}

/** Reads the ceremony that a browser returns with, and clears its cookie: it is used only once, whatever the outcome. */
export function takeCeremony({ cookies }: OwnServices, { exchange }: OpenCall, kind: Ceremony): string | undefined {
  const ceremony = cookies.ceremony(exchange.request, kind);
  if (ceremony !== undefined) cookies.clearCeremony(exchange.response, kind);
  return ceremony;
}

/** Gives this browser a newly begun session, and signs out whoever was signed in with it before. */
export async function enter(
  { cookies, sessions, browserSessions }: OwnServices,
  call: OpenCall,
  { cookie, expires_at }: Begun,
) {
  const { exchange, browser } = call;
  const former = await orSignedOut(sessions.open(cookies.session(exchange.request)));
  if (former) await sessions.end(former, former.session.session_id, browser);
  const signedIn = await browserSessions.open(exchange, () => sessions.open(cookie));
  cookies.setSession(exchange.response, cookie, expires_at);
  return signedIn;
}

/** Signs a person in. The session is always new, and whoever was signed in with this browser before is signed out. */
async function begun(
  own: OwnServices,
  call: OpenCall,
  proof: TriedProof,
  kind: Ceremony | null,
  begin: (ceremony: string | undefined) => Promise<Begun>,
) {
  const ceremony = kind === null ? undefined : takeCeremony(own, call, kind);
  const session = await proving(own, call, proof, () => begin(ceremony));
  return sessionView(own, await enter(own, call, session));
}

/** A proof of identity, and the person or link that it is tried for. */
interface TriedProof {
  readonly method: SignInOutcome["method"];
  readonly of: string | null;
}

/** The id of the passkey that an answer names. */
function passkeyOf({ id }: Record<string, unknown>): string | null {
  return typeof id === "string" ? id : null;
}

/** Runs a proof of identity and counts the failed ones. After too many, the caller gets RATE_LIMITED instead of the refusal. */
async function proving<T>(
  own: OwnServices,
  { exchange }: OpenCall,
  { method, of }: TriedProof,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const proved = await work();
    own.onProof({ method, outcome: "proved" });
    return proved;
  } catch (error) {
    if (!(error instanceof PeopleError) || !(error.code === "refused" || error.code === "invitation_ended"))
      throw error;
    own.onProof({ method, outcome: "refused" });
    // A library's message about an answer may quote it.
    exchange.note({ refusal: error.cause === undefined ? error.reason : "the browser's answer was not verified" });
    await own.countGuess({ address: exchange.address, of });
    throw error;
  }
}
