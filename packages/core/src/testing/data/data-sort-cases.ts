import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type DataPage,
  type DataQuery,
  type HoldingQuery,
  MAX_LISTED_SOURCES,
  type PortfolioQuery,
  type TransactionQuery,
} from "../../data/data-reader.js";
import {
  type DataSort,
  dataGroups,
  dataSorts,
  extraFields,
  holdingFacts,
  holdingFields,
  ofClient,
  portfolioFields,
  transactionFacts,
  transactionFields,
} from "../../data/rows.js";
import type { Publication } from "../../data/snapshot-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import { searchKey } from "../../search-key.js";
import type { Storage } from "../../storage.js";
import {
  connection,
  holding,
  holdingQuery,
  later,
  newId,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  TenantUnderTest,
  transaction,
  transactionQuery,
} from "../fixture.js";
import { createMemoryStorage } from "../memory-storage.js";
import { itemsOf } from "./data-read-cases.js";

/** Sorts, filters by name, ISIN and kind, groups and extra fields of data reads. */
export function dataSortCases(storage: () => Storage): void {
  it("[C-4.90] [C-4.91] [C-4.92] [C-4.93] [C-14.910] any sort, filter and group answers what the storage of tests answers", {
    timeout: 120_000,
  }, async () => {
    await sameAsMemory(storage(), { minConnections: 1, maxConnections: 4, questions: 12 }, 12);
  });

  it("[C-4.90] [C-4.94] so do those of a tenant with more connections than are listed", {
    timeout: 120_000,
  }, async () => {
    const count = MAX_LISTED_SOURCES + 4;
    await sameAsMemory(storage(), { minConnections: count, maxConnections: count, questions: 60 }, 1);
  });

  it.each([2, MAX_LISTED_SOURCES + 1])(
    "[C-14.1054] of %i connections each order is the other one turned round, unknown values last, and its pages hold every row once",
    async (count) => {
      const tenant = await newTenant(storage());
      const records = Array.from({ length: count }, () => connection());
      await tenant.run(async ({ connections }) => {
        for (const record of records) await connections.create(record);
      });
      for (const [index, { connection_id }] of records.slice(0, 2).entries()) {
        const rows = Array.from({ length: 6 }, (_, row) => ({
          name: `Fund ${row % 2}`,
          balance: [null, "0", "1.5"][row % 3] ?? null,
          valuation_date: [null, "2026-01-01", "2026-01-02"][(row + index) % 3] ?? null,
        }));
        const portfolios = rows.map(({ name, balance }) => portfolio({ name, balance }));
        const holdings = rows.map((row) => holding(row));
        await tenant.run(({ snapshots }) =>
          snapshots.publish({ connection_id, as_of: now, published_at: now, portfolios, holdings }),
        );
      }
      const { reader } = storage();
      for (const [product, queryOf, columns] of [
        ["portfolios", portfolioQuery, ["name", "balance"]],
        ["holdings", holdingQuery, ["name", "balance", "valuation_date"]],
      ] as const)
        for (const column of columns)
          for (const page_size of [1, 5, 500]) {
            const what = `${product} by ${column}, ${page_size}`;
            const knownIn = async (sort: DataSort) => {
              const rows: Record<string, unknown>[] = [];
              for (let page = 1; (page - 1) * page_size < 12; page += 1) {
                const query = queryOf({ sort, page, page_size, fields: ["id", column] });
                rows.push(...itemsOf(await reader[product](tenant.tenant_id, query as never)));
              }
              expect(new Set(rows.map(({ id }) => id)).size, what).toBe(12);
              const values = rows.map((row) => row[column]);
              const known = values.filter((value) => value !== null);
              expect(values.slice(0, known.length), what).toEqual(known);
              return known;
            };
            expect(await knownIn(column), what).toEqual((await knownIn(`-${column}`)).toReversed());
          }
    },
  );

  it("[C-4.91] a name is found by a part of it without case and accents, and signs of a pattern mean themselves", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const names = [
      "Ångström Straße",
      "100% Cash_Fund",
      "100 percent",
      String.raw`back\slash`,
      " Trimmed ",
      "a".repeat(600),
    ];
    const publish = (over: Partial<Publication>) =>
      tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of: now, published_at: now, ...over }));
    await publish({
      portfolios: names.map((name) => portfolio({ name })),
      holdings: names.map((name) => holding({ name })),
      transactions: names.map((description) => transaction({ description })),
    });
    const { reader } = storage();
    const id = tenant.tenant_id;
    const found = async (text: string) => {
      const name = searchKey(text);
      const [portfolios, holdings, transactions] = [
        itemsOf(await reader.portfolios(id, portfolioQuery({ name }))).map((row) => row.name),
        itemsOf(await reader.holdings(id, holdingQuery({ name }))).map((row) => row.name),
        itemsOf(await reader.transactions(id, transactionQuery({ name }))).map((row) => row.description),
      ];
      expect(portfolios).toEqual(holdings);
      expect(transactions.toSorted()).toEqual(holdings.toSorted());
      return holdings;
    };
    expect(await found("angstrom STRASSE")).toEqual(["Ångström Straße"]);
    expect(await found("100%")).toEqual(["100% Cash_Fund"]);
    expect(await found("h_F")).toEqual(["100% Cash_Fund"]);
    expect(await found("0_")).toEqual([]);
    expect(await found("K\\s")).toEqual([String.raw`back\slash`]);
    expect(await found(" trimmed")).toEqual([" Trimmed "]);
    expect(await found("a".repeat(200))).toHaveLength(1);
  });

  it("[C-4.93] a portfolio shows the accounts in its parts, and an account that no portfolio shows has no name", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const [part, unknown] = [newId(), newId()];
    const shown = portfolio({ name: "Family", parts: [part] });
    const rows = [shown.portfolio_id, part, unknown].map((portfolio_id) => holding({ portfolio_id, balance: "1" }));
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: now, published_at: now, portfolios: [shown], holdings: rows }),
    );
    const read = (over: Partial<HoldingQuery>) => storage().reader.holdings(tenant.tenant_id, holdingQuery(over));
    const fields = ["id", "portfolio_id", "bank"];
    expect(itemsOf(await read({ fields }))).toEqual([
      { id: rows[0]?.holding_id, portfolio_id: shown.portfolio_id, bank: "Banco Ejemplo" },
      { id: rows[1]?.holding_id, portfolio_id: shown.portfolio_id, bank: "Banco Ejemplo" },
      { id: rows[2]?.holding_id, portfolio_id: unknown, bank: "Banco Ejemplo" },
    ]);
    const page = await read({ totals_by: ["portfolio"], totals_only: true, page_size: 2 });
    expect(page).toMatchObject({ items_json: "[]", total: 3 });
    const totals = [
      { currency: "EUR", portfolio: { id: shown.portfolio_id, name: "Family" }, balance: "2", rows: 2 },
      { currency: "EUR", portfolio: { id: unknown, name: null }, balance: "1", rows: 1 },
    ];
    expect(page.kind === "page" && page.totals).toEqual(
      totals.toSorted((a, b) => (a.portfolio.id < b.portfolio.id ? -1 : 1)),
    );
  });
}

