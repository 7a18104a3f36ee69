// Two servers behind haproxy on PostgreSQL, with the settings in deploy/, under a steady load of every kind:
//
//   node resilience/soak/soak.mjs [seconds] [--rate R] [--samples FILE] [--no-build]
//
// The default is one hour at rate 1 (defined in `RATES`). Requests refused for overload are repeated and counted. Every ten seconds it measures both
// servers, haproxy, PostgreSQL and every table, and writes a line to the file of samples, of which `draw.mjs` makes a report with graphs. Exits with
// 1 if anything fails, if something acknowledged is missing, or if something exists that should not. Needs Debian's haproxy and PostgreSQL.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { artifactFolder } from "../../scripts/artifacts.mjs";
import { build } from "../../scripts/pnpm.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { startProxy } from "../../scripts/proxies.mjs";
import { doublesIn } from "../faults/doubles.mjs";
import { fetchOverTls } from "../faults/fetch-over-tls.mjs";
import { beginMixedUse, ENDED_WITHIN_MS } from "../faults/mixed-use.mjs";
import { beginLoad } from "./load.mjs";
import { countRows, postmasterOf, samplerOf } from "./samples.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "no-build": { type: "boolean", default: false },
    rate: { type: "string", default: "1" },
    samples: { type: "string", default: join(artifactFolder("soak"), "samples.ndjson") },
  },
});
const [seconds = 3_600] = positionals.map(Number);
const rate = Number(values.rate);
const EVERY_MS = 10_000;
/** How often each kind starts per second at rate 1. Most consist of several requests. */
const RATES = {
  grants: 2,
  revocations: 0.5,
  letters: 0.4,
  sessions: 0.4,
  feeds: 0.25,
  reads: 1,
  customers: 0.15,
  refreshes: 0.03,
  mcp: 0.2,
  tools: 15,
  data: 1,
  filters: 1,
  pages: 0.5,
  guesses: 0.1,
  console: 0.5,
};

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/resilience...");
// Imported after the build, since they import packages as built.
const { addTenant, installOnPostgres } = await import("@org/bench/product/installation.mjs");
const { followLog, joinConsole, receiveWebhooks } = await import("./follow.mjs");
const { beginMoreUse } = await import("./use.mjs");
const postgres = await startPostgres({ durable: true });
const failures = new Map();
const onFailure = (kind, { message, cause }) => {
  const what = `${kind}: ${message}${cause ? ` (${cause.message ?? cause})` : ""}`;
  if (!failures.has(what)) console.log(`${new Date().toISOString()} FAIL  ${what}`);
  failures.set(what, (failures.get(what) ?? 0) + 1);
};
let proxy;
try {
  await soak();
} finally {
  await proxy?.stop();
  await postgres.stop();
}
process.exit(failures.size === 0 ? 0 : 1);

async function soak() {
  const port = await freePort();
  const origin = `https://localhost:${port}`;
  const product = await installOnPostgres(postgres.url, undefined, {
    PUBLIC_URL: origin,
    SANDBOX: "true",
    TRUST_PROXY: "1",
    METRICS: "true",
    WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8",
  });
  const replicas = [await product.start(), await product.start()];
  const ports = replicas.map(({ port: own }) => own);
  proxy = startProxy("haproxy", port, ports);
  let busy = 0;
  // Half of it over HTTP/1.1, half over HTTP/2.
  const clients = [1, 2].map((version) => fetchOverTls(origin, proxy.ca, version));
  const servers = clients.map((client) => ({ origin, fetch: client.fetch, onBusy: () => (busy += 1) }));
  const [server] = servers;
  await untilServed(server);

  const { operator } = product.credentials;
  const tenant = await addTenant(replicas[0], operator, "Soak");
  const more = beginMoreUse(server, tenant);
  const person = await joinConsole(servers[1], operator, onFailure);
  const logs = [product.credentials.demo, tenant].map((one) => followLog(server, one, onFailure));
  const receivers = [];
  for (const one of [product.credentials.demo, tenant]) receivers.push(await receiveWebhooks(server, one, onFailure));
  const mixed = await beginMixedUse(server, product.credentials);
  // There must be a portfolio before it is read, and its connection must be the oldest.
  await mixed.kinds.feeds(server, server);

  const database = new pg.Client({ connectionString: product.databaseUrl, application_name: "soak" });
  await database.connect();
  const sample = samplerOf({
    processes: { one: replicas[0].pid, two: replicas[1].pid, haproxy: proxy.pid },
    servers: { one: replicas[0].port, two: replicas[1].port },
    database,
    postmaster: await postmasterOf(database),
  });
  const load = beginLoad({ ...mixed.kinds, ...more.kinds, ...person.kinds }, RATES, rate, servers, onFailure);
  write(
    { begins: { seconds, rate, rates: RATES, cores: availableParallelism(), rows: await countRows(database) } },
    true,
  );
  for (let at = 0; at < seconds * 1_000; at += EVERY_MS) {
    write({ ...(await sample()), load: load.figures(), busy });
    await load.until(at + EVERY_MS);
  }
  const done = await load.stop();
  console.log(JSON.stringify(done));

  // By now ended grants are known everywhere, and all events have been delivered.
  await delay(ENDED_WITHIN_MS);
  for (const one of logs) await one.stop();
  await person.stop();
  await untilDelivered(logs, receivers);
  const found = [await mixed.check(server), await more.check(), await doublesIn(product.databaseUrl, mixed.asked())];
  for (const fault of found.flat()) onFailure("check", new Error(fault));
  const repeated = receivers.map(({ times }) => [...times.values()].filter((count) => count > 1).length);
  const rows = await countRows(database);
  const requests = Object.values(done).reduce((sum, { done: count }) => sum + count, 0);
  write({ ...(await sample()), load: load.figures(), busy });
  write({
    ends: {
      rows,
      done,
      failures: Object.fromEntries(failures),
      ...more.facts(),
      console: person.seen,
      events: logs.map(({ types }) => types),
      delivered: receivers.map(({ times }, n) => [...logs[n].ids].filter((id) => times.has(id)).length),
      repeated,
      busy,
      log: recordsOf(product.logFile),
      requests: clients.map((client) => client.requests()),
    },
  });
  for (const receiver of receivers) receiver.stop();
  for (const client of clients) client.close();
  await database.end();
  for (const replica of replicas) await replica.stop();
  console.log(failures.size === 0 ? `ok    ${requests} uses, and nothing failed` : `FAIL  ${failures.size}`);
}

/** Waits until every event of each log has reached its receiver. */
async function untilDelivered(logs, receivers) {
  const missing = () => logs.map(({ ids }, n) => [...ids].filter((id) => !receivers[n].times.has(id)).length);
  for (let attempt = 0; attempt < 60 && missing().some((count) => count > 0); attempt += 1) await delay(1_000);
  for (const count of missing()) if (count > 0) onFailure("webhooks", new Error(`${count} events were not delivered`));
}

/** Log records that are not requests, by level and message. */
function recordsOf(file) {
  const counts = {};
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (!/"level":"(warn|error|fatal)"/.test(line)) continue;
    const { level, msg } = JSON.parse(line);
    counts[`${level}: ${msg}`] = (counts[`${level}: ${msg}`] ?? 0) + 1;
  }
  return counts;
}

function write(record, isFirst = false) {
  (isFirst ? writeFileSync : appendFileSync)(values.samples, `${JSON.stringify(record)}\n`);
}

async function untilServed({ origin, fetch: send }) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const status = await send(`${origin}/readyz`).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === 200) return;
    await delay(100);
  }
  throw new Error("haproxy does not serve");
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
