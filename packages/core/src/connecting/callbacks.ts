import type { Runtime } from "../ports/runtime.js";
import type { SessionLanguage } from "../schemas/session.js";
import type { OwnProfile } from "../tenants/tenant-profile-store.js";
import { type CustomerView, type createCustomerViews, owns, type Requester, requesterOf } from "./customer-view.js";
import { clearedSecrets, eventsOfMove, isOpen, MAX_ATTEMPTS, nextSessionStatus, statusAt } from "./session-moves.js";
import type { CustomerRequest, Located, TypedFields } from "./session-steps.js";
import type { SessionRecord } from "./session-store.js";
import { linkContext } from "./session-view.js";
import { hashOfSecret } from "./sessions.js";
import type { ConnectingStorage } from "./storage.js";

/** The request with which a bank's own page sends a customer back. */
export interface Callback {
  /** As returned by the bank. */
  readonly state: string;
  /** The rest of the query. */
  readonly params: TypedFields;
  /** What this browser stores for the session with this link hash: the owner's secret, and the language it was switched to. */
  readonly keptFor: (linkHash: string) => { readonly owner: string | null; readonly language: SessionLanguage | null };
}

/** What a returning browser is shown. */
export type CallbackOutcome =
  /** This state was never given to a bank, or is long gone. */
  | { readonly kind: "unknown" }
  /** The session was started in another browser, and continues there. */
  | {
      readonly kind: "elsewhere";
      readonly language: SessionLanguage | null;
      readonly requester: Requester;
      readonly bank: string | null;
    }
  /** The session continues at its own link. */
  | { readonly kind: "onward"; readonly link: string }
  /** The session has ended and no longer has a link. */
  | { readonly kind: "over"; readonly view: CustomerView };

/** Error code of RFC 6749 §4.1.2.1, with which a bank says that its customer declined. */
const DECLINED = "access_denied";

/**
 * Handles customers who return from banks' own pages. The provider gets nothing until four things are certain: the state was issued
 * for this session, the browser is the one that began it, the session has not expired, and the state is used for the first time.
 */
export function createCallbacks(deps: {
  storage: ConnectingStorage;
  runtime: Runtime;
  views: ReturnType<typeof createCustomerViews>;
  /** Finds a session by its id, with the profile of its tenant. */
  look: (place: Place, request: CustomerRequest) => Promise<(Located & { profile: OwnProfile }) | null>;
  leaseMs: number;
  /** Continues with the bank after the browser has its answer. */
  resume: (submitted: Located, params: TypedFields) => void;
}) {
  const { storage, runtime, views } = deps;

  return async function take({ state, params, keptFor }: Callback, request: CustomerRequest): Promise<CallbackOutcome> {
    const callback_hash = hashOfSecret(state);
    const place = await storage.directory.sessionByCallback(callback_hash, request.network);
    const found = place && (await deps.look(place, request));
    if (!found) return { kind: "unknown" };
    const { session } = found;
    const { owner, language } = keptFor(session.link_hash);
    if (owner === null || !owns(session, owner)) {
      const bank = (await views.bankOf(session))?.name ?? null;
      return { kind: "elsewhere", language: session.language, requester: requesterOf(found.profile), bank };
    }
    if (params.error === DECLINED) await decline(found, callback_hash);
    else {
      const submitted = await redeem(found, { callback_hash, owner_hash: hashOfSecret(owner) });
      if (submitted) deps.resume({ ...submitted, language: language ?? submitted.language }, params);
    }
    return lead(found, owner, request);
  };

  /** Returns the session in `Processing:Challenge`; null if the state was already used or the session has expired. */
  async function redeem(
    found: Located,
    by: { readonly callback_hash: string; readonly owner_hash: string },
  ): Promise<Located | null> {
    const { tenant_id, session } = found;
    const status = nextSessionStatus("Waiting:Challenge", "submit");
    if (status === null) return null;
    const now = runtime.clock();
    const working_until = new Date(now.getTime() + deps.leaseMs);
    const change = { status, error_code: null, remark: null, working_until, updated_at: now };
    const taken = await storage.inTenant(tenant_id, async ({ sessions }) =>
      (await sessions.redeemCallback({ session_id: session.session_id, ...by, now }, change))
        ? sessions.find(session.session_id)
        : null,
    );
    return taken && { ...found, session: taken };
  }

  /**
   * Records that the customer declined. They may go to the bank again, because they brought nothing back that is valid only once.
   * Returning with the same answer again without having gone there, for example by a reload, counts once.
   */
  async function decline({ tenant_id, session }: Located, callbackHash: string): Promise<void> {
    const isAtBank = session.challenge?.kind === "redirect" && session.callback_hash === callbackHash;
    const attempts = session.attempts + 1;
    const event = attempts >= MAX_ATTEMPTS ? "give_up" : "decline";
    const now = runtime.clock();
    const status = isAtBank ? nextSessionStatus(statusAt(session, now), event) : null;
    if (statusAt(session, now) !== "Waiting:Challenge" || status === null || session.error_code === "AbortedByUser")
      return;
    const change = { status, error_code: "AbortedByUser", remark: null, attempts, updated_at: now } as const;
    await storage.inTenant(tenant_id, async ({ sessions, events }) => {
      const kept = { ...change, ...(!isOpen(status) && clearedSecrets) };
      const moved = await sessions.move(session.session_id, session.version, kept);
      const told = moved ? eventsOfMove(session, change) : [];
      if (told.length > 0) await events.append(told);
    });
  }

  /** Sends the browser to the session's current state, also if it returns a second time. */
  async function lead(
    { tenant_id, session }: Located,
    owner: string,
    request: CustomerRequest,
  ): Promise<CallbackOutcome> {
    const now = await deps.look({ tenant_id, session_id: session.session_id }, request);
    const link = now && (await linkOf(now.session));
    return link ? { kind: "onward", link } : { kind: "over", view: await views.viewFor(now, owner) };
  }

  async function linkOf(session: SessionRecord): Promise<string | null> {
    if (session.sealed_link === null || !isOpen(statusAt(session, runtime.clock()))) return null;
    return runtime.vault.open(session.sealed_link, linkContext(session.session_id));
  }
}

/** The tenant and id of a session. */
type Place = NonNullable<Awaited<ReturnType<ConnectingStorage["directory"]["sessionByLink"]>>>;
