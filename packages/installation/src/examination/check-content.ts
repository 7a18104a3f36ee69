import { clusterState, migrationState, type OpenedStorage, StorageError } from "@org/storage-postgres";
import type { Config } from "../config.js";
import { checkCluster } from "./check-cluster.js";
import { checkEncryptionKeys } from "./check-encryption-keys.js";
import { checkAccess, checkRoles, checkRowSecurity } from "./check-roles.js";
import { clockFinding, type Finding, fail, ok, warn } from "./finding.js";

const MIN_POSTGRES_VERSION = 150_000;
const HOUR_MS = 3_600_000;
/** Workers poll every few seconds; if work is due for longer, there are none, or too few. */
const LATEST_HOURS = 2;

/** The machine that checks: its clock is compared with the database's. */
interface Examiner {
  /** The machine's own clock. */
  readonly clock: () => Date;
  /** Its name in messages: `this machine`, or `the server's machine` for a reader elsewhere. */
  readonly machine: string;
}

/** Checks the contents of a reachable database, without changing anything. */
export async function checkContent(config: Config, opened: OpenedStorage, by: Examiner): Promise<Finding[]> {
  const state = await migrationState(opened.pool).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === "older_than_code") return error;
    throw error;
  });
  if (state instanceof StorageError) return [fail("migrations", state.message, "use an empty database")];
  const { current, latest, pending } = state;
  if (current > latest)
    return [
      fail(
        "migrations",
        `the database is at migration ${current}, this version knows ${latest}`,
        "use the newer version",
      ),
    ];
  if (pending.length > 0)
    return [
      fail(
        "migrations",
        `to be applied: ${pending.join(", ")}`,
        "wealth-connect migrate, with a role that may create tables",
      ),
    ];
  const roles = await checkRoles(opened);
  const facts = [ok("migrations", `all ${current} applied`), ...(await checkVersionAndClock(opened, by)), ...roles];
  // All further checks read in one of the roles.
  if (roles.some(({ state }) => state === "fail")) return facts;
  const cluster = await clusterState(opened.pool);
  return [
    ...facts,
    ...(await checkAccess(opened, cluster.citus !== null)),
    await checkRowSecurity(opened, cluster.spread),
    ...checkCluster(cluster),
    await checkEncryptionKeys(config, opened),
    await checkOperator(opened),
    await checkRefreshes(opened, by.clock),
  ];
}

async function checkVersionAndClock({ pool }: OpenedStorage, { clock, machine }: Examiner): Promise<Finding[]> {
  const asked = clock().getTime();
  const { rows } = await pool.query<{ version: string; number: string; now: Date }>(
    "select current_setting('server_version') as version, current_setting('server_version_num') as number, clock_timestamp() as now",
  );
  const answered = clock().getTime();
  const [row] = rows;
  if (!row) throw new Error("the database did not answer a select");
  const version = ok("version of PostgreSQL", row.version);
  const old = fail("version of PostgreSQL", `${row.version} is too old`, "use PostgreSQL 15 or newer");
  const at = row.now.getTime();
  const ahead = Math.max(asked - at, 0) - Math.max(at - answered, 0);
  return [
    Number(row.number) < MIN_POSTGRES_VERSION ? old : version,
    clockFinding("clock of the database", ahead, machine, "the database"),
  ];
}

async function checkOperator({ oauthStore }: OpenedStorage): Promise<Finding> {
  const [operator] = await oauthStore.applications.list({ tenant_id: null, limit: 1 });
  return operator
    ? ok("operator", `has an application (${operator.client_id})`)
    : warn("operator", "there is no operator's application, so nobody can manage tenants", "wealth-connect bootstrap");
}

/** Checks that connections are refreshed when they are due. */
async function checkRefreshes({ storage }: Pick<OpenedStorage, "storage">, clock: () => Date): Promise<Finding> {
  const now = clock();
  const { due, oldest_due_at, relogin_needed, consents_to_renew } = await storage.refreshQueue.backlog(now);
  const hours = oldest_due_at === null ? 0 : (now.getTime() - oldest_due_at.getTime()) / HOUR_MS;
  const waiting = `${relogin_needed} wait for their clients to log in again, ${consents_to_renew} consents run out within seven days`;
  if (hours < LATEST_HOURS) return ok("refreshes", `${due} connections are due, ${waiting}`);
  return warn(
    "refreshes",
    `${due} connections are due, the oldest for ${Math.floor(hours)} h; ${waiting}`,
    "run at least one server with JOBS=true, and look for refreshes that fail in its log",
  );
}
