import { describe, expect, it } from "vitest";
import { changed, feedFixture, holdingsOf, portfoliosOf, refusalOfFeed } from "../../test/feed-files.js";
import { readFeed } from "../feeds.js";

const file = "holdings.mt535";

it("[C-9.30] reads both pages of a statement: commas, N, percent, pool factors, several currencies, the stated total", () => {
  const feed = readFeed(feedFixture(file));
  expect(feed.format).toBe("mt535");
  expect(feed.snapshot.as_of).toEqual(new Date("2024-01-31T18:00:00Z"));
  expect(portfoliosOf(feed)).toEqual(["SAFE/42 | Safekeeping account SAFE/42 | -2102.4 EUR | S"]);
  expect(holdingsOf(feed)).toEqual([
    "APPLE INC | US0378331005 | 10.5 | 1800.10 EUR | 2024-01-30 | VI",
    "VELMORA 4 PCT 2030 | null | -10000 | -4912.50000 EUR | 2024-01-31 | FI",
    "POOL 7 | US31392EXH88 | 1000 | 1010.00 EUR | 2024-01-31 | FI",
    "PRIVATE PLACEMENT | null | 3 | 0 EUR | 2024-01-31 | O",
  ]);
  expect(feed.snapshot.transactions).toBeNull();
  expect(feed.warnings).toEqual([
    {
      place: "line 31, :35B:",
      message: '"XS0000000001" has a wrong check digit; the security is kept without an ISIN',
    },
  ]);
});

const bare = (...lines: string[]) =>
  [
    ":16R:GENL",
    ":28E:00001/ONLY",
    ":23G:NEWM",
    ":98A::STAT//20240131",
    ":97A::SAFE//1",
    ":17B::ACTI//N",
    ":16S:GENL",
    ...lines,
  ].join("\n");
const position = (...lines: string[]) =>
  bare(":16R:FIN", ":35B:ISIN CH0012005267", "NOVARTIS", ":93B::AGGR//UNIT/2,", ...lines, ":16S:FIN");

it.each([
  ["a price per unit", [":90B::MRKT//ACTU/CHF90,25"], "2 | 180.50 CHF"],
  ["a yield is no price", [":90A::MRKT//YIEL/4,5"], "2 | null XXX"],
  ["a stated value goes before a price", [":90B::MRKT//ACTU/CHF90,", ":19A::HOLD//CHF181,5"], "2 | 181.5 CHF"],
  ["a negative value of a currency that begins with N", [":19A::HOLD//NNOK1,"], "2 | -1 NOK"],
  ["a positive one", [":19A::HOLD//NOK1,"], "2 | 1 NOK"],
])("bare text: %s", (_, lines, expected) => {
  expect(holdingsOf(readFeed(Buffer.from(position(...lines))))[0]).toContain(`CH0012005267 | ${expected}`);
});

it("an account without positions holds nothing", () => {
  const feed = readFeed(Buffer.from(bare()));
  expect(portfoliosOf(feed)).toEqual(["1 | Safekeeping account 1 | null XXX | S"]);
  expect(feed.snapshot.holdings).toEqual([]);
});

it("sub-accounts are portfolios of their own, each with the sum of what it holds", () => {
  const sub = (account: string, value: string) =>
    [
      ":16R:SUBSAFE",
      `:97A::SAFE//${account}`,
      ":16R:FIN",
      ":35B:NAME",
      ":93B::AGGR//UNIT/1,",
      `:19A::HOLD//EUR${value}`,
      ":16S:FIN",
      ":16S:SUBSAFE",
    ].join("\n");
  const total = ":16R:ADDINFO\n:19A::HOLS//EUR3,\n:16S:ADDINFO";
  expect(portfoliosOf(readFeed(Buffer.from(bare(sub("1A", "1,"), sub("1B", "2,"), total))))).toEqual([
    "1A | Safekeeping account 1A | 1 EUR | S",
    "1B | Safekeeping account 1B | 2 EUR | S",
  ]);
});

