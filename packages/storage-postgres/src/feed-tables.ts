import type { AccountLink, Uuid } from "@org/core";
import type { Generated } from "kysely";

interface TenantTable {
  tenant_id: string;
}

interface FeedFiles extends TenantTable {
  connection_id: Uuid;
  sha256: string;
  name: string;
  format: string;
  taken_at: Date;
}

interface FeedArrivals extends TenantTable {
  target_id: Uuid;
  sha256: string;
  arrival: Generated<string>;
  arrived_at: Generated<Date>;
}

interface FeedPortfolios extends TenantTable {
  connection_id: Uuid;
  portfolio_id: string;
  as_of: Date;
  arrival: Generated<string>;
  stated_arrival: string | null;
  number: string | null;
  is_cash: boolean | null;
  name: string | null;
  balance: string | null;
  currency: string | null;
  ref_account: string | null;
  type: string | null;
}

interface FeedAccountLinks extends TenantTable, AccountLink {
  connection_id: Uuid;
}

interface FeedPages extends TenantTable {
  connection_id: Uuid;
  statement: string;
  page: number;
  is_last: boolean;
  place: string;
  content: string;
  kept_at: Generated<Date>;
}

/** Tables of custodians' files. */
export interface FeedTables {
  feed_files: FeedFiles;
  feed_arrivals: FeedArrivals;
  feed_portfolios: FeedPortfolios;
  feed_account_links: FeedAccountLinks;
  feed_pages: FeedPages;
}
