import type { AccessRefusal, FetchedData, FetchResult, LoginStep, Throttled } from "@org/provider-kit";
import { publicationSteps, type SnapshotDifference } from "../data/publication.js";
import type { StatedValuations } from "../data/snapshot-store.js";
import { staleAt } from "../data/stale-at.js";
import { createEventLoopYielder, runInSteps } from "../event-loop-yielder.js";
import type { Runtime } from "../ports/runtime.js";
import type { ConsentRenewal, CredentialStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { RefreshOutcome, RefreshState } from "../schemas/refresh.js";
import { publishData, saveConnection, statusAfter, statusAfterFailure } from "./connection-changes.js";
import type { ConnectionRecord } from "./connection-store.js";
import { sealProgress } from "./pending-fetch.js";
import {
  CONSENT_RENEWAL_MS,
  type NextRefresh,
  type PendingFetch,
  type RefreshPlan,
  type RefreshRecord,
} from "./refresh-store.js";
import type { ConnectionStores } from "./storage.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Minimum time between a refresh on request and the one before it. */
export const REFRESH_PAUSE_MS = 15 * MINUTE;
/** Longer than any refresh takes. A connection whose worker was killed is due again afterwards. */
export const REFRESH_LEASE_MS = 5 * MINUTE;
const FIRST_BACKOFF_MS = 15 * MINUTE;
const LAST_BACKOFF_MS = 12 * HOUR;

/**
 * Returns when an up-to-date connection is refreshed next: at its own time of day (UTC), which is derived from its id so that
 * connections spread over the day. This is in 12 to 36 hours.
 */
export function nextDaily(connectionId: string, now: Date): Date {
  const ofTheDay = shareOf(connectionId) * DAY;
  const earliest = now.getTime() + 12 * HOUR;
  const days = Math.ceil((earliest - ofTheDay) / DAY);
  return new Date(Math.round(days * DAY + ofTheDay));
}

/**
 * Returns when a refresh that failed `failures` times in a row is attempted again: after 15 minutes, doubling up to 12 hours,
 * spread by up to half.
 */
export function nextRefreshAttempt(connectionId: string, failures: number, now: Date): Date {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LAST_BACKOFF_MS);
  return new Date(Math.round(now.getTime() + full * (1 + shareOf(connectionId) / 2)));
}

/** Returns a number in [0, 1) for each connection: the last 48 bits of its id, which are random in a UUIDv7. */
function shareOf(connectionId: string): number {
  return Number.parseInt(connectionId.slice(-12), 16) / 2 ** 48;
}

/** How long an institution may prepare the same data before they are requested again from the start. */
const PENDING_LIMIT_MS = DAY;

/**
 * Returns when to ask again for data that are being prepared: when the institution says, but not before another quarter of the time
 * it has taken so far, so that polls become rarer. At least 5 seconds, at most an hour.
 */
export function nextPoll(retryAfterSeconds: number, since: Date, now: Date): Date {
  const taken = now.getTime() - since.getTime();
  return new Date(now.getTime() + within(retryAfterSeconds, Math.min(Math.max(taken / 4, 5_000), HOUR), HOUR));
}

/**
 * Returns when to call an institution again after it throttled a call: after at least a minute and at most a day, spread by up to a
 * quarter, so that throttled connections do not return together. At a limit that they share it is when the institution says, because
 * the server then lets them come one after another.
 */
function nextAfterThrottle(connectionId: string, { retry_after, shared = false }: Throttled, now: Date): Date {
  const spread = shared ? 1 : 1 + shareOf(connectionId) / 4;
  return new Date(Math.round(now.getTime() + within(retry_after, shared ? 1_000 : MINUTE, DAY) * spread));
}

/** Returns when a history goes on: when the provider says, after a second at least and an hour at most. */
function nextPart(retryAfterSeconds: number, now: Date): Date {
  return new Date(now.getTime() + within(retryAfterSeconds, 1_000, HOUR));
}

