import {
  calendarDate,
  decimalString,
  defineFeedFormat,
  type FeedContent,
  FeedRefusal,
  type HoldingData,
  type PortfolioData,
  statedCurrency,
  type TransactionData,
} from "@org/provider-kit";

/**
 * The statement files of the Harbour Trust. Each file is about one account; its lines have columns separated by `|`.
 *
 *   HARBOUR 1|<account>|<currency>|<day>|<value of the account>
 *   H|<ISIN>|<name>|<units>|<value>
 *   T|<id>|<day>|<text>|<amount of cash>
 *   END|<number of lines between>
 */
export default defineFeedFormat({
  name: "harbour",
  title: "Statement of the Harbour Trust",
  recognises: (head) => head.startsWith("HARBOUR 1|"),
  read: (file) => readStatement(textOf(file).split(/\r?\n/)),
});

function textOf(file: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    throw new FeedRefusal("file", "holds bytes that are not UTF-8");
  }
}

function readStatement(lines: readonly string[]): FeedContent {
  const rows = lines.map((line, index) => new Row(line, index + 1)).filter(({ kind }) => kind !== "");
  const [first, ...rest] = rows;
  const last = rest.pop();
  if (!first || !last) throw new FeedRefusal("line 1", "is no statement of the Harbour Trust");
  // A truncated file has no last line, or the wrong one.
  if (last.kind !== "END" || last.column(1) !== String(rest.length)) throw last.refusal("is no END of this many lines");
  const account = first.column(1);
  const currency = first.checked(2, statedCurrency);
  const day = first.checked(3, calendarDate);
  const portfolio: PortfolioData = {
    key: `${account}:${currency}`,
    name: `Harbour Trust ${account}`,
    balance: first.checked(4, decimalString),
    currency,
    ref_account: account,
    type: "S",
  };
  const holdings: HoldingData[] = [];
  const transactions: TransactionData[] = [];
  for (const row of rest) {
    if (row.kind === "H") holdings.push(holdingOf(row, portfolio, day));
    else if (row.kind === "T") transactions.push(transactionOf(row, portfolio));
    else throw row.refusal("is a kind of line that is not known");
  }
  return { as_of: new Date(`${day}T00:00:00Z`), portfolios: [portfolio], holdings, transactions, warnings: [] };
}

function holdingOf(row: Row, { key, currency }: PortfolioData, day: string): HoldingData {
  const isin = row.column(1);
  return {
    key: isin,
    portfolio_key: key,
    name: row.column(2),
    isin,
    amount: row.checked(3, decimalString),
    balance: row.checked(4, decimalString),
    currency,
    valuation_date: day,
    type: "O",
    subtype: null,
  };
}

function transactionOf(row: Row, { key, currency }: PortfolioData): TransactionData {
  return {
    key: row.column(1),
    portfolio_key: key,
    holding_key: null,
    operation_date: row.checked(2, calendarDate),
    description: row.column(3),
    amount: null,
    balance: row.checked(4, decimalString),
    currency,
    unit_price: null,
  };
}

/** A line that knows its number. */
class Row {
  readonly kind: string;
  readonly #columns: readonly string[];
  readonly #line: number;

  constructor(text: string, line: number) {
    this.#columns = text.split("|");
    this.kind = this.#columns[0] ?? "";
    this.#line = line;
  }

  refusal(reason: string): FeedRefusal {
    return new FeedRefusal(`line ${this.#line}`, reason);
  }

  column(index: number): string {
    const value = this.#columns[index]?.trim();
    if (!value) throw this.refusal(`column ${index + 1} is empty`);
    return value;
  }

  /** Checks a column. Numbers stay text: a float would change their digits. */
  checked(index: number, rule: { safeParse(value: string): { success: boolean } }): string {
    const value = this.column(index);
    if (!rule.safeParse(value).success) throw this.refusal(`column ${index + 1} is not what it has to be`);
    return value;
  }
}
