import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createKeyring, parseKeyring } from "@org/keyring";
import pg from "pg";
import { goal } from "./measuring/figures.mjs";
import { addConnections } from "./product/connections.mjs";
import { installOnPostgres } from "./product/installation.mjs";

const WORKERS = 2;
const POLL_MS = 250;
/** The time limit, for slow machines. */
const MAX_TIME_MS = 60 * 60_000;
const CONNECTOR = "esp:banco-penaclarin";

/**
 * Many connections due at the same time, with two servers: whether each is refreshed exactly once, how long it takes and how much memory the servers
 * use; once with the first data of each, and once as on every later day, when most of a bank's data are known. The bank is the sandbox, which answers
 * immediately, so that only our part is measured.
 */
export async function run({ databaseUrl, connections = 10_000, tenants = 1, profileFolder }) {
  const rounds = [];
  for (const count of new Set([1, tenants]))
    rounds.push(...(await refreshTwice({ databaseUrl, connections, tenants: count, profileFolder })));
  return reportOf({ connections, rounds });
}

/** Both rounds on a database of their own, whose connections are spread over the tenants. */
async function refreshTwice({ databaseUrl, connections, tenants, profileFolder }) {
  const nodeArguments = profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const product = await installOnPostgres(databaseUrl, async ({ storage, encryptionKeys }) => {
    const keyring = createKeyring(parseKeyring(encryptionKeys));
    for (let made = 0; made < tenants; made += 1) {
      const tenantId = randomUUID();
      await storage.tenants.create({ tenant_id: tenantId, name: `Tenant ${made}`, created_at: new Date() });
      await addConnections({
        storage,
        keyring,
        tenantId,
        connections: shareOf(connections, tenants, made),
        connector: CONNECTOR,
        provider: "sandbox",
        // An access that the sandbox understands.
        accessOf: (number) => ({
          username: `customer ${number}`,
          // Three years of earlier days would be most of what the first round stores.
          scenario: "NO_HISTORY",
          granted_at: new Date().toISOString(),
        }),
        dueAt: new Date(Date.now() + MAX_TIME_MS),
      });
    }
  });
  const database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
  const servers = [];
  try {
    const env = { SANDBOX: "true", JOBS: "true" };
    servers.push(...(await Promise.all(Array.from({ length: WORKERS }, () => product.start({ env, nodeArguments })))));
    const rounds = [];
    for (const data of ["first data", "data again"]) {
      const round = `${tenants === 1 ? "one tenant" : `${tenants} tenants`}, ${data}`;
      rounds.push(await refreshAll({ round, database, servers }));
    }
    return rounds;
  } finally {
    for (const server of servers) await server.stop();
    await database.end();
    await product.remove();
  }
}

function shareOf(whole, parts, index) {
  return Math.floor(whole / parts) + (index < whole % parts ? 1 : 0);
}

/** Makes every connection due, and waits until each has been refreshed. */
async function refreshAll({ round, database, servers }) {
  const since = (await database.query("select now() as since")).rows[0].since;
  const postmaster = await postmasterOf(database);
  const before = { cpu: cpuOf(servers), postgres: postgresCpu(postmaster), written: await rowsWritten(database) };
  const started = performance.now();
  await database.query("update connection_refreshes set due_at = now(), outcome = null");
  const { raw, peak } = await untilDone({ database, servers, started });
  const after = { cpu: cpuOf(servers), postgres: postgresCpu(postmaster) };
  // A backend reports what it has written once it has been idle for ten seconds.
  await delay(11_000);
  return {
    round,
    raw,
    peak,
    cpu: after.cpu - before.cpu,
    postgres: after.postgres - before.postgres,
    written: (await rowsWritten(database)) - before.written,
    lines: await auditLines(database, since),
    outcomes: await outcomesOf(database),
  };
}

