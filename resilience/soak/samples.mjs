// Measurements every few seconds: processes from /proc, servers from /metrics, the database from its own statistics.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const PAGE_BYTES = 4_096;
const MEGABYTE = 1024 ** 2;

/**
 * @param processes `{name: pid}`
 * @param servers `{name: port}` with /metrics
 * @param database a client connected to it
 * @param postmaster the id of PostgreSQL's main process
 */
export function samplerOf({ processes, servers, database, postmaster }) {
  return async () => ({
    at: new Date().toISOString(),
    processes: Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, processOf(pid)])),
    postgres: postgresOf(postmaster),
    servers: Object.fromEntries(
      await Promise.all(Object.entries(servers).map(async ([name, port]) => [name, await metricsOf(port)])),
    ),
    database: await databaseOf(database),
    machine: { load: Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]) },
  });
}

/** The exact number of rows of each table. */
export async function countRows(database) {
  const { rows } = await database.query(
    "select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const counts = {};
  for (const { name } of rows)
    counts[name] = Number((await database.query(`select count(*) as count from ${name}`)).rows[0].count);
  return counts;
}

/** The id of the postmaster behind a client connection. */
export async function postmasterOf(database) {
  const { rows } = await database.query("select pg_backend_pid() as pid");
  return Number(statOf(rows[0].pid)[1]);
}

function processOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  const [, , , , , , , , , , , user, system] = statOf(pid);
  return {
    residentMegabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024,
    descriptors: links.length,
    sockets: links.filter((link) => link.startsWith("socket:")).length,
    cpuSeconds: (Number(user) + Number(system)) / 100,
  };
}

/** The private memory of all its processes, without shared memory, which does not grow. */
function postgresOf(postmaster) {
  const pids = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(statOf(pid)?.[1]) === postmaster);
  let [anonymous, cpu] = [0, 0];
  for (const pid of [...pids, postmaster])
    try {
      anonymous += Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
      const stat = statOf(pid);
      cpu += (Number(stat[11]) + Number(stat[12])) / 100;
    } catch {
      // It has ended meanwhile.
    }
  const shared = Number(readFileSync(`/proc/${postmaster}/statm`, "latin1").split(" ")[2]) * PAGE_BYTES;
  return {
    processes: pids.length,
    anonymousMegabytes: anonymous / 1024,
    sharedMegabytes: shared / MEGABYTE,
    cpuSeconds: cpu,
  };
}

/** The fields of /proc/…/stat, starting with the state as number 0. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

async function databaseOf(database) {
  const tables = await database.query(
    "select relname as name, n_live_tup::integer as rows, n_dead_tup::integer as dead, pg_total_relation_size(relid)::float8 as bytes from pg_stat_user_tables where schemaname = 'public'",
  );
  const { rows } = await database.query(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal, pg_database_size(current_database())::float8 as bytes, (select count(*) from pg_stat_activity where datname = current_database())::integer as connections",
  );
  return {
    ...rows[0],
    tables: Object.fromEntries(tables.rows.map(({ name, ...table }) => [name, table])),
  };
}

const KEPT = [
  ["heapUsed", "nodejs_heap_size_used_bytes"],
  ["heapTotal", "nodejs_heap_size_total_bytes"],
  ["external", "nodejs_external_memory_bytes"],
  ["lagMean", "nodejs_eventloop_lag_mean_seconds"],
  ["lag50", "nodejs_eventloop_lag_p50_seconds"],
  ["lag99", "nodejs_eventloop_lag_p99_seconds"],
  ["waiting", "wealth_connect_database_tenants_waiting"],
  ["absences", "wealth_connect_database_absences_total"],
  ["auditLost", "wealth_connect_audit_events_lost_total"],
  ["pending", "wealth_connect_webhook_deliveries_pending"],
  ["unnumbered", "wealth_connect_events_unnumbered"],
  ["streams", "wealth_connect_console_streams"],
];

/** Counters since the start; a period is the difference of two samples. */
async function metricsOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const metrics = { statuses: {}, buckets: {}, refused: 0, events: 0, webhooks: {} };
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const kept = KEPT.find(([, metric]) => metric === name)?.[0];
    const of = (label) => new RegExp(`${label}="([^"]*)"`).exec(labels)?.[1];
    if (kept) metrics[kept] = Number(value);
    else if (name === "wealth_connect_http_request_seconds_count") add(metrics.statuses, of("status"), value);
    else if (name === "wealth_connect_http_request_seconds_bucket") {
      // A stream stays open as long as its page, and a list of events waits on purpose.
      if (!/\/console\/api\/events|list-events/.test(of("route"))) add(metrics.buckets, of("le"), value);
    } else if (name === "wealth_connect_refused_total") metrics.refused += Number(value);
    else if (name === "wealth_connect_events_total") metrics.events += Number(value);
    else if (name === "wealth_connect_webhook_seconds_count") add(metrics.webhooks, of("outcome"), value);
  }
  return metrics;
}

function add(counts, name, value) {
  counts[name] = (counts[name] ?? 0) + Number(value);
}
