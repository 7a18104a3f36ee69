// `node resilience/faults/database.mjs [--rounds N] [--no-build]`: two servers on one PostgreSQL under mixed load of every family, while the database
// is restarted, killed or full, or its connections are terminated. Prints every status that was answered; anything except success and 503 is a fault,
// and so is a 503 without Retry-After.
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { table } from "@org/bench/measuring/page.mjs";
import { accessToken, installOnPostgres } from "@org/bench/product/installation.mjs";
import pg from "pg";
import { build } from "../../scripts/pnpm.mjs";
import { startBreakablePostgres } from "./postgres-to-break.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, "no-build": { type: "boolean", default: false } },
});
const rounds = Number(values.rounds);
/** The concurrent request loops per server. */
const PARALLEL = 8;
/** How long the servers are watched after each fault is repaired. */
const AFTER_MS = 3_000;

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/resilience...");
const postgres = await startBreakablePostgres({ maxConnections: 70 });
try {
  const product = await installOnPostgres(postgres.url);
  const servers = [];
  for (let n = 0; n < 2; n += 1) servers.push(await product.start({ env: { SANDBOX: "true" } }));
  const requests = await everyFamily(servers[0], product.credentials);
  const experiments = {
    nothing: () => delay(2_000),
    "restart, fast": () => postgres.restart("fast"),
    "restart, immediate": () => postgres.restart("immediate"),
    "SIGKILL of the postmaster, started again": async () => {
      postgres.kill();
      await delay(500);
      await postgres.start();
    },
    "away for five seconds": async () => {
      await postgres.stop();
      await delay(5_000);
      await postgres.start();
    },
    "all connections ended, 50 times": () => onDatabase(product.databaseUrl, endConnections),
    "no connection left for two seconds": () => exhaust(product.databaseUrl),
  };
  const rows = [];
  for (const [name, experiment] of Object.entries(experiments)) {
    const seen = new Map();
    let isOver = false;
    const loads = servers.flatMap((server) =>
      Array.from({ length: PARALLEL }, async (_, start) => {
        for (let n = start; !isOver; n += 1) await count(seen, server, requests[n % requests.length]);
      }),
    );
    for (let round = 0; round < (name === "nothing" ? 1 : rounds); round += 1) {
      await delay(500);
      await experiment();
      await delay(AFTER_MS);
    }
    isOver = true;
    await Promise.all(loads);
    rows.push([name, ...summary(seen)]);
    console.error(`${name}: ${JSON.stringify(Object.fromEntries(seen))}`);
  }
  console.log(table(["fault", "requests", "2xx, 3xx", "503", "others", "slowest s"], rows));
  for (const server of servers) await server.stop();
  if (rows.some((row) => row[4] > 0)) process.exitCode = 1;
} finally {
  postgres.remove();
}

async function count(seen, server, { name, ask }) {
  const began = performance.now();
  const outcome = await ask(server).catch((error) => `failed: ${error.cause?.code ?? error.message}`);
  const seconds = (performance.now() - began) / 1_000;
  seen.set("slowest", Math.max(seen.get("slowest") ?? 0, Math.round(seconds * 10) / 10));
  const key = /^(2|3)/.test(outcome) ? "good" : outcome === "503" ? outcome : `${outcome} ${name}`;
  seen.set(key, (seen.get(key) ?? 0) + 1);
}

function summary(seen) {
  const { slowest, good = 0, 503: unavailable = 0, ...others } = Object.fromEntries(seen);
  const bad = Object.values(others).reduce((sum, n) => sum + n, 0);
  return [good + unavailable + bad, good, unavailable, bad, slowest];
}

/** One request of each family; each answers its status, with an addition if something is wrong with the answer. */
async function everyFamily(server, { operator, demo }) {
  const [token, operatorToken] = [await accessToken(server, demo), await accessToken(server, operator)];
  const form = (fields) =>
    new URLSearchParams({ client_id: demo.client_id, client_secret: demo.client_secret, ...fields });
  const json = (path, body, bearer = token, headers = {}) => ({
    path,
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  const call = (name, args = {}) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const opened = JSON.parse(
    await textOf(server, json("/mcp", call("svc-create-connect-session", { connector_id: "esp:banco-penaclarin" }))),
  ).result.structuredContent;
  const widget = new URL(opened.widget_url).pathname;
  const of = (name, request) => ({ name, ask: (to) => statusOf(to, request) });
  return [
    of("token", { path: "/token", body: form({ grant_type: "client_credentials" }) }),
    of("revoke", { path: "/revoke", body: form({ token: "unknown" }) }),
    of("grants", { path: "/grants/list", body: form({}) }),
    of("jwks", { path: "/.well-known/jwks.json" }),
    of("grants page", { path: "/grants" }),
    of("investments", json("/mcp", call("svc-investments"))),
    of("portfolios", json("/mcp", call("svc-portfolios"))),
    of("connections", json("/mcp", call("svc-credentials"))),
    of("tools/list", json("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" })),
    of("batch", json("/mcp", [call("svc-credentials"), { ...call("svc-investments"), id: 2 }])),
    of("letters", json("/letters/v1/search-letters", { query: {} })),
    of("sessions", json("/connect/v2/sessions/list-sessions", {})),
    of("new session", json("/mcp", call("svc-session-status", { session_id: opened.session_id }))),
    of("operator", json("/operator/v1/tenants/list", {}, operatorToken)),
    of("widget", { path: widget }),
    of("widget state", { path: `${widget}/state`, headers: { accept: "application/json" } }),
  ];
}

async function statusOf({ port }, { path, body, headers }) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...(body !== undefined && { method: "POST", body }),
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.status === 503 && !response.headers.has("retry-after")) return "503 without Retry-After";
  // A batch has an answer for each of its requests.
  return /INTERNAL_ERROR/.test(text) ? `${response.status} with INTERNAL_ERROR` : String(response.status);
}

async function textOf({ port }, { path, body, headers }) {
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, headers })).text();
}

async function onDatabase(url, work) {
  const client = new pg.Client({ connectionString: url, application_name: "faults" });
  client.on("error", () => undefined);
  await client.connect();
  await work(client).finally(() => client.end());
}

async function endConnections(client) {
  for (let n = 0; n < 50; n += 1) {
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> 'faults'",
    );
    await delay(40);
  }
}

/** Terminates the servers' connections and takes every free one, repeatedly. */
async function exhaust(url) {
  const taken = [];
  const until = performance.now() + 2_000;
  await onDatabase(url, async (client) => {
    while (performance.now() < until) {
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name not in ('faults', 'taken')",
      );
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          const one = new pg.Client({ connectionString: url, application_name: "taken" });
          one.on("error", () => undefined);
          await one.connect().then(
            () => taken.push(one),
            () => undefined,
          );
        }),
      );
    }
  });
  await Promise.all(taken.map((one) => one.end()));
}
