import {
  FeedRefusal,
  type HoldingData,
  isDecimalString,
  money,
  type PortfolioData,
  type SnapshotData,
  sumDecimals,
  type TransactionData,
} from "@org/provider-kit";
import { codeIn, type Item } from "./items.js";
import type { FeedMapping } from "./mapping.js";
import { isTextGiven, type ReadingContext, type ReadValue, readValue } from "./reading-values.js";
import type { Row } from "./row.js";

/** What a row states about its account, resolved for one table. */
export interface AccountValues {
  readonly number: ReadValue | null;
  readonly name: ReadValue | null;
  readonly currency: ReadValue | null;
  readonly asOf: ReadValue | null;
}

/** Resolves the mapping's `account` and `as_of` for a table. */
export function accountValues({ account, as_of }: FeedMapping, around: ReadingContext): AccountValues {
  const read = (value: Parameters<typeof readValue>[0] | undefined) => (value ? readValue(value, around) : null);
  return {
    number: read(account?.number),
    name: read(account?.name),
    currency: read(account?.currency),
    asOf: read(as_of),
  };
}

/** The account key if the mapping names no account: all such files of a connection are about the same account. */
const TARGET = "account";

interface Account {
  /** The first row about it. */
  readonly place: string;
  readonly number: string | null;
  readonly name: string;
  currency: string | null;
  readonly currencies: Set<string>;
  isStated: boolean;
  asOf: string | null;
  /** The latest day of the holdings, and of the transactions. */
  heldOn: string;
  movedOn: string;
  readonly holdings: HoldingData[];
}

/** Gathers items by account. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();
  readonly #transactions: TransactionData[] = [];
  readonly #refused = new Map<string, FeedRefusal>();
  readonly #mapping: FeedMapping;

  constructor(mapping: FeedMapping) {
    this.#mapping = mapping;
  }

  add(item: Item, row: Row, values: AccountValues): void {
    const key = this.#open(row, values);
    const account = this.#accounts.get(key) as Account;
    if (item.is === "transaction") {
      account.currencies.add(item.transaction.currency);
      if (item.day > account.movedOn) account.movedOn = item.day;
      item.transaction.portfolio_key = key;
      item.transaction.place = placeOfRow(row);
      this.#transactions.push(item.transaction);
      return;
    }
    account.isStated = true;
    account.currencies.add(item.holding.currency);
    if (item.day !== null && item.day > account.heldOn) account.heldOn = item.day;
    item.holding.portfolio_key = key;
    item.holding.place = placeOfRow(row);
    account.holdings.push(item.holding);
  }

  /** Marks the account as stated when a table of holdings begins, unless its rows name their accounts. Without rows, the account holds nothing. */
  stateEmpty(row: Row, values: AccountValues): void {
    if (values.number && !isTextGiven(values.number.text(row))) return;
    const account = this.#accounts.get(this.#open(row, values));
    if (account) account.isStated = true;
  }

  /**
   * Refuses the account of a row that states what it holds and cannot be read: what it holds would be wrong.
   * @throws FeedRefusal if the row names no account
   */
  refuse(refusal: FeedRefusal, row: Row, values: AccountValues): void {
    const number = values.number?.text(row) ?? TARGET;
    if (!isTextGiven(number)) throw refusal;
    if (!this.#refused.has(number)) this.#refused.set(number, refusal);
  }

  /** Whether no row has said anything. */
  get isEmpty(): boolean {
    return this.#accounts.size === 0 && this.#refused.size === 0;
  }

  /** The accounts that were refused, by number, each with its first fault. */
  get refused(): ReadonlyMap<string, FeedRefusal> {
    return this.#refused;
  }

  /** @throws FeedRefusal if neither a row nor a value of the mapping states a day, and if no account is left */
  snapshot(): SnapshotData {
    const portfolios: PortfolioData[] = [];
    const holdings: HoldingData[] = [];
    for (const key of this.#refused.keys()) this.#accounts.delete(key);
    const [refusal] = this.#refused.values();
    if (refusal && this.#accounts.size === 0) throw refusal;
    const accounts = [...this.#accounts.values()];
    const latest = accounts
      .map(({ asOf, heldOn, movedOn }) => asOf ?? (heldOn || movedOn))
      .sort()
      .at(-1);
    for (const [key, account] of this.#accounts) {
      const day = account.asOf ?? (account.heldOn || account.movedOn || latest || "");
      if (day === "") throw new FeedRefusal("file", "says no day: as_of of the mapping has to name one");
      portfolios.push(this.#portfolioOf(key, account, new Date(`${day}T00:00:00Z`)));
      for (const holding of account.holdings)
        holdings.push({ ...holding, valuation_date: holding.valuation_date ?? day });
    }
    const days = portfolios.map(({ as_of }) => as_of?.getTime() ?? 0);
    if (days.length === 0) throw new FeedRefusal("file", "holds no row that says something");
    return {
      as_of: new Date(days.reduce((a, b) => Math.max(a, b))),
      portfolios,
      holdings,
      transactions: this.#mapping.tables.some(({ rows }) => rows.some(({ is }) => is === "transaction"))
        ? this.#transactions.filter(({ portfolio_key }) => !this.#refused.has(portfolio_key))
        : null,
    };
  }

  #portfolioOf(key: string, account: Account, as_of: Date): PortfolioData {
    const [only] = account.currencies.size === 1 ? account.currencies : [];
    const currency = account.currency ?? only ?? "XXX";
    return {
      key,
      name: account.name,
      balance: account.isStated ? sumOf(account.holdings, currency) : null,
      currency,
      ref_account: account.number,
      type: this.#mapping.account?.type ?? "S",
      as_of,
      place: account.place,
      ...(!account.isStated && { holdings_unknown: true }),
    };
  }

  #open(row: Row, values: AccountValues): string {
    const number = values.number?.text(row) ?? null;
    if (number !== null && !isTextGiven(number))
      throw new FeedRefusal(values.number?.place(row) ?? placeOfRow(row), "names no account");
    const key = number ?? TARGET;
    const day = values.asOf?.day(row) ?? null;
    const known = this.#accounts.get(key);
    if (known) {
      if (day !== null && (known.asOf === null || day > known.asOf)) known.asOf = day;
      return key;
    }
    const currency = money(codeIn(values.currency?.text(row) ?? ""), null).currency || null;
    this.#accounts.set(key, {
      number,
      name: values.name?.text(row) || number || this.#mapping.title,
      currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null,
      currencies: new Set(),
      isStated: false,
      asOf: day,
      heldOn: "",
      movedOn: "",
      holdings: [],
      place: placeOfRow(row),
    });
    return key;
  }
}

function placeOfRow({ line }: Row): string {
  return `line ${line}`;
}

/** The exact sum of the holdings; null if there are none, or one has no value or another currency. */
function sumOf(holdings: readonly HoldingData[], currency: string): string | null {
  if (holdings.length === 0) return null;
  const values: string[] = [];
  for (const { balance, currency: own } of holdings) {
    if (balance === null || own !== currency) return null;
    values.push(balance);
  }
  const sum = sumDecimals(values);
  return isDecimalString(sum) ? sum : null;
}
