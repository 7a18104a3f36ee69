import fc from "fast-check";
import { expect, it } from "vitest";
import type { DataPage, HoldingQuery, PortfolioQuery, TransactionQuery } from "../../data/data-reader.js";
import type { HoldingRow, PortfolioRow, TransactionRow } from "../../data/snapshot-store.js";
import { addDecimals, compareDecimals } from "../../decimal.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import {
  holding,
  holdingQuery,
  newId,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  transaction,
  transactionQuery,
} from "../fixture.js";
import { itemsOf } from "./data-read-cases.js";

/** Compares data reads with every combination of filters to a plain model that filters, sums and pages the same rows. */
export function dataModelCases(storage: () => Storage): void {
  it("[C-4.15] [C-4.16] [C-4.17] [C-4.22] reads answer what a plain filter over the rows answers", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.array(asked, { minLength: 4, maxLength: 4 }), async (made, questions) => {
        const tenant = await newTenant(storage());
        const connections: Uuid[] = [];
        for (const _ of made) connections.push((await tenant.connect()).connection_id);
        const owned = made.map((rows) => withIds(rows));
        await tenant.run(async ({ snapshots }) => {
          for (const [i, rows] of owned.entries()) {
            const common = { connection_id: connections[i] as Uuid, as_of: now, published_at: now };
            await snapshots.publish({
              ...common,
              portfolios: [portfolio()],
              holdings: [],
              transactions: rows.transactions.slice(0, 1),
            });
            await snapshots.publish({ ...common, ...rows });
          }
        });
        for (const question of questions) {
          const { picked, ...query } = question;
          const connection_ids = picked?.flatMap((i) => connections[i % connections.length] ?? []) ?? null;
          const portfolio_id = query.portfolio === null ? null : portfolioIds[query.portfolio];
          const holding_id = query.holding === null ? null : holdingIds[query.holding];
          const common = { ...query, connection_ids };
          const read = owned.filter(
            (_, i) => connection_ids === null || connection_ids.includes(connections[i] as Uuid),
          );
          const { reader } = storage();

          const portfolios = portfolioQuery({ ...common, fields: ["id"] });
          expectPage(
            await reader.portfolios(tenant.tenant_id, portfolios),
            read.flatMap((rows) => rows.portfolios.filter((row) => isAsked(row, portfolios))),
            (row) => row.portfolio_id,
            query,
          );
          const holdings = holdingQuery({
            ...common,
            fields: ["id"],
            portfolio_id: knownIn(owned, portfolio_id ?? null),
          });
          expectPage(
            await reader.holdings(tenant.tenant_id, holdings),
            read.flatMap((rows) => rows.holdings.filter((row) => isAskedHolding(row, holdings))),
            (row) => row.holding_id,
            query,
          );
          const transactions = transactionQuery({
            ...common,
            fields: ["id"],
            holding_id: namedIn(owned, holding_id ?? null),
          });
          expectPage(
            await reader.transactions(tenant.tenant_id, transactions),
            read
              .flatMap((rows) => rows.transactions.filter((row) => isAskedMovement(row, transactions)))
              .sort(newestFirst),
            (row) => row.transaction_id,
            query,
          );
        }
      }),
      { numRuns: 10 },
    );
  });
}

const portfolioIds = [newId(), newId()] as const;
const holdingIds = [newId(), newId()] as const;
const currency = fc.constantFrom("EUR", "USD", "JPY");
const decimal = fc
  .tuple(fc.integer({ min: -3, max: 1200 }), fc.constantFrom("", ".5", ".50", ".005"))
  .map(([whole, fraction]) => `${whole}${fraction}`);
const balance = fc.option(decimal, { freq: 4 });
const date = fc.integer({ min: 1, max: 4 }).map((day) => `2026-01-0${day}`);
const portfolioIndex = fc.constantFrom(0, 1);

const content = fc.array(
  fc.record({
    portfolios: fc.array(fc.record({ currency, balance, type: fc.constantFrom("UM", "PP") }), { maxLength: 6 }),
    holdings: fc.array(
      fc.record({
        currency,
        balance,
        type: fc.constantFrom("F", "DV"),
        subtype: fc.constantFrom(null, "OP", "W"),
        is_notional: fc.boolean(),
        portfolio: portfolioIndex,
      }),
      { maxLength: 8 },
    ),
    transactions: fc.array(fc.record({ currency, balance, operation_date: date, holding: fc.option(portfolioIndex) }), {
      maxLength: 8,
    }),
  }),
  { minLength: 1, maxLength: 3 },
);
type Content = typeof content extends fc.Arbitrary<infer C> ? (C extends readonly (infer One)[] ? One : never) : never;

