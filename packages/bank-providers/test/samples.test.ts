import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addDecimals } from "@org/core";
import { FeedRefusal } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { feedFormats, readFeed } from "../src/feeds.js";
import { interimRefusal } from "../src/unread-formats.js";
import { holdingsOf, portfoliosOf, refusalOfFeed, transactionsOf } from "./feed-files.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));
const folder = `${samples}/ofx`;
const there = existsSync(folder);

/** The contents of each file, counted by eye; balances are the stated totals, or the exact sum. */
const readable: Readonly<
  Record<string, { positions: number; cash?: string; transactions: number; balance: string | null; asOf: string }>
> = {
  "fidelity.ofx": {
    positions: 6,
    cash: "18073.98",
    transactions: 17,
    balance: "32993.79",
    asOf: "2012-09-08T07:30:34.000Z",
  },
  "fidelity-savings.ofx": { positions: 0, transactions: 4, balance: null, asOf: "2012-09-08T23:08:51.317Z" },
  "checking.ofx": {
    positions: 0,
    cash: "100.99",
    transactions: 3,
    balance: "100.99",
    asOf: "2013-05-25T22:57:31.258Z",
  },
  "investment_401k.ofx": { positions: 3, transactions: 3, balance: "1000.00", asOf: "2014-06-30T06:00:00.000Z" },
  "td_ameritrade.ofx": { positions: 2, transactions: 0, balance: "2000", asOf: "2017-12-03T12:12:12.000Z" },
  "vanguard.ofx": { positions: 2, transactions: 1, balance: "24479.72", asOf: "2011-07-27T00:00:00.000Z" },
};

/** Files whose movements cannot be read, with the fields that are at fault. */
const unreadable: Readonly<Record<string, readonly string[]>> = {
  "fail_nice/date_missing.ofx": ["DTPOSTED", "DTPOSTED", "DTPOSTED"],
  "fail_nice/decimal_error.ofx": ["DTPOSTED"],
};

const refused: Readonly<Record<string, RegExp>> = {
  "error_message.ofx":
    /^line 22, column 13, OFX\/BANKMSGSRSV1\/STMTTRNRS\/STATUS: the bank reports error 2000: "General Server Error"$/,
  "signon_fail.ofx":
    /^line 11, column 29, OFX\/SIGNONMSGSRSV1\/SONRS\/STATUS: the bank reports error 15500: "Your request could not/,
  "fail_nice/empty_balance.ofx": /^line 38, column 17, .*\/LEDGERBAL\/BALAMT: BALAMT is empty$/,
};

