import type { Uuid } from "../schemas/identifier.js";
import type { RefreshOutcome } from "../schemas/refresh.js";

const DAY_MS = 24 * 60 * 60_000;

/** How long before a consent runs out its customer is asked to renew it. */
export const CONSENT_RENEWAL_MS = 7 * DAY_MS;

/** How many days before a consent runs out it is told that it does, the first time and the last. */
export type ConsentNotice = 7 | 1;

/** What of a consent was told, for whoever keeps it. */
export interface ConsentNotified {
  /** The end that was told of; null = none was. */
  readonly consent_told_end: Date | null;
  readonly consent_told_days: number | null;
}

/**
 * What is to be told of a consent's end now; null = nothing, or nothing more. An end that is more than a day later than the one that was
 * told is another consent's: banks state the same one a little differently from day to day.
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

/** Data that the institution prepares: the next fetch asks for them by this state. */
export interface PendingFetch {
  /** The provider's `state`, encrypted and bound to the connection. */
  readonly sealed_state: string;
  /** When it was answered first that they are not there yet. */
  readonly since: Date;
}

/** When a connection is refreshed, and how it went last. */
export interface RefreshRecord {
  /** When it is looked at next; while a lease is held: when the lease ends. Null = not until a re-login. */
  readonly due_at: Date | null;
  /** Who refreshes it now, as far as `due_at` has not passed. */
  readonly lease: string | null;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** When the last refresh began; null when there was none. */
  readonly attempted_at: Date | null;
  /** What became of it; null when there was none, or it is under way or was cut off. */
  readonly outcome: RefreshOutcome | null;
  readonly pending: PendingFetch | null;
  /** When a notification of the institution named it last. */
  readonly notified_at: Date | null;
  /** Leases in a row that ran out, since whoever had them ended; from two on it is put off longer each time. */
  readonly lost_leases: number;
}

/** What is known after a login. Hashes are keyed: by them a notification of the institution finds the connection. */
export interface RefreshPlan {
  readonly due_at: Date;
  readonly pending: PendingFetch | null;
  /** Of the customer's name at the provider. */
  readonly user_hash: string | null;
  /** Of the institution's own name for the access. */
  readonly reference_hash: string | null;
  readonly consent_expires_at: Date | null;
}

/** What a refresh leaves for the next one. */
export interface NextRefresh extends Pick<RefreshRecord, "due_at" | "failures" | "outcome" | "pending"> {
  /** Left out: as it was. */
  readonly consent_expires_at?: Date | null;
  /** Left out: as it was. */
  readonly user_hash?: string | null;
}

/**
 * Refresh plans of one tenant's connections. A connection that nobody can refresh has none. A refresh holds a lease from its
 * first to its last step: whoever is killed in between loses it when it ends, and the connection is due again; what is pending stays.
 */
export interface RefreshStore {
  find(connectionId: Uuid): Promise<RefreshRecord | null>;
  /** Plans the next refresh afresh, without failures; a lease that somebody holds is void. False when there is no such connection. */
  plan(connectionId: Uuid, plan: RefreshPlan): Promise<boolean>;
  /** Takes a free lease until `until`. False, changing nothing, when somebody holds it or there is no plan. */
  take(connectionId: Uuid, lease: { lease: string; now: Date; until: Date }): Promise<boolean>;
  /**
   * The plan, if this lease still stands; null if not. Until the end of the transaction nobody else publishes for the tenant, or deletes,
   * or takes the lease: what is written under it is written once.
   */
  hold(connectionId: Uuid, lease: string): Promise<RefreshRecord | null>;
  /**
   * Notes that the end of the connection's consent is told, if it is due ({@link consentNoticeDue}), and answers what to tell; null, changing
   * nothing, when it is not, or whoever asked at the same moment tells it.
   */
  noteConsentEnd(connectionId: Uuid, now: Date): Promise<{ readonly end: Date; readonly days: ConsentNotice } | null>;
  /** Gives a lease back that {@link hold} has confirmed, with the next plan. */
  settle(connectionId: Uuid, next: NextRefresh): Promise<void>;
}

/** A lease on a connection of any tenant. */
export interface RefreshLease {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly connector_id: string;
  readonly lease: string;
}

/** What of a server's places connectors and tenants may have, so that none keeps the others waiting. */
export interface RefreshShares {
  /** Of one connector, and of one tenant. */
  readonly each: number;
  /** What the server refreshes now. */
  readonly held: readonly Pick<RefreshLease, "tenant_id" | "connector_id">[];
  /** Connectors of which one connection at a time is refreshed: it tries whether the bank is back. */
  readonly one_at_a_time: readonly string[];
  /** Connectors that the server leaves alone: for one tenant, or (null) for all but some. */
  readonly closed: readonly {
    readonly connector_id: string;
    readonly tenant_id: string | null;
    readonly except_tenants: readonly string[];
  }[];
}

/** A connection whose lease ran out again and again: it is put off, since servers may end with it. */
export interface Postponement extends Omit<RefreshLease, "lease"> {
  readonly lost_leases: number;
  readonly until: Date;
}

/** When a connection is claimed again that has lost so many leases; null = at once, for a server may end for any reason. */
export function postponedUntil(lostLeases: number, now: Date): Date | null {
  if (lostLeases < 2) return null;
  const full = lostLeases > LOST_LEASES ? MAX_POSTPONEMENT_MS : FIRST_POSTPONEMENT_MS * 2 ** (lostLeases - 2);
  return new Date(now.getTime() + full);
}

/** After so many the connection is looked at once a day. */
export const LOST_LEASES = 5;
export const FIRST_POSTPONEMENT_MS = 15 * 60_000;
export const MAX_POSTPONEMENT_MS = 24 * 60 * 60_000;

/** Connections of all tenants in the order in which they are due. */
export interface RefreshQueue {
  /**
   * Leases what is due, at most `limit`, and never what another process leases at the same moment: the longest due first, and within
   * `shares` first what has the fewest places. What has lost its lease twice or more is not leased but put off ({@link postponedUntil}).
   */
  claim(request: {
    lease: string;
    now: Date;
    until: Date;
    limit: number;
    /** Tenants that are switched off: theirs wait. */
    except_tenants: readonly string[];
    /** Left out: no matter whose they are. */
    shares?: RefreshShares;
  }): Promise<{ readonly leases: readonly RefreshLease[]; readonly postponed: readonly Postponement[] }>;
  /**
   * Connections that a notification names are due now, `pause_ms` after their last attempt at the earliest. One that is refreshed at this
   * moment keeps its lease; one at whose institution there were too many requests waits, as one that is put off; one that needs its
   * customer stays. Returns how many were named and can be refreshed.
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
  /** Connections the end of whose consent is to be told, at most `limit`, in no order; of those that wait for a re-login none. */
  endingConsents(now: Date, limit: number): Promise<readonly { tenant_id: string; connection_id: Uuid }[]>;
  backlog(now: Date): Promise<RefreshBacklog>;
}

/** What waits. */
export interface RefreshBacklog {
  /** Connections that are due and that nobody refreshes. */
  readonly due: number;
  /** Since when the oldest of them is. */
  readonly oldest_due_at: Date | null;
  /** Connections that wait for their customer's re-login. */
  readonly relogin_needed: number;
  /** Connections whose consent runs out within {@link CONSENT_RENEWAL_MS} and that do not wait for a re-login already. */
  readonly consents_to_renew: number;
}