function within(seconds: number, least: number, most: number): number {
  return Math.min(Math.max(Number.isFinite(seconds) ? seconds * 1_000 : least, least), most);
}

/** Returns the request to renew a consent in its last days; null before that, or if the consent has no end. */
export function consentRenewalOf(
  { consent_expires_at: expires_at }: Pick<CredentialStatus, "consent_expires_at">,
  now: Date,
): ConsentRenewal | null {
  if (expires_at === null) return null;
  const askedSince = new Date(Date.parse(expires_at) - CONSENT_RENEWAL_MS);
  return askedSince <= now ? { asked_since: askedSince.toISOString(), expires_at } : null;
}

/** Returns the hashes by which a notification finds connections, over all tenants. */
export function notifiedHashes(
  mac: Runtime["mac"],
  provider: string,
  named: { readonly user_keys?: readonly string[] | undefined; readonly references?: readonly string[] | undefined },
) {
  const hash = (purpose: "notified-user" | "notified-reference", name: string) =>
    mac(purpose, JSON.stringify([provider, name]));
  return {
    user_hashes: (named.user_keys ?? []).map((key) => hash("notified-user", key)),
    reference_hashes: (named.references ?? []).map((reference) => hash("notified-reference", reference)),
  };
}

/** Returns the user key that the data state; undefined if the login has already stated it. */
export function userKeyIn(result: FetchResult): string | undefined {
  return result.snapshot === undefined ? undefined : result.user_key;
}

/** Returns the keyed hash of who logged in at a bank. */
export function identityOf(mac: Runtime["mac"], tenantId: string, connectorId: string, userKey: string): string {
  return mac("identity", JSON.stringify([tenantId, connectorId, userKey]));
}

/** Returns the plan after a login whose first fetch returned data or has to wait for them. */
export async function refreshPlanAfterLogin(
  { clock, mac, vault }: Pick<Runtime, "clock" | "mac" | "vault">,
  login: {
    readonly connection_id: string;
    readonly provider: string;
    readonly step: Extract<LoginStep, { kind: "authenticated" }>;
    readonly result: Exclude<FetchResult, { refused: AccessRefusal } | { failed: object }>;
    /** What the first fetch was asked for. */
    readonly since: Date | null;
  },
): Promise<RefreshPlan> {
  const { connection_id, provider, step, result, since } = login;
  const now = clock();
  const { user_hashes, reference_hashes } = notifiedHashes(mac, provider, {
    user_keys: [userKeyIn(result) ?? step.user_key],
    references: step.reference === undefined ? [] : [step.reference],
  });
  return {
    ...(await firstDue()),
    user_hash: user_hashes[0] ?? null,
    reference_hash: reference_hashes[0] ?? null,
    consent_expires_at: result.snapshot
      ? (result.consent_expires_at ?? step.consent_expires_at ?? null)
      : (step.consent_expires_at ?? null),
  };

  async function firstDue(): Promise<Pick<RefreshPlan, "due_at" | "pending">> {
    if (result.throttled) return { due_at: nextAfterThrottle(connection_id, result.throttled, now), pending: null };
    const goesOn = result.pending ?? result.more;
    if (!goesOn) return { due_at: nextDaily(connection_id, now), pending: null };
    const { retry_after, state } = goesOn;
    const history = result.pending ? null : { since };
    const sealed_state = await sealProgress(vault, connection_id, { state, history });
    const due_at = result.pending ? nextPoll(retry_after, now, now) : nextPart(retry_after, now);
    return { due_at, pending: { sealed_state, since: now } };
  }
}