it.each<[string, RegExp, ...Parameters<typeof changed>[1][]]>([
  ["two statements of an account", /:28E:: a second statement of one account/, ["00001/MORE", "00001/ONLY"]],
  ["a statement of changes", /:22F::CODE: holds only what has changed/, [":22F::STTY//CUST", ":22F::CODE//DELT"]],
  ["a cancellation", /:23G:: is no new statement/, [":23G:NEWM", ":23G:CANC"]],
  ["another message", /^file: is an MT537 message \(SWIFT\)/, ["{2:O535", "{2:O537"], ["{2:O535", "{2:O537"]],
  ["a point in a number", /line 20, :93B::AGGR: "\/UNIT\/10.5" is not a quantity/, ["UNIT/10,5", "UNIT/10.5"]],
  ["two commas in a number", /is not a number as SWIFT writes it/, ["UNIT/10,5", "UNIT/1,0,5"]],
  ["a day that does not exist", /:98C::STAT: "20240230180000" is not a date that exists/, ["20240131", "20240230"]],
  ["a position without a quantity", /:93a::AGGR is missing/, [":93B::AGGR//UNIT/10,5", ":93B::NAVL//UNIT/10,5"]],
  ["blocks that cross", /:16S:FIN where :16S:SUBBAL was expected/, [":16S:SUBBAL\r\n", ""]],
  [
    "a block of another message",
    /:16R:TRAN is no part of a statement of holdings/,
    [":16R:ADDINFO", ":16R:TRAN"],
    [":16S:ADDINFO", ":16S:TRAN"],
  ],
  [
    "a block whose name is the rest of the file",
    /:16S:ADDINFO where :16S:ADDINFOxxxxxxxxxxxxx was expected$/,
    [":16R:ADDINFO", `:16R:ADDINFO${"x".repeat(3_000)}`],
  ],
  ["a message that is cut off", /the file ends before the message is closed by -}/, ["-}{5:{CHK:000000000000}}", ""]],
])("%s refuses the whole file with the place", (_, refusal, ...changes) => {
  const bytes = changed(file, ...changes);
  const cut = String(refusal).includes("file ends")
    ? bytes.subarray(0, bytes.indexOf("{1:F01LARKCHZZAXXX0000000002"))
    : bytes;
  expect(refusalOfFeed(cut)).toMatch(refusal);
});

it.each<[string, RegExp, ...Parameters<typeof changed>[1][]]>([
  [
    "a day of a price that does not exist",
    /:98A::PRIC: .* is not a date that exists; it is left out$/,
    ["20240130", "20240230"],
  ],
  ["a price that is none", /:90A::MRKT: .* is not a number .*; it is left out$/, ["PRCT/98,25", "PRCT/9,8,25"]],
  ["a factor that is none", /:92A::CUFC: .* is not a rate.*; it is left out$/, ["CUFC//0,5", "CUFC//x"]],
])("[C-9.433] %s is dropped with a warning", (_, warning, ...changes) => {
  const { snapshot, warnings } = readFeed(changed(file, ...changes));
  expect(snapshot.holdings).toHaveLength(4);
  expect(warnings.map(({ place, message: text }) => `${place}: ${text}`)).toContainEqual(
    expect.stringMatching(warning),
  );
});

it("[C-9.437] of several accounts, or sub-accounts, one that cannot be read is refused alone", () => {
  const two = readFeed(Buffer.from(`${only("1").replace("HOLS//EUR1,", "HOLS//?")}$${only("2")}`));
  expect([balances(two), two.refused_accounts]).toEqual([["2 1 EUR"], ["1"]]);
  expect(two.warnings).toMatchObject([
    { message: expect.stringMatching(/the account "1" is refused, the others are taken$/) },
  ]);
  const part = (account: string, ...fields: string[]) => [
    ":16R:SUBSAFE",
    `:97A::SAFE//${account}`,
    ...held("A", ...fields),
    ":16S:SUBSAFE",
  ];
  const parts = message("535", general("1", "1/ONLY"), part("1A", ":19A::HOLD//?"), part("1B", ":19A::HOLD//EUR2,"));
  const sub = readFeed(Buffer.from(parts));
  expect([balances(sub), sub.refused_accounts]).toEqual([["1B 2 EUR"], ["1A"]]);
  expect(refusalOfFeed(message("535", general("1", "1/ONLY"), part("1A", ":19A::HOLD//?")))).toMatch(
    /:19A::HOLD: .* is not an amount/,
  );
});

