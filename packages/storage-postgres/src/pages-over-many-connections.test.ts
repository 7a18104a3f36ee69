import {
  createInvestmentData,
  type DataQuery,
  type DataReader,
  holdingFields,
  MAX_LISTED_SOURCES,
  portfolioFields,
  type TenantActor,
  transactionFields,
  type Uuid,
} from "@org/core";
import { samples } from "@org/core/testing";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type DataPart, pageOfParts } from "./queries/data-page.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const CONNECTIONS = MAX_LISTED_SOURCES + 3;

describe.each(testBackends)("pages over more connections than are listed, on $name", ({ create }) => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await create();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  /** The revision of the tenant's counts, and the tenant's current revision. */
  const countedOf = async (tenantId: string) => {
    const { rows } = await database.pool.query(
      "select revision, counted_revision from tenant_revisions where tenant_id = $1",
      [tenantId],
    );
    return rows[0] as { revision: string; counted_revision: string | null };
  };
  const withConnections = async (count: number) => {
    const tenant = await samples.newTenant(storage);
    const made = Array.from({ length: count }, (_, index) =>
      samples.connection({ created_at: samples.later(index % 7) }),
    );
    await tenant.run(async ({ connections }) => {
      for (const connection of made) await connections.create(connection);
    });
    return { tenant, ids: made.map(({ connection_id }) => connection_id) };
  };

  it("[C-4.15] [C-4.16] [C-4.22] [C-4.23] answer what is put together connection by connection, whatever is published, blocked or removed meanwhile", {
    timeout: 120_000,
  }, async () => {
    const { tenant, ids } = await withConnections(CONNECTIONS);
    const actor: TenantActor = {
      tenant_id: tenant.tenant_id,
      application_id: "application",
      trace_id: "trace",
      address: null,
    };
    const read = createInvestmentData({ reader: storage.reader, runtime: { clock: () => new Date() } });
    const plain = createInvestmentData({ reader: plainReader(database.pool), runtime: { clock: () => new Date() } });
    /** The transactions that each connection received last, which are withdrawn when they are corrected. */
    const histories = new Map<string, string[]>();
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), asked, async (changes, question) => {
        for (const { at, status, isRemoved, isCorrected, portfolios, holdings, transactions } of changes) {
          const connection_id = ids[at % ids.length] as Uuid;
          await tenant.run(async ({ connections, snapshots }) => {
            if (isRemoved) {
              const other = samples.connection();
              await connections.remove(connection_id);
              await connections.create(other);
              ids.splice(at % ids.length, 1, other.connection_id);
            } else {
              await connections.save(connection_id, { status: statusOf(status) });
              const added = transactions?.map(samples.transaction) ?? [];
              const withdrawn = isCorrected ? (histories.get(connection_id) ?? []) : [];
              if (transactions !== undefined)
                histories.set(
                  connection_id,
                  added.map(({ transaction_id }) => transaction_id),
                );
              await snapshots.publish({
                connection_id,
                as_of: samples.now,
                published_at: samples.now,
                ...(portfolios && { portfolios: portfolios.map(samples.portfolio) }),
                ...(holdings && { holdings: holdings.map(samples.holding) }),
                ...(transactions && { transactions: slices([{ transactions: added, withdrawn }]) }),
              });
            }
          });
        }
        const { revision, counted_revision } = await countedOf(tenant.tenant_id);
        if (counted_revision === revision) counted += 1;
        const { back, ...request } = question;
        const snapshot = back === null ? undefined : `r${Math.max(0, Number(revision) - back)}`;
        for (const tool of ["portfolios", "holdings", "transactions"] as const) {
          const answer = read[tool](actor, { ...request, snapshot });
          expect(await outcomeOf(answer)).toEqual(await outcomeOf(plain[tool](actor, { ...request, snapshot })));
        }
      }),
      { numRuns: 25 },
    );
    expect(counted).toBeGreaterThan(12);
  });

  it("are not counted for a tenant with fewer, nor at a revision that nobody counted: then all is read", async () => {
    const { tenant, ids } = await withConnections(MAX_LISTED_SOURCES);
    const publish = () =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          connection_id: ids[0] as Uuid,
          as_of: samples.now,
          published_at: samples.now,
          holdings: [samples.holding({ balance: "1.50" })],
        }),
      );
    const page = () => storage.reader.holdings(tenant.tenant_id, samples.holdingQuery());
    await publish();
    expect(await countedOf(tenant.tenant_id)).toEqual({ revision: "1", counted_revision: null });
    expect(await page()).toMatchObject({ total: 1, unlisted: 0, sources: { length: MAX_LISTED_SOURCES } });

    ids.push((await tenant.connect()).connection_id);
    await publish();
    // From the first page with so many connections on, the reader knows that the tenant has them.
    expect(await page()).toMatchObject({ total: 1, unlisted: 0, sources: { length: MAX_LISTED_SOURCES + 1 } });
    expect(await countedOf(tenant.tenant_id)).toEqual({ revision: "2", counted_revision: "2" });
    expect(await page()).toMatchObject({ total: 1, unlisted: 1, sources: { length: MAX_LISTED_SOURCES } });

    // A revision without counts.
    await database.pool.query("update tenant_revisions set revision = revision + 1 where tenant_id = $1", [
      tenant.tenant_id,
    ]);
    expect(await page()).toMatchObject({ total: 1, unlisted: 0, sources: { length: MAX_LISTED_SOURCES + 1 } });
    await publish();
    expect(await countedOf(tenant.tenant_id)).toEqual({ revision: "4", counted_revision: "4" });

    // A connection that never had data: nothing is missing, yet all others have to be listed.
    await tenant.run(({ connections }) => connections.remove(ids[1] as Uuid));
    expect(await page()).toMatchObject({ total: 1, unlisted: 0, sources: { length: MAX_LISTED_SOURCES } });
    await tenant.run(({ connections }) => connections.remove(ids[0] as Uuid));
    expect(await countedOf(tenant.tenant_id)).toEqual({ revision: "5", counted_revision: null });
    expect(await page()).toMatchObject({ total: 0, unlisted: 0, sources: { length: MAX_LISTED_SOURCES - 1 } });
  });
});

