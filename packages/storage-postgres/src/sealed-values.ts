import { type RawBuilder, sql } from "kysely";
import type { Db, Transactions } from "./transactions.js";

/** The place of a value that is sealed under the installation's encryption keys. */
export interface SealedPlace {
  /** Index into {@link sealedColumns}. */
  readonly column: number;
  /** Null in tables that belong to no tenant. */
  readonly tenant_id: string | null;
  /** The rest of the row's key, as text; empty = before the first row. */
  readonly key: readonly string[];
}

/** A sealed value as it was read. */
export interface SealedValue {
  readonly place: SealedPlace;
  readonly sealed: string;
}

/** Every sealed value of the installation, for resealing under another key while servers are running. */
export interface SealedValues {
  /** Counts values for each key, by `table.column`; a null key id stands for damaged values. */
  counts(): Promise<readonly { place: string; key_id: string | null; values: number }[]>;
  /**
   * The values after a place, null = from the beginning: at most `limit`, all of one column and tenant. A page may be empty although more
   * follow. `next` is where to continue, null = at the end.
   */
  page(after: SealedPlace | null, limit: number): Promise<{ values: readonly SealedValue[]; next: SealedPlace | null }>;
  /** `table.column` of a place. */
  nameOf(place: SealedPlace): string;
  /** Replaces values of one page, except those that have changed since they were read. Returns how many were replaced. */
  replace(changes: readonly { readonly value: SealedValue; readonly sealed: string }[]): Promise<number>;
}

/**
 * Columns of sealed values, those of no tenant first. `replay_response` of grants, `id_token_hint` of people's sessions and `answer` of
 * keyed requests are left out: they are used for seconds and for hours, and little is lost without them.
 */
export const sealedColumns = [
  { table: "server_keys", column: "sealed", ofTenants: false, key: { name: "text" } },
  { table: "signing_keys", column: "sealed_private_key", ofTenants: false, key: { kid: "text" } },
  { table: "remembered_credentials", column: "sealed_credentials", ofTenants: false, key: { remembered_id: "uuid" } },
  {
    table: "installation_provider_settings",
    column: "sealed_settings",
    ofTenants: false,
    key: { provider: "text" },
  },
  { table: "feed_sources", column: "sealed_settings", ofTenants: false, key: { source: "text" } },
  { table: "feed_held", column: "sealed_key", ofTenants: false, key: { file_id: "uuid" } },
  { table: "feed_held", column: "sealed_findings", ofTenants: false, key: { file_id: "uuid" } },
  {
    table: "feed_keys",
    column: "sealed_private_key",
    ofTenants: false,
    key: { kind: "text", owner: "text", fingerprint: "text" },
  },
  { table: "tenant_provider_settings", column: "sealed_settings", ofTenants: true, key: { provider: "text" } },
  { table: "connections", column: "sealed_access", ofTenants: true, key: { connection_id: "uuid" } },
  { table: "sessions", column: "sealed_link", ofTenants: true, key: { session_id: "uuid" } },
  { table: "sessions", column: "sealed_state", ofTenants: true, key: { session_id: "uuid" } },
  { table: "sessions", column: "sealed_challenge", ofTenants: true, key: { session_id: "uuid" } },
  { table: "sessions", column: "sealed_accesses", ofTenants: true, key: { session_id: "uuid" } },
  { table: "letter_documents", column: "sealed_key", ofTenants: true, key: { letter_id: "uuid", kind: "text" } },
  { table: "letter_details", column: "sealed_details", ofTenants: true, key: { letter_id: "uuid" } },
  { table: "connection_refreshes", column: "sealed_pending", ofTenants: true, key: { connection_id: "uuid" } },
  { table: "webhook_endpoints", column: "sealed_secret", ofTenants: true, key: { endpoint_id: "uuid" } },
  { table: "webhook_endpoints", column: "sealed_previous_secret", ofTenants: true, key: { endpoint_id: "uuid" } },
  { table: "webhook_endpoints", column: "sealed_earlier_secret", ofTenants: true, key: { endpoint_id: "uuid" } },
] as const satisfies readonly SealedColumn[];

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly ofTenants: boolean;
  /** Columns of the key without the tenant, with their types. */
  readonly key: Readonly<Record<string, "uuid" | "text">>;
}