it("[C-9.437] a page that cannot be read refuses the pages of its account, and leaves those of others waiting", () => {
  const pages = [general("1", "1/MORE"), general("2", "1/MORE"), general("2", "x/MORE")].map((one) =>
    message("535", one),
  );
  const feed = readFeed(Buffer.from(pages.join("$")));
  expect(feed.pages).toHaveLength(1);
  expect(feed.refused_accounts).toEqual(["2"]);
});

it("marks that terminals put around a message do not matter", () => {
  const marked = Buffer.from(`\u0001${feedFixture(file).toString("latin1").replaceAll("-}", "-}\u0003")}`, "latin1");
  expect(readFeed(marked).snapshot).toEqual(readFeed(feedFixture(file)).snapshot);
});

const general = (account: string, page: string, day = "20240131", ...more: string[]) => [
  ":16R:GENL",
  `:28E:${page}`,
  ":23G:NEWM",
  `:98A::STAT//${day}`,
  ...more,
  `:97A::SAFE//${account}`,
  ":17B::ACTI//Y",
  ":16S:GENL",
];
const held = (security: string, ...lines: string[]) => [
  ":16R:FIN",
  `:35B:${security}`,
  ":93B::AGGR//UNIT/1,",
  ...lines,
  ":16S:FIN",
];
const total = (...fields: string[]) => [":16R:ADDINFO", ...fields, ":16S:ADDINFO"];
const read = (...lines: (string | string[])[]) => readFeed(Buffer.from(lines.flat().join("\r\n")));
const balances = (feed: ReturnType<typeof readFeed>) =>
  feed.snapshot.portfolios?.map(({ key, balance, currency }) => `${key} ${balance} ${currency}`);

it("numbers may lack their comma", () => {
  const feed = read(general("1", "1/ONLY"), held("NAME", ":93B::AGGR//UNIT/680", ":19A::HOLD//EUR25296"));
  expect(holdingsOf(feed)).toEqual(["NAME | null | 1 | 25296 EUR | 2024-01-31 | O"]);
  expect(
    holdingsOf(
      read(general("1", "1/ONLY"), [
        ":16R:FIN",
        ":35B:NAME",
        ":93B::AGGR//UNIT/N680",
        ":90B::MRKT//ACTU/EUR2",
        ":16S:FIN",
      ]),
    ),
  ).toEqual(["NAME | null | -680 | -1360 EUR | 2024-01-31 | O"]);
});

it.each([
  [
    "of the only page is the statement's",
    [general("1", "1/ONLY"), held("A", ":19A::HOLD//EUR1,"), total(":19A::HOLP//EUR25296")],
    "1 25296 EUR",
  ],
  [
    "of several pages add up",
    [
      general("1", "1/MORE"),
      total(":19A::HOLP//EUR10,50"),
      general("1", "2/LAST"),
      total(":19A::HOLP//USD9,", ":19A::HOLP//EUR1,"),
    ],
    "1 11.50 EUR",
  ],
  [
    "that one page lacks are no total",
    [general("1", "1/MORE"), held("A", ":19A::HOLD//EUR1,"), total(":19A::HOLP//EUR10,50"), general("1", "2/LAST")],
    "1 1 EUR",
  ],
  ["give way to the statement's", [general("1", "1/ONLY"), total(":19A::HOLP//EUR1,", ":19A::HOLS//EUR2,")], "1 2 EUR"],
])("totals of pages (HOLP) %s", (_, lines, expected) => {
  expect(balances(read(...lines))).toEqual([expected]);
});

it("without a total holdings add up in the currency that all of them have", () => {
  const feed = read(
    general("1", "1/ONLY"),
    held("A", ":19A::HOLD//CHF500,", ":19A::HOLD//CHF500,"),
    held("B", ":19A::HOLD//SEK9000,", ":19A::HOLD//CHF1125,5"),
    held("C", ":19A::HOLD//CHF300,"),
  );
  expect(balances(feed)).toEqual(["1 1925.5 CHF"]);
  expect(holdingsOf(feed)[1]).toContain("1125.5 CHF");
  const mixed = read(general("1", "1/ONLY"), held("A", ":19A::HOLD//CHF500,"), held("B", ":19A::HOLD//SEK9,"));
  expect(balances(mixed)).toEqual(["1 null CHF"]);
});

