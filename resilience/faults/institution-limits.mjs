// Makes many connections of Interactive Brokers due at the same time under two servers, and checks that the institution's limits hold for each token,
// each connection is refreshed once, and memory stays flat:
//
//   node scripts/postgres.mjs run -- node resilience/faults/institution-limits.mjs [connections] [connections of a token]
//
// The defaults are 10,000 and 4. The stand-in is that of the provider's tests; it counts every request.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { accessToken, addTenant, installOnPostgres } from "@org/bench/product/installation.mjs";
import { callRest } from "@org/bench/product/rest-requests.mjs";
import { pendingStatus } from "@org/core";
import { createKeyring, parseKeyring } from "@org/keyring";
import pg from "pg";

const [connections = 10_000, connectionsOfToken = 4] = process.argv.slice(2).map(Number);
const WORKERS = 2;
/** A tenant's data are published one refresh after another, which would be the limit with one tenant alone. */
const TENANTS = 10;
const BATCH = 250;
const POLL_MS = 1_000;
const TELL_MS = 60_000;
/** The time limit, for slow machines. */
const MAX_TIME_MS = 2 * 60 * 60_000;
/** The most memory that may be added to what a server uses after some time of work. */
const GROWTH_MEGABYTES = 100;

const { startFlexService, smallCustomer } = await standIn();
const tokens = Array.from({ length: Math.ceil(connections / connectionsOfToken) }, (_, number) =>
  smallCustomer(number),
);
const institution = await startFlexService({ clock: () => new Date(), tokens, keepRequests: false });
const product = await installOnPostgres(
  process.env.TEST_DATABASE_URL,
  async ({ storage, server, credentials, encryptionKeys }) => {
    const tenants = [credentials.demo.tenant];
    while (tenants.length < TENANTS)
      tenants.push((await addTenant(server, credentials.operator, `Tenant ${tenants.length}`)).tenant);
    await connect({ storage, tenants, keyring: createKeyring(parseKeyring(encryptionKeys)) });
  },
);
const database = new pg.Client({ connectionString: product.databaseUrl });
await database.connect();
const servers = [];
let failed = 0;
try {
  const env = { PROVIDERS: "ibkr-flex", JOBS: "true" };
  servers.push(...(await Promise.all(Array.from({ length: WORKERS }, () => product.start({ env })))));
  await operate("/operator/v1/providers/set", { name: "ibkr-flex", settings: { base_url: institution.base_url } });
  await operate("/operator/v1/providers/sync", { name: "ibkr-flex" });
  await delay(6_000);
  const started = performance.now();
  // As after an outage: all are due, each since its own time of day, so that those of one token are not adjacent.
  await database.query("update connection_refreshes set due_at = now() - random() * interval '1 hour'");
  const memory = await untilDone(started);
  const { rows } = await database.query(`
    select count(*)::integer as connections, coalesce(max(lines), 0)::integer as most from (
      select object_id, count(*) as lines from audit_log where action = 'connection.refresh' group by object_id
    ) of_each`);
  const { SendRequest, GetStatement } = institution.calls;
  console.log(`${connections} connections, ${tokens.length} tokens, ${seconds(started)} s; peak ${memory.peak} MB`);
  console.log(
    `${SendRequest} statements asked for, ${GetStatement} looks, most in a minute ${institution.busiestMinute()}`,
  );
  hold("no limit of the institution is exceeded", institution.violations.length === 0);
  hold("no token is used more than ten times in a minute", institution.busiestMinute() <= 10);
  hold("every connection is refreshed", rows[0].connections === connections);
  hold("none is refreshed twice", rows[0].most === 1);
  hold(`memory grows by less than ${GROWTH_MEGABYTES} MB`, memory.peak - memory.early < GROWTH_MEGABYTES);
} finally {
  for (const server of servers) await server.stop();
  await database.end();
  await product.remove();
  await institution.close();
}
process.exitCode = failed === 0 ? 0 : 1;

function hold(what, isSo) {
  console.log(`${isSo ? "ok    " : "FAILED"} ${what}`);
  if (!isSo) failed += 1;
}

function seconds(since) {
  return ((performance.now() - since) / 1_000).toFixed(0);
}

async function operate(path, body) {
  const [server] = servers;
  await callRest(server, await accessToken(server, product.credentials.operator), path, body);
}

/** Connections as logins leave them, scheduled for later. */
async function connect({ storage, tenants, keyring }) {
  const now = new Date();
  const later = { due_at: new Date(now.getTime() + MAX_TIME_MS), pending: null };
  const plan = { ...later, user_hash: null, reference_hash: null, consent_expires_at: null };
  for (let made = 0; made < connections; made += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, connections - made) }, (_, index) => made + index);
    const batch = await Promise.all(
      numbers.map(async (number) => {
        const connection_id = randomUUID();
        const of = Math.floor(number / connectionsOfToken);
        const { value, queries } = tokens[of];
        const accounts = [`U${8_000_000 + of}`];
        const access = { token: value, query_id: [...queries.keys()][0], user_key: `customer ${of}`, accounts };
        const context = { purpose: "connection-access", row: connection_id };
        const sealed_access = await keyring.seal(JSON.stringify({ ...access, request: null }), context);
        return { connection_id, sealed_access };
      }),
    );
    await storage.inTenant(tenants[(made / BATCH) % TENANTS], async (stores) => {
      for (const { connection_id, sealed_access } of batch) {
        await stores.connections.create({
          connection_id,
          connector_id: "usa:interactive-brokers",
          bank: "Interactive Brokers",
          provider: "ibkr-flex",
          labels: {},
          status: { ...pendingStatus(now.toISOString()), pending: false },
          identity_hash: connection_id,
          sealed_access,
          created_at: now,
        });
        await stores.refreshes.plan(connection_id, plan);
      }
    });
  }
}

/** Polls until every connection is refreshed; answers the servers' memory after a tenth of them, and the peak. */
async function untilDone(started) {
  const memory = { early: null, peak: 0 };
  for (let told = started; ; ) {
    const { rows } = await database.query(
      "select count(*) filter (where outcome = 'refreshed')::integer as done from connection_refreshes",
    );
    const resident = Math.max(...servers.map((server) => server.residentMegabytes()));
    memory.peak = Math.max(memory.peak, resident);
    if (rows[0].done >= connections / 10) memory.early ??= resident;
    if (rows[0].done === connections) return memory;
    if (performance.now() - told > TELL_MS) {
      told = performance.now();
      console.log(`${seconds(started)} s: ${rows[0].done} refreshed, ${memory.peak.toFixed(0)} MB`);
    }
    if (performance.now() - started > MAX_TIME_MS)
      throw new Error(`${connections - rows[0].done} connections were not refreshed in time`);
    await delay(POLL_MS);
  }
}

/** The stand-in is TypeScript, next to the provider's tests: it is bundled here with the packages' build tool. */
async function standIn() {
  const root = new URL("../../", import.meta.url);
  const tsup = createRequire(new URL("package.json", root)).resolve("tsup");
  const { build } = createRequire(tsup)("esbuild");
  const folder = fileURLToPath(new URL("packages/provider-ibkr-flex/test/stand-in/", root));
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "./flex-service.js"; export * from "./customers.js";', resolveDir: folder },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}
