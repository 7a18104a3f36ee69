import { randomBytes, randomUUID } from "node:crypto";
import { createRefreshes } from "@org/core";
import { migrate, openStorage } from "@org/storage-postgres";
import { databaseCpu } from "./measuring/database-cpu.mjs";
import { goal, median, medianRatio } from "./measuring/figures.mjs";
import { addConnections } from "./product/connections.mjs";
import { withClient } from "./product/letters.mjs";

const CONNECTOR = "bench:bank";
const PROVIDER = "bench";
const DAY_MS = 86_400_000;
const HOLDINGS = [10, 50];
const MOVEMENTS = 20;
const WARM_TURNS = 2;
const AT_MOST = 1.1;
const LESS = `create or replace function store_valuations(p_tenant uuid, p_connection uuid, p_valued json) returns void language plpgsql as 'begin end'`;

/**
 * What valuations add to a refresh: refreshes of a bank that answers immediately, on two databases of one server by turns, on the second of which
 * nothing is stored of them. Each turn is another day; `connections` are refreshed in it one after the other.
 */
export async function run({ databaseUrl, turns = 15, connections = 60, sizes = HOLDINGS }) {
  const raw = [];
  for (const holdings of sizes) {
    const sides = [];
    try {
      for (const target of ["ours", "without"])
        sides.push(await sideOf({ databaseUrl, target, holdings, connections }));
      for (const data of ["same", "changed"]) {
        for (let turn = -WARM_TURNS; turn < turns; turn += 1)
          for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
            const measured = await side.refreshAll(data);
            if (turn >= 0) raw.push({ holdings, data, target: side.target, round: 0, turn, ...measured });
          }
      }
    } finally {
      for (const side of sides) await side.remove();
    }
  }
  return reportOf(raw, connections, sizes);
}

/** A database with connections of one account each, without a server: the benchmark refreshes them itself. */
async function sideOf({ databaseUrl, target, holdings, connections }) {
  const name = `bench_${randomBytes(6).toString("hex")}`;
  await withClient(databaseUrl, (client) => client.query(`create database ${name}`));
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  let now = Date.now() - 1_000 * DAY_MS;
  const clock = () => new Date(now);
  const opened = await openStorage({ databaseUrl: url.href }, clock);
  await migrate(opened.pool);
  if (target === "without") await withClient(url.href, (client) => client.query(LESS));
  const { storage } = opened;
  const tenantId = randomUUID();
  await storage.tenants.create({ tenant_id: tenantId, name: "Tenant", created_at: clock() });
  const vault = { seal: async (text) => text, open: async (text) => text };
  const made = { connector: CONNECTOR, provider: PROVIDER, accessOf: () => ({}), dueAt: clock() };
  const ids = await addConnections({ ...made, storage, keyring: vault, tenantId, connections });
  let day = 0;
  const provider = { name: PROVIDER, fetch: async () => ({ snapshot: snapshotOf(holdings, day, clock()) }) };
  const runtime = { clock, newId: randomUUID, newSecret: randomUUID, vault, mac: (_, text) => text, staleAfterDays: 5 };
  const refreshes = createRefreshes({
    ...{ storage, runtime, providers: directoryOf(provider), access: { disabled: async () => new Set() } },
    connectors: { find: async () => null },
  });
  return {
    target,
    async refreshAll(data) {
      now += DAY_MS;
      if (data === "changed") day += 1;
      const before = {
        wall: performance.now(),
        node: process.cpuUsage(),
        database: await databaseCpu(databaseUrl, name),
      };
      for (const connection_id of ids) {
        const lease = randomUUID();
        const held = { lease, now: clock(), until: new Date(now + 60_000) };
        await storage.inTenant(tenantId, (stores) => stores.refreshes.take(connection_id, held));
        const outcome = await refreshes.run({ tenant_id: tenantId, connection_id, connector_id: CONNECTOR, lease });
        if (outcome !== "refreshed") throw new Error(`a connection was not refreshed: ${outcome}`);
      }
      const wall = performance.now() - before.wall;
      const { user, system } = process.cpuUsage(before.node);
      const database = (await databaseCpu(databaseUrl, name)) - before.database;
      return {
        wall: wall / connections,
        node: (user + system) / 1_000 / connections,
        database: database / connections,
      };
    },
    async remove() {
      await opened.close();
      await withClient(databaseUrl, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

function directoryOf(provider) {
  return {
    ...{ for: () => provider, ownOf: () => null, owners: () => [], has: () => true, serves: () => true },
    ...{ names: [provider.name], offering: () => provider.name },
  };
}

/** What the bank says: prices are those of `day`. */
function snapshotOf(holdings, day, as_of) {
  const portfolio_key = "p";
  const cents = (index) => `${1_000 + index + day}.${10 + index}`;
  return {
    as_of,
    portfolios: [
      {
        key: portfolio_key,
        name: "Depot",
        balance: `${20_000 + day}.00`,
        currency: "EUR",
        ref_account: "DE02",
        type: "S",
      },
    ],
    holdings: Array.from({ length: holdings }, (_, index) => ({
      ...{ key: `h${index}`, portfolio_key, name: `Global Equity Fund ${index} Accumulating`, isin: "LU0323578657" },
      ...{ amount: "100.125", balance: cents(index), currency: "EUR", type: "F", subtype: null },
      ...{ valuation_date: "2026-01-02", facts: { price: `${10 + day}.0145`, cost: "900.00" } },
    })),
    transactions: Array.from({ length: MOVEMENTS }, (_, index) => ({
      ...{
        key: `t${index}`,
        portfolio_key,
        holding_key: null,
        operation_date: "2026-01-02",
        description: `Movement ${index}`,
      },
      ...{ amount: null, balance: "-12.34", currency: "EUR", unit_price: null },
    })),
  };
}

function reportOf(raw, connections, sizes) {
  const cases = sizes.flatMap((holdings) => ["same", "changed"].map((data) => ({ holdings, data })));
  const measured = cases.map((is) => {
    const of = (field, target) =>
      median(
        raw
          .filter((row) => row.holdings === is.holdings && row.data === is.data && row.target === target)
          .map((row) => row[field]),
      );
    const ratio = (field) => medianRatio(raw, field, "ours", "without", is);
    const total = raw.map((row) => ({ ...row, cpu: row.database + row.node }));
    return {
      ...is,
      ...{
        database: of("database", "ours"),
        databaseWithout: of("database", "without"),
        databaseRatio: ratio("database"),
      },
      ...{ cpuRatio: medianRatio(total, "cpu", "ours", "without", is), wallRatio: ratio("wall") },
      ...{ wall: of("wall", "ours"), wallWithout: of("wall", "without") },
    };
  });
  return {
    title: `What valuations add to a refresh: ${connections} connections by turns with a database that stores none`,
    notes:
      "Processor of PostgreSQL's backends, and of them and of the process that refreshes. Same: the bank says what it said before. Changed: all prices have.",
    tables: [
      {
        caption: "A refresh",
        head: [
          "holdings",
          "values",
          "PostgreSQL, ms",
          "without",
          "ratio",
          "ratio of all processor",
          "ms",
          "without",
          "ratio",
        ],
        rows: measured.map((one) => [
          ...[one.holdings, one.data, one.database, one.databaseWithout, one.databaseRatio, one.cpuRatio],
          ...[one.wall, one.wallWithout, one.wallRatio],
        ]),
      },
    ],
    goals: measured.map(({ holdings, data, cpuRatio }) =>
      goal(`${holdings} holdings, ${data} values: processor, of without`, cpuRatio, { atMost: AT_MOST }),
    ),
    raw,
  };
}
