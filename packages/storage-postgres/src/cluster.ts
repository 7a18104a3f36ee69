/// <reference path="./sql-text.d.ts" />
import type { Pool, PoolClient } from "pg";
import clusterFunctions from "../sql/cluster.sql";
import { FUNCTIONS_STAY, MIGRATION_LOCK, protect, unprotect } from "./protect-tables.js";

/**
 * The tables that a cluster (Citus) distributes over its nodes by tenant. No table references them, and their keys all have the same shape.
 * Everything else stays on the coordinator; docs/decisions/citus.md says why.
 */
const spreadTables = [
  ...["holdings", "portfolios", "transactions", "replaced_transactions"],
  ...["valued_accounts", "valuations", "valued_months", "replaced_valuations", "valued_holdings"],
] as const;

/** Roles that run statements on these tables, and as which the coordinator therefore logs in on the nodes. */
const nodeRoles = ["wealth_connect_app", "wealth_connect_cleanup", "wealth_connect_backup"] as const;

/** How sql/cluster.sql marks its functions. */
const MARK = "-- on a cluster";

/** A node that stores tenants' rows. */
interface ClusterNode {
  readonly host: string;
  readonly port: number;
  /** Whether Citus uses the node. A dead node stays active. */
  readonly is_active: boolean;
  /** Whether the coordinator could connect to the node just now. */
  readonly answers: boolean;
  /** Shards of the distributed tables on the node, all tables together. */
  readonly shards: number;
}

/** The next steps of `distributeCluster`, as text. */
export interface ClusterStep {
  readonly kind: "role" | "policy" | "key" | "table" | "functions" | "copy";
  /** The role or table; `sql/cluster.sql` for functions. */
  readonly object: string;
  readonly what: string;
}

/** How far a database is distributed over a cluster. */
export interface ClusterState {
  /** Version of the extension; null = the database does not belong to a cluster. */
  readonly citus: string | null;
  readonly nodes: readonly ClusterNode[];
  /** Tables that are already distributed; row-level security is off for them. */
  readonly spread: readonly string[];
  /** Why distributing is not possible yet, as text; empty = nothing stands in the way. */
  readonly obstacles: readonly string[];
  /** The missing steps, in order; empty = all is done. */
  readonly steps: readonly ClusterStep[];
}

/** Reads the state without changing anything. */
export async function clusterState(client: Pool | PoolClient): Promise<ClusterState> {
  const version = await client.query<{ extversion: string }>(
    "select extversion from pg_extension where extname = 'citus'",
  );
  const citus = version.rows[0]?.extversion ?? null;
  if (citus === null)
    return {
      citus,
      nodes: [],
      spread: [],
      obstacles: ["the database has no extension citus: create it on the coordinator and on every worker"],
      steps: [],
    };
  const { rows: nodes } = await client.query<ClusterNode>(
    `
    select n.nodename as host, n.nodeport as port, n.isactive as is_active,
      coalesce(citus_check_connection_to_node(n.nodename, n.nodeport), false) as answers,
      (select count(*)::integer from citus_shards s
       where s.nodename = n.nodename and s.nodeport = n.nodeport and s.table_name::text = any ($1)) as shards
    from pg_dist_node n where n.noderole = 'primary' and n.shouldhaveshards order by 1, 2`,
    [spreadTables],
  );
  const { rows: tables } = await client.query<Table>(
    `
    select c.relname as name, d.logicalrelid is not null as is_spread, c.relrowsecurity as has_policies,
      pg_relation_size(c.oid)::float8 as local_bytes,
      array(select conname::text from pg_constraint where conrelid = c.oid and contype = 'f') as foreign_keys
    from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid and d.partmethod = 'h'
    where c.relnamespace = 'public'::regnamespace and c.relname = any ($1)
    order by array_position($1, c.relname::text)`,
    [spreadTables],
  );
  return {
    citus,
    nodes,
    spread: tables.flatMap(({ name, is_spread }) => (is_spread ? [name] : [])),
    obstacles: [
      ...(await obstaclesOf(client, nodes)),
      ...(tables.length < spreadTables.length ? ["tables are missing: wealth-connect migrate"] : []),
    ],
    steps: await stepsOf(client, tables),
  };
}

interface Table {
  readonly name: string;
  readonly is_spread: boolean;
  readonly has_policies: boolean;
  /** Bytes of the table that are still on the coordinator. */
  readonly local_bytes: number;
  readonly foreign_keys: readonly string[];
}

async function obstaclesOf(client: Pool | PoolClient, nodes: readonly ClusterNode[]): Promise<string[]> {
  const { rows } = await client.query<{ is_coordinator: boolean }>("select citus_is_coordinator() as is_coordinator");
  if (!rows[0]?.is_coordinator)
    return ["this is a worker, or a coordinator without workers: citus_add_node adds them there"];
  const coordinator = await client.query("select from pg_dist_node where groupid = 0");
  const inactive = nodes.filter(({ is_active }) => !is_active);
  const away = nodes.filter(({ is_active, answers }) => is_active && !answers);
  return [
    ...(coordinator.rowCount === 0
      ? ["the coordinator has no address for its workers: citus_set_coordinator_host"]
      : []),
    ...(nodes.length === 0 ? ["the cluster has no worker: add one with citus_add_node"] : []),
    ...inactive.map(({ host, port }) => `the worker ${host}:${port} is not active: citus_activate_node`),
    ...away.map(({ host, port }) => `the worker ${host}:${port} does not answer`),
  ];
}

