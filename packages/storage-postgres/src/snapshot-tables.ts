import type { Product, Uuid } from "@org/core";

interface Snapshots {
  tenant_id: string;
  connection_id: Uuid;
  product: Product;
  revision: string;
  until_revision: string | null;
  as_of: Date;
  stale_at: Date | null;
  oldest_day: string | null;
  newest_day: string | null;
  replaced_at: Date | null;
  row_count: number;
  totals: Readonly<Record<string, string>>;
  digest: string | null;
}

/** The tables of published data, apart from their rows. */
export interface SnapshotTables {
  snapshots: Snapshots;
}