describe.skipIf(!there)(`sample files${there ? "" : ` (no folder ${folder})`}`, () => {
  it("are all accounted for", () => {
    const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".ofx"));
    expect(names.sort()).toEqual([readable, unreadable, refused].flatMap((some) => Object.keys(some)).sort());
  });

  it.each(Object.entries(readable))(
    "[C-9.29] [C-9.30] %s: rows and sums equal the file's to the last digit",
    (name, expected) => {
      const file = readFileSync(`${folder}/${name}`);
      const { format, snapshot } = readFeed(file);
      const { portfolios, transactions } = snapshot;
      const holdings = snapshot.holdings?.filter(({ type }) => type !== "L");
      const cash = snapshot.holdings?.filter(({ type }) => type === "L");
      const text = file.toString("latin1");
      const positionText = text.match(/<INVPOS>.*?<\/INVPOS>/gs)?.join("") ?? "";
      const tradeText = /<(INV|BANK)TRANLIST>.*<\/\1TRANLIST>/s.exec(text)?.[0] ?? "";
      expect(format).toBe("ofx");
      expect(snapshot.as_of.toISOString()).toBe(expected.asOf);
      expect(portfolios?.map(({ balance }) => balance)).toEqual([expected.balance]);
      expect(holdings).toHaveLength(expected.positions);
      expect(cash?.map(({ amount, balance }) => [amount, balance])).toEqual(
        expected.cash === undefined ? [] : [[expected.cash, expected.cash]],
      );
      expect(transactions).toHaveLength(expected.transactions);
      expect(figures(holdings?.map(({ amount }) => amount))).toEqual(figuresIn(positionText, "UNITS"));
      expect(figures(holdings?.map(({ balance }) => balance))).toEqual(figuresIn(positionText, "MKTVAL"));
      expect(figures(transactions?.map(({ amount }) => amount))).toEqual(figuresIn(tradeText, "UNITS"));
      expect(figures(transactions?.map(({ unit_price }) => unit_price))).toEqual(figuresIn(tradeText, "UNITPRICE"));
      expect(figures(transactions?.map(({ balance }) => balance))).toEqual(figuresIn(tradeText, "TOTAL|TRNAMT"));
      expect(transactions?.map(({ key }) => key)).toEqual(valuesOf(tradeText, "FITID"));
      expect(transactions?.map(({ operation_date }) => operation_date.replaceAll("-", ""))).toEqual(
        valuesOf(tradeText, "DTTRADE|DTPOSTED").map((date) => date.slice(0, 8)),
      );
    },
  );

  it.each(Object.entries(unreadable))("[C-9.433] %s is read without its movements", (name, fields) => {
    const { snapshot, left_out, warnings } = readFeed(readFileSync(`${folder}/${name}`));
    expect(snapshot).toMatchObject({ portfolios: [{ balance: "0" }], transactions: [] });
    expect(left_out?.map(({ field }) => field)).toEqual(fields);
    expect(left_out?.map(({ place }) => place)).toEqual(warnings.map(({ place }) => place));
  });

  it.each(Object.entries(refused))("%s is refused with place and reason", (name, refusal) => {
    const read = () => readFeed(readFileSync(`${folder}/${name}`));
    expect(read).toThrow(FeedRefusal);
    expect(read).toThrow(refusal);
  });
});

/** The refusal of a file for its format. */
function unread(name: string): string {
  return `file: is ${name}, which is in none of the formats that can be read: ${feedFormats.map(({ name: one }) => one).join(", ")}; see "What is refused" in docs/reference/data-feeds.md`;
}

/** Formats other than OFX: the contents of each file, counted and copied by eye; a string is the refusal. */
const others: Readonly<
  Record<string, string | { portfolios: string[]; holdings: string[]; transactions: string[]; warnings: number }>
