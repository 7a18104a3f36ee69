import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FeedRefusal } from "@org/core";
import { describe, expect, it } from "vitest";
import { readFeed } from "../src/feeds.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));
const folder = `${samples}/ofx`;
const there = existsSync(folder);

/** What each file holds, counted by eye; balances are the totals it states, or its exact sum. */
const readable: Readonly<
  Record<string, { positions: number; transactions: number; balance: string | null; asOf: string }>
> = {
  "fidelity.ofx": { positions: 6, transactions: 17, balance: "32993.79", asOf: "2012-09-08T07:30:34.000Z" },
  "fidelity-savings.ofx": { positions: 0, transactions: 4, balance: null, asOf: "2012-09-08T23:08:51.317Z" },
  "investment_401k.ofx": { positions: 3, transactions: 3, balance: "1000.00", asOf: "2014-06-30T06:00:00.000Z" },
  "td_ameritrade.ofx": { positions: 2, transactions: 0, balance: "2000", asOf: "2017-12-03T12:12:12.000Z" },
  "vanguard.ofx": { positions: 2, transactions: 1, balance: "24479.72", asOf: "2011-07-27T00:00:00.000Z" },
};

const refused: Readonly<Record<string, RegExp>> = {
  "checking.ofx": /^line 11, column 1, OFX: holds bank or card statements only/,
  "error_message.ofx":
    /^line 22, column 13, OFX\/BANKMSGSRSV1\/STMTTRNRS\/STATUS: the bank reports error 2000: "General Server Error"$/,
  "signon_fail.ofx":
    /^line 11, column 29, OFX\/SIGNONMSGSRSV1\/SONRS\/STATUS: the bank reports error 15500: "Your request could not/,
  "fail_nice/date_missing.ofx": /^line 33, column 5, .*\/BANKTRANLIST\/STMTTRN\[1\]: DTPOSTED is missing$/,
  "fail_nice/decimal_error.ofx":
    /^line 36, column 21, .*\/STMTTRN\/DTPOSTED: "201120000000" is a date that does not exist$/,
  "fail_nice/empty_balance.ofx": /^line 38, column 17, .*\/LEDGERBAL\/BALAMT: BALAMT is empty$/,
};

describe.skipIf(!there)(`sample files${there ? "" : ` (no folder ${folder})`}`, () => {
  it("are all accounted for", () => {
    const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".ofx"));
    expect(names.sort()).toEqual([...Object.keys(readable), ...Object.keys(refused)].sort());
  });

  it.each(Object.entries(readable))(
    "[C-9.29] [C-9.30] %s: rows and sums equal the file's to the last digit",
    (name, expected) => {
      const file = readFileSync(`${folder}/${name}`);
      const { format, snapshot } = readFeed(file);
      const { portfolios, holdings, transactions } = snapshot;
      const text = file.toString("latin1");
      const positionText = text.match(/<INVPOS>.*?<\/INVPOS>/gs)?.join("") ?? "";
      const tradeText = /<INVTRANLIST>.*<\/INVTRANLIST>/s.exec(text)?.[0] ?? "";
      expect(format).toBe("ofx");
      expect(snapshot.as_of.toISOString()).toBe(expected.asOf);
      expect(portfolios?.map(({ balance }) => balance)).toEqual([expected.balance]);
      expect(holdings).toHaveLength(expected.positions);
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

  it.each(Object.entries(refused))("%s is refused with place and reason", (name, refusal) => {
    const read = () => readFeed(readFileSync(`${folder}/${name}`));
    expect(read).toThrow(FeedRefusal);
    expect(read).toThrow(refusal);
  });
});

/** All values of an element by plain text search, in file order. */
function valuesOf(text: string, names: string): string[] {
  return [...text.matchAll(new RegExp(`<(?:${names})>([^<\\r\\n]*)`, "g"))].map((match) => (match[1] ?? "").trim());
}

/** Their figures as sign, digits and scale, and the exact sum in units of 10^-12, found without the parser's own means. */
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