async function untilDone({ database, servers, started }) {
  const raw = [];
  let peak = 0;
  for (;;) {
    const { rows } = await database.query(
      "select count(*)::integer as left from connection_refreshes where outcome is null or outcome = 'postponed'",
    );
    const milliseconds = performance.now() - started;
    const residentMegabytes = servers.map((server) => server.residentMegabytes());
    peak = Math.max(peak, ...residentMegabytes);
    raw.push({ milliseconds, left: rows[0].left, residentMegabytes });
    if (rows[0].left === 0)
      return { raw: raw.filter((_, index) => index % 20 === 0 || index === raw.length - 1), peak };
    if (milliseconds > MAX_TIME_MS) throw new Error(`${rows[0].left} connections were not refreshed in time`);
    await delay(POLL_MS);
  }
}

/** Processor time of all servers so far, in milliseconds. */
function cpuOf(servers) {
  return servers.reduce((sum, server) => sum + server.cpuMicroseconds() / 1_000, 0);
}

async function postmasterOf(database) {
  const { rows } = await database.query("select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid");
  return rows[0].pid;
}

/** Processor time of PostgreSQL's processes so far, including those that have ended, in milliseconds. */
function postgresCpu(postmaster) {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "latin1").trim().split(" ");
  const ticksOf = (pid, fields) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields.reduce((sum, field) => sum + Number(values[field]), 0);
    } catch {
      // It has ended meanwhile, and counts to the postmaster.
      return 0;
    }
  };
  return [...children.map((pid) => ticksOf(pid, [11, 12])), ticksOf(postmaster, [11, 12, 13, 14])].reduce(
    (sum, ticks) => sum + ticks * 10,
    0,
  );
}

/** Rows that were inserted, updated or deleted so far. */
async function rowsWritten(database) {
  const { rows } = await database.query(
    "select sum(n_tup_ins + n_tup_upd + n_tup_del)::integer as written from pg_stat_user_tables",
  );
  return rows[0].written;
}

/** Refreshes per connection, from the audit trail, which has one entry for each. */
async function auditLines(database, since) {
  const { rows } = await database.query(
    `select count(*)::integer as connections, coalesce(max(lines), 0)::integer as most from (
      select object_id, count(*) as lines from audit_log where action = 'connection.refresh' and at >= $1 group by object_id
    ) of_each`,
    [since],
  );
  return rows[0];
}

async function outcomesOf(database) {
  const { rows } = await database.query(
    "select outcome, count(*)::integer as connections from connection_refreshes group by outcome order by outcome",
  );
  return rows;
}

function reportOf({ connections, rounds }) {
  const perSecond = ({ raw }) => connections / (raw.at(-1).milliseconds / 1_000);
  return {
    title: `Refreshes: ${connections} connections due at once, ${WORKERS} servers`,
    notes: "First data: nothing was known of a connection. Data again: the bank says what it said before.",
    tables: [
      {
        caption: "Rounds",
        head: ["round", "refreshes/s", "processor of the servers for each, ms", "of PostgreSQL, ms", "rows written"],
        rows: rounds.map((one) => [
          one.round,
          perSecond(one),
          one.cpu / connections,
          one.postgres / connections,
          one.written / connections,
        ]),
      },
      {
        caption: "Outcomes",
        head: ["round", "outcome", "connections"],
        rows: rounds.flatMap(({ round, outcomes }) => outcomes.map((row) => [round, row.outcome, row.connections])),
      },
      {
        caption: "On the way",
        head: ["round", "s", "left", "MB of the larger server"],
        rows: rounds.flatMap(({ round, raw }) =>
          raw.map((row) => [round, row.milliseconds / 1_000, row.left, Math.max(...row.residentMegabytes)]),
        ),
      },
    ],
    goals: [
      ...rounds.flatMap(({ round, lines }) => [
        goal(`${round}: connections refreshed`, lines.connections, { atLeast: connections }),
        goal(`${round}: refreshes of one connection at most`, lines.most, { atMost: 1 }),
      ]),
      goal("peak resident memory of a server, MB", Math.max(...rounds.map(({ peak }) => peak)), { atMost: 250 }),
    ],
    raw: rounds.flatMap(({ round, raw }) => raw.map((row) => ({ round, ...row }))),
  };
}
