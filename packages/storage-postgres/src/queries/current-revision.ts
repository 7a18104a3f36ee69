import type { Product } from "@org/core";
import { type RawBuilder, sql } from "kysely";

/**
 * The revision of a product's current snapshot, as a subquery. It selects rows without joining them with snapshots: in a cluster the two are on
 * different machines, and this is one statement to each.
 */
export function currentRevision(tenant_id: string, connection_id: string, product: Product): RawBuilder<string> {
  return sql`(
    select s.revision from snapshots s
    where s.tenant_id = ${tenant_id} and s.connection_id = ${connection_id}
      and s.product = ${sql.lit(product)} and s.until_revision is null
  )`;
}