async function stepsOf(client: Pool | PoolClient, tables: readonly Table[]): Promise<ClusterStep[]> {
  const { rows: roles } = await client.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname = any ($1) and not rolcanlogin order by array_position($1, rolname::text)",
    [nodeRoles],
  );
  return [
    ...roles.map(({ name }) => ({
      kind: "role" as const,
      object: name,
      what: "may log in: the coordinator asks the nodes in this role",
    })),
    ...tables.flatMap(({ name, foreign_keys }) =>
      foreign_keys.length === 0
        ? []
        : [
            {
              kind: "key" as const,
              object: name,
              what: "its foreign key becomes a trigger: what it refers to is on one node",
            },
          ],
    ),
    ...tables.flatMap(({ name, has_policies }) =>
      has_policies
        ? [
            {
              kind: "policy" as const,
              object: name,
              what: "row-level security goes: nodes do not learn whose transaction it is",
            },
          ]
        : [],
    ),
    ...tables.flatMap(({ name, is_spread, local_bytes }) =>
      is_spread
        ? []
        : [
            {
              kind: "table" as const,
              object: name,
              what: `is spread by tenant_id, ${Math.ceil(local_bytes / 1024)} kB`,
            },
          ],
    ),
    ...((await hasFunctions(client))
      ? []
      : [{ kind: "functions" as const, object: "sql/cluster.sql", what: "reads and clean-up for a cluster" }]),
    ...tables.flatMap(({ name, local_bytes }) =>
      local_bytes > 0
        ? [{ kind: "copy" as const, object: name, what: "the rows that the coordinator kept are removed" }]
        : [],
    ),
  ];
}

/** Whether all functions are those of sql/cluster.sql. A migration may have replaced them with its own. */
async function hasFunctions(client: Pool | PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ body: string }>(
    "select prosrc as body from pg_proc where pronamespace = 'public'::regnamespace and strpos(prosrc, $1) > 0",
    [MARK],
  );
  const kept = new Set(rows.map(({ body }) => body));
  return bodies.every((body) => kept.has(body));
}

const bodies = [...clusterFunctions.matchAll(/\$\$(.*?)\$\$/gs)].flatMap(([, body = ""]) =>
  body.includes(MARK) ? [body] : [],
);

/**
 * Distributes a migrated database over its cluster in one transaction, during which writers of these tables wait; then removes the
 * coordinator's own copies. Completed steps are skipped. The login has to own the tables and to be allowed to change the roles of the first
 * migration.
 * @param onStep called before each step
 * @returns the steps that were made
 * @throws Error naming the obstacles
 */
export async function distributeCluster(
  pool: Pool,
  onStep: (step: ClusterStep) => void = () => undefined,
): Promise<readonly ClusterStep[]> {
  const client = await pool.connect();
  try {
    const { obstacles, steps } = await clusterState(client);
    if (obstacles.length > 0) throw new Error(obstacles.join("; "));
    // The clean-up functions belong to a role that cannot hand them to another owner.
    const isUnsettled = steps.some(({ kind }) => kind === "functions");
    if (isUnsettled) await unprotect(pool);
    const made: ClusterStep[] = [];
    try {
      made.push(...(await inTransaction(client, isBefore("copy"), onStep)));
    } finally {
      if (isUnsettled) await protect(pool);
    }
    // Only after the commit can the coordinator's own copies be distinguished from distributed rows.
    return [...made, ...(await inTransaction(client, () => true, onStep))];
  } finally {
    client.release();
  }
}

const isBefore =
  (last: ClusterStep["kind"]) =>
  ({ kind }: ClusterStep) =>
    kind !== last;

/** Runs the missing steps of some kinds. */
async function inTransaction(
  client: PoolClient,
  isMade: (step: ClusterStep) => boolean,
  onStep: (step: ClusterStep) => void,
): Promise<readonly ClusterStep[]> {
  try {
    // Sequential, so that no shard is queried over two connections of one transaction.
    await client.query(
      `begin; ${FUNCTIONS_STAY}; set local statement_timeout = 0; set local lock_timeout = 0; set local citus.multi_shard_modify_mode = 'sequential'`,
    );
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const steps = (await clusterState(client)).steps.filter(isMade);
    for (const step of steps) {
      onStep(step);
      await take(client, step);
    }
    await client.query("commit");
    return steps;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Recreates the cluster functions that migrations have replaced; called between `unprotect` and `protect`. */
export async function keepClusterFunctions(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ found: boolean }>("select to_regclass('pg_dist_partition') is not null as found");
  if (!rows[0]?.found) return;
  const state = await clusterState(pool);
  if (state.spread.length > 0 && state.steps.some(({ kind }) => kind === "functions"))
    await pool.query(`begin; ${FUNCTIONS_STAY}; ${clusterFunctions}; commit`);
}

async function take(client: PoolClient, { kind, object }: ClusterStep): Promise<void> {
  if (kind === "role") await client.query(`alter role ${object} login`);
  else if (kind === "policy")
    await client.query(
      `alter table ${object} no force row level security; alter table ${object} disable row level security`,
    );
  else if (kind === "key") await dropForeignKeys(client, object);
  else if (kind === "table")
    await client.query("select create_distributed_table($1::regclass, 'tenant_id', colocate_with := $2)", [
      object,
      object === spreadTables[0] ? "none" : spreadTables[0],
    ]);
  else if (kind === "functions") await client.query(clusterFunctions);
  else await client.query("select truncate_local_data_after_distributing_table($1::regclass)", [object]);
}

async function dropForeignKeys(client: PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(
    `select format('alter table %I drop constraint %I', $1::text, conname) as sql
    from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
    [table],
  );
  for (const { sql } of rows) await client.query(sql);
}
