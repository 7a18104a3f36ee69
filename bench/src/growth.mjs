import { randomUUID } from "node:crypto";
import { openStorage } from "@org/storage-postgres";
import { startPostgres } from "../../scripts/postgres.mjs";
import { goal, median } from "./measuring/figures.mjs";
import { exchange, messageIn, openConnection } from "./measuring/load.mjs";
import { watchedSettings, watchStatements } from "./measuring/statements.mjs";
import { copyConnections, copyLetters, copySessions, copyTenants } from "./product/copies.mjs";
import { connectionOf, dataOf } from "./product/holdings.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { seedLetters, withClient } from "./product/letters.mjs";
import { toolBytes } from "./product/mcp-requests.mjs";
import { callRest, restBytes } from "./product/rest-requests.mjs";
import { tokenRequest } from "./product/token-requests.mjs";

const SIZES = [1, 10, 100, 1_000, 10_000];
const OF_EACH = 20;
/** How many times more blocks a call may read at the largest size than at the smallest: its indexes are some levels deeper. */
const MAX_GROWTH = 3;
const WARM_CALLS = 30;

/**
 * How the cost of each common call grows as one dimension grows from 1 to 10,000: tenants (each with a connection, holdings, transactions, letters, a
 * session and a grant), connections of a tenant, holdings and transactions of a connection, letters and sessions of a tenant. It uses figures that
 * other work on the machine does not affect: statements, blocks they read, and rows that their plans read; and the server's processor time besides.
 *
 * Options: `calls` of each kind and size; `call`: only this one.
 */
export async function run({ calls = 100, call: only }) {
  const postgres = await startPostgres({ more: watchedSettings });
  const raw = [];
  const plans = [];
  try {
    for (const dimension of Object.keys(dimensions)) {
      const measured = await measure(postgres.url, dimension, calls, only);
      raw.push(...measured.raw);
      plans.push(...measured.plans);
    }
  } finally {
    await postgres.stop();
  }
  return {
    title: "How cost grows with tenants, connections, holdings, letters and sessions",
    notes: `Blocks of 8 kB that a call's statements touch, per call, means over ${calls} calls; reads of ${OF_EACH} rows.`,
    tables: [
      ...Object.keys(dimensions).map((dimension) => tableOf(raw, dimension)),
      {
        caption: `What the plans read at ${SIZES.at(-1)}: indexes and tables, with the most rows that one of a call's scans read`,
        head: ["grown", "call", "read"],
        rows: plans.map(({ dimension, call, scans }) => [dimension, call, scans]),
      },
    ],
    goals: Object.keys(dimensions).map((dimension) => {
      const worst = growthOf(raw, dimension).toSorted((a, b) => b.growth - a.growth)[0];
      const what = `blocks of a call at ${SIZES.at(-1)} ${dimension}, of those at 1 (most: ${worst.call})`;
      return goal(what, worst.growth, { atMost: MAX_GROWTH });
    }),
    raw,
  };
}

/** The dimensions; each function grows an installation from one size to the next. */
const dimensions = {
  tenants: ({ client, tenant }, from, to) => copyTenants(client, tenant, from, to),
  connections: async ({ client, storage, tenant, connection }, from, to) => {
    await copyConnections(client, tenant, connection, from, to);
    await publish(storage, tenant, connection, OF_EACH);
  },
  "holdings and transactions": async ({ storage, tenant, connection }, _, to) => {
    await publish(storage, tenant, connection, Math.max(to, OF_EACH));
  },
  letters: ({ client, tenant }, from, to) => copyLetters(client, tenant, from, to),
  sessions: ({ client, tenant }, from, to) => copySessions(client, tenant, from, to),
};

async function measure(databaseUrl, dimension, calls, only) {
  const connection = randomUUID();
  const product = await installOnPostgres(
    databaseUrl,
    async ({ storage, credentials, databaseUrl: url }) => {
      await storage.inTenant(credentials.demo.tenant, ({ connections }) =>
        connections.create(connectionOf(connection)),
      );
      await publish(storage, credentials.demo.tenant, connection, OF_EACH);
      await withClient(url, (client) => seedLetters(client, credentials.demo.tenant, 1));
    },
    { SHED_DELAY_MS: "0", SANDBOX: "true" },
  );
  const raw = [];
  const plans = [];
  const opened = await openStorage({ databaseUrl: product.databaseUrl }, () => new Date());
  const tenant = product.credentials.demo.tenant;
  try {
    await withClient(product.databaseUrl, async (client) => {
      const server = await product.start();
      const requests = await requestsOf(server, product.credentials.demo, connection);
      const statements = await watchStatements(client);
      for (const [place, size] of SIZES.entries()) {
        const before = SIZES[place - 1] ?? 1;
        if (size > before || dimension.startsWith("holdings"))
          await dimensions[dimension]({ client, storage: opened.storage, tenant, connection }, before + 1, size);
        // Rows count as visible to all only once their commit is on disk, and commits here do not wait for that.
        await client.query("checkpoint");
        await client.query("vacuum analyze");
        console.error(`${dimension}: ${size}`);
        for (const [call, request] of Object.entries(requests)) {
          if (only !== undefined && call !== only) continue;
          raw.push({ dimension, size, call, ...(await costOf(server, request, calls, statements)) });
          if (size === SIZES.at(-1))
            plans.push({ dimension, call, scans: await statements.scansOf(() => exchange(server.port, request(0))) });
        }
      }
      await server.stop();
    });
  } finally {
    await opened.close();
    await product.remove();
  }
  return { raw, plans };
}