it.each([
  [
    "ISIN IE00B5BMR087",
    ["/DE/A0YEDG", "ISHSVII-CORE S+P500 DLACC"],
    "ISHSVII-CORE S+P500 DLACC | IE00B5BMR087",
    { wkn: "A0YEDG" },
  ],
  ["ISIN CH0012005267", ["/CH/1200526", "/XX/77", "NOVARTIS N"], "NOVARTIS N | CH0012005267", { valor: "1200526" }],
  ["/DE/865985", ["APPLE", "INC"], "APPLE INC | null", { wkn: "865985" }],
  ["/US/037833100", ["APPLE INC"], "APPLE INC | US0378331005", { cusip: "037833100" }],
  ["/XX/77", [], "77 | null", undefined],
])("%s: national numbers are identifiers, not part of the name", (first, rest, expected, identifiers) => {
  const feed = read(general("1", "1/ONLY"), held([first, ...rest].join("\r\n")));
  expect(holdingsOf(feed)[0]).toMatch(new RegExp(`^${expected.replace(/[+|]/g, "\\$&")} \\| 1 `));
  expect(feed.snapshot.holdings?.[0]?.identifiers).toEqual(identifiers);
});

it("[C-5.69] accrued interest is a fact of its own, in the currency of the holding", () => {
  const bond = held("ISIN DE0001102580", ":19A::HOLD//EUR9850,", ":19A::ACRU//USD1,", ":19A::ACRU//EUR12,34");
  const feed = read(general("1", "1/ONLY"), bond, held("B", ":19A::HOLD//EUR1,"));
  expect(feed.snapshot.holdings?.map(({ balance, accrued_interest }) => [balance, accrued_interest])).toEqual([
    ["9850", "12.34"],
    ["1", undefined],
  ]);
  expect(balances(feed)).toEqual(["1 9851 EUR"]);
});

const message = (type: string, ...lines: (string | string[])[]) =>
  `{1:F01LARKCHZZAXXX0000000001}{2:O${type}1200240131VELMGB2LAXXX00000000012401311200N}{4:\r\n${lines.flat().join("\r\n")}\r\n-}`;
const only = (account: string) => message("535", general(account, "1/ONLY"), total(":19A::HOLS//EUR1,"));

it.each([
  ["$", "$"],
  ["$ on a line of its own", "\r\n$\r\n"],
  ["trailers and $", "{5:{CHK:000000000000}}{S:{SAC:}}$"],
  ["trailers alone", "{5:{CHK:000000000000}}"],
  ["$ and a line break", "$\r\n"],
  ["nothing", ""],
])("several messages of a batch (RJE) may be separated by %s", (_, separator) => {
  const feed = readFeed(Buffer.from(`${[only("1"), only("2"), only("3")].join(separator)}$`));
  expect(balances(feed)).toEqual(["1 1 EUR", "2 1 EUR", "3 1 EUR"]);
});

it("bare messages may be separated by $", () => {
  const bareOnly = (account: string) => [...general(account, "1/ONLY"), "-"].join("\n");
  expect(balances(readFeed(Buffer.from(`$${bareOnly("1")}\n$${bareOnly("2")}$`)))).toHaveLength(2);
});

it("other messages of a batch are left out, with a warning", () => {
  const account = message("940", ":20:1", ":25:1", ":86:text", "- of a narrative", ":16S:NONSENSE");
  const feed = readFeed(Buffer.from([account, only("1"), message("536", ":16R:GENL")].join("$")));
  expect(balances(feed)).toEqual(["1 1 EUR"]);
  expect(feed.warnings.map(({ message: text }) => text)).toEqual([
    "is an MT940, which is not read",
    "is an MT536, which is not read",
  ]);
});

it("pages may come in any order, and of several statements of an account the latest counts", () => {
  const page = (number: string, day: string, value: string, ...more: string[]) =>
    message("535", general("1", number, day, ...more), held(`N${value}`, `:19A::HOLD//EUR${value},`));
  const feed = readFeed(
    Buffer.from(
      [
        page("00002/LAST", "20240131", "2"),
        page("00001/ONLY", "20240130", "9"),
        page("00001/MORE", "20240131", "1"),
      ].join("$"),
    ),
  );
  expect(holdingsOf(feed).map((one) => one.split(" | ")[0])).toEqual(["N1", "N2"]);
  expect(feed.warnings).toEqual([
    {
      place: expect.stringMatching(/^line \d+$/),
      message: "is an older statement of its account; the latest one counts",
    },
  ]);
  const numbered = [
    page("1/ONLY", "20240131", "1", ":13A::STAT//007"),
    page("1/ONLY", "20240131", "2", ":13A::STAT//008"),
  ];
  expect(holdingsOf(readFeed(Buffer.from(numbered.join("$"))))[0]).toContain("N2 ");
  const twice = page("1/ONLY", "20240131", "1") + page("1/ONLY", "20240131", "2");
  expect(refusalOfFeed(twice)).toContain("a second statement of one account");
});

