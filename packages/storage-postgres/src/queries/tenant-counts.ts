import { addDecimals, MAX_LISTED_SOURCES, type Product } from "@org/core";
import { sql } from "kysely";
import type { ProductCounts, TenantCounts } from "../schema.js";
import type { Db } from "../transactions.js";

/** Counts and sums of a snapshot's rows, by currency. */
export interface Counted {
  row_count: number;
  readonly totals: Record<string, string>;
}

/** A snapshot, and the one before it that it has replaced. */
export interface Replaced {
  readonly before: Counted | undefined;
  readonly now: Counted;
}

/** What is kept, and of which revision it is. */
export interface KeptCounts {
  readonly counts: TenantCounts | null;
  readonly counted_revision: string | null;
}

/**
 * Brings the counts of a tenant with many connections to `revision`, which is that of the publication whose transaction `db` is: from
 * those of the revision before, by what the publication replaced, or else all anew.
 * @param kept as it was before
 */
export async function keepCounts(
  db: Db,
  { tenant_id, revision }: { readonly tenant_id: string; readonly revision: string },
  { counts, counted_revision }: KeptCounts,
  replaced: { readonly [product in Product]?: Replaced },
): Promise<void> {
  if (counts !== null && counted_revision !== null && BigInt(counted_revision) + 1n === BigInt(revision)) {
    const next = { ...counts };
    for (const [product, { before, now }] of Object.entries(replaced) as [Product, Replaced][]) {
      const ofProduct = next[product] ?? { snapshots: 0, rows: 0, sums: {} };
      next[product] = changed(changed(ofProduct, now, 1), before, -1);
    }
    await db
      .updateTable("tenant_revisions")
      .set({ counts: next, counted_revision: revision })
      .where("tenant_id", "=", tenant_id)
      .execute();
  } else if (await hasMany(db, tenant_id)) {
    await countAll(db, tenant_id);
  }
}

/** With a snapshot's counts and sums (1), or without them (-1). */
function changed(counts: ProductCounts, snapshot: Counted | undefined, sign: 1 | -1): ProductCounts {
  if (snapshot === undefined) return counts;
  const sums = { ...counts.sums };
  for (const [currency, balance] of Object.entries(snapshot.totals)) {
    const digits = balance.split(".")[1]?.length ?? 0;
    const { [digits]: sum, ...others } = sums[currency] ?? {};
    const snapshots = (sum?.snapshots ?? 0) + sign;
    const added = addDecimals(sum?.balance ?? "0", sign === 1 ? balance : negative(balance));
    sums[currency] = snapshots === 0 ? others : { ...others, [digits]: { snapshots, balance: added } };
  }
  return { snapshots: counts.snapshots + sign, rows: counts.rows + sign * snapshot.row_count, sums };
}

function negative(decimal: string): string {
  return decimal.startsWith("-") ? decimal.slice(1) : `-${decimal}`;
}

/** Whether a read of all connections may leave out those that are well. */
async function hasMany(db: Db, tenant_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from connections where tenant_id = ${tenant_id} offset ${sql.lit(MAX_LISTED_SOURCES)} limit 1`.execute(db);
  return rows.length > 0;
}

async function countAll(db: Db, tenant_id: string): Promise<void> {
  await sql`
    update tenant_revisions t set counted_revision = t.revision, counts = (
      with latest as (
        select product, row_count, totals from snapshots where tenant_id = ${tenant_id} and until_revision is null
      ), sums as (
        select by_currency.product, jsonb_object_agg(by_currency.currency, by_currency.by_digits) as sums
        from (
          select b.product, b.currency,
            jsonb_object_agg(b.digits, jsonb_build_object('snapshots', b.snapshots, 'balance', b.balance::text)) as by_digits
          from (
            select l.product, e.key as currency, scale(e.value::numeric) as digits, count(*) as snapshots,
              sum(e.value::numeric) as balance
            from latest l cross join jsonb_each_text(l.totals) e
            group by l.product, e.key, digits
          ) b
          group by b.product, b.currency
        ) by_currency
        group by by_currency.product
      )
      select coalesce(
        jsonb_object_agg(
          l.product, jsonb_build_object('snapshots', l.snapshots, 'rows', l.row_count, 'sums', coalesce(s.sums, '{}'))
        ), '{}')
      from (select product, count(*) as snapshots, sum(row_count) as row_count from latest group by product) l
      left join sums s on s.product = l.product
    )
    where t.tenant_id = ${tenant_id}`.execute(db);
}