> = {
  "camt053/camt053.v2.all-balance-types.xml": {
    portfolios: ["CH2801234000123456789:EUR | AAAA BANKEN CH2801234000123456789 | 4.04 EUR | L"],
    holdings: ["Cash EUR | null | 4.04 | 4.04 EUR | 2015-01-22 | L"],
    transactions: ["2014-12-31 | Transaction Description | null | 8.850 EUR | null"],
    warnings: 0,
  },
  "camt053/camt053.v2.minimal.xml": {
    portfolios: ["NL26VAYB8060476890:EUR | NL26VAYB8060476890 | null EUR | L"],
    holdings: ["Cash SEK | null | -27.00 | -27.00 SEK | 2014-12-31 | L"],
    transactions: ["2014-12-31 | NAME NAME: 4654654654654654 | null | 8.85 EUR | null"],
    warnings: 0,
  },
  "camt053/camt053.v2.multi.statement.xml": {
    portfolios: ["NL26VAYB8060476890:EUR | NL26VAYB8060476890 | 20.00 EUR | L"],
    holdings: ["Cash EUR | null | 20.00 | 20.00 EUR | 2014-12-31 | L"],
    transactions: [
      "2014-12-31 | Transaction Description 1 | null | 8.85 EUR | null",
      "2014-12-31 | Company Name 2: Transaction Description 2 | null | -7.00 EUR | null",
    ],
    warnings: 0,
  },
  "camt053/camt053.v2.wrong.xml": "line 3, column 5, Document/BkToCstmrStmt: holds no statement (Stmt)",
  "camt053/camt053.v8.xml": {
    portfolios: ["NL26VAYB8060476890:SEK | AAAA BANKEN NL26VAYB8060476890 | -27.00 SEK | L"],
    holdings: ["Cash SEK | null | -27.00 | -27.00 SEK | 2014-12-30 | L"],
    transactions: ["2014-12-31 | NAME NAME: 4654654654654654 | null | 8.85 EUR | null"],
    warnings: 0,
  },
  // The fifth page of a statement, which waits for the others.
  "mt535/prowide_MT535.fin": { portfolios: [], holdings: [], transactions: [], warnings: 0 },
  "ibflex/activity_simple.xml": {
    portfolios: ["U1234567 | Interactive Brokers U1234567 | 17900.00 USD | S"],
    holdings: [
      "APPLE INC | US0378331005 | 100 | 18625.00 USD | 2025-01-31 | VI",
      "AAPL 21FEB25 180.0 C | null | -1 | -725.00 USD | 2025-01-31 | DV/OP",
    ],
    transactions: [
      "2025-01-15 | Buy: APPLE INC | 100 | -18551.00 USD | 185.50",
      "2025-01-16 | Sell: AAPL 21FEB25 180.0 C | -1 | 749.35 USD | 7.50",
      "2025-01-02 | Deposits & Withdrawals: ELECTRONIC FUND TRANSFER | null | 10000.00 USD | null",
      "2025-01-10 | Dividends: MICROSOFT CORPORATION - DIVIDEND | null | 37.50 USD | null",
      "2025-01-31 | Broker Interest Paid: USD CREDIT INTEREST FOR JAN-2025 | null | 12.45 USD | null",
      "2025-01-20 | Stock Split: ALPHABET INC-CL A(US02079K3059) Split 2 for 1 | 0 | 0 USD | null",
    ],
    // It is not valid XML, because an attribute is given twice. ConversionRates is not read.
    warnings: 2,
  },
  "ibflex/activity_cancelled_trades.xml": {
    portfolios: ["U1234567 | Interactive Brokers U1234567 | null USD | S"],
    holdings: [],
    transactions: [
      "2025-01-15 | Buy: MICROSOFT CORP | 100 | -42051.00 USD | 420.50",
      "2025-01-15 | Buy cancelled: MICROSOFT CORP | -100 | 42051.00 USD | 420.50",
      "2025-01-15 | Sell: ALPHABET INC CLASS A | -50 | 8761.50 USD | 175.25",
      "2025-01-15 | Sell cancelled: ALPHABET INC CLASS A | 50 | -8761.50 USD | 175.25",
    ],
    warnings: 0,
  },
  "ibflex/activity_fractional_shares.xml": {
    portfolios: ["U1234567 | Interactive Brokers U1234567 | 232.75 USD | S"],
    holdings: ["AMAZON.COM INC | null | 1.25 | 232.75 USD | 2025-01-15 | VI"],
    transactions: [
      "2025-01-15 | Buy: AMAZON.COM INC | 2.5 | -463.50 USD | 185.40",
      "2025-01-15 | Sell: AMAZON.COM INC | -1.25 | 232.50 USD | 186.00",
      "2025-01-15 | Buy: AMAZON.COM INC | 0.5 | -93.25 USD | 186.50",
      "2025-01-15 | Buy cancelled: AMAZON.COM INC | -0.5 | 93.25 USD | 186.50",
    ],
    warnings: 0,
  },
  "ibflex/activity_bonds.xml": {
    portfolios: ["U1234567 | Interactive Brokers U1234567 | 24925.00 USD | S"],
    holdings: [
      "US TREASURY BOND 4.5% 11/15/2033 | null | 10000 | 9862.50 USD | 2025-01-15 | FI",
      "APPLE INC 3.85% 08/04/2046 | null | 5000 | 4775.00 USD | 2025-01-15 | FI",
      "NEW YORK CITY NY 5.0% 08/01/2034 | null | 10000 | 10287.50 USD | 2025-01-15 | FI",
    ],
    transactions: [
      "2025-01-15 | Buy: US TREASURY BOND 4.5% 11/15/2033 | 10000 | -9930.50 USD | 98.50",
      "2025-01-15 | Buy: APPLE INC 3.85% 08/04/2046 | 5000 | -4815.00 USD | 95.25",
      "2025-01-15 | Buy: NEW YORK CITY NY 5.0% 08/01/2034 | 10000 | -10350.00 USD | 102.75",
      "2025-01-15 | Sell: MICROSOFT CORP 3.5% 11/15/2042 | -10000 | 9665.00 USD | 97.50",
      "2025-01-15 | Other Fees: Bond Commissions | null | -20.00 USD | null",
      "2025-01-15 | Bond Interest: US TREASURY BOND 4.5% 11/15/2033 Interest | null | 225.00 USD | null",
      "2025-01-15 | Realized P/L: MICROSOFT CORP 3.5% 11/15/2042 | null | 665.00 USD | null",
    ],
    // Three ISINs have wrong check digits. ConversionRates is not read.
    warnings: 4,
  },
  "csv/degiro-export.csv": unread("CSV (text in columns)"),
  "csv/saxo-export.csv": unread("CSV (text in columns)"),
  "csv/schwab-export.csv": unread("CSV (text in columns)"),
  "csv/swissquote-export.csv": unread("CSV (text in columns)"),
};

