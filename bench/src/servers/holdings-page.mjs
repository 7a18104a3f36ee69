import pg from "pg";

const PAGE_READ = {
  name: "read_holdings",
  text: "select * from read_holdings($1, $2, $3, $4, $5, $6, $7, now())",
  rowMode: "array",
};

/**
 * The read behind svc-investments, for the servers that ours is compared with. Returns the items of a page, as objects and as JSON text, and the rest
 * of the answer. With `HOLDINGS`, that many are kept in memory; otherwise they come from PostgreSQL.
 */
export function openHoldings(environment) {
  return environment.HOLDINGS ? inMemory(Number(environment.HOLDINGS)) : onPostgres(environment);
}

/** A tool's answer: structured, and the same as text. */
export function toolResult({ items, rest }) {
  const structuredContent = { ...rest, items: items() };
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

/** The same statement as in packages/storage-postgres, over a pool with the same settings. */
function onPostgres({ DATABASE_URL, TENANT_ID }) {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, connectionTimeoutMillis: 10_000 });
  return async ({ page, page_size }) => {
    const values = [TENANT_ID, null, null, (page - 1) * page_size, page_size, null, false];
    const { rows } = await pool.query({ ...PAGE_READ, values });
    const [revision, , , , , , , , , rowCount, sums, text, , oldest, newest] = rows[0];
    return {
      itemsJson: () => `[${text}]`,
      items: () => JSON.parse(`[${text}]`),
      rest: {
        totals: totalsOf(sums),
        as_of: { oldest, newest },
        sources: [],
        source_counts: { ok: 1, pending: 0, stale: 0, error: 0 },
        ...hintOf(page, page_size, Number(rowCount), `r${revision}`),
        ...placeOf(page, page_size, Number(rowCount)),
        snapshot: `r${revision}`,
      },
    };
  };
}

/** Totals of one connection, all of whose rows have a balance. */
function totalsOf(sums) {
  const currencies = Object.keys(sums).filter((name) => !name.includes(" "));
  return currencies
    .sort()
    .map((currency) => ({ currency, balance: sums[currency], rows: Number(sums[`${currency} rows`]) }));
}

function inMemory(count) {
  const rows = Array.from({ length: count }, (_, index) => itemOf(index));
  const about = {
    totals: [{ currency: "EUR", balance: "149985000.00", rows: count }],
    as_of: { oldest: "2026-11-19", newest: "2026-11-19" },
    sources: [],
    source_counts: { ok: 1, pending: 0, stale: 0, error: 0 },
  };
  const snapshot = "r1";
  return async ({ page, page_size }) => {
    const items = rows.slice((page - 1) * page_size, page * page_size);
    return {
      itemsJson: () => JSON.stringify(items),
      items: () => items,
      rest: { ...about, ...hintOf(page, page_size, count, snapshot), ...placeOf(page, page_size, count), snapshot },
    };
  };
}

function placeOf(page, page_size, total) {
  return { page, page_size, pages: Math.ceil(total / page_size), total };
}

/** The same text as ours, so that all servers answer the same page. */
function hintOf(page, page_size, total, snapshot) {
  const pages = Math.ceil(total / page_size);
  if (page >= pages) return {};
  const next = `Go on with page=${page + 1} and snapshot=${snapshot}, or narrow the filters.`;
  return { hint: `There is more: page ${page} of ${pages}. ${next}` };
}

function itemOf(index) {
  const number = String(index).padStart(10, "0");
  return {
    id: `01920000-0000-7000-8000-00${number}`,
    name: `Global Equity Fund ${number} Accumulating`,
    isin: `LU${number}`,
    amount: `${(index % 977) + 1}.125000`,
    balance: `${index + 10}.47`,
    currency: "EUR",
    valuation_date: "2026-11-19",
    type: "F",
    subtype: null,
  };
}
