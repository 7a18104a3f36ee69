import type { OpenedStorage } from "@org/storage-postgres";
import { type Finding, ok, warn } from "./finding.js";

const HOUR_MS = 3_600_000;
/** A worker looks every few seconds; what is due for longer has no worker, or too few. */
const LATEST_HOURS = 2;

/** Whether connections are refreshed when they are due. */
export async function checkRefreshes({ storage }: Pick<OpenedStorage, "storage">, clock: () => Date): Promise<Finding> {
  const now = clock();
  const { due, oldest_due_at, relogin_needed } = await storage.refreshQueue.backlog(now);
  const hours = oldest_due_at === null ? 0 : (now.getTime() - oldest_due_at.getTime()) / HOUR_MS;
  const waiting = `${relogin_needed} wait for a re-login of their customers`;
  if (hours < LATEST_HOURS) return ok("refreshes", `${due} connections are due, ${waiting}`);
  return warn(
    "refreshes",
    `${due} connections are due, the oldest for ${Math.floor(hours)} h; ${waiting}`,
    "run at least one server with JOBS=true, and look for refreshes that fail in its log",
  );
}