it("more tags, qualifiers and names of blocks than any bank has are refused", () => {
  const fields = Array.from({ length: 10_000 }, (_, number) => `:70E::${String(number).padStart(4, "0")}//A`);
  const names = Array.from({ length: 10_000 }, (_, number) => `:16R:B${number}\n:16S:B${number}`);
  for (const many of [fields, names])
    expect(refusalOfFeed([":16R:GENL", ...many, ":16S:GENL"].join("\n"))).toMatch(
      /^line \d+: more than 10000 tags, qualifiers and names of blocks$/,
    );
});

describe("pages of a statement that is not whole in the file", () => {
  const whole = feedFixture(file).toString("latin1");
  const second = whole.indexOf("{1:F01LARKCHZZAXXX0000000002}");
  const files = [whole.slice(0, second), whole.slice(second)];

  it.each<[string, string, [number, boolean][]]>([
    ["the first of two", files[0] as string, [[1, false]]],
    ["the second of two", files[1] as string, [[2, true]]],
    [
      "one is missing",
      whole.replace("00002/LAST", "00003/LAST"),
      [
        [1, false],
        [3, true],
      ],
    ],
    [
      "the last is missing",
      whole.replace("00002/LAST", "00002/MORE"),
      [
        [1, false],
        [2, false],
      ],
    ],
    [
      "statements of two days",
      whole.replace("20240131180000", "20240130180000"),
      [
        [1, false],
        [2, true],
      ],
    ],
  ])("are handed on to wait for the others: %s", (_, text, expected) => {
    const feed = readFeed(Buffer.from(text, "latin1"));
    expect(feed.pages?.map(({ number, is_last }) => [number, is_last])).toEqual(expected);
    expect([feed.snapshot.portfolios, feed.snapshot.holdings, feed.warnings]).toEqual([[], [], []]);
  });

  it("are one file when they are put together, whatever stood around them", () => {
    const around = (text: string) => `\u0001$${text.trim()}$\u0003`;
    const pages = files.flatMap((text) => readFeed(Buffer.from(around(text), "latin1")).pages ?? []);
    const joined = pages.map(({ text }) => text).join("\n");
    expect(readFeed(Buffer.from(joined)).snapshot).toEqual(readFeed(feedFixture(file)).snapshot);
    expect(new Set(pages.map(({ statement }) => statement)).size).toBe(1);
    const bareText = (page: string) => [...general("1", page), ...held(`N${page[0]}`), "-"].join("\r\n");
    const bareTexts = ["1/MORE", "2/LAST"].flatMap((page) => readFeed(Buffer.from(bareText(page))).pages ?? []);
    expect(readFeed(Buffer.from(bareTexts.map(({ text }) => text).join("\n"))).snapshot.holdings).toHaveLength(2);
  });

  it("say what is wrong with them at once", () => {
    const bad = (files[0] as string).replace("UNIT/10,5", "UNIT/10.5");
    expect(refusalOfFeed(Buffer.from(bad, "latin1"))).toMatch(/line 20, :93B::AGGR: .* is not a quantity/);
  });

  it("leave whole statements in the same file as they are", () => {
    const feed = readFeed(Buffer.from(`${files[0]}${only("9")}`, "latin1"));
    expect(balances(feed)).toEqual(["9 1 EUR"]);
    expect(feed.pages).toHaveLength(1);
  });
});

it("a statement of transactions without a header is read as one", () => {
  const text = general("1", "1/ONLY", "20240131", ":69A::STAT//20240101/20240131").join("\n");
  expect(readFeed(Buffer.from(text)).format).toBe("mt536");
  expect(refusalOfFeed(held("A").join("\n"))).toContain("line 1: is an MT535 without general information (GENL)");
});
