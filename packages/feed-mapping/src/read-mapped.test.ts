import { readFileSync } from "node:fs";
import iconv from "iconv-lite";
import { expect, it } from "vitest";
import { type FeedMapping, parseFeedMapping, readByMapping, readMapped, testMapping } from "./index.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const column = (name: string | number) => ({ column: name });
const base = {
  language: 1,
  name: "fernbank",
  title: "Fern Bank",
  recognise: { header: ["Day", "What", "Amount"] },
  delimiter: ";",
  account: { number: { constant: "7-1" }, currency: { constant: "CHF" } },
  values: { date: column("Day"), cash: column("Amount"), description: column("What") },
  tables: [{ rows: [{ is: "transaction", kind: "other" }] }],
};
const mapping = (changes: object = {}): FeedMapping => parseFeedMapping({ ...base, ...changes });
const rows = (...rules: object[]) => ({ tables: [{ rows: rules }] });
const cashOf = (file: Uint8Array, changes: object = {}) =>
  (readMapped(file, mapping(changes)).transactions ?? []).map(({ balance }) => balance);
const refusalOf = (file: string | Uint8Array, changes: object = {}) => {
  try {
    readMapped(typeof file === "string" ? bytes(file) : file, mapping(changes));
  } catch (error) {
    return String((error as Error).message);
  }
  return "read";
};

it("[C-9.191] a row becomes a transaction with every digit, and the account is as of its latest day", () => {
  const read = readMapped(bytes("Day;What;Amount\n2026-01-31;Fee;-0.10\n2026-02-01;Coupon;12.500\n"), mapping());
  expect(read).toMatchObject({
    as_of: new Date("2026-02-01T00:00:00Z"),
    portfolios: [{ key: "7-1", name: "7-1", currency: "CHF", balance: null, holdings_unknown: true }],
    holdings: [],
    warnings: [],
  });
  expect(read.transactions).toMatchObject([
    { portfolio_key: "7-1", operation_date: "2026-01-31", balance: "-0.10", holding_key: "CASH:CHF", key: null },
    { operation_date: "2026-02-01", balance: "12.500", description: "Coupon" },
  ]);
});

