import pg from "pg";

const PAGE_READ = {
  name: "read_holdings",
  text: "select * from read_holdings($1, $2, $3, $4, $5, $6, $7)",
  rowMode: "array",
};

/**
 * The read behind svc-investments for servers that are measured against ours: the very statement of packages/storage-postgres,
 * over a pool with its settings. Answers the items as JSON text, and what else the answer holds.
 */
export function openHoldings({ DATABASE_URL, TENANT_ID }) {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, connectionTimeoutMillis: 10_000 });
  return async ({ page, page_size }) => {
    const values = [TENANT_ID, null, null, (page - 1) * page_size, page_size, null, false];
    const { rows } = await pool.query({ ...PAGE_READ, values });
    const [revision, , , credentials_token, bank, as_of, , , , rowCount, sums, items] = rows[0];
    const total = Number(rowCount);
    const rest = {
      page,
      page_size,
      pages: Math.ceil(total / page_size),
      total,
      totals: Object.keys(sums).map((currency) => ({ currency, balance: sums[currency] })),
      sources: [{ credentials_token, bank, as_of, state: "ok" }],
      snapshot: `r${revision}`,
    };
    return { itemsJson: `[${items}]`, rest };
  };
}

/** The answer of a tool: structured, and the same as text. */
export function toolResult({ itemsJson, rest }) {
  const structuredContent = { items: JSON.parse(itemsJson), ...rest };
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
