import type { Runtime } from "../ports/runtime.js";
import type { SessionLanguage } from "../schemas/session.js";
import type { OwnProfile } from "../tenants/tenant-profile-store.js";
import { type CustomerView, type createCustomerViews, owns, type Requester, requesterOf } from "./customer-view.js";
import { clearedSecrets, eventsOfMove, isOpen, MAX_ATTEMPTS, nextSessionStatus, statusAt } from "./session-moves.js";
import type { CustomerRequest, Located, TypedFields } from "./session-steps.js";
import type { SessionRecord } from "./session-store.js";
import { hashOfSecret, linkContext } from "./sessions.js";
import type { ConnectingStorage } from "./storage.js";

/** A customer whom a bank's own page has sent back. */
export interface Callback {
  /** As the bank hands it back. */
  readonly state: string;
  /** The rest of the query. */
  readonly params: TypedFields;
  /** What this browser keeps for the session whose link has a hash: the owner's secret, and the language it was switched to. */
  readonly keptFor: (linkHash: string) => { readonly owner: string | null; readonly language: SessionLanguage | null };
}

/** What a browser that comes back is shown. */
export type CallbackOutcome =
  /** No bank can have been given this state, or it is long gone. */
  | { readonly kind: "unknown" }
  /** Another browser began the session, and it goes on there. */
  | {
      readonly kind: "elsewhere";
      readonly language: SessionLanguage | null;
      readonly requester: Requester;
      readonly bank: string | null;
    }
  /** The session goes on at its own link. */
  | { readonly kind: "onward"; readonly link: string }
  /** The session has ended, and has no link any more. */
  | { readonly kind: "over"; readonly view: CustomerView };

/** Error code of RFC 6749 §4.1.2.1 with which a bank says that its customer does not want to go on. */
const DECLINED = "access_denied";

/**
 * Takes customers back from banks' own pages. Nothing is handed to a provider before it is sure that the state was given to it for this
 * session, that the browser is the one that began it, and that it is in time and for the first time.
 */
export function createCallbacks(deps: {
  storage: ConnectingStorage;
  runtime: Runtime;
  views: ReturnType<typeof createCustomerViews>;
  /** The session that an id leads to, with the profile of its tenant. */
  look: (place: Place, request: CustomerRequest) => Promise<(Located & { profile: OwnProfile }) | null>;
  leaseMs: number;
  /** Asks the bank, after the answer to the browser. */
  resume: (submitted: Located, params: TypedFields) => void;
}) {
  const { storage, runtime, views } = deps;

  return async function take({ state, params, keptFor }: Callback, request: CustomerRequest): Promise<CallbackOutcome> {
    const callback_hash = hashOfSecret(state);
    const place = await storage.directory.sessionByCallback(callback_hash);
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

  /** The session in `Processing:Challenge`; null when the state has led back before, or its time is over. */
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
   * The customer may go again, as there is nothing that was good once in what they bring. Coming back with the same answer before they
   * have gone again, by a reload for example, counts once.
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

  /** To where the session now stands, which whoever comes a second time sees too. */
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

/** Where a session is. */
type Place = NonNullable<Awaited<ReturnType<ConnectingStorage["directory"]["sessionByLink"]>>>;