/** Returns the refresh state that people and programs see; a connection without a plan gets its data from files. */
export function refreshStateOf(
  plan: Pick<RefreshRecord, "due_at" | "lease" | "attempted_at" | "outcome"> | null,
  now: Date,
): RefreshState {
  if (plan === null) return { state: "none", next_at: null, last_attempt_at: null, last_outcome: null };
  const hasEnded = plan.outcome === "already_exists";
  const isUnderWay = plan.lease !== null && plan.due_at !== null && plan.due_at > now;
  return {
    state: isUnderWay ? "under_way" : plan.due_at !== null ? "planned" : hasEnded ? "none" : "relogin_needed",
    next_at: isUnderWay ? null : (plan.due_at?.toISOString() ?? null),
    last_attempt_at: plan.attempted_at?.toISOString() ?? null,
    last_outcome: plan.outcome,
  };
}

/** The result of a refresh's fetch. */
export type Fetched = {
  readonly sealed_access?: string | undefined;
  /** What stays of an unfinished history when its state is given up, so that it is read anew and not taken for known; null = there is none. */
  readonly restart?: PendingFetch | null;
} & (
  | {
      readonly kind: "data";
      readonly result: FetchedData;
      /** What the data change, prepared before anything is locked. */
      readonly difference: SnapshotDifference;
      /** What accounts are worth; null = the bank stated no accounts. */
      readonly valuations: StatedValuations | null;
      readonly stated: StatedUser | null;
      /** It goes on with a history that an earlier fetch began. */
      readonly continues: boolean;
      /** The history goes on with the next fetch. */
      readonly more: { readonly retry_after: number; readonly sealed_state: string } | null;
    }
  | { readonly kind: "refused"; readonly reason: AccessRefusal }
  | { readonly kind: "pending"; readonly retry_after: number; readonly sealed_state: string }
  | { readonly kind: "throttled"; readonly throttled: Throttled }
  | { readonly kind: "failed" | "cut_off"; readonly error: unknown }
  | { readonly kind: "postponed"; readonly error: unknown; readonly until: Date }
);

/** Who the data belong to, if the login could not know: keyed hashes for the connection and for notifications. */
export interface StatedUser {
  readonly identity: string;
  readonly user_hash: string | null;
}

/** Consecutive failures after which the data are requested from the start, because the stored state may be the cause. */
const FAILURES_WITH_ONE_STATE = 3;

/** The next plan, and the connection that already has these data, if there is one. */
export type Applied = NextRefresh & { readonly outcome: RefreshOutcome; readonly existing?: Uuid };