it("[C-9.191] the example of docs/reference/feed-mappings.md reads each of its kinds of rows", () => {
  const page = readFileSync(new URL("../../../docs/reference/feed-mappings.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const lines = [
    "Depot:;77-1",
    "Buchungstag;Art;Betrag;Währung;ISIN;Stück",
    "30.01.2026;Kauf;1.234,50;EUR;US0378331005;3",
    "31.01.2026;Dividende, bar;1,20;EUR;US0378331005;",
    "31.01.2026;Storno intern;1,00;EUR;;",
  ];
  const { transactions } = readMapped(
    iconv.encode(`${lines.join("\n")}\n`, "windows-1252"),
    parseFeedMapping(JSON.parse(example)),
  );
  expect(transactions).toMatchObject([
    { kind: "buy", amount: "3", balance: "-1234.50" },
    { kind: "dividend", balance: "1.20" },
  ]);
});

it("[C-5.139] [C-5.140] a row in pence is one in pounds, and a subtype of another type is left out", () => {
  const file =
    "Stock;Units;Worth;Price;Cost;Ccy;Of\nVelmora;10;25000;2500;12345.6;GBp;GBX\nFern;1;2.50;2.50;2;gbp;GBP\n";
  const changes = {
    recognise: { header: ["Stock"] },
    as_of: { constant: "2026-01-31" },
    account: { number: { constant: "7-1" } },
    values: {
      ...{ name: column("Stock"), units: column("Units"), value: column("Worth"), price: column("Price") },
      ...{ cost: column("Cost"), currency: column("Ccy"), price_currency: column("Of") },
    },
    ...rows({ is: "holding", type: "VI", subtype: "FT" }),
  };
  const { holdings, portfolios, warnings } = readMapped(bytes(file), mapping(changes));
  expect(holdings).toMatchObject([
    { balance: "250.00", currency: "GBP", price: "25.00", cost: "123.456", subtype: null },
    { balance: "2.50", currency: "GBP", price: "2.50", cost: "2", subtype: null },
  ]);
  for (const holding of holdings ?? []) expect(holding).not.toHaveProperty("price_currency");
  expect(portfolios).toMatchObject([{ balance: "252.50", currency: "GBP" }]);
  expect(warnings).toContainEqual({
    place: expect.stringContaining("line 2"),
    message: "the subtype FT is of DV, not of VI; it is left out",
  });
});

it("[C-9.191] holdings and cash add up to the balance of their account; a file of holdings replaces them", () => {
  const holdings = {
    recognise: { header: ["ISIN", "Nominal"] },
    account: { number: column("Depot") },
    as_of: { file_name: true, after: "_", before: ".", dates: ["yyyyMMdd"] },
    values: { currency: column("Ccy"), value: column("Worth") },
    ...rows(
      { when: { column: "Kind", is: "cash" }, is: "cash" },
      {
        is: "holding",
        values: {
          isin: column("ISIN"),
          name: column("Name"),
          units: column("Nominal"),
          type: { column: "Kind", map: { share: "VI", bond: "FI" } },
        },
      },
    ),
  };
  const file = [
    "Depot;Kind;ISIN;Name;Nominal;Worth;Ccy",
    "D1;share;US0378331005;Velmora;10;1500.10;USD",
    "D1;bond;DE0001102580;Fern 30;1000;990.00;USD",
    "D1;cash;;;;0.05;USD",
    "D2;share;US0378331006;Velmora;1;1;USD",
  ].join("\n");
  const read = readMapped(bytes(file), mapping(holdings), "in/positions_20260131.csv");
  expect(read.portfolios).toMatchObject([
    { key: "D1", balance: "2490.15", as_of: new Date("2026-01-31T00:00:00Z") },
    { key: "D2", balance: "1" },
  ]);
  expect(read.portfolios?.[0]).not.toHaveProperty("holdings_unknown");
  expect(read.holdings).toMatchObject([
    { key: "ISIN:US0378331005", portfolio_key: "D1", type: "VI", amount: "10", valuation_date: "2026-01-31" },
    { type: "FI" },
    { key: "CASH:USD", type: "L", balance: "0.05" },
    { key: "NAME:Velmora", isin: null },
  ]);
  expect(read.warnings).toEqual([{ place: 'line 5, column "ISIN"', message: expect.stringContaining("check digit") }]);
  const odd = file.replace("bond", "boat");
  const fault = 'line 3, column "Kind": "boat" is not among the words of the mapping';
  expect(refusalOf(odd.split("\n").slice(0, -1).join("\n"), holdings)).toBe(fault);
  // What an account holds is whole or not read at all; the file's other accounts are.
  expect(readMapped(bytes(odd), mapping(holdings), "positions_20260131.csv")).toMatchObject({
    portfolios: [{ key: "D2" }],
    holdings: [{ key: "NAME:Velmora" }],
    refused_accounts: ["D1"],
    warnings: [{ place: 'line 5, column "ISIN"' }, { message: expect.stringContaining('the account "D1" is refused') }],
  });
});

it("[C-9.433] a movement that cannot be read is left out with place and field, an optional value is dropped", () => {
  const values = { ...base.values, price: column("Price"), settlement_date: column("Settled") };
  const file = [
    "Day;What;Amount;Price;Settled",
    "2026-01-31;Fee;-1;N/A;--",
    "31.01.2026;Fee;-2;1;",
    "2026-01-31;Fee;1.5.2;1;",
    "2026-01-31;Fee;n/a;1;",
    "2026-01-31;Fee;-3;Not available;soon",
  ].join("\n");
  const read = readMapped(bytes(file), mapping({ values }));
  expect(read.transactions?.map(({ balance }) => balance)).toEqual(["-1", "-3"]);
  expect(read.left_out).toEqual([
    { place: 'line 3, column "Day"', field: "Day" },
    { place: 'line 4, column "Amount"', field: "Amount" },
    { place: 'line 5, column "Amount"', field: "Amount" },
  ]);
  expect(read.warnings.map(({ place, message }) => `${place}: ${message}`)).toEqual([
    'line 3, column "Day": "31.01.2026" is no date in the formats of the mapping; the row is left out',
    'line 4, column "Amount": "1.5.2" is not a number in the format of the mapping; the row is left out',
    'line 5, column "Amount": says neither units nor cash; the row is left out',
    'line 6, column "Settled": "soon" is no date in the formats of the mapping; it is left out',
    'line 6, column "Price": "Not available" is not a number in the format of the mapping; it is left out',
  ]);
  const many = `Day;What;Amount\n2026-01-31;Fee;-1\n${"2026-01-31;Fee;x\n".repeat(101)}`;
  expect(refusalOf(many)).toMatch(/^line 103, column "Amount": .*, after 100 rows that cannot be read$/);
  expect(testMapping(bytes(many), mapping())).toMatchObject({ faults_total: 101, left_out: 0 });
});

it("[C-9.192] a row that no rule takes is left out of a table of holdings, too, where the mapping says so", () => {
  const holding = {
    when: column2("What", "share"),
    is: "holding",
    values: { name: column("Name"), value: column("Amount") },
  };
  const read = readMapped(
    bytes("Day;What;Amount;Name\n2026-01-31;share;1;Velmora\n2026-01-31;odd;2;Fern\n"),
    mapping({ tables: [{ rows: [holding], unmatched: "left_out" }] }),
  );
  expect(read).toMatchObject({ holdings: [{ name: "Velmora" }], left_out: [{ field: "What" }] });
  expect(read).not.toHaveProperty("refused_accounts");
});

it("[C-9.433] N/A and -- are no text of a field, but a condition may ask for them", () => {
  const account = { number: column("Depot"), currency: { constant: "CHF" } };
  const values = { ...base.values, isin: column("Isin"), name: { first_of: [column("Name"), column("What")] } };
  const file =
    "Day;What;Amount;Depot;Isin;Name\n2026-01-31;--;1;7;N/A;--\n2026-01-31;Fee;2;N/A;;\n2026-01-31;Fee;3;7;;\n";
  const ignoring = rows({ when: { column: "What", is: "--" }, is: "ignored" }, { is: "transaction", kind: "fee" });
  expect(readMapped(bytes(file), mapping({ values, account }))).toMatchObject({
    transactions: [{ balance: "1", description: "Other", holding_key: "CASH:CHF" }, { balance: "3" }],
    warnings: [{ place: 'line 3, column "Depot"', message: "names no account; the row is left out" }],
  });
  expect(readMapped(bytes(file), mapping({ values, account, ...ignoring })).transactions).toHaveLength(1);
});

it.each([
  ["2026-01-31;Fee;1.5.2", 'line 2, column "Amount": "1.5.2" is not a number in the format of the mapping'],
  ["31.01.2026;Fee;1", 'line 2, column "Day": "31.01.2026" is no date in the formats of the mapping'],
  ["2026-01-31;Fee;", 'line 2, column "Amount": says neither units nor cash'],
  ["2026-01-31;Fee", "line 2: has 2 columns, and its table has 3"],
  ["2026-01-31;Fee;1;9", "line 2, column 4: is beyond the columns of its table"],
  ['2026-01-31;"Fee;1\n2026-02-01;x;2', "line 2: has a quote that nothing closes"],
  ['2026-01-31;a "b" c;1', "line 2: has a quote within a text; loose_quotes of the mapping allows it"],
  ["2026-01-31;Fee\u0000;1", "line 2: holds a zero byte: the file is no text, or its encoding is utf-16"],
  [`2026-01-31;${"x".repeat(300_000)};1`, "line 2: is longer than 256 KiB; a quote may be open"],
  [`2026-01-31;${";".repeat(2_000)};1`, "line 2: has more than 1000 columns"],
])("[C-9.192] a file whose only row has a fault is refused with line and column: %#", (row, refusal) => {
  expect(refusalOf(`Day;What;Amount\n${row}\n`)).toBe(refusal);
});

it("[C-9.192] a row that no rule takes refuses the file, unless the mapping ignores it, which is counted", () => {
  const rule = { when: column2("What", "Fee"), is: "transaction", kind: "fee" };
  const file = "Day;What;Amount\n2026-01-31;Fee;-1\n2026-01-31;Gift;5\n2026-01-31;Prize;6\n";
  expect(refusalOf(file, rows(rule))).toBe('line 3: no rule of the mapping takes this row: "2026-01-31 | Gift | 5"');
  const lenient = mapping({ tables: [{ rows: [rule], unmatched: "ignored" }] });
  expect(readMapped(bytes(file), lenient).warnings).toEqual([
    { place: "line 3", message: "2 rows that no rule takes were left out; this is the first" },
  ]);
  const leaving = readMapped(bytes(file), mapping({ tables: [{ rows: [rule], unmatched: "left_out" }] }));
  expect(leaving.left_out).toEqual([
    { place: 'line 3, column "What"', field: "What" },
    { place: 'line 4, column "What"', field: "What" },
  ]);
  expect(leaving.warnings[0]?.message).toBe(
    '"Gift" is a kind of row that the mapping does not know; the row is left out',
  );
  const ignoring = mapping(rows(rule, { is: "ignored" }));
  expect(readMapped(bytes(file), ignoring).warnings).toEqual([
    { place: "file", message: "2 rows are left out, as the mapping fernbank says" },
  ]);
});

function column2(name: string, is: string) {
  return { column: name, is };
}

it.each([
  ["utf-8", bytes("\ufeffDay;What;Amount\r\n2026-01-31;Gebühr;-1\r2026-01-31;x;2\n2026-01-31;y;3")],
  [
    "windows-1252",
    iconv.encode("Day;What;Amount\r\n2026-01-31;Gebühr;-1\n2026-01-31;x;2\n2026-01-31;y;3\n", "windows-1252"),
  ],
  [
    "auto",
    iconv.encode("Day;What;Amount\n2026-01-31;Gebühr;-1\n2026-01-31;x;2\n\n;;\n2026-01-31;y;3\n", "windows-1252"),
  ],
  [
    "utf-8",
    iconv.encode("Day;What;Amount\n2026-01-31;Gebühr;-1\n2026-01-31;x;2\n2026-01-31;y;3\n", "utf-16", { addBOM: true }),
  ],
  [
    "utf-16",
    iconv.encode("Day;What;Amount\n2026-01-31;Gebühr;-1\n2026-01-31;x;2\n2026-01-31;y;3\n", "utf-16le", {
      addBOM: false,
    }),
  ],
])("encodings, marks and ends of lines, mixed: %s", (encoding, file) => {
  const { transactions } = readMapped(file, mapping({ encoding }));
  expect(transactions?.map(({ description, balance }) => [description, balance])).toEqual([
    ["Gebühr", "-1"],
    ["x", "2"],
    ["y", "3"],
  ]);
});

it("bytes that are not UTF-8 are refused with their line", () => {
  const file = iconv.encode("Day;What;Amount\n2026-01-31;Fee;1\n2026-01-31;Gebühr;-1\n", "windows-1252");
  expect(refusalOf(file)).toBe("line 3: holds bytes that are not UTF-8, which the mapping says it is");
});

it("lines above and below the table are skipped, and say what holds for all rows", () => {
  const file =
    "Account: 12.34;;\nmade 2026-02-01;;\n\nDay;What;Amount\n(date);(text);(CHF)\n2026-01-31;Fee;1\nTotal;;1\n";
  const read = readMapped(
    bytes(file),
    mapping({
      skip: { first: "header", after_header: 1, last: 1 },
      context: { account: { line: "Account:" } },
      account: { number: { context: "account" }, currency: { constant: "CHF" } },
    }),
  );
  expect(read.portfolios).toMatchObject([{ key: "12.34" }]);
  expect(read.transactions).toHaveLength(1);
  expect(refusalOf("nothing;here\n".repeat(300), { skip: { first: "header" } })).toMatch(
    /has no header as the mapping knows it/,
  );
});

it("[C-9.452] a table above the mapping's own is not dropped without a word", () => {
  const file = "Fund;Units;Price;Worth\nVelmora;10;2;20\n\nDay;What;Amount\n2026-01-31;Fee;1\n";
  expect(readMapped(bytes(file), mapping({ skip: { first: "header" } })).warnings).toEqual([
    { place: "line 1", message: "begins a table above the one of the mapping; it is not read" },
  ]);
});

it("[C-9.452] tables one below the other are told apart by their headers", () => {
  const holding = { is: "holding", values: { name: column("Fund"), units: column("Units"), value: column("Worth") } };
  const two = {
    recognise: { header: ["Fund", "Units"] },
    account: { number: column("Depot"), currency: { constant: "CHF" } },
    values: undefined,
    tables: [
      { recognise: ["Fund", "Units"], rows: [holding] },
      { recognise: ["Day", "What"], values: base.values, rows: [{ is: "transaction", kind: "other" }] },
    ],
  };
  const file =
    "Depot;Fund;Units;Worth;\n1;Velmora;10;20;\n2;Velmora;1;2\n\n\ndepot;DAY;What;Amount\n1;2026-01-31;Fee;-1\n";
  expect(readMapped(bytes(file), mapping(two))).toMatchObject({
    portfolios: [
      { key: "1", balance: "20", as_of: new Date("2026-01-31T00:00:00Z") },
      { key: "2", balance: "2", as_of: new Date("2026-01-31T00:00:00Z") },
    ],
    transactions: [{ portfolio_key: "1", balance: "-1" }],
    warnings: [],
  });
  const titled = file.replace("\n\n\n", "\n\nBookings\nof all accounts\n");
  expect(readMapped(bytes(titled), mapping(two))).toMatchObject({
    transactions: [{ balance: "-1" }],
    warnings: [
      { place: "line 5", message: '"Bookings" stands between tables; lines of this kind that are left out: 2' },
    ],
  });
  expect(refusalOf(`${file}1`, two)).toBe("line 8: has 1 columns, and its table has 4; the file ends within it");
  expect(refusalOf(`1;2;3;4\n${file}`, two)).toBe("line 1: comes before the tables of the mapping");
  expect(() => mapping({ ...two, tables: [two.tables[0], { rows: [holding] }] })).toThrow(
    /tables\[1\]\.recognise: is required where there are several tables/,
  );
});

it("fixed columns, positions and tables without a header", () => {
  const fixed = {
    delimiter: undefined,
    recognise: { line: "01" },
    tables: [
      {
        columns: [
          { name: "Day", from: 3, length: 8 },
          { name: "What", from: 11, length: 6 },
          { name: "Amount", from: 17, length: 9 },
          { name: "Sign", from: 26, length: 1 },
        ],
        rows: [{ is: "transaction", kind: "other" }],
      },
    ],
    dates: ["yyyyMMdd"],
    values: {
      date: column("Day"),
      description: column("What"),
      cash: { column: "Amount", minus_when: column2("Sign", "D") },
    },
  };
  expect(cashOf(bytes("0120260131Fee   000012.50D\r\n0120260131Coupon000000.75C\n"), fixed)).toEqual([
    "-12.50",
    "0.75",
  ]);
  const positions = {
    values: { date: column(1), cash: column(3) },
    tables: [{ header: false, columns: [{ name: "a" }, { name: "b" }, { name: "c" }], rows: [{ is: "transaction" }] }],
  };
  expect(cashOf(bytes("2026-01-31;Fee;1\n2026-01-31;Fee;2\n"), positions)).toEqual(["1", "2"]);
});

it("signs: by column, by kind, by debit and credit; sums and products are exact", () => {
  const values = (cash: object) => ({ values: { ...base.values, cash } });
  const file = bytes("Day;What;Amount;In;Out;Fee\n2026-01-31;S;5;;7.10;0.1\n2026-01-31;H;5;9;0.00;0.2\n");
  expect(cashOf(file, values({ column: "Amount", minus_when: column2("What", "s") }))).toEqual(["-5", "5"]);
  expect(cashOf(file, values({ debit: column("Out"), credit: column("In") }))).toEqual(["-7.10", "9"]);
  expect(cashOf(file, values({ column: "Amount", sign: "reversed" }))).toEqual(["-5", "-5"]);
  expect(cashOf(file, values({ sum: [column("Amount"), { column: "Fee", sign: "minus" }] }))).toEqual(["4.9", "4.8"]);
  expect(cashOf(file, values({ product: [column("Amount"), column("Fee")] }))).toEqual(["0.5", "1.0"]);
  expect(
    refusalOf("Day;What;Amount;In;Out\n2026-01-31;S;5;1;2\n", values({ debit: column("Out"), credit: column("In") })),
  ).toBe('line 2, column "Out": has both a debit and a credit');
});

it("names of columns in several languages, two of one name, and none", () => {
  const german = "Tag;What;Betrag\n2026-01-31;x;1\n";
  const values = { date: { column: ["Day", "Tag"] }, cash: { column: ["Amount", "BETRAG "] } };
  expect(cashOf(bytes(german), { values })).toEqual(["1"]);
  expect(refusalOf(german)).toBe('line 1: has no column "Day"');
  expect(refusalOf("Day;Amount;Amount\n2026-01-31;1;2\n", { values })).toMatch(/has two columns "Amount"/);
});

it("[C-9.193] the first mapping that recognises a file reads it", () => {
  const other = mapping({ name: "other", recognise: { header: ["Tag"] } });
  const file = bytes('\n\nDay;"What";amount\n2026-01-31;x;1\n');
  const mine = mapping({ skip: { first: "header" } });
  expect(readByMapping(file, [other, mine])).toMatchObject({ format: "mapping:fernbank" });
  expect(readByMapping(file, [other])).toBeNull();
  expect(readByMapping(bytes("%PDF-1.7"), [other, mine])).toBeNull();
});

it("[C-9.194] a test shows rows as they would be read, and every fault with its place, bounded", () => {
  const lines = [
    "Day;What;Amount",
    "2026-01-31;Fee;-1",
    ...Array.from({ length: 80 }, (_, at) => `2026-01-31;x;${at}x`),
  ];
  const tested = testMapping(bytes(lines.join("\n")), mapping(), { limit: 1 });
  expect(tested).toMatchObject({
    rows: [{ line: 2, is: "transaction", values: { balance: "-1", kind: "other" } }],
    counts: { transaction: 1 },
    faults_total: 80,
    left_out: 80,
    portfolios: [{ number: "7-1" }],
  });
  expect(tested.faults).toHaveLength(50);
  expect(tested.faults[0]).toMatchObject({
    line: 3,
    column: "Amount",
    place: 'line 3, column "Amount"',
    reason: expect.stringContaining("0x"),
  });
});