describe.skipIf(!there)(`sample files of other formats${there ? "" : ` (no folder ${samples})`}`, () => {
  it("are all accounted for", () => {
    const names = ["camt053", "csv", "ibflex", "mt535"].flatMap((part) =>
      readdirSync(`${samples}/${part}`).map((name) => `${part}/${name}`),
    );
    expect(names.sort()).toEqual(Object.keys(others).sort());
  });

  it.each(Object.entries(others))(
    "[C-9.29] [C-9.30] %s is read to the last digit, or refused with its place",
    (name, expected) => {
      const file = readFileSync(`${samples}/${name}`);
      if (typeof expected === "string") return expect(refusalOfFeed(file)).toBe(expected);
      const feed = readFeed(file);
      return expect({
        portfolios: portfoliosOf(feed),
        holdings: holdingsOf(feed),
        transactions: transactionsOf(feed),
        warnings: feed.warnings.length,
      }).toEqual(expected);
    },
  );

  it("the page of MT535, were it the only one, reads with its commas, its N and its US numbers", () => {
    const text = readFileSync(`${samples}/mt535/prowide_MT535.fin`, "latin1").replace("00005/MORE", "00001/ONLY");
    expect(holdingsOf(readFeed(Buffer.from(text)))).toEqual([
      "FEDERAL NATL MTG ASSN | US31392EXH88 | 35732656 | null XXX | 2006-09-13 | FI",
      "FNMA POOL 817810 | US31406RR729 | 0 | null XXX | 2006-09-13 | FI",
    ]);
  });
});

/** Further files as banks and brokers send them: the contents of each in sums added up by hand; a string is the refusal. */
interface Summary {
  readonly portfolio: string;
  readonly holdings: number;
  readonly values: string;
  readonly transactions: number;
  readonly cash: string;
  readonly warnings: number;
}
const summary = (portfolio: string, held: [number, string], moved: [number, string], warnings: number): Summary => ({
  portfolio,
  holdings: held[0],
  values: held[1],
  transactions: moved[0],
  cash: moved[1],
  warnings,
});
const csv = unread("CSV (text in columns)");
const look = 'see "What is refused" in docs/reference/data-feeds.md';