/** Writes the result of a fetch, except for the plan, which it returns. */
export async function applyFetch(
  stores: Pick<ConnectionStores, "connections" | "snapshots" | "movements" | "events">,
  runtime: Pick<Runtime, "clock" | "newId" | "staleAfterDays">,
  connection: ConnectionRecord,
  plan: RefreshRecord,
  fetched: Fetched,
): Promise<Applied> {
  const now = runtime.clock();
  const { connection_id, status } = connection;
  const { failures } = plan;
  const save = (after: CredentialStatus) => {
    const { sealed_access } = fetched;
    const change = { status: after, ...(sealed_access !== undefined && { sealed_access }) };
    const occasion = { source: "refresh", letter_id: null, isFresh: fetched.kind === "data" } as const;
    return saveConnection(stores, connection, change, occasion);
  };
  switch (fetched.kind) {
    case "data": {
      const { snapshot } = fetched.result;
      const existing = fetched.stated && (await stores.connections.identify(connection_id, fetched.stated.identity));
      if (existing !== null) return endAsDuplicate(existing);
      const { more } = fetched;
      const isPart = fetched.continues || more !== null;
      const after = statusAfter(status, fetched.result, now, isPart);
      const stale_at = staleAt(snapshot.as_of, runtime.staleAfterDays);
      const valued = fetched.valuations && { valuations: { ...fetched.valuations, read_at: now } };
      const isSame = await stores.snapshots.confirm({
        connection_id,
        as_of: snapshot.as_of,
        stale_at,
        digests: fetched.difference.same,
        ...(fetched.difference.publication === null && valued),
      });
      // Something else was published since the difference was taken.
      const publication = isSame
        ? fetched.difference.publication
        : await runInSteps(publicationSteps(connection_id, snapshot, now), createEventLoopYielder());
      if (publication)
        await publishData(stores, connection, { ...publication, stale_at, published_at: now, ...valued });
      await save(after);
      const isWhole = snapshot.portfolios !== null && snapshot.holdings !== null && snapshot.transactions !== null;
      return {
        due_at: more ? nextPart(more.retry_after, now) : afterNotification(plan, nextDaily(connection_id, now)),
        failures: 0,
        outcome: isWhole || isPart ? "refreshed" : "incomplete",
        pending: more && { sealed_state: more.sealed_state, since: now },
        consent_expires_at: after.consent_expires_at === null ? null : new Date(after.consent_expires_at),
        ...(fetched.stated && { user_hash: fetched.stated.user_hash }),
      };
    }
    case "refused":
      await save(statusAfterFailure(status, fetched.reason, runtime.newId(), now));
      return {
        due_at: afterNotification(plan, null),
        failures: 0,
        outcome: "relogin_needed",
        pending: fetched.restart ?? null,
      };
    case "pending": {
      const pending = { sealed_state: fetched.sealed_state, since: plan.pending?.since ?? now };
      if (fetched.sealed_access !== undefined) await save(status);
      return { due_at: nextPoll(fetched.retry_after, pending.since, now), failures, outcome: "pending", pending };
    }
    case "throttled":
      if (fetched.sealed_access !== undefined) await save(status);
      return {
        due_at: nextAfterThrottle(connection_id, fetched.throttled, now),
        failures,
        outcome: "throttled",
        pending: plan.pending,
      };
    case "failed": {
      const isGivenUp =
        failures + 1 >= FAILURES_WITH_ONE_STATE || (plan.pending && isPreparationOverdue(plan.pending, now));
      return fail(isGivenUp ? (fetched.restart ?? null) : plan.pending);
    }
    case "postponed":
      return { due_at: fetched.until, failures, outcome: "postponed", pending: plan.pending };
    case "cut_off":
      return { due_at: now, failures, outcome: "postponed", pending: plan.pending };
  }

  /**
   * Handles data that belong to another connection. A connection that never had data ends here, because its login could not be told
   * `AlreadyExists`. One that has data keeps them and needs a re-login: the new data are another customer's, as after a login under
   * another name.
   */
  async function endAsDuplicate(existing: Uuid): Promise<Applied> {
    const isNew = status.pending;
    await save({ ...statusAfterFailure(status, isNew ? null : "rejected", "", now), pending: false });
    return { due_at: null, failures: 0, outcome: isNew ? "already_exists" : "relogin_needed", pending: null, existing };
  }

  async function fail(pending: PendingFetch | null): Promise<Applied> {
    await save(statusAfterFailure(status, null, "", now));
    return {
      due_at: nextRefreshAttempt(connection_id, failures + 1, now),
      failures: failures + 1,
      outcome: "failed",
      pending,
    };
  }
}

/** Returns whether data have been in preparation for so long that they are requested from the start. */
export function isPreparationOverdue({ since }: PendingFetch, now: Date): boolean {
  return now.getTime() - since.getTime() >= PENDING_LIMIT_MS;
}

/**
 * Returns the next due time. The data, or the institution's refusal, may be of before a notification that named the connection meanwhile,
 * so it is refreshed again as soon as allowed.
 * @param otherwise without a notification; null = not until a re-login
 */
function afterNotification<Otherwise extends Date | null>(
  { notified_at, attempted_at }: RefreshRecord,
  otherwise: Otherwise,
): Date | Otherwise {
  if (notified_at === null || attempted_at === null || notified_at < attempted_at) return otherwise;
  const soon = attempted_at.getTime() + REFRESH_PAUSE_MS;
  return new Date(Math.min(otherwise?.getTime() ?? soon, soon));
}