/** Publishes the same into both storages, and asks both the same. */
async function sameAsMemory(
  storage: Storage,
  size: { minConnections: number; maxConnections: number; questions: number },
  numRuns: number,
): Promise<void> {
  const { minConnections: minLength, maxConnections: maxLength, questions } = size;
  const worlds = fc.array(someConnection, { minLength, maxLength });
  const asked = fc.array(question, { minLength: questions, maxLength: questions });
  await fc.assert(
    fc.asyncProperty(worlds, asked, async (world, questions) => {
      const memory = createMemoryStorage();
      const tenant_id = newId();
      const both = [storage, memory].map((one) => new TenantUnderTest(one, tenant_id));
      const publications = world.flatMap(publicationsOf);
      const rounds = [0, 1].flatMap((round) => publications.filter((one) => one.round === round));
      for (const tenant of both) {
        await tenant.storage.tenants.create({ tenant_id, name: `Tenant ${tenant_id}`, created_at: now });
        await tenant.run(async ({ clients, connections }) => {
          for (const reference of [NAMED, "M-2"]) await clients.note(reference, now);
          await clients.update(NAMED, { name: 'Meier "Ä"' });
          for (const { record, round } of publications) if (round === 0) await connections.create(record);
        });
        for (const { publication } of rounds) await tenant.run(({ snapshots }) => snapshots.publish(publication));
      }
      const ids = publications.filter(({ round }) => round === 0).map(({ record }) => record.connection_id);
      for (const asked of questions) {
        const query = queryOf(asked, ids, rounds.length);
        const isOfAll = query.connection_ids === null && ids.length > MAX_LISTED_SOURCES;
        const [answer, expected] = await Promise.all([read(storage, tenant_id, query), read(memory, tenant_id, query)]);
        expect(told(answer, isOfAll), JSON.stringify(query)).toEqual(told(expected, isOfAll));
      }
    }),
    { numRuns, seed: 37, endOnFailure: true },
  );
}