/** {@link SealedValues}. Each method is one short transaction or two. */
export function sealedValues({ asAuth, asTenant, asUpkeep }: Transactions): SealedValues {
  const within = <T>(tenantId: string | null, work: (db: Db) => Promise<T>) =>
    tenantId === null ? asAuth(work) : asTenant(tenantId, work);

  return {
    counts: () =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ place: string; key_id: string | null; value_count: string }>`
          select * from count_sealed_values()`.execute(db);
        return rows.map(({ place, key_id, value_count }) => ({ place, key_id, values: Number(value_count) }));
      }),
    async page(after, limit) {
      const place = after ?? { column: 0, tenant_id: null, key: [] };
      const column = sealedColumns[place.column];
      if (!column) return { values: [], next: null };
      // A column of tenants starts with the first tenant.
      if (column.ofTenants && place.tenant_id === null) return { values: [], next: await placeAfterTenant(place) };
      const rows = await within(place.tenant_id, (db) => selectValues(db, column, place, limit));
      const values = rows.map(({ sealed, key }) => ({ place: { ...place, key }, sealed }));
      const last = values.at(-1);
      return { values, next: last && values.length === limit ? last.place : await placeAfterTenant(place) };
    },
    nameOf({ column }) {
      const found = sealedColumns[column];
      return found ? `${found.table}.${found.column}` : "";
    },
    async replace(changes) {
      const [first] = changes;
      const column = first && sealedColumns[first.value.place.column];
      if (!column) return 0;
      return within(first.value.place.tenant_id, (db) => replaceValues(db, column, first.value.place, changes));
    },
  };

  async function placeAfterTenant({ column, tenant_id }: SealedPlace): Promise<SealedPlace | null> {
    const nextColumn = column + 1 < sealedColumns.length ? { column: column + 1, tenant_id: null, key: [] } : null;
    if (!sealedColumns[column]?.ofTenants) return nextColumn;
    const next = await asUpkeep((db) => {
      const tenants = db.selectFrom("tenants").select("tenant_id").orderBy("tenant_id").limit(1);
      return (tenant_id === null ? tenants : tenants.where("tenant_id", ">", tenant_id)).executeTakeFirst();
    });
    return next ? { column, tenant_id: next.tenant_id, key: [] } : nextColumn;
  }
}

async function selectValues(db: Db, { table, column, key }: SealedColumn, after: SealedPlace, limit: number) {
  const names = Object.keys(key);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const bounds = sql.join(Object.values(key).map((type, index) => sql`${after.key[index]}::${sql.raw(type)}`));
  const { rows } = await sql<{ sealed: string; key: string[] }>`
    select ${sql.ref(column)} as sealed, array[${sql.join(names.map((name) => sql`${sql.ref(name)}::text`))}] as key
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${ofTenant(after)}
      ${after.key.length === 0 ? sql`` : sql`and (${columns}) > (${bounds})`}
    order by ${columns} limit ${limit}`.execute(db);
  return rows;
}

async function replaceValues(
  db: Db,
  { table, column, key }: SealedColumn,
  place: SealedPlace,
  changes: readonly { readonly value: SealedValue; readonly sealed: string }[],
): Promise<number> {
  const rows = changes.map(({ value, sealed }) => [...value.place.key, value.sealed, sealed]);
  const names = Object.entries(key);
  const matching = names.map(
    ([name, type], index) => sql`t.${sql.ref(name)} = (c.change ->> ${index}::integer)::${sql.raw(type)}`,
  );
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = c.change ->> ${names.length + 1}::integer
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) c (change)
    where ${sql.join(matching, sql` and `)} and t.${sql.ref(column)} = c.change ->> ${names.length}::integer
      ${ofTenant(place)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Repeats here what row-level security enforces. */
function ofTenant({ tenant_id }: SealedPlace): RawBuilder<unknown> {
  return tenant_id === null ? sql`` : sql`and tenant_id = ${tenant_id}`;
}
