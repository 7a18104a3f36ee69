import type { AccessRefusal, FetchedData } from "@org/provider-kit";
import type { ConnectionRecord } from "../ports/connection-store.js";
import type { NextRefresh, PendingFetch, RefreshRecord } from "../ports/refresh-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { TenantStores } from "../ports/storage.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { RefreshOutcome } from "../schemas/refresh.js";
import { publishData, saveConnection } from "./connection-changes.js";
import { publicationOf, statusAfter, statusAfterFailure } from "./publication.js";
import {
  nextAfterThrottle,
  nextAttempt,
  nextDaily,
  nextLook,
  PENDING_LIMIT_MS,
  REFRESH_PAUSE_MS,
} from "./refresh-plan.js";

/** How a fetch of a refresh ended. */
export type Fetched = { readonly sealed_access?: string | undefined } & (
  | { readonly kind: "data"; readonly result: FetchedData; readonly stated: StatedUser | null }
  | { readonly kind: "refused"; readonly reason: AccessRefusal }
  | { readonly kind: "pending"; readonly retry_after: number; readonly sealed_state: string }
  | { readonly kind: "throttled"; readonly retry_after: number }
  | { readonly kind: "failed" | "cut_off"; readonly error: unknown }
  | { readonly kind: "postponed"; readonly error: unknown; readonly until: Date }
);

/** Who the data say it is, where the login could not know: keyed hashes, for the connection and for notifications. */
export interface StatedUser {
  readonly identity: string;
  readonly user_hash: string | null;
}

/** Failures in a row after which what was being prepared is asked for anew: the state itself may be what fails. */
const FAILURES_WITH_ONE_STATE = 3;

/** What was written: the plan, and whose data they are if another connection has them. */
export type Applied = NextRefresh & { readonly outcome: RefreshOutcome; readonly existing?: Uuid };

/** Writes what a fetch came to, all but the plan, which it returns. */
export async function applyFetch(
  stores: Pick<TenantStores, "connections" | "snapshots" | "events">,
  runtime: Pick<Runtime, "clock" | "newId">,
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
      if (existing !== null) return endAsTwin(existing);
      const after = statusAfter(status, fetched.result, now);
      await publishData(stores, connection, publicationOf(connection_id, snapshot, now));
      await save(after);
      const isWhole = snapshot.portfolios !== null && snapshot.holdings !== null && snapshot.transactions !== null;
      return {
        due_at: afterNotification(plan, nextDaily(connection_id, now)),
        failures: 0,
        outcome: isWhole ? "refreshed" : "incomplete",
        pending: null,
        consent_expires_at: after.consent_expires_at === null ? null : new Date(after.consent_expires_at),
        ...(fetched.stated && { user_hash: fetched.stated.user_hash }),
      };
    }
    case "refused":
      await save(statusAfterFailure(status, fetched.reason, runtime.newId(), now));
      return { due_at: null, failures: 0, outcome: "relogin_needed", pending: null };
    case "pending": {
      const pending = { sealed_state: fetched.sealed_state, since: plan.pending?.since ?? now };
      if (fetched.sealed_access !== undefined) await save(status);
      return { due_at: nextLook(fetched.retry_after, pending.since, now), failures, outcome: "pending", pending };
    }
    case "throttled":
      if (fetched.sealed_access !== undefined) await save(status);
      return {
        due_at: nextAfterThrottle(connection_id, fetched.retry_after, now),
        failures,
        outcome: "throttled",
        pending: plan.pending,
      };
    case "failed": {
      const isGivenUp =
        failures + 1 >= FAILURES_WITH_ONE_STATE || (plan.pending && isPreparedTooLong(plan.pending, now));
      return fail(isGivenUp ? null : plan.pending);
    }
    case "postponed":
      return { due_at: fetched.until, failures, outcome: "postponed", pending: plan.pending };
    case "cut_off":
      return { due_at: now, failures, outcome: "postponed", pending: plan.pending };
  }

  /**
   * The data are those of another connection. One that never had any ends here, for its login came too late to be told `AlreadyExists`.
   * One that has data of its own keeps them: another customer's came, as after a login with another name.
   */
  async function endAsTwin(existing: Uuid): Promise<Applied> {
    const isNew = status.pending;
    await save({ ...statusAfterFailure(status, isNew ? null : "rejected", "", now), pending: false });
    return { due_at: null, failures: 0, outcome: isNew ? "already_exists" : "relogin_needed", pending: null, existing };
  }

  async function fail(pending: PendingFetch | null): Promise<Applied> {
    await save(statusAfterFailure(status, null, "", now));
    return {
      due_at: nextAttempt(connection_id, failures + 1, now),
      failures: failures + 1,
      outcome: "failed",
      pending,
    };
  }
}

/** Whether data have been prepared for so long that they are asked for anew. */
export function isPreparedTooLong({ since }: PendingFetch, now: Date): boolean {
  return now.getTime() - since.getTime() >= PENDING_LIMIT_MS;
}

/** Data may have changed after they were read: a connection that was named meanwhile comes again as soon as it may. */
function afterNotification({ notified_at, attempted_at }: RefreshRecord, daily: Date): Date {
  if (notified_at === null || attempted_at === null || notified_at < attempted_at) return daily;
  return new Date(Math.min(daily.getTime(), attempted_at.getTime() + REFRESH_PAUSE_MS));
}