const asked = fc.record({
  picked: fc.option(fc.array(fc.nat({ max: 2 }), { maxLength: 2 })),
  page: fc.integer({ min: 1, max: 4 }),
  page_size: fc.integer({ min: 1, max: 5 }),
  include_source_token: fc.boolean(),
  currencies: fc.option(fc.subarray(["EUR", "USD", "CHF"])),
  types: fc.option(fc.subarray(["UM", "F", "DV"])),
  subtypes: fc.option(fc.subarray(["OP", "FF"])),
  min_balance: fc.option(decimal),
  portfolio: fc.option(portfolioIndex),
  holding: fc.option(portfolioIndex),
  start_date: fc.option(date),
  end_date: fc.option(date),
});

function withIds(rows: Content) {
  return {
    portfolios: rows.portfolios.map((row) => portfolio(row as Partial<PortfolioRow>)),
    holdings: rows.holdings.map(({ portfolio, ...row }) =>
      holding({ ...(row as Partial<HoldingRow>), portfolio_id: portfolioIds[portfolio] }),
    ),
    transactions: rows.transactions.map(({ holding, ...row }) =>
      transaction({ ...row, holding_id: holding === null ? null : holdingIds[holding] }),
    ),
  };
}
type Rows = ReturnType<typeof withIds>;

/** The id if any row has it, else null: unknown ids have cases of their own. */
function knownIn(all: readonly Rows[], id: string | null): Uuid | null {
  return all.some(({ holdings }) => holdings.some((row) => row.portfolio_id === id)) ? (id as Uuid) : null;
}

function namedIn(all: readonly Rows[], id: string | null): Uuid | null {
  return all.some(({ transactions }) => transactions.some((row) => row.holding_id === id)) ? (id as Uuid) : null;
}

function isAsked(row: PortfolioRow | HoldingRow, query: PortfolioQuery): boolean {
  if (query.currencies && !query.currencies.includes(row.currency)) return false;
  if (query.types && !query.types.includes(row.type)) return false;
  if (query.min_balance === null) return true;
  return row.balance !== null && compareDecimals(row.balance, query.min_balance) >= 0;
}

function isAskedHolding(row: HoldingRow, query: HoldingQuery): boolean {
  if (query.portfolio_id && row.portfolio_id !== query.portfolio_id) return false;
  if (query.subtypes && !(row.subtype && query.subtypes.includes(row.subtype))) return false;
  return isAsked(row, query);
}

function isAskedMovement(row: TransactionRow, query: TransactionQuery): boolean {
  if (query.holding_id && row.holding_id !== query.holding_id) return false;
  if (query.start_date && row.operation_date < query.start_date) return false;
  return !(query.end_date && row.operation_date > query.end_date);
}

function newestFirst(a: TransactionRow, b: TransactionRow): number {
  const [left, right] = [`${b.operation_date} ${b.transaction_id}`, `${a.operation_date} ${a.transaction_id}`];
  return left < right ? -1 : 1;
}

function expectPage<Row extends { currency: string; balance: string | null; is_notional?: boolean }>(
  answer: DataPage,
  matching: readonly Row[],
  idOf: (row: Row) => string,
  { page, page_size }: { page: number; page_size: number },
): void {
  const start = (page - 1) * page_size;
  expect(itemsOf(answer).map((item) => item.id)).toEqual(matching.slice(start, start + page_size).map(idOf));
  const currencies = [...new Set(matching.map((row) => row.currency))].sort();
  const totals = currencies.map((currency) => {
    const rows = matching.filter((row) => row.currency === currency);
    const [without, notional] = [rows.filter((row) => row.balance === null), rows.filter((row) => row.is_notional)];
    const balances = rows.flatMap((row) => (row.balance === null || row.is_notional ? [] : [row.balance]));
    return {
      currency,
      balance: balances.length === 0 ? null : balances.reduce(addDecimals),
      rows: rows.length,
      ...(without.length > 0 && { rows_without_balance: without.length }),
      ...(notional.length > 0 && { rows_notional: notional.length }),
    };
  });
  expect(answer).toMatchObject({ total: matching.length });
  expect(answer).toHaveProperty("totals", totals);
}
