import { type Lists, lists } from "./custody-answers.js";
import { namesOf1, statementLists } from "./statement-answers.js";

/** The versions of Custody Services that are read. */
export const versions = ["1.1", "1.2", "2.0", "3.2"] as const;
export type Version = (typeof versions)[number];

type Query = Readonly<Record<string, string | undefined>>;

/** What one version has otherwise than the others. */
interface Difference {
  /** Paths, relative to the base URL; ids are encoded. */
  readonly paths: {
    readonly customers: string;
    readonly accounts: (customerId: string) => string;
    readonly positions: (customerId: string) => string;
    readonly positionsOfAccount: (accountId: string) => string;
    readonly transactions: (customerId: string) => string;
  };
  /** The items requested per page; a bank may return fewer. Undefined: whole lists, as the version does not say how to learn the next cursor. */
  readonly pageLimit: string | undefined;
  /** The same for accounts, and for positions: before 3, of accounts with all that is in them. */
  readonly accountsLimit: string | undefined;
  readonly positionsLimit: string | undefined;
  /** The query for a day. `date_type` decides which date counts. */
  readonly dayQuery: (day: {
    readonly date: string;
    readonly isConfirmed: boolean;
    readonly date_type: string;
  }) => Query;
  readonly lists: Lists;
}

const ofStatements: Pick<Difference, "pageLimit" | "accountsLimit" | "positionsLimit" | "dayQuery"> = {
  pageLimit: "100",
  accountsLimit: "100",
  positionsLimit: "10",
  dayQuery: ({ date, isConfirmed, date_type }) => ({ date, dateType: date_type, eodIndicator: String(isConfirmed) }),
};

const version1: Difference = {
  paths: {
    customers: "/customerAccounts",
    accounts: (id) => `/customerAccounts/${segment(id)}`,
    positions: (id) => `/customers/${segment(id)}/positions`,
    positionsOfAccount: (id) => `/accounts/${segment(id)}/positions`,
    transactions: (id) => `/customers/${segment(id)}/transactions`,
  },
  ...ofStatements,
  lists: statementLists("flat", namesOf1),
};

/** The differences of the versions. 1.2 writes amounts as JSON strings, and 1.1 as numbers: both are read as text. */
export const differences: Readonly<Record<Version, Difference>> = {
  "1.1": { ...version1, pageLimit: undefined, accountsLimit: undefined, positionsLimit: undefined },
  "1.2": version1,
  "2.0": {
    paths: {
      customers: "/customers",
      accounts: (id) => `/customers/${segment(id)}`,
      positions: (id) => `/customers/${segment(id)}/customer-position-statement`,
      positionsOfAccount: (id) => `/accounts/${segment(id)}/account-position-statement`,
      transactions: (id) => `/customers/${segment(id)}/transaction-statement`,
    },
    ...ofStatements,
    // A customer and all accounts, which has no pages.
    accountsLimit: undefined,
    lists: statementLists("nested"),
  },
  "3.2": {
    paths: {
      customers: "/customers",
      accounts: (id) => `/customers/${segment(id)}/accounts`,
      positions: (id) => `/customers/${segment(id)}/positions`,
      positionsOfAccount: (id) => `/accounts/${segment(id)}/positions`,
      transactions: (id) => `/customers/${segment(id)}/transactions`,
    },
    pageLimit: "100",
    accountsLimit: "100",
    positionsLimit: "100",
    dayQuery: ({ date, isConfirmed }) => ({ date, end_of_day_indicator: isConfirmed ? "true" : undefined }),
    lists,
  },
};

/** Encodes a path segment, since a bank's ids may have any characters. */
function segment(id: string): string {
  return encodeURIComponent(id);
}
