import type { LatestSnapshots } from "../data/snapshot-store.js";
import type { Uuid } from "../schemas/identifier.js";
import type { RefreshOutcome } from "../schemas/refresh.js";
import type { ConnectionRecord } from "./connection-store.js";

const DAY_MS = 24 * 60 * 60_000;

/** How long before a consent expires its customer is asked to renew it. */
export const CONSENT_RENEWAL_MS = 7 * DAY_MS;

/** How many days before a consent expires the first and the last notice are sent. */
export type ConsentNotice = 7 | 1;

/** The last notice about a consent. */
export interface ConsentNotified {
  /** The consent end in the last notice; null = there was none. */
  readonly consent_told_end: Date | null;
  readonly consent_told_days: number | null;
}

/**
 * Returns which notice about a consent's end is due now; null = none, or no more. An end more than a day later than the last
 * notified one belongs to a new consent; smaller differences do not, because banks state the same end slightly differently from day
 * to day.
 */
export function consentNoticeDue(
  {
    consent_expires_at: end,
    consent_told_end,
    consent_told_days,
  }: Pick<RefreshPlan, "consent_expires_at"> & ConsentNotified,
  now: Date,
): ConsentNotice | null {
  const left = (end?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime();
  if (end === null || left <= 0 || left > CONSENT_RENEWAL_MS) return null;
  const days = left > DAY_MS ? 7 : 1;
  const isMailed = consent_told_end !== null && end.getTime() <= consent_told_end.getTime() + DAY_MS;
  return isMailed && consent_told_days !== null && consent_told_days <= days ? null : days;
}

/** Data that the institution is preparing; the next fetch requests them with this state. */
export interface PendingFetch {
  /** The provider's `state`, encrypted and bound to the connection. */
  readonly sealed_state: string;
  /** When the institution first answered that they are not ready. */
  readonly since: Date;
}

/** When a connection is refreshed next, and the result of the last refresh. */
export interface RefreshRecord {
  /** When it is due next; while a lease is held, when the lease ends. Null = not until a re-login. */
  readonly due_at: Date | null;
  /** The lease under which it is being refreshed, valid until `due_at`. */
  readonly lease: string | null;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** When the last refresh began; null if there was none. */
  readonly attempted_at: Date | null;
  /** The outcome of the last refresh; null if there was none, it is running, or it was cut off. */
  readonly outcome: RefreshOutcome | null;
  readonly pending: PendingFetch | null;
  /** When a notification from the institution last named it. */
  readonly notified_at: Date | null;
  /** Consecutive leases that expired because their server died; from two on, the connection is postponed longer each time. */
  readonly lost_leases: number;
}

/** The refresh plan after a login. The hashes are keyed; notifications from the institution are matched to connections by them. */
export interface RefreshPlan {
  readonly due_at: Date;
  readonly pending: PendingFetch | null;
  /** Of the customer's user key at the provider. */
  readonly user_hash: string | null;
  /** Of the institution's reference for the access. */
  readonly reference_hash: string | null;
  readonly consent_expires_at: Date | null;
}

/** The plan that a refresh leaves for the next one. */
export interface NextRefresh extends Pick<RefreshRecord, "due_at" | "failures" | "outcome" | "pending"> {
  /** If omitted, it stays as it is. */
  readonly consent_expires_at?: Date | null;
  /** If omitted, it stays as it is. */
  readonly user_hash?: string | null;
}

/** A connection with its plan. */
export interface PlannedConnection {
  readonly connection: ConnectionRecord;
  readonly plan: RefreshRecord;
}

/**
 * Refresh plans of one tenant's connections; a connection that cannot be refreshed has none. A refresh holds a lease from its first
 * to its last step. If its server dies, the lease expires and the connection is due again; pending data stay pending.
 */
export interface RefreshStore {
  find(connectionId: Uuid): Promise<RefreshRecord | null>;
  /** Returns the plan's `reference_hash`. */
  referenceOf(connectionId: Uuid): Promise<string | null>;
  /** Replaces the plan, without failures, and voids any lease. Returns false if there is no such connection. */
  plan(connectionId: Uuid, plan: RefreshPlan): Promise<boolean>;
  /** Takes a free lease until `until`. Returns false, changing nothing, if the lease is held or there is no plan. */
  take(connectionId: Uuid, lease: { lease: string; now: Date; until: Date }): Promise<boolean>;
  /**
   * Returns the connection and its plan if this lease is still valid, else null. Until the transaction ends, no other transaction of the tenant can
   * publish, delete or take the lease, so what is written under it is written once.
   */
  hold(connectionId: Uuid, lease: string): Promise<PlannedConnection | null>;
  /**
   * Records that the notice about the end of the connection's consent is sent, if it is due ({@link consentNoticeDue}), and returns
   * the notice. Returns null, changing nothing, if it is not due or a concurrent caller sends it.
   */
  noteConsentEnd(connectionId: Uuid, now: Date): Promise<{ readonly end: Date; readonly days: ConsentNotice } | null>;
  /** Releases a lease that {@link hold} has confirmed, and stores the next plan when the transaction commits. */
  settle(connectionId: Uuid, next: NextRefresh): Promise<void>;
}

/** A lease on a connection of any tenant. */
export interface RefreshLease {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly connector_id: string;
  readonly lease: string;
}

/** Whom a server's places go to, so that no connector and no tenant blocks the others. */
export interface RefreshShares {
  /** Maximum for one connector, and for one tenant. */
  readonly each: number;
  /** The leases that the server holds now. */
  readonly held: readonly Pick<RefreshLease, "tenant_id" | "connector_id">[];
  /** The tenants of refreshes that have ended lately, once for each: those with the fewest come first. */
  readonly served: readonly string[];
  /** Connectors that get fewer: one, to test whether the bank is back, or a few, because their calls are limited. */
  readonly at_most: Readonly<Record<string, number>>;
  /** Connectors that the server does not call: for one tenant, or (null) for all except some. */
  readonly closed: readonly {
    readonly connector_id: string;
    readonly tenant_id: string | null;
    readonly except_tenants: readonly string[];
  }[];
}

/** A connection that is postponed because its lease expired repeatedly: refreshing it may be what kills the servers. */
export interface Postponement extends Omit<RefreshLease, "lease"> {
  readonly lost_leases: number;
  readonly until: Date;
}

/** Returns when a connection with this many lost leases is claimed again; null = immediately, because a server may die for any reason. */
export function postponedUntil(lostLeases: number, now: Date): Date | null {
  if (lostLeases < 2) return null;
  const full = lostLeases > LOST_LEASES ? MAX_POSTPONEMENT_MS : FIRST_POSTPONEMENT_MS * 2 ** (lostLeases - 2);
  return new Date(now.getTime() + full);
}

/** After more lost leases than this a connection is tried once a day. */
export const LOST_LEASES = 5;
export const FIRST_POSTPONEMENT_MS = 15 * 60_000;
export const MAX_POSTPONEMENT_MS = 24 * 60 * 60_000;

/** Connections of all tenants in order of their due time. */
export interface RefreshQueue {
  /**
   * Leases at most `limit` due connections; concurrent processes never lease the same one. The longest due come first and, with
   * `shares`, first those whose connector holds the fewest places, and whose tenant holds the fewest and was served least. A connection that has
   * lost its lease twice or more is postponed instead ({@link postponedUntil}).
   */
  claim(request: {
    lease: string;
    now: Date;
    until: Date;
    limit: number;
    /** Disabled tenants; their connections wait. */
    except_tenants: readonly string[];
    /** If omitted, places are not shared out. */
    shares?: RefreshShares;
  }): Promise<{ readonly leases: readonly RefreshLease[]; readonly postponed: readonly Postponement[] }>;
  /** Returns what the fetch of a leased connection needs to know; null if there is no such connection or no plan. */
  known(
    lease: Pick<RefreshLease, "tenant_id" | "connection_id">,
  ): Promise<(PlannedConnection & { readonly latest: LatestSnapshots }) | null>;
  /**
   * Makes the connections that a notification names due now, but at least `pause_ms` after their last attempt. A connection that is
   * being refreshed keeps its lease, and throttled and postponed ones keep waiting. One that needs its customer is tried once, since
   * they may have logged in at the institution; one whose data another connection has stays as it is. Returns how many of the named
   * ones can be refreshed.
   */
  expedite(notification: {
    user_hashes: readonly string[];
    reference_hashes: readonly string[];
    /** Null = of any tenant. */
    tenant_id: string | null;
    except_tenants: readonly string[];
    now: Date;
    pause_ms: number;
  }): Promise<number>;
  /** Returns connections whose consent notice is due, at most `limit`, in no order; none that wait for a re-login. */
  endingConsents(now: Date, limit: number): Promise<readonly { tenant_id: string; connection_id: Uuid }[]>;
  backlog(now: Date): Promise<RefreshBacklog>;
}

/** Size of the queue. */
export interface RefreshBacklog {
  /** Connections that are due and not being refreshed. */
  readonly due: number;
  /** When the oldest of them became due. */
  readonly oldest_due_at: Date | null;
  /** Connections that wait for their customer's re-login. */
  readonly relogin_needed: number;
  /** Connections whose consent expires within {@link CONSENT_RENEWAL_MS} and that do not already wait for a re-login. */
  readonly consents_to_renew: number;
}
