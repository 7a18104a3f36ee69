import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { pendingStatus } from "@org/core";
import { createKeyring, parseKeyring } from "@org/keyring";
import pg from "pg";
import { goal } from "./measuring/figures.mjs";
import { installOnPostgres } from "./product/installation.mjs";

const WORKERS = 2;
const BATCH = 250;
const LOOK_MS = 250;
/** However slow the machine. */
const LONGEST_MS = 60 * 60_000;
const CONNECTOR = "esp:banco-penaclarin";

/**
 * Many connections due at once, two servers at work on them: whether each is refreshed exactly once, how long that takes and how
 * much memory the servers hold. The bank is the sandbox, which answers at once: what is measured is our part.
 */
export async function run({ databaseUrl, connections = 10_000 }) {
  const product = await installOnPostgres(databaseUrl, ({ storage, credentials, encryptionKeys }) =>
    connect({
      storage,
      tenantId: credentials.demo.tenant,
      keyring: createKeyring(parseKeyring(encryptionKeys)),
      connections,
    }),
  );
  const database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
  const servers = [];
  try {
    await database.query("update connection_refreshes set due_at = now()");
    const started = performance.now();
    const env = { SANDBOX: "true", JOBS: "true" };
    servers.push(...(await Promise.all(Array.from({ length: WORKERS }, () => product.start({ env })))));
    const { raw, peak } = await untilDone({ database, servers, started });
    return reportOf({
      connections,
      raw,
      peak,
      lines: await auditLines(database),
      outcomes: await outcomesOf(database),
    });
  } finally {
    for (const server of servers) await server.stop();
    await database.end();
    await product.remove();
  }
}

/** Connections as logins leave them, planned for later, with an access that the sandbox understands. */
async function connect({ storage, tenantId, keyring, connections }) {
  const now = new Date();
  for (let made = 0; made < connections; made += BATCH) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(BATCH, connections - made) }, async (_, index) => {
        const connection_id = randomUUID();
        const access = { username: `customer ${made + index}`, scenario: null, granted_at: now.toISOString() };
        const context = { purpose: "connection-access", row: connection_id };
        return { connection_id, sealed_access: await keyring.seal(JSON.stringify(access), context) };
      }),
    );
    await storage.inTenant(tenantId, async (stores) => {
      for (const { connection_id, sealed_access } of batch) {
        await stores.connections.create({
          connection_id,
          connector_id: CONNECTOR,
          bank: "Bank of Benchmarks",
          provider: "sandbox",
          labels: {},
          status: { ...pendingStatus(now.toISOString()), pending: false },
          identity_hash: connection_id,
          sealed_access,
          created_at: now,
        });
        await stores.refreshes.plan(connection_id, {
          due_at: new Date(now.getTime() + LONGEST_MS),
          pending: null,
          user_hash: null,
          reference_hash: null,
          consent_expires_at: null,
        });
      }
    });
  }
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
    if (milliseconds > LONGEST_MS) throw new Error(`${rows[0].left} connections were not refreshed in time`);
    await delay(LOOK_MS);
  }
}

/** Refreshes by connection, from the audit trail: one line is written with each. */
async function auditLines(database) {
  const { rows } = await database.query(`
    select count(*)::integer as connections, coalesce(max(lines), 0)::integer as most from (
      select object_id, count(*) as lines from audit_log where action = 'connection.refresh' group by object_id
    ) of_each`);
  return rows[0];
}

async function outcomesOf(database) {
  const { rows } = await database.query(
    "select outcome, count(*)::integer as connections from connection_refreshes group by outcome order by outcome",
  );
  return rows;
}

function reportOf({ connections, raw, peak, lines, outcomes }) {
  const seconds = raw.at(-1).milliseconds / 1_000;
  return {
    title: `Refreshes: ${connections} connections due at once, ${WORKERS} servers`,
    notes: `All were refreshed after ${seconds.toFixed(1)} s, the start of the servers included: ${(connections / seconds).toFixed(0)} a second.`,
    tables: [
      {
        caption: "Outcomes",
        head: ["outcome", "connections"],
        rows: outcomes.map((row) => [row.outcome, row.connections]),
      },
      {
        caption: "On the way",
        head: ["s", "left", "MB of the larger server"],
        rows: raw.map((row) => [row.milliseconds / 1_000, row.left, Math.max(...row.residentMegabytes)]),
      },
    ],
    goals: [
      goal("connections refreshed", lines.connections, { atLeast: connections }),
      goal("refreshes of one connection at most", lines.most, { atMost: 1 }),
      goal("peak resident memory of a server, MB", peak, { atMost: 250 }),
    ],
    raw,
  };
}
