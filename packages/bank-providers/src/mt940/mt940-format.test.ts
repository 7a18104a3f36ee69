import { withoutPlaces } from "@org/provider-kit";
import { expect, it } from "vitest";
import { holdingsOf, portfoliosOf, refusalOfFeed, transactionsOf } from "../../test/feed-files.js";
import { readFeed } from "../feeds.js";

const statement = (
  entries: readonly string[],
  { account = "DE02120300000000202051", opens = "C240130EUR100,", closes = "C240131EUR100,", number = "1/1" } = {},
) =>
  [":20:S1", `:25:${account}`, `:28C:${number}`, `:60F:${opens}`, ...entries, `:62F:${closes}`, "-", ""].join("\r\n");
const read = (text: string, interim = false) => readFeed(Buffer.from(text), { interim });

it("[C-9.30] a statement becomes an account of liquidity: its closing balance, and entries with value and booking date", () => {
  const text = `{1:F01LARKCHZZAXXX0000000001}{2:O9401200240131VELMGB2LAXXX00000000012401311200N}{4:\r\n${statement(
    [
      ":61:2312290102RCR12,5NTRFREF1//B1\r\nmore",
      ":86:166?00GUTSCHRIFT?20EREF+E1?21SVWZ+Rent Jan?22uary?32LARKSPUR",
      ":61:240131D0,NINTNONREF",
    ],
    { closes: "C240131EUR87,50" },
  ).replace("\r\n-\r\n", "")}\r\n-}{5:{CHK:1}}`;
  const feed = read(text);
  expect([feed.format, feed.sender, feed.warnings]).toEqual(["mt940", "VELMGB2L", []]);
  expect(feed.snapshot.as_of).toEqual(new Date("2024-01-31"));
  expect(feed.snapshot.portfolios?.[0]).toMatchObject({ cash_account: true, servicer: "VELMGB2L", currency: "EUR" });
  expect(portfoliosOf(feed)).toEqual(["DE02120300000000202051:EUR | DE02120300000000202051 | 87.50 EUR | L"]);
  expect(holdingsOf(feed)).toEqual(["Cash EUR | null | 87.50 | 87.50 EUR | 2024-01-31 | L"]);
  expect(transactionsOf(feed)).toEqual([
    "2024-01-02 | Reversal: LARKSPUR: Rent Jan uary | null | -12.5 EUR | null",
    "2024-01-31 | Interest | null | 0 EUR | null",
  ]);
  expect(feed.snapshot.transactions?.[0]).toMatchObject({
    key: '["B1","2024-01-02","-12.5","EUR"]',
    references: ["ASRV:B1/2024-01-02/-12.5EUR"],
    settlement_date: "2023-12-29",
    stage: "posted",
  });
  expect(feed.snapshot.transactions?.[1]).toMatchObject({ key: null, kind: "interest" });
});

it.each([
  ["C", "DIV", "dividend"],
  ["D", "PCH", "buy"],
  ["C", "SAL", "sell"],
  // Lending of securities.
  ["C", "SLE", undefined],
  ["D", "SUB", "buy"],
  ["C", "MAT", "redemption"],
  ["C", "SEC", "sell"],
  ["D", "SEC", "buy"],
  ["C", "TRF", "deposit"],
  ["D", "TRF", "withdrawal"],
  ["D", "CHK", "withdrawal"],
  ["D", "DDT", "withdrawal"],
  ["D", "STO", "withdrawal"],
  // What is reversed was paid to the account.
  ["RC", "TRF", "deposit"],
  ["RD", "SEC", "buy"],
  ["C", "MSC", undefined],
])("[C-4.114] [C-7.200] an entry of mark %s and type %s is of kind %s", (mark, type, kind) => {
  const feed = read(statement([`:61:240131${mark}1,N${type}NONREF`]));
  expect(feed.snapshot.transactions?.map((row) => row.kind)).toEqual([kind]);
});