function told(page: DataPage, isOfAll: boolean): unknown {
  if (page.kind !== "page") return page;
  const { sources, unlisted, items_json, ...rest } = page;
  const items = JSON.parse(items_json);
  return isOfAll ? { items, ...rest } : { items, ...rest, sources, unlisted };
}

type Query = DataQuery & { readonly product: keyof typeof dataSorts };

function read({ reader }: Storage, tenantId: string, query: Query): Promise<DataPage> {
  if (query.product === "portfolio") return reader.portfolios(tenantId, query as unknown as PortfolioQuery);
  if (query.product === "investment") return reader.holdings(tenantId, query as unknown as HoldingQuery);
  return reader.transactions(tenantId, query as unknown as TransactionQuery);
}

const queries = { portfolio: portfolioQuery, investment: holdingQuery, transaction: transactionQuery };
const fieldsOf = {
  portfolio: [...portfolioFields, ...extraFields.portfolio, ...ofClient.fields],
  investment: [...holdingFields, ...extraFields.investment, ...ofClient.fields, ...holdingFacts],
  transaction: [...transactionFields, ...extraFields.transaction, ...ofClient.fields, ...transactionFacts],
};

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const money = {
  balance: oneOf(null, "0", "1.50", "1.5", "-3", "250.005", "1000", "99999999999999999999.99"),
  currency: oneOf("EUR", "EUR", "USD", "JPY"),
};
const text = oneOf(
  "Österreich Fund",
  "osterreich fund",
  "Zeta",
  "zeta_1",
  "100% Equity",
  "Ångström",
  "",
  " b",
  "ÿ",
  "😀 A",
);
const isin = oneOf(null, "LU0000000001", "DE0000000002");
const day = oneOf("2026-01-01", "2026-01-02", "2026-01-03");
/** Which account of its connection a row is in: its own portfolio's, one of its parts, or one that no portfolio shows. */
const account = fc.nat({ max: 3 });
const rows = {
  portfolios: fc.array(fc.record({ ...money, name: text, type: oneOf("UM" as const, "PP" as const) }), {
    maxLength: 2,
  }),
  holdings: fc.array(
    fc.record({
      ...money,
      account,
      isin,
      name: text,
      valuation_date: fc.option(day),
      type: oneOf("F" as const, "DV" as const),
      subtype: oneOf(null, "OP" as const, "FF" as const),
      is_notional: oneOf(false, false, true),
    }),
    { maxLength: 6 },
  ),
  transactions: fc.array(
    fc.record({
      ...money,
      account,
      isin,
      description: text,
      operation_date: day,
      kind: oneOf(null, "buy" as const, "dividend" as const),
    }),
    { maxLength: 6 },
  ),
};
/** The client who has a name. */
const NAMED = "M-1";
const someConnection = fc.record({
  bank: oneOf("Bank A", "Bank A", 'Bank "B"', "Ähre"),
  client_ref: oneOf(null, NAMED, "M-2"),
  age: fc.nat({ max: 3 }),
  first: fc.record(rows),
  /** A later publication of some products. */
  second: fc.option(fc.record(rows, { requiredKeys: [] })),
});
type SomeConnection = typeof someConnection extends fc.Arbitrary<infer One> ? One : never;

