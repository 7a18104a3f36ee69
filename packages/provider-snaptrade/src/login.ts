import {
  AnswerFailure,
  type LoginRequest,
  type LoginStep,
  type ProviderServices,
  ReadInterrupted,
  type ResumeRequest,
} from "@org/provider-kit";
import { z } from "zod";
import { loginState, type PortalAccess, portalAccess, savedUser } from "./access.js";
import { connection, readHolder } from "./accounts.js";
import { openCalls } from "./calls.js";
import type { SnapTradeSettings } from "./settings.js";
import type { SnapTradeUser } from "./signature.js";

type State = z.output<typeof loginState>;

const registered = z.object({ userSecret: z.string().min(1) });
const portal = z.object({ redirectURI: z.string().min(1) });

/** What a user is not there any more with. */
const GONE = { 400: "rejected", 401: "rejected", 403: "rejected", 404: "rejected" } as const;
/** A key of the brokerage that may not read: going to the portal again does not mend it. */
const MAY_NOT_READ = "1140";
/** Another login than that of the connection under repair. */
const OTHER_LOGIN = "1023";
/** Nobody agreed on the brokerage's page. */
const NOT_AGREED = "1006";
/** The brokerage could not be reached. */
const UNREACHABLE = "3000";
/** The last parameter of the way back: a portal that adds its own behind a second question mark spoils this one, and not the state. */
const LAST = "from";
/** More visits than are under way at once. */
const MAX_VISITS = 10_000;

