import type { FlexToken } from "./flex-service.js";
import { type FlexAccount, type FlexQuery, flexSections, visibleRows } from "./flex-statement.js";
import { cashAccount, smallAccount, swissAccount } from "./further-accounts.js";
import { firstDay, mainAccount, secondDay } from "./larkspur-accounts.js";
import type { FlexTruth } from "./truth.js";

const farAhead = new Date("2027-11-01T00:00:00Z");

/** Query ids of the customer with three accounts. */
export const larkspurQueries = {
  /** All sections, all accounts, the last thirty days, in the portal's default formats. */
  activity: "1000001",
  /** The same accounts, with other date and time formats. */
  other_formats: "1000002",
  /** The same accounts without Open Positions. */
  movements: "1000003",
  /** Saved with CSV as its output. */
  csv: "1000004",
  /** A query for trade confirmations. */
  confirmations: "1000005",
  /** Covers no account any more. */
  empty: "1000006",
} as const;

const allAccounts = [mainAccount, swissAccount, cashAccount];

/** A customer with three accounts and a query of each kind. A token has 24 digits. */
export function larkspur(value = "123456789012345678901234"): FlexToken {
  const query = (query_id: string, differs: Partial<FlexQuery> = {}): [string, FlexQuery] => [
    query_id,
    {
      query_id,
      name: "Wealth & more",
      type: "AF",
      output: "xml",
      date_format: "yyyyMMdd",
      date_time_separator: ";",
      period_days: 30,
      accounts: allAccounts,
      ...differs,
    },
  ];
  return {
    value,
    expires_at: farAhead,
    address: null,
    is_active: true,
    queries: new Map([
      query(larkspurQueries.activity),
      query(larkspurQueries.other_formats, { date_format: "yyyy-MM-dd", date_time_separator: "," }),
      query(larkspurQueries.movements, {
        sections: flexSections.filter((name) => name !== "OpenPositions" && name !== "CashReport"),
      }),
      query(larkspurQueries.csv, { output: "csv" }),
      query(larkspurQueries.confirmations, { type: "TCF" }),
      query(larkspurQueries.empty, { accounts: [] }),
    ]),
  };
}

/** The token and query id of one of many customers with one small account each. */
export function smallCustomer(number: number): FlexToken {
  const query: FlexQuery = {
    query_id: String(2_000_000 + number),
    name: "Daily",
    type: "AF",
    output: "xml",
    date_format: "yyyyMMdd",
    date_time_separator: ";",
    period_days: 30,
    accounts: [smallAccount(number)],
  };
  return {
    value: `7${String(number).padStart(23, "0")}`,
    expires_at: farAhead,
    address: null,
    is_active: true,
    queries: new Map([[query.query_id, query]]),
  };
}

/** What a customer sees who connects with a query on `day`, or who connected the day before and is refreshed. */
export function truthOf(token: FlexToken, query_id: string, day: "first" | "second", wasThereBefore = true): FlexTruth {
  const query = token.queries.get(query_id);
  if (!query) throw new Error(`The customer has no query ${query_id}`);
  const as_of = day === "first" ? firstDay : secondDay;
  const stated = query.accounts.flatMap((account) => visibleRows(query, account, as_of));
  const before =
    day === "second" && wasThereBefore
      ? query.accounts.flatMap((account) => visibleRows(query, account, firstDay))
      : [];
  const moved = [...before, ...stated].flatMap(({ transactions }) => transactions ?? []);
  return {
    as_of,
    portfolios: query.accounts.map((account) => portfolioOf(account, stated)),
    holdings: stated.flatMap(({ holding }) => (holding ? [holding] : [])),
    transactions: [...new Map(moved.map((one) => [`${one.account}:${one.id}`, one])).values()],
  };
}

function portfolioOf({ account, base_currency }: FlexAccount, stated: ReturnType<typeof visibleRows>) {
  const named = stated.flatMap(({ portfolio }) => (portfolio?.account === account ? [portfolio] : []));
  return named.find(({ balance }) => balance !== null) ?? { account, currency: base_currency, balance: null };
}
