import { setTimeout as delay } from "node:timers/promises";

/** PostgreSQL writes its log a moment after a statement. */
const LOG_MS = 300;
const EXPLAINED_CALLS = 3;
/** Of the log, read at once. A call whose functions run a statement for each row writes hundreds of megabytes. */
const PIECE_BYTES = 10_000_000;

/** The settings with which PostgreSQL must be started for {@link watchStatements}. */
export const watchedSettings = {
  shared_preload_libraries: "pg_stat_statements,auto_explain",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  logging_collector: "on",
  log_destination: "jsonlog",
  log_rotation_size: "0",
  // Its workers' snapshots would keep a benchmark's own vacuum from marking pages as visible to all.
  autovacuum: "off",
};

/** Measures what statements cost. @param client a superuser's client of `pg`, connected to the database to watch */
export async function watchStatements(client) {
  await client.query("create extension if not exists pg_stat_statements");
  return {
    /** Statements, and blocks of 8 kB that they read, per call, while `work` makes `calls` calls. Statements that ran less often are not counted. */
    async count(work, calls) {
      await client.query("select pg_stat_statements_reset()");
      await work();
      const { rows } = await client.query(
        `select coalesce(sum(calls), 0)::float8 as statements, coalesce(sum(total_exec_time), 0)::float8 as ms,
           coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as blocks
         from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) and calls >= $1
           and query not like '%pg_stat_statements%'`,
        [Math.ceil(calls / 2)],
      );
      const [{ statements, blocks, ms }] = rows;
      return { statements: statements / calls, blocks: blocks / calls, database_ms: ms / calls };
    },

    /**
     * What the plans of a call read, as text: each index or table, with the highest row count of any scan. The call is made several times, and only
     * what was read every time belongs to it.
     */
    async scansOf(call) {
      await setting(client, "auto_explain.log_min_duration", "0");
      const times = [];
      for (let time = 0; time < EXPLAINED_CALLS; time += 1) times.push(await scansDuring(client, call));
      await setting(client, "auto_explain.log_min_duration", "-1");
      const always = [...times[0]].filter(([name]) => times.every((scans) => scans.has(name)));
      const most = always.toSorted(([, a], [, b]) => b - a);
      return most.map(([name, rows]) => `\`${name}\` ${rows}`).join(", ");
    },
  };
}

/** The rows that were read from each index or table during a call. */
async function scansDuring(client, call) {
  const { rows } = await client.query("select size::float8 from pg_stat_file(pg_current_logfile('jsonlog'))");
  await call();
  const scans = new Map();
  let at = rows[0].size;
  for (;;) {
    await delay(LOG_MS);
    const bytes = await logFrom(client, at);
    // A long plan is written in parts.
    const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    for (const line of whole.toString().split("\n").filter(Boolean)) collect(planIn(line), scans);
    at += whole.length;
    if (whole.length === bytes.length && bytes.length < PIECE_BYTES) return scans;
  }
}

async function logFrom(client, at) {
  const { rows } = await client.query("select pg_read_binary_file(pg_current_logfile('jsonlog'), $1, $2) as bytes", [
    at,
    PIECE_BYTES,
  ]);
  return rows[0].bytes;
}

async function setting(client, name, value) {
  await client.query(`alter system set ${name} = '${value}'`);
  await client.query("select pg_reload_conf()");
  await delay(LOG_MS);
}

function planIn(line) {
  const { message = "" } = JSON.parse(line);
  const at = message.indexOf("plan:\n");
  return at < 0 ? null : JSON.parse(message.slice(at + "plan:\n".length)).Plan;
}

function collect(plan, scans) {
  if (!plan) return;
  const name = plan["Index Name"] ?? (plan["Node Type"] === "Seq Scan" ? `all of ${plan["Relation Name"]}` : null);
  if (name !== null && !name.startsWith("pg_")) {
    const removed = (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
    const rows = Math.round((plan["Actual Rows"] + removed) * plan["Actual Loops"]);
    scans.set(name, Math.max(scans.get(name) ?? 0, rows));
  }
  for (const child of plan.Plans ?? []) collect(child, scans);
}