/** Logins in SnapTrade's portal. */
export function portalLogins(settings: SnapTradeSettings, services: Omit<ProviderServices, "sleep">) {
  const { random } = services;
  const isPersonal = settings.key_type === "personal";
  const open = (signal: AbortSignal, user: SnapTradeUser | null, statuses = {}) =>
    openCalls(settings, services, { user, signal, statuses });
  const unguessable = () => Buffer.from(random(24)).toString("base64url");
  /** The portal's answer has nothing that is valid once. */
  const taken = new Set<string>();

  return {
    async login(request: LoginRequest): Promise<LoginStep> {
      const { signal, callback_url, callback_state, provider_ref } = request;
      const repaired = await repairable(request);
      const user = repaired?.user ?? (isPersonal ? null : await register(request));
      const state: State = { user, repaired, visit: unguessable() };
      const customRedirect = new URL(callback_url);
      customRedirect.searchParams.set("state", callback_state);
      customRedirect.searchParams.set(LAST, "snaptrade");
      const { redirectURI } = await open(signal, user).send("POST", "/snapTrade/login", portal, {
        ...(repaired !== null && { reconnect: repaired.connection_id }),
        ...(repaired === null && provider_ref !== null && { broker: provider_ref }),
        connectionType: "read",
        customRedirect: customRedirect.href,
        immediateRedirect: true,
      });
      return { kind: "redirect", url: redirectURI, state };
    },

    async resume({ state: stored, params, provider_ref, signal }: ResumeRequest): Promise<LoginStep> {
      signal.throwIfAborted();
      const { data: state } = loginState.safeParse(stored);
      if (state === undefined || taken.has(state.visit)) return { kind: "rejected" };
      if (taken.size >= MAX_VISITS) taken.clear();
      taken.add(state.visit);
      const { connection_id = "", error_code = "" } = params;
      const status = params.status ?? params[LAST]?.split("?status=")[1];
      if (status === "SUCCESS" && /^[\da-f-]{36}$/i.test(connection_id))
        return entered(state, { connection_id, wanted: provider_ref }, signal);
      if (error_code === MAY_NOT_READ) return { kind: "failed", error_code: "UserInteractionNeeded" };
      // Whoever that is, they are not the customer of the connection, which stays as it is.
      if (error_code === OTHER_LOGIN && state.repaired !== null)
        return { kind: "authenticated", user_key: "another login", user_key_is_final: true, access: state.repaired };
      if (error_code === UNREACHABLE) throw new AnswerFailure("the brokerage could not be reached");
      // Who closes the portal comes back with ABANDONED, or with nothing.
      const declined = status === undefined || status === "ABANDONED" || error_code === NOT_AGREED;
      return { kind: "rejected", ...(declined && { declined }) };
    },

    /** Removes the connection, and its user with the last one, unless another access has them; or the user of a login that came to nothing. */
    async revoke(stored: unknown, kept: readonly unknown[], signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      const unused = savedUser.safeParse(stored).data;
      if (unused !== undefined) return remove(unused.user_id, signal);
      const access = portalAccess(settings, stored);
      if (access === null) return;
      const { connection_id, user } = access;
      const others = kept.flatMap((one) => portalAccess(settings, one) ?? []);
      if (others.some((one) => one.connection_id === connection_id)) return;
      const calls = open(signal, user, GONE);
      await ifThere(() => calls.send("DELETE", `/connection/${encodeURIComponent(connection_id)}`, z.unknown()));
      if (user === null || others.some((one) => one.user?.id === user.id)) return;
      const left = await ifThere(() => calls.get("/authorizations", z.array(connection)));
      if (left?.every(({ id }) => id === connection_id)) await remove(user.id, signal);
    },
  };

  /** The access to repair; null where its user or connection is not there any more, so that the customer connects anew. */
  async function repairable({ existing_access, signal }: LoginRequest): Promise<PortalAccess | null> {
    const access = portalAccess(settings, existing_access);
    if (access === null) return null;
    const at = `/authorizations/${encodeURIComponent(access.connection_id)}`;
    return (await ifThere(() => open(signal, access.user, GONE).get(at, connection))) && access;
  }

  async function register({ saveAccess, signal }: LoginRequest): Promise<SnapTradeUser> {
    const id = `wealth-connect-${unguessable()}`;
    await saveAccess({ user_id: id });
    const { userSecret } = await open(signal, null).send("POST", "/snapTrade/registerUser", registered, { userId: id });
    return { id, secret: userSecret };
  }

  /** @param wanted the brokerage of the catalogue row; null = any */
  async function entered(
    { user, repaired }: State,
    { connection_id, wanted }: { readonly connection_id: string; readonly wanted: string | null },
    signal: AbortSignal,
  ): Promise<LoginStep> {
    const calls = open(signal, user, GONE);
    const found = await ifThere(() => calls.get(`/authorizations/${encodeURIComponent(connection_id)}`, connection));
    if (found === null) return { kind: "rejected" };
    // SnapTrade lets nobody repair a connection with another login.
    const isRepaired = repaired?.connection_id === connection_id;
    const slug = found.brokerage?.slug;
    // The id comes with the customer, who may know that of a connection at another brokerage.
    if (!isRepaired && wanted !== null && slug && slug !== wanted) return { kind: "rejected" };
    const user_key = isRepaired
      ? repaired.user_key
      : ((await readHolder(open(signal, user), connection_id)) ?? `connection ${connection_id}`);
    const access: PortalAccess = { connection_id, user, user_key };
    return { kind: "authenticated", user_key, access, reference: connection_id };
  }

  async function remove(userId: string, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams({ userId });
    await ifThere(() => open(signal, null, GONE).send("DELETE", `/snapTrade/deleteUser?${query}`, z.unknown()));
  }
}

/** An answer about what may be gone; null if it is. */
async function ifThere<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (failure) {
    if (failure instanceof ReadInterrupted && "refused" in failure.end) return null;
    throw failure;
  }
}

/** A login whose institution wants fewer requests ends throttled; one that refuses its client has refused no customer. */
export async function stepOf(work: () => Promise<LoginStep>): Promise<LoginStep> {
  try {
    return await work();
  } catch (failure) {
    if (!(failure instanceof ReadInterrupted)) throw failure;
    if ("throttled" in failure.end) return { kind: "throttled", retry_after: failure.end.throttled.retry_after };
    throw new AnswerFailure("SnapTrade refuses the client", { cause: failure });
  }
}
