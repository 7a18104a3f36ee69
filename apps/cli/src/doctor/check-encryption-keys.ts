import type { Config } from "@org/server/config";
import { createTransactions, type OpenedStorage } from "@org/storage-postgres";
import { sql } from "kysely";
import { keyringOf } from "../installation.js";
import { type Finding, fail, ok } from "./finding.js";

const check = "encryption keys";

/** Every key that something is encrypted under is in `ENCRYPTION_KEYS` (contract §9). */
export async function checkEncryptionKeys(config: Config, opened: OpenedStorage): Promise<Finding[]> {
  const known = knownKeyIds(config);
  if (!Array.isArray(known)) return [known as Finding];
  const used = await usedKeyIds(opened);
  const missing = [...used].filter((id) => !known.includes(id)).sort();
  if (missing.length > 0)
    return [
      fail(
        check,
        `something is encrypted under ${missing.join(", ")}, which ENCRYPTION_KEYS lacks`,
        "put the old keys back, behind the active one",
      ),
    ];
  return [
    ok(
      check,
      `all in use are there (active: ${known[0]}${used.size > 0 ? `, in use: ${[...used].sort().join(", ")}` : ""})`,
    ),
  ];
}

function knownKeyIds(config: Config): readonly string[] | Finding {
  try {
    return keyringOf(config).keyIds;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "KeyringError") throw error;
    return fail(check, error.message, "give ENCRYPTION_KEYS as id:base64 of 32 bytes, several separated by commas");
  }
}

/** Sealed values are compact JWEs whose header, the part before the first point, names the key. */
async function usedKeyIds({ pool, storage }: OpenedStorage): Promise<Set<string>> {
  const { asAuth, asTenant } = createTransactions(pool);
  const { rows } = await pool.query<{ table: string; column: string; of_tenants: boolean }>(
    `select c.table_name as table, c.column_name as column,
       exists (select from information_schema.columns t
               where t.table_schema = c.table_schema and t.table_name = c.table_name and t.column_name = 'tenant_id') as of_tenants
     from information_schema.columns c
     where c.table_schema = current_schema() and c.column_name ~ '^sealed' and c.data_type = 'text'`,
  );
  const tenants = await storage.tenants.list();
  const headers = new Set<string>();
  for (const { table, column, of_tenants } of rows) {
    const query = sql<{ header: string }>`
      select distinct split_part(${sql.ref(column)}, '.', 1) as header from ${sql.table(table)} where ${sql.ref(column)} is not null`;
    const found = of_tenants
      ? await Promise.all(tenants.map(({ tenant_id }) => asTenant(tenant_id, (db) => query.execute(db))))
      : [await asAuth((db) => query.execute(db))];
    for (const { rows: distinct } of found) for (const { header } of distinct) headers.add(header);
  }
  return new Set([...headers].map(keyIdOf));
}

function keyIdOf(header: string): string {
  try {
    return String(JSON.parse(Buffer.from(header, "base64url").toString("utf8")).kid);
  } catch {
    return "(damaged)";
  }
}