/** Reads that assemble every connection for each page, using the functions meant for some connections. */
function plainReader(pool: Pool): DataReader {
  const read = (product: string, known: readonly string[]) => async (tenantId: string, query: DataQuery) => {
    const { rows } = await pool.query<DataPart>({
      text: `select * from read_${product}($1, null, $2, $3, $4, $5, $6, $7)`,
      values: [
        ...[tenantId, query.revision, (query.page - 1) * query.page_size, query.page_size],
        ...[query.fields === known ? null : query.fields, query.include_source_token, query.now],
      ],
      rowMode: "array",
    } as never);
    return pageOfParts(rows, null, query.revision, null);
  };
  return {
    portfolios: read("portfolios", portfolioFields),
    holdings: read("holdings", holdingFields),
    transactions: read("transactions", transactionFields),
    transactionVersions: () => Promise.reject(new Error("the test reads no versions")),
    connectionsOf: () => Promise.reject(new Error("the test names no clients")),
  };
}

async function* slices<Slice>(all: readonly Slice[]) {
  yield* all;
}

async function outcomeOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => String(error));
}

const money = fc.record({
  balance: fc.constantFrom("1", "-1", "0.10", "-2.50", "100.00", "0.000", "7.1234", "99999999999999999999.99", null),
  currency: fc.constantFrom("EUR", "CHF", "USD"),
});
const someRows = fc.option(fc.array(money, { maxLength: 4 }), { nil: undefined, freq: 3 });
const oneInFour = fc.constantFrom(false, false, false, true);
const change = fc.record({
  // Mostly a few connections, so that they are published again; the last ones stay without data for long.
  at: fc.oneof(fc.nat(6), fc.nat(CONNECTIONS)),
  portfolios: someRows,
  holdings: someRows,
  transactions: someRows,
  isRemoved: fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0),
  isCorrected: oneInFour,
  status: fc.record({
    isPending: fc.boolean(),
    isBlocked: oneInFour,
    errored: fc.record({ auth: oneInFour, portfolio: oneInFour, investment: oneInFour }),
    isHistoryErrored: oneInFour,
  }),
});
const asked = fc.record({
  page: fc.integer({ min: 1, max: 6 }),
  page_size: fc.integer({ min: 1, max: 7 }),
  include_source_token: fc.boolean(),
  back: fc.constantFrom(null, null, 0, 0, 1, 3),
});

function statusOf(told: {
  isPending: boolean;
  isBlocked: boolean;
  errored: { auth: boolean; portfolio: boolean; investment: boolean };
  isHistoryErrored: boolean;
}) {
  const { status } = samples.connection();
  const { product, transaction } = status.errored;
  return {
    ...status,
    pending: told.isPending,
    blocked: told.isBlocked,
    errored: {
      ...status.errored,
      product: { ...product, ...told.errored },
      transaction: { ...transaction, investment: told.isHistoryErrored },
    },
  };
}