it.each([
  ["DE02 1203 0000 0000 2020 51", "DE02120300000000202051"],
  ["DE02120300000000202051EUR", "DE02120300000000202051"],
  ["DE02120300000000202051 EUR", "DE02120300000000202051"],
  ["BYLADEM1001/DE02120300000000202051", "DE02120300000000202051"],
  ["12030000/202051", "12030000/202051"],
  ["12030000/0000202051EUR", "12030000/0000202051"],
  ["0011-222333-44", "0011-222333-44"],
])(":25:%s is the account %s", (written, number) => {
  expect(read(statement([], { account: written })).snapshot.portfolios?.[0]?.key).toBe(`${number}:EUR`);
});

it.each([
  [":61:2401310131CR1,NTRFNONREF", "2024-01-31 1"],
  [":61:2401311231C1,NTRFNONREF", "2023-12-31 1"],
  [":61:2312310102D1,NTRFNONREF", "2024-01-02 -1"],
  [":61:2401310131RD1,00NTRFNONREF", "2024-01-31 1.00"],
  [":61:2401310131RCR000001,00NTRFNONREF", "2024-01-31 -1.00"],
  [":61:240131C1234567,8901FMSC", "2024-01-31 1234567.8901"],
])("%s", (entry, expected) => {
  const [transaction] = read(statement([entry])).snapshot.transactions ?? [];
  expect(`${transaction?.operation_date} ${transaction?.balance}`).toBe(expected);
});

it.each([
  ["/TRTP/SEPA/IBAN/NL1/NAME/J DOE/REMI/USTD//invoice 7/EREF/E1", "J DOE: invoice 7"],
  ["/CNTP/NL1/INGBNL2A/J DOE///REMI/USTD//invoice 7/", "J DOE: invoice 7"],
  ["free text\r\non two lines", "free text on two lines"],
  [`${"x".repeat(65)}\r\ny`, `${"x".repeat(65)}y`],
  ["105~00STORNO~20first~21second~32WHO", "WHO: first second"],
])("what an entry is for: %s", (narrative, expected) => {
  expect(transactionsOf(read(statement([":61:240131C1,NTRFNONREF", `:86:${narrative}`])))[0]).toContain(
    ` | ${expected} | `,
  );
});

it("lines of FinTS end with @@, and several statements of an account are days of it", () => {
  const days =
    statement([":61:240131C1,NTRFNONREF"], { closes: "C240131EUR101," }) +
    statement([":61:240201C1,NTRFNONREF"], { opens: "C240131EUR101,", closes: "C240201EUR102,", number: "2/1" });
  const feed = read(`@@${days.replaceAll("\r\n", "@@")}`);
  expect(portfoliosOf(feed)).toEqual([expect.stringContaining("| 102 EUR |")]);
  expect([feed.snapshot.transactions?.length, feed.warnings]).toEqual([2, []]);
});

