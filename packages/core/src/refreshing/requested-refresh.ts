import { REFRESH_PAUSE_MS } from "../connections/refresh-plan.js";
import type { RefreshRecord } from "../connections/refresh-store.js";
import { CoreError, conflict } from "../errors.js";

/**
 * Whether a refresh may be requested now; `under_way` = it already runs.
 * @param plan null = the connection has none
 * @throws CoreError CONFLICT, RATE_LIMITED
 */
export function requestedRefresh(plan: RefreshRecord | null, now: Date): "allowed" | "under_way" {
  if (plan?.outcome === "already_exists")
    throw conflict("other_connection_has_data", "its customer has another connection to this bank, which has the data");
  if (plan === null) throw conflict("data_come_as_files", "the data of this connection come as files of the custodian");
  if (plan.due_at === null)
    throw conflict("needs_customer", "the bank wants its customer: open a Connect session for this connection");
  if (plan.lease !== null && plan.due_at > now) return "under_way";
  const isAskedToWait = plan.pending !== null || plan.outcome === "throttled";
  if (isAskedToWait && plan.due_at > now)
    throw new CoreError(
      "RATE_LIMITED",
      plan.pending && plan.outcome === "refreshed"
        ? "the history of this connection is being read: it goes on by itself"
        : plan.pending
          ? "the institution prepares the data of this connection: they are fetched as soon as they are there"
          : "the institution wants fewer requests: it is asked again by itself",
      { retryAfterSeconds: Math.ceil((plan.due_at.getTime() - now.getTime()) / 1_000) },
    );
  if (plan.lost_leases > 1 && plan.due_at > now)
    throw new CoreError("RATE_LIMITED", "refreshes of this connection did not end: it is put off", {
      retryAfterSeconds: Math.ceil((plan.due_at.getTime() - now.getTime()) / 1_000),
    });
  const wait = (plan.attempted_at?.getTime() ?? Number.NEGATIVE_INFINITY) + REFRESH_PAUSE_MS - now.getTime();
  if (wait > 0)
    throw new CoreError("RATE_LIMITED", "a connection is refreshed at most every 15 minutes", {
      retryAfterSeconds: Math.ceil(wait / 1_000),
      limit: { name: "refreshes_in_15_minutes", value: 1 },
    });
  return "allowed";
}