const further: Readonly<Record<string, string | Summary>> = {
  "camt/053__valid_example_with_batch.xml": summary("23038.20 EUR", [1, "EUR 23038.20"], [3, "EUR 2934.26"], 0),
  "camt/camt052.v8.xml": `line 3, column 5, Document/BkToCstmrAcctRpt: ${interimRefusal("camt.052")}; ${look}`,
  "camt/camt054.v8.xml": summary("null SEK", [0, ""], [1, "SEK -200000"], 0),
  ...Object.fromEntries(
    "avanza coinbase directa etoro finpension-3a ibkr-trades investengine rabobank trading212 xtb"
      .split(" ")
      .map((bank) => [`csv/${bank}-export.csv`, csv]),
  ),
  "csv/ibkr-activity-statement.csv": unread("an activity statement of Interactive Brokers as CSV"),
  "flex/StatementOfFunds.xml": `line 3, column 5, FlexQueryResponse/FlexStatements/FlexStatement: is IBKR Flex without a section to take: StmtFunds; add one of OpenPositions, Trades, CashTransactions, CorporateActions, TransactionTaxes, SalesTaxes, Transfers, OptionEAE; ${look}`,
  "flex/activity_futures.xml": summary("null USD", [3, "USD 377085"], [6, "USD 4470.60"], 2),
  "flex/activity_minimal.xml": summary("null USD", [0, ""], [1, "USD -18551.00"], 1),
  "flex/testIBFlexStatementFile01.xml": summary("null CHF", [0, ""], [26, "CAD -2303.0356, CHF -19.49, USD -2.07"], 2),
  "flex/testIBFlexStatementFile02.xml": summary("null EUR", [0, ""], [13, "EUR -22257.680078, USD -5573.4878"], 1),
  "flex/testIBFlexStatementFile03.xml": summary("null USD", [0, ""], [1, "USD 0.02"], 1),
  "flex/testIBFlexStatementFile17.xml": summary("7678.155297533 USD", [14, "USD 7660.445297533"], [6, "USD -5.4"], 7),
  "mt535/libfints-Baader-statement-correctly.mt535": summary("25296 EUR", [1, "EUR 25296"], [0, ""], 0),
  "mt535/libfints-ING-statement-correctly.mt535": summary("12694.02 EUR", [2, "EUR 12694.02"], [0, ""], 0),
  "mt535/libfints-holding-with-90A-percentage-price-bonds.mt535": `line 1: is an MT535 without general information (GENL); ${look}`,
  // It has neither a function nor a date, so it is unknown whether it is new.
  "mt535/ubspsn-as-is.mt535": "line 2, GENL: :23G: is missing",
  "mt53x/prowide-540.mt540": unread("an MT540, an instruction of the customer's own (SWIFT)"),
  "mt53x/rustfints-trans.mt536": summary("null EUR", [0, ""], [1, "EUR -246.90"], 0),
  // A wrong check digit, no quantity, and charges and stamp duty in another currency.
  "mt53x/ubs.mt515": summary("null USD", [0, ""], [1, "USD -1000"], 4),
  "mt94x/betterplace__amount_formats.sta": "line 2, :60F:: a second opening balance in one message",
  "mt94x/betterplace__with_binary_character.sta": summary(
    "199929.02 EUR,131193.19 EUR",
    [2, "EUR 331122.21"],
    [4, "EUR -179066.75"],
    0,
  ),
  // Its publisher shortened it, so the entries do not lead to the balances. Its second statement is an intermediate page.
  "mt94x/jejik__abnamro.sta": summary("876.84 EUR", [1, "EUR 876.84"], [8, "EUR -321.44"], 2),
  "mt94x/jejik__generic.sta": summary("80.00 EUR", [1, "EUR 80.00"], [2, "EUR -20.00"], 0),
  // Shortened too, and with invisible characters.
  "mt94x/jejik__ing.sta": summary("3.47 EUR", [1, "EUR 3.47"], [7, "EUR -45.59"], 2),
  "mt94x/jejik__postfinance.sta": summary("159.6 CHF", [1, "CHF 159.6"], [4, "CHF 159.4"], 1),
  "mt94x/jejik__rabobank-iban.sta": summary("930.00 EUR", [1, "EUR 930.00"], [4, "EUR -70.00"], 0),
  "mt94x/mBank__mt940.sta": summary("0.43 PLN", [1, "PLN 0.43"], [3, "PLN 0.03"], 0),
  "mt94x/mBank__mt942.sta": `line 2: ${interimRefusal("MT942")}; ${look}`,
  "mt94x/prowide-950.mt950": summary("3709865.13 EUR", [1, "EUR 3709865.13"], [9, "EUR -13629.87"], 0),
  // A value date of 30 February.
  "mt94x/self-provided__february_30.sta": summary("1194.00 EUR", [1, "EUR 1194.00"], [1, "EUR -6.00"], 1),
  "mt94x/self-provided__sparkassen.sta": "line 1: is an account statement without :25:",
  "ofx/anzcc.ofx": `line 3, column 1, OFX: is OFX and holds card statements only; what can be read is investment and bank statements (INVSTMTMSGSRSV1, BANKMSGSRSV1); ${look}`,
  "ofx/bank_medium.ofx": summary("382.34 CAD", [1, "CAD 382.34"], [3, "CAD -345.27"], 0),
  "ofx/investment_medium.ofx": summary("1.00 CAD", [1, "CAD 1.00"], [3, "USD -3.95"], 0),
  "ofx/vanguard401k.ofx": summary("5171.44 USD", [1, "USD 5171.44"], [5, "USD -2019.0"], 1),
  "semt/parvum.semt.002.001.11.xml": summary("5784381.68 USD", [1, "USD 5784381.68"], [0, ""], 0),
  "semt/sample.semt.017.xml": summary("null XXX", [0, ""], [1, ""], 1),
};