/** Publishes `count` holdings and transactions of one connection, as if they had arrived today. */
async function publish(storage, tenant, connection_id, count) {
  const { holdings, portfolios, transactions } = dataOf(count);
  await storage.inTenant(tenant, ({ snapshots }) =>
    snapshots.publish({
      connection_id,
      as_of: new Date(),
      published_at: new Date(),
      holdings,
      portfolios,
      transactions,
    }),
  );
}

/** The common calls, each as a function from a number to the bytes of a request. */
async function requestsOf(server, demo, connection) {
  const token = await accessToken(server, demo);
  const form = (fields) => tokenRequest(demo, fields);
  const rest = (path, body) => {
    const bytes = restBytes(token, path, body);
    return () => bytes;
  };
  const tool = (name, args) => {
    const bytes = toolBytes(token, name, args);
    return () => bytes;
  };
  const made = await callRest(server, token, "/connect/v2/sessions/create-session", { configuration: {} });
  const { session_id } = made.session;
  const page = { page_size: OF_EACH };
  const first = await exchange(server.port, form({ grant_type: "client_credentials" }));
  let { refresh_token } = JSON.parse(first.body);
  const refresh = () => form({ grant_type: "refresh_token", refresh_token });
  refresh.read = (body) => {
    ({ refresh_token } = JSON.parse(body));
  };
  return {
    "/token, by secret": () => form({ grant_type: "client_credentials" }),
    "/token, refresh": refresh,
    "svc-connectors": tool("svc-connectors", page),
    "svc-session-status": tool("svc-session-status", { session_id }),
    "svc-credentials": tool("svc-credentials", page),
    "svc-credentials, attention only": tool("svc-credentials", { ...page, attention_only: true }),
    "svc-credential-status": tool("svc-credential-status", { credentials_token: connection }),
    "svc-needs-relogin": tool("svc-needs-relogin", { credentials_token: connection }),
    "svc-portfolios": tool("svc-portfolios", page),
    "svc-investments": tool("svc-investments", page),
    "svc-investments, of one connection": tool("svc-investments", { ...page, credentials_token: connection }),
    "svc-investments, in one currency": tool("svc-investments", { ...page, currency: "CHF" }),
    "svc-investments, largest first": tool("svc-investments", { ...page, sort: "-balance" }),
    "svc-investments, by name": tool("svc-investments", { ...page, sort: "name" }),
    "svc-investments, of one ISIN": tool("svc-investments", { ...page, isin: "LU0000000000" }),
    "svc-investments, totals by type": tool("svc-investments", { totals_by: "type", totals_only: true }),
    "svc-investment-transactions": tool("svc-investment-transactions", page),
    "svc-investment-transactions, largest first": tool("svc-investment-transactions", { ...page, sort: "-balance" }),
    "svc-investment-transactions, of a kind": tool("svc-investment-transactions", { ...page, kind: "dividend" }),
    "svc-investment-transactions, since a day": tool("svc-investment-transactions", {
      ...page,
      start_date: "2026-01-01",
    }),
    "list-sessions": rest("/connect/v2/sessions/list-sessions", { query: { session_id_in: [session_id] } }),
    "search-letters": rest("/letters/v1/search-letters", { query: {}, ...page }),
    "search-letters, by label": rest("/letters/v1/search-letters", { query: { labels: { client: "c0" } }, ...page }),
    "list-events": rest("/events/v1/list-events", {}),
    "search-connections": rest("/data/v1/search-connections", page),
  };
}

async function costOf(server, request, calls, statements) {
  const client = await openConnection(server.port);
  const send = (index) =>
    new Promise((resolve, reject) =>
      client.send(request(index), index === 0 || request.read !== undefined, (error, answer) => {
        if (error) return reject(error);
        if (answer.status === 200) request.read?.(answer.body);
        const isRight = answer.status === 200 && (index > 0 || !messageIn(answer).result?.isError);
        return isRight ? resolve() : reject(new Error(`${answer.status} ${String(answer.body).slice(0, 400)}`));
      }),
    );
  try {
    for (let index = 0; index < WARM_CALLS; index += 1) await send(index);
    const latencies = [];
    const begun = server.cpuMicroseconds();
    const count = await statements.count(async () => {
      for (let index = 1; index <= calls; index += 1) {
        const sent = performance.now();
        await send(index);
        latencies.push(performance.now() - sent);
      }
    }, calls);
    return { ...count, cpu: (server.cpuMicroseconds() - begun) / calls / 1_000, p50: median(latencies) };
  } finally {
    client.close();
  }
}

function growthOf(raw, dimension) {
  const calls = [...new Set(raw.filter((row) => row.dimension === dimension).map(({ call }) => call))];
  return calls.map((call) => {
    const at = (size) => raw.find((row) => row.dimension === dimension && row.call === call && row.size === size);
    const growth = (at(SIZES.at(-1)).blocks + 1) / (at(1).blocks + 1);
    return { call, growth, rows: SIZES.map(at) };
  });
}

function tableOf(raw, dimension) {
  return {
    caption: `${dimension}: blocks per call (statements; ms of the server's processor)`,
    head: ["call", ...SIZES.map(String), "growth"],
    rows: growthOf(raw, dimension).map(({ call, growth, rows }) => [
      call,
      ...rows.map(
        ({ blocks, statements, cpu }) => `${blocks.toFixed(0)} (${statements.toFixed(0)}; ${cpu.toFixed(1)})`,
      ),
      growth,
    ]),
  };
}
