import { isDeepStrictEqual } from "node:util";

/** Statements over the tables, and the same from the seed: counts, and cents. */
const checks = [
  [
    "select currency, type, count(*), (sum(balance) * 100)::bigint from account group by 1, 2",
    ({ portfolios }) => counted(portfolios, ({ currency, type }) => [currency, type]),
  ],
  [
    `select currency, type, subtype, count(*), (sum(balance) * 100)::bigint from holding where not is_notional group by 1, 2, 3`,
    ({ holdings }) =>
      counted(
        holdings.filter(({ isNotional }) => !isNotional),
        ({ currency, type, subtype }) => [currency, type, subtype],
      ),
  ],
  [
    "select bank, kind, count(*), (sum(balance) * 100)::bigint from movement group by 1, 2",
    ({ transactions }) => counted(transactions, ({ connection, kind }) => [connection.name, kind]),
  ],
];

/** @throws unless the tables hold what was published: the statements then read what they mean to */
export async function checkSeed(truth, tenantId, seed) {
  for (const [statement, expected] of checks) {
    const stored = inOrder(await truth.rows(tenantId, statement));
    if (!isDeepStrictEqual(stored, inOrder(expected(seed)))) throw new Error(`not as published: ${statement}`);
  }
}

function counted(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const { count, cents } = groups.get(key) ?? { count: 0, cents: null };
    groups.set(key, { count: count + 1, cents: row.cents === null ? cents : (cents ?? 0) + row.cents });
  }
  return [...groups].map(([key, { count, cents }]) => [...JSON.parse(key), count, cents]);
}

function inOrder(rows) {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
