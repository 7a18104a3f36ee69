import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Keyring } from "@org/keyring";
import type { Config } from "@org/server/config";
import { createTransactions, type OpenedStorage } from "@org/storage-postgres";
import { decodeProtectedHeader } from "jose";
import { sql } from "kysely";
import { keyringOf } from "../installation.js";
import { type Finding, fail, ok } from "./finding.js";

const check = "encryption keys";
const restore = "put the old keys back, behind the active one";

/** Every key that something is encrypted under is there (contract §9), and is the key that it says. */
export async function checkEncryptionKeys(config: Config, opened: OpenedStorage): Promise<Finding> {
  const keyring = keyringOrFinding(config);
  if (!("keyIds" in keyring)) return keyring;
  const used = await usedKeyIds(opened);
  const missing = used.filter((id) => !keyring.keyIds.includes(id));
  if (missing.length > 0)
    return fail(check, `something is encrypted under ${missing.join(", ")}, which is not among them`, restore);
  if (!(await opensServerKeys(keyring, opened)))
    return fail(check, "a key has the right id but is another key: the server's own keys do not open with it", restore);
  return ok(check, `all in use are there (active: ${keyring.activeKeyId}; in use: ${used.join(", ") || "none"})`);
}

function keyringOrFinding(config: Config): Keyring | Finding {
  const file = join(config.dataDir, "encryption-keys");
  // Asking for the keyring would make a new file, which opens nothing.
  if (config.encryptionKeys === undefined && !existsSync(file))
    return fail(check, `${file} is gone: nothing that is encrypted can be read`, "restore it from a backup");
  try {
    return keyringOf(config);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "KeyringError") throw error;
    return fail(check, error.message, "give ENCRYPTION_KEYS as id:base64 of 32 bytes, several separated by commas");
  }
}

/** Sealed values are compact JWEs whose header, the part before the first point, names the key. */
async function usedKeyIds({ pool, storage }: OpenedStorage): Promise<string[]> {
  const { asAuth, asTenant } = createTransactions(pool);
  const { rows: columns } = await pool.query<{ table: string; column: string; of_tenants: boolean }>(
    `select c.table_name as table, c.column_name as column,
       exists (select from information_schema.columns t
               where t.table_schema = c.table_schema and t.table_name = c.table_name and t.column_name = 'tenant_id') as of_tenants
     from information_schema.columns c
     where c.table_schema = current_schema() and c.column_name ~ '^sealed' and c.data_type = 'text'`,
  );
  const tenants = await storage.tenants.list();
  const headers = new Set<string>();
  for (const { table, column, of_tenants } of columns) {
    const query = sql<{ header: string }>`
      select distinct split_part(${sql.ref(column)}, '.', 1) as header from ${sql.table(table)} where ${sql.ref(column)} is not null`;
    const collect = async (answer: ReturnType<typeof query.execute>) => {
      for (const { header } of (await answer).rows) headers.add(header);
    };
    if (of_tenants) for (const { tenant_id } of tenants) await asTenant(tenant_id, (db) => collect(query.execute(db)));
    else await asAuth((db) => collect(query.execute(db)));
  }
  return [...new Set([...headers].map(keyIdOf))].sort();
}

function keyIdOf(header: string): string {
  try {
    return String(JSON.parse(Buffer.from(header, "base64url").toString("utf8")).kid);
  } catch {
    return "(damaged)";
  }
}

/** The header says itself what a value was sealed for. */
async function opensServerKeys(keyring: Keyring, { pool }: OpenedStorage): Promise<boolean> {
  const rows = await createTransactions(pool).asAuth((db) => db.selectFrom("server_keys").select("sealed").execute());
  try {
    for (const { sealed } of rows) {
      const { purpose, row } = decodeProtectedHeader(sealed);
      await keyring.open(sealed, { purpose: String(purpose), row: String(row) });
    }
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "KeyringError") return false;
    throw error;
  }
}
