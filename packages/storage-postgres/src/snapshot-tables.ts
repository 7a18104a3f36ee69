import type { Product, Uuid, ValuationSource } from "@org/core";

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

interface SnapshotRows {
  tenant_id: string;
  connection_id: Uuid;
  revision: string;
  portfolio_id: string;
  balance: string | null;
  currency: string;
  item: string;
}

interface Portfolios extends SnapshotRows {
  ordinal: number;
  name: string;
  ref_account: string | null;
  type: string;
  parts: string[] | null;
  name_key: string;
}

interface Holdings extends SnapshotRows {
  is_notional: boolean;
  ordinal: number;
  holding_id: string;
  name: string;
  isin: string | null;
  amount: string | null;
  valuation_date: string | null;
  type: string;
  subtype: string | null;
  facts: string | null;
  name_key: string;
}

interface Transactions extends SnapshotRows {
  transaction_id: string;
  holding_id: string | null;
  operation_date: string;
  description: string;
  amount: string | null;
  unit_price: string | null;
  facts: string | null;
  description_key: string | null;
  kind: string | null;
  isin: string | null;
  read_at: Date;
  /** SHA-256 of the file that stated it; null = a provider did. */
  file: Buffer | null;
  place: string | null;
}

interface ValuedAccounts {
  tenant_id: string;
  connection_id: Uuid;
  portfolio_id: string;
  ordinal: number;
  name: string;
  ref_account: string | null;
  currency: string;
  type: string;
  is_cash: boolean;
  lists_securities: boolean;
  lists_cash: boolean;
  content: string | null;
  value: Readonly<Record<string, string>> | null;
  revision: string | null;
}

interface Valuations {
  tenant_id: string;
  connection_id: Uuid;
  portfolio_id: string;
  day: string;
  stated_at: Date;
  arrival: string;
  balance: string | null;
  currency: string;
  value: Readonly<Record<string, string>> | null;
  content: string | null;
  source: ValuationSource;
  came_at: Date;
  places: string | null;
}

interface ValuedMonths {
  tenant_id: string;
  connection_id: Uuid;
  portfolio_id: string;
  first_day: string;
  until: string;
  closes: string;
}

interface ReplacedValuations extends Omit<Valuations, "arrival" | "content"> {
  items: string | null;
  replaced_at: Date;
}

interface ValuedHoldings {
  tenant_id: string;
  connection_id: Uuid;
  portfolio_id: string;
  content: string;
  first_day: string;
  last_day: string;
  items: string;
  sums: string;
}

/** The tables of published data. */
export interface SnapshotTables {
  snapshots: Snapshots;
  portfolios: Portfolios;
  holdings: Holdings;
  transactions: Transactions;
  valued_accounts: ValuedAccounts;
  valuations: Valuations;
  valued_months: ValuedMonths;
  replaced_valuations: ReplacedValuations;
  valued_holdings: ValuedHoldings;
}
