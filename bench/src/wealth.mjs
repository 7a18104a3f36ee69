import { keepMonths } from "@org/core";
import { openStorage } from "@org/storage-postgres";
import { databaseCpu } from "./measuring/database-cpu.mjs";
import { goal, median } from "./measuring/figures.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { withClient } from "./product/letters.mjs";
import { callRest } from "./product/rest-requests.mjs";
import { addWealthHistory } from "./product/wealth-history.mjs";

const TABLES = ["valuations", "valued_months", "valued_holdings", "valued_accounts", "transactions", "holdings"];
const OVERVIEW_MS = 300;
const CLIENT_MS = 50;
const WARM_CALLS = 3;

/**
 * Figures over three years of valuations of one tenant, and what it takes to store and delete them. Options: `connections`, five to a client; `calls` of
 * each kind.
 */
export async function run({ databaseUrl, connections = 5_000, calls = 15 }) {
  const product = await installOnPostgres(databaseUrl, async ({ storage, credentials, databaseUrl: url }) => {
    await withClient(url, (client) =>
      addWealthHistory({ storage, client, tenantId: credentials.demo.tenant, connections }),
    );
    // A server may have gone through today's accounts before these came.
    await keepMonths(storage, new Date(Date.now() + 86_400_000));
  });
  try {
    const tenantId = product.credentials.demo.tenant;
    const bytes = await withClient(product.databaseUrl, bytesOf);
    const server = await product.start({ env: { SHED_DELAY_MS: "0" } });
    const raw = [];
    try {
      const token = await accessToken(server, product.credentials.demo);
      for (const [question, { path, body, atMost }] of Object.entries(questions()))
        raw.push({ question, atMost, ...(await timed(product, server, token, { path, body, calls })) });
    } finally {
      await server.stop();
    }
    const deletions = await deletionsOf(product.databaseUrl, tenantId);
    return reportOf({ connections, raw, bytes, deletions });
  } finally {
    await product.remove();
  }
}

/** What is asked, by name, and in how many milliseconds it has to be answered. */
export function questions() {
  const from = new Date(Date.now() - 3 * 365 * 86_400_000).toISOString().slice(0, 10);
  const currency = "EUR";
  const client_ref = "client-0";
  const [history, summary] = ["/data/v1/list-history", "/data/v1/summary"];
  const page_size = 500;
  return {
    "tenant: summary by type": { path: summary, body: { by: "type", currency }, atMost: OVERVIEW_MS },
    "tenant: summary by client": { path: summary, body: { by: "client", currency }, atMost: OVERVIEW_MS },
    "tenant: history by month": { path: history, body: { from, interval: "month", currency }, atMost: OVERVIEW_MS },
    "client: history by day": { path: history, body: { client_ref, from, currency, page_size }, atMost: CLIENT_MS },
    "client: history by month": {
      path: history,
      body: { client_ref, from, interval: "month", currency },
      atMost: CLIENT_MS,
    },
    "client: summary by type": { path: summary, body: { client_ref, by: "type", currency }, atMost: CLIENT_MS },
    "client: performance": { path: "/data/v1/performance", body: { client_ref, from, currency, allow_gaps: true } },
    "client: income by month": { path: "/data/v1/income", body: { client_ref, from, by: "month", currency } },
    "client: gains": { path: "/data/v1/gains", body: { client_ref, currency } },
  };
}

async function timed({ databaseUrl }, server, token, { path, body, calls }) {
  const database = () => databaseCpu(databaseUrl, new URL(databaseUrl).pathname.slice(1));
  for (let call = 0; call < WARM_CALLS; call += 1) await callRest(server, token, path, body);
  const times = [];
  const before = { server: server.cpuMicroseconds(), database: await database() };
  for (let call = 0; call < calls; call += 1) {
    const started = performance.now();
    await callRest(server, token, path, body);
    times.push(performance.now() - started);
  }
  return {
    p50: median(times),
    cpu: (server.cpuMicroseconds() - before.server) / calls / 1_000,
    database: ((await database()) - before.database) / calls,
  };
}

async function bytesOf(client) {
  const { rows } = await client.query(
    `select t.name as table, pg_table_size(t.name::regclass)::float8 as table_bytes, pg_indexes_size(t.name::regclass)::float8 as index_bytes,
       c.reltuples::float8 as row_count
     from unnest($1::text[]) t (name) join pg_class c on c.oid = t.name::regclass`,
    [TABLES],
  );
  return rows;
}

/** One connection and then the tenant, with how many rows stay. */
async function deletionsOf(databaseUrl, tenantId) {
  const opened = await openStorage({ databaseUrl }, () => new Date());
  try {
    return await withClient(databaseUrl, async (client) => {
      const { rows } = await client.query(
        "select connection_id from valuations where tenant_id = $1 group by connection_id order by count(*) desc limit 1",
        [tenantId],
      );
      const [{ connection_id }] = rows;
      const left = (where, id) => rowsLeft(client, where, id);
      let started = performance.now();
      await opened.storage.inTenant(tenantId, ({ connections }) => connections.remove(connection_id));
      const connection = {
        what: "a connection",
        ms: performance.now() - started,
        left: await left("connection_id", connection_id),
      };
      await client.query("insert into disabled_tenants values ($1, now())", [tenantId]);
      await client.query("set statement_timeout = 0");
      started = performance.now();
      await client.query("select remove_tenant($1, now())", [tenantId]);
      return [
        connection,
        { what: "the tenant", ms: performance.now() - started, left: await left("tenant_id", tenantId) },
      ];
    });
  } finally {
    await opened.close();
  }
}

async function rowsLeft(client, column, id) {
  let left = 0;
  for (const table of TABLES) {
    const { rows } = await client.query(`select count(*)::integer as rows from ${table} where ${column} = $1`, [id]);
    left += rows[0].rows;
  }
  return left;
}

function reportOf({ connections, raw, bytes, deletions }) {
  const megabytes = (value) => value / 1e6;
  return {
    title: `Figures over three years of valuations: ${connections / 5} clients with ${connections} connections`,
    notes:
      "One call at a time, over REST. Four in five connections are valued weekly, the others daily; each has a depot of 20 holdings in three currencies, " +
      "which change once in 30 days, and 72 movements. All is converted to EUR.",
    tables: [
      {
        caption: "Questions",
        head: ["question", "ms, median", "processor of the server, ms", "of PostgreSQL, ms"],
        rows: raw.map(({ question, p50, cpu, database }) => [question, p50, cpu, database]),
      },
      {
        caption: "What is stored",
        head: ["table", "rows", "MB", "MB of indexes", "bytes a row"],
        rows: bytes.map(({ table, row_count, table_bytes, index_bytes }) => [
          ...[table, row_count, megabytes(table_bytes), megabytes(index_bytes)],
          (table_bytes + index_bytes) / Math.max(1, row_count),
        ]),
      },
      {
        caption: "Deletion",
        head: ["of", "ms", "rows left"],
        rows: deletions.map(({ what, ms, left }) => [what, ms, left]),
      },
    ],
    goals: [
      ...raw
        .filter(({ atMost }) => atMost !== undefined)
        .map(({ question, p50, atMost }) => goal(`${question}, ms`, p50, { atMost })),
      ...deletions.map(({ what, left }) => goal(`rows left of ${what} that was deleted`, left, { atMost: 0 })),
    ],
    raw,
  };
}