function publicationsOf({ bank, client_ref, age, first, second }: SomeConnection) {
  const record = connection({ bank, client_ref, created_at: later(age) });
  const [portfolioId, part, unknown] = [newId(), newId(), newId()];
  const accounts = [portfolioId, part, unknown, portfolioId];
  const publish = (made: Partial<SomeConnection["first"]>, round: number) => ({
    round,
    record,
    publication: {
      connection_id: record.connection_id,
      as_of: later(age * 60 + round),
      published_at: now,
      ...(made.portfolios && {
        portfolios: made.portfolios.map((row, index) =>
          portfolio(index === 0 ? { ...row, portfolio_id: portfolioId, parts: [part] } : row),
        ),
      }),
      ...(made.holdings && {
        holdings: made.holdings.map(({ account, ...row }) =>
          holding({ ...row, portfolio_id: accounts[account] as string }),
        ),
      }),
      ...(made.transactions && {
        transactions: made.transactions.map(({ account, kind, isin, ...row }) =>
          transaction({
            ...row,
            portfolio_id: accounts[account] as string,
            holding_id: account === 0 ? null : newId(),
            ...((kind ?? isin) && { facts: { ...(kind && { kind }), ...(isin && { identifiers: { isin } }) } }),
          }),
        ),
      }),
    } satisfies Publication,
  });
  return [publish(first, 0), ...(second === null ? [] : [publish(second, 1)])];
}

const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 1 });
const question = fc.record({
  product: oneOf("portfolio" as const, "investment" as const, "transaction" as const),
  page: oneOf(1, 1, 2, 3, 7),
  page_size: oneOf(1, 4, 20, 500),
  sort: fc.option(fc.nat()),
  groups: fc.array(fc.nat(), { maxLength: 2 }),
  isGrouped: oneOf(false, false, true),
  totals_only: oneOf(false, false, false, true),
  fields: fc.option(fc.array(fc.nat(), { minLength: 1, maxLength: 5 })),
  include_source_token: fc.boolean(),
  picked: rarely(fc.array(fc.nat(), { maxLength: 3 })),
  back: oneOf(null, null, 0, 1, 2, 5),
  isFiltered: oneOf(false, false, true),
  name: rarely(oneOf("fund", "o", "zeta_", "0%", " ")),
  isins: rarely(fc.subarray(["LU0000000001", "DE0000000002", "XX"])),
  kinds: rarely(fc.subarray(["buy", "dividend", "fee"])),
  currencies: rarely(fc.subarray(["EUR", "USD"])),
  start_date: rarely(day),
});
type Question = typeof question extends fc.Arbitrary<infer One> ? One : never;

function queryOf(asked: Question, ids: readonly Uuid[], revision: number): Query {
  const { product, picked, back, isFiltered, page, page_size, totals_only, include_source_token } = asked;
  const at = <T>(values: readonly T[], index: number) => values[index % values.length] as T;
  const own = queries[product]();
  const filters = {
    name: asked.name,
    isins: product === "portfolio" ? null : asked.isins,
    kinds: product === "transaction" ? asked.kinds : null,
    currencies: product === "transaction" ? null : asked.currencies,
    start_date: product === "transaction" ? asked.start_date : null,
  };
  const totals_by = asked.groups.map((index) => at<string>([...dataGroups[product], ofClient.group], index));
  return {
    ...own,
    ...(isFiltered && Object.fromEntries(Object.entries(filters).filter(([name]) => name in own))),
    product,
    page,
    page_size,
    totals_only,
    include_source_token,
    sort: asked.sort === null ? null : at(dataSorts[product], asked.sort),
    totals_by: asked.isGrouped ? ([...new Set(totals_by)] as unknown as DataQuery["totals_by"]) : [],
    ...(asked.fields && { fields: [...new Set(asked.fields.map((index) => at<string>(fieldsOf[product], index)))] }),
    connection_ids: picked?.map((index) => at(ids, index)) ?? null,
    revision: back === null ? null : String(Math.max(0, revision - back)),
  };
}