describe.skipIf(!existsSync(`${samples}/more`))(`further sample files (${samples}/more)`, () => {
  it("are all accounted for", () => {
    const names = (readdirSync(`${samples}/more`, { recursive: true }) as string[]).filter((name) =>
      /\/.*\./.test(name),
    );
    expect(names.sort()).toEqual(Object.keys(further).sort());
  });

  it.each(Object.entries(further))(
    "[C-9.29] [C-9.30] %s is read to the last digit, or refused by its name",
    (name, expected) => {
      const file = readFileSync(`${samples}/more/${name}`);
      if (typeof expected === "string") return expect(refusalOfFeed(file)).toBe(expected);
      const { snapshot, warnings } = readFeed(file);
      const { portfolios, holdings, transactions } = snapshot;
      return expect({
        portfolio: portfolios?.map(({ balance, currency }) => `${balance} ${currency}`).join(),
        holdings: holdings?.length,
        values: sumsOf(holdings ?? []),
        transactions: transactions?.length ?? 0,
        cash: sumsOf(transactions ?? []),
        warnings: warnings.length,
      }).toEqual(expected);
    },
  );
});

/** Exact sums of balances by currency: `CHF 1.5, EUR -2`. */
function sumsOf(rows: readonly { readonly balance: string | null; readonly currency: string }[]): string {
  const sums = new Map<string, string>();
  for (const { balance, currency } of rows) {
    if (balance !== null) sums.set(currency, addDecimals(sums.get(currency) ?? "0", balance));
  }
  return [...sums]
    .map(([currency, sum]) => `${currency} ${sum}`)
    .sort()
    .join(", ");
}

/** All values of an element found by plain text search, in file order. */
function valuesOf(text: string, names: string): string[] {
  return [...text.matchAll(new RegExp(`<(?:${names})>([^<\\r\\n]*)`, "g"))].map((match) => (match[1] ?? "").trim());
}

/** The figures of these elements as sign, digits and scale, and their exact sum in units of 10^-12, found without using the parser. */
function figuresIn(text: string, names: string) {
  return figures(valuesOf(text, names));
}

function figures(texts: readonly (string | null)[] = []) {
  const numbers = texts.filter((text) => text !== null);
  const scaled = numbers.map((text) => {
    const [whole = "", fraction = ""] = text.replace(/^[+-]/, "").split(".");
    return BigInt(whole + fraction.padEnd(12, "0")) * (text.startsWith("-") ? -1n : 1n);
  });
  return {
    scaled,
    sum: scaled.reduce((sum, value) => sum + value, 0n),
    scales: numbers.map((text) => text.split(".")[1]?.length ?? 0),
  };
}
