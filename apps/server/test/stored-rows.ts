import { createHash } from "node:crypto";
import type { Pool } from "./installation.js";

/** A row of any table, as JSON text. */
export interface StoredRow {
  readonly table: string;
  readonly json: string;
}

/**
 * Every row of every table that contains one of these texts in any column; timestamps are ignored, because their fractions look like amounts.
 */
export async function rowsHolding(pool: Pool, texts: readonly string[]): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const row of await everyRow(pool)) {
    const told = row.json.replaceAll(MOMENT, "");
    if (texts.some((text) => told.includes(text))) found.push(row);
  }
  return found;
}

/** As PostgreSQL writes a `timestamptz` in JSON. */
const MOMENT = /"\d{4}-\d\d-\d\dT[0-9:.]{8,15}\+00:00"/g;

/** The events of these objects in order, each in one line. */
export async function storyOf(pool: Pool, objectIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ type: string; data: Readonly<Record<string, unknown>> }>(
    "select type, data from events where object_id = any ($1) order by written",
    [objectIds],
  );
  return rows.map(({ type, data: { status, from, products, document, reason, source } }) =>
    [
      type,
      products ?? status,
      from && from !== status && `from ${from}`,
      document,
      reason && `because ${reason}`,
      source && `by ${source}`,
    ]
      .filter(Boolean)
      .join(" "),
  );
}

/** The number of rows and a digest of them for every table: equal if nothing has changed. */
export async function fingerprint(pool: Pool): Promise<Readonly<Record<string, string>>> {
  const tables = new Map<string, string[]>();
  for (const { table, json } of await everyRow(pool)) tables.set(table, [...(tables.get(table) ?? []), json]);
  return Object.fromEntries(
    [...tables].map(([table, rows]) => {
      const digest = createHash("sha256").update(rows.sort().join("\n")).digest("hex").slice(0, 16);
      return [table, `${rows.length} rows, ${digest}`];
    }),
  );
}

/** Counts of rows by table. */
export async function rowCounts(pool: Pool): Promise<Readonly<Record<string, number>>> {
  const counts = (await tableNames(pool)).map((table) => `select '${table}' as table, count(*)::int from "${table}"`);
  const { rows } = await pool.query<{ table: string; count: number }>(counts.join(" union all "));
  return Object.fromEntries(rows.map(({ table, count }) => [table, count]));
}

async function everyRow(pool: Pool): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for (const table of await tableNames(pool)) {
    const { rows: found } = await pool.query<{ json: string }>(`select to_jsonb(t)::text as json from "${table}" t`);
    for (const { json } of found) rows.push({ table, json });
  }
  return rows;
}

async function tableNames(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  );
  return rows.map(({ name }) => name);
}