it("pages lead from the first balance over intermediate ones to the last; a part of them waits", () => {
  const first = statement([":61:240131C1,NTRFNONREF"], { closes: "C240131EUR101," }).replace(":62F:", ":62M:");
  const second = statement([":61:240131C2,NTRFNONREF"], {
    opens: "C240131EUR101,",
    closes: "C240131EUR103,",
    number: "1/2",
  }).replace(":60F:", ":60M:");
  const feed = read(second + first);
  expect(portfoliosOf(feed)).toEqual([expect.stringContaining("| 103 EUR |")]);
  expect(feed.snapshot.transactions).toHaveLength(2);
  const parts = [first, second].map((text) => read(text).pages?.[0]);
  expect(parts.map((page) => [page?.number, page?.is_last])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(withoutPlaces(read(parts.map((page) => page?.text).join("\n")).snapshot)).toEqual(
    withoutPlaces(feed.snapshot),
  );
});

it("a closing balance that does not follow is told; where the file ends within it, it is refused", () => {
  const odd = statement([":61:240131C1,NTRFNONREF"]);
  expect(read(odd).warnings.map(({ place }) => place)).toEqual(["line 6, :62F:"]);
  expect(refusalOfFeed(odd.slice(0, odd.indexOf("-\r\n") - 2))).toContain("it may be cut off");
});

it("[C-9.433] a balance without a currency is in that of the statement's other balances, which is said", () => {
  const whole = statement([":61:240131C1,NTRFNONREF"], { closes: "C240131EUR101," });
  const said = (tag: string) => ({
    place: expect.stringContaining(`:${tag}:`),
    message: "names no currency; it counts as EUR, the account's",
  });
  for (const tag of ["60F", "62F"]) {
    const feed = read(whole.replace(new RegExp(`(:${tag}:C\\d{6})EUR`), "$1"));
    expect(feed).toMatchObject({ snapshot: read(whole).snapshot, warnings: [said(tag)] });
  }
  const none = whole.replaceAll("EUR", "");
  const available = none.replace("-\r\n", ":64:C240131EUR101,\r\n-\r\n");
  expect(read(available)).toMatchObject({ snapshot: read(whole).snapshot, warnings: [said("60F"), said("62F")] });
  const page = whole.replace(":62F:C240131EUR", ":62M:C240131");
  expect(read(page).pages).toHaveLength(1);
  expect(refusalOfFeed(none)).toBe('line 4, :60F:: "C240130100," names no currency');
});

it("no cut of a statement reads as another one", () => {
  const text = statement([":61:2401310131C12,34NTRFNONREF//R1", ":86:some words"], { closes: "C240131EUR112,34" });
  const whole = read(text).snapshot;
  for (let end = 0; end < text.length; end += 1) {
    const cut = text.slice(0, end);
    if (refusalOfFeed(cut) === "not refused") expect(read(cut).snapshot, cut).toEqual(whole);
  }
});

it.each([
  [
    "no account",
    statement([]).replace(":25:DE02120300000000202051\r\n", ""),
    "line 1: is an account statement without :25:",
  ],
  ["no opening balance", statement([]).replace(/:60F:.*\r\n/, ""), "line 1: is an account statement without :60F:"],
  [
    "another currency",
    statement([], { closes: "C240131CHF1," }),
    "line 5, :62F:: is in another currency than the opening balance",
  ],
  [
    "an entry after the end",
    statement([]).replace("-\r\n", ":61:240131C1,NTRF\r\n"),
    "line 6, :61:: an entry after the closing balance",
  ],
  ["one statement twice", statement([]) + statement([]), "line 7: a statement for the second time"],
  [
    "many messages on one line",
    "{1:F01AAAABBCCDDDD0000000000}{2:O9400000000000AAAABBCCDDDD00000000000000000000N}{4:-}".repeat(5_000),
    "line 1: is an account statement without :25:",
  ],
  [
    "another message",
    "{1:F01A}{2:O9401}{4:\n:16R:GENL\n:16S:GENL\n-}",
    "line 2: :16R:GENL is no part of an account statement",
  ],
])("%s refuses the whole file", (_, text, refusal) => {
  expect(refusalOfFeed(text)).toContain(refusal);
});

it.each([
  ["an amount with a point", ":61:240131C1.5NTRF", "is no entry"],
  ["a digit behind the amount", ":61:240131C1,5 3NTRF", "is no entry"],
  ["a day that does not exist", ":61:240431C1,NTRF", '"2024-04-31" is not a date that exists'],
  ["no mark", ":61:240131X1,NTRF", "is no entry"],
])("[C-9.433] an entry with %s is left out", (_, entry, reason) => {
  const feed = read(statement([entry, ":61:240131C2,NTRF//B2"], { closes: "C240131EUR102," }));
  expect(feed.snapshot.transactions).toMatchObject([{ balance: "2" }]);
  expect(feed.left_out).toEqual([{ place: "line 5, :61:", field: ":61:" }]);
  expect(feed.warnings[0]).toMatchObject({ place: "line 5, :61:", message: expect.stringContaining(reason) });
});

it.each([":61:240131C2,50", ":61:240131C2,50//B1", ":61:240131C2,50 ref", ":61:2401310131C2,50ntrfref"])(
  "[C-9.433] the type code of an entry is optional: %s",
  (entry) => {
    expect(read(statement([entry])).snapshot.transactions).toMatchObject([{ balance: "2.50" }]);
  },
);

it("[C-9.437] of several accounts one that cannot be read is refused alone, in all of its currencies", () => {
  const other = (changes: (text: string) => string) => changes(statement([], { account: "51230800/0000007055" }));
  const dollars = other((text) => text.replaceAll("EUR", "USD"));
  for (const odd of [
    other((text) => text.replace(/:60F:.*\r\n/, ":60F:?\r\n")),
    other((text) => text.replace(/:62F:.*\r\n/, "")),
  ]) {
    const feed = read(dollars + odd + statement([]));
    expect(portfoliosOf(feed)).toEqual([expect.stringMatching(/^DE02120300000000202051:EUR/)]);
    expect(feed.snapshot.holdings).toHaveLength(1);
    expect(feed.refused_accounts).toEqual(["51230800/0000007055"]);
    expect(feed.warnings).toMatchObject([{ message: expect.stringMatching(/is refused, the others are taken$/) }]);
  }
});

it("[C-9.433] an available balance, and the time of a report, are optional: they are dropped with a warning", () => {
  const feed = read(statement([]).replace("-\r\n", ":64:?\r\n-\r\n"));
  expect(feed.snapshot.holdings).toHaveLength(1);
  expect(feed.warnings).toMatchObject([{ place: "line 6, :64:", message: expect.stringMatching(/; it is left out$/) }]);
  const untimed = read(report(":61:240131C1,NTRFNONREF//B1").replace("2401311200+0100", "?"), true);
  expect(untimed.snapshot.as_of).toEqual(new Date("2024-01-31"));
  expect(untimed.warnings).toMatchObject([{ message: '"?" is not a time; it is left out' }]);
});

const report = (...entries: string[]) =>
  [
    ":20:R1",
    ":25:12030000/202051",
    ":28C:1/1",
    ":34F:EUR0,",
    ":13D:2401311200+0100",
    ...entries,
    ":90D:0EUR0,",
    "-",
    "",
  ].join("\r\n");

it("interim reports are refused unless they are asked for; then they add booked movements that have a reference", () => {
  const text = report(":61:240131C1,NTRFNONREF//B1", ":61:240131C2,NTRFNONREF", ":61:240131EC3,NTRFNONREF//B3");
  expect(refusalOfFeed(text)).toMatch(/^line 1: is an interim report \(MT942\).*FEED_INTERIM/);
  const feed = read(text, true);
  expect(feed.format).toBe("mt942");
  expect(feed.snapshot.portfolios).toEqual([
    expect.objectContaining({ balance: null, holdings_unknown: true, as_of: new Date("2024-01-31T11:00:00Z") }),
  ]);
  expect(feed.snapshot.holdings).toEqual([]);
  expect(feed.snapshot.transactions?.map(({ balance }) => balance)).toEqual(["1"]);
  expect(feed.warnings).toHaveLength(2);
  const both = read(
    text + statement([":61:240131C1,00NTRFNONREF//B1"], { account: "12030000/202051", closes: "C240131EUR101," }),
    true,
  );
  expect(both.snapshot.transactions?.map(({ balance }) => balance)).toEqual(["1.00"]);
  expect(portfoliosOf(both)).toEqual([expect.stringContaining("| 101 EUR |")]);
});

it("two bookings that are alike stay two, with references of their own", () => {
  const feed = read(
    statement([":61:240131C1,NTRFNONREF//B1", ":61:240131C1,NTRFNONREF//B1"], { closes: "C240131EUR102," }),
  );
  expect(feed.snapshot.transactions?.map(({ references }) => references)).toEqual([
    ["ASRV:B1/2024-01-31/1EUR"],
    ["ASRV:B1/2024-01-31/1EUR#2"],
  ]);
});

it("very many entries, and a field as large as the file, cost time in proportion", () => {
  const entries = Array.from({ length: 100_000 }, () => ":61:240131C1,NTRFNONREF//B1");
  expect(read(statement(entries, { closes: "C240131EUR100100," })).snapshot.transactions).toHaveLength(100_000);
  const narrative = `:86:166?20${"?20a\n/REMI/".repeat(100_000)}`;
  expect(read(statement([":61:240131C0,NTRFNONREF", narrative])).snapshot.transactions).toHaveLength(1);
  const odd = read(statement([`:61:240131C1,NTRF${"//".repeat(1_000_000)}`, `:61:${"1".repeat(1_000_000)}`]));
  expect(odd.left_out).toHaveLength(1);
});
