import type { AccountLink, Uuid } from "@org/core";
import type { Generated } from "kysely";

interface TenantTable {
  tenant_id: string;
}

interface FeedFiles extends TenantTable {
  connection_id: Uuid;
  sha256: string;
  name: string;
  container: string | null;
  format: string;
  format_version: string | null;
  taken_at: Date;
  /** JSON */
  left_out: string;
}

interface InstallationFeedMappings {
  connector_id: string;
  name: string;
  mapping: string;
  changed_at: Date;
}

interface ConnectionFeedMappings extends TenantTable, Omit<InstallationFeedMappings, "connector_id"> {
  connection_id: Uuid;
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

interface TransactionStatements extends TenantTable {
  connection_id: Uuid;
  statement_id: string;
  arrival: Generated<string>;
  content: string;
}

interface TransactionReferences extends TenantTable {
  connection_id: Uuid;
  reference: string;
  statement_id: string;
}

interface ReplacedTransactions extends TenantTable {
  connection_id: Uuid;
  transaction_id: string;
  revision: string;
  until_revision: string;
  portfolio_id: string;
  holding_id: string | null;
  operation_date: string;
  description: string;
  amount: string | null;
  balance: string | null;
  currency: string;
  unit_price: string | null;
  item: string;
  facts: string | null;
  description_key: string | null;
  kind: string | null;
  isin: string | null;
  read_at: Date;
  file: Buffer | null;
  place: string | null;
  replaced_at: Date;
}

interface FeedDifferences extends TenantTable {
  connection_id: Uuid;
  portfolio_id: string;
  holding_id: string;
  from_day: string;
  to_day: string;
  name: string;
  isin: string | null;
  before: string;
  moved: string;
  stated: string;
  found_at: Date;
}

interface FeedGaps extends TenantTable {
  connection_id: Uuid;
  portfolio_id: string;
  from_day: string;
  to_day: string;
  days: string[];
  found_at: Date;
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
  title: string | null;
  expired_at: Date | null;
  finish_at: Date | null;
  arrival: string | null;
}

/** Tables of custodians' files. */
export interface FeedTables {
  feed_files: FeedFiles;
  feed_arrivals: FeedArrivals;
  installation_feed_mappings: InstallationFeedMappings;
  connection_feed_mappings: ConnectionFeedMappings;
  feed_portfolios: FeedPortfolios;
  feed_account_links: FeedAccountLinks;
  feed_pages: FeedPages;
  transaction_statements: TransactionStatements;
  transaction_references: TransactionReferences;
  replaced_transactions: ReplacedTransactions;
  feed_differences: FeedDifferences;
  feed_gaps: FeedGaps;
}
