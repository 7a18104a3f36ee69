import { expect, it } from "vitest";
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
  expect(feed.snapshot.transactions).toEqual([]);
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
  ["a page that is missing", /:28E:: page 3 where page 2 was expected; all pages/, ["00002/LAST", "00003/LAST"]],
  ["a last page that is missing", /:28E:: more pages follow that are not in the file/, ["00002/LAST", "00002/MORE"]],
  ["two statements of an account", /:28E:: a second statement of one account/, ["00001/MORE", "00001/ONLY"]],
  ["statements of two days", /a second statement of one account/, ["20240131180000", "20240130180000"]],
  ["a statement of changes", /:22F::CODE: holds only what has changed/, [":22F::STTY//CUST", ":22F::CODE//DELT"]],
  ["a cancellation", /:23G:: is no new statement/, [":23G:NEWM", ":23G:CANC"]],
  ["another message", /is an MT536; what can be read is MT535/, ["{2:O535", "{2:O536"]],
  ["a point in a number", /line 20, :93B::AGGR: "\/UNIT\/10.5" is not a quantity/, ["UNIT/10,5", "UNIT/10.5"]],
  ["a number without its comma", /is not a number as SWIFT writes it/, ["UNIT/10,5", "UNIT/105"]],
  ["a day that does not exist", /:98A::PRIC: "20240230" is not a date that exists/, ["20240130", "20240230"]],
  ["a position without a quantity", /:93a::AGGR is missing/, [":93B::AGGR//UNIT/10,5", ":93B::NAVL//UNIT/10,5"]],
  ["blocks that cross", /:16S:FIN where :16S:SUBBAL was expected/, [":16S:SUBBAL\r\n", ""]],
  [
    "a block of another message",
    /:16R:TRAN is no part of a statement of holdings/,
    [":16R:ADDINFO", ":16R:TRAN"],
    [":16S:ADDINFO", ":16S:TRAN"],
  ],
  ["a message that is cut off", /the file ends before the message is closed by -}/, ["-}{5:{CHK:000000000000}}", ""]],
])("%s refuses the whole file with the place", (_, refusal, ...changes) => {
  const bytes = changed(file, ...changes);
  const cut = String(refusal).includes("file ends")
    ? bytes.subarray(0, bytes.indexOf("{1:F01LARKCHZZAXXX0000000002"))
    : bytes;
  expect(refusalOfFeed(cut)).toMatch(refusal);
});

it("marks that terminals put around a message do not matter", () => {
  const marked = Buffer.from(`\u0001${feedFixture(file).toString("latin1").replaceAll("-}", "-}\u0003")}`, "latin1");
  expect(readFeed(marked).snapshot).toEqual(readFeed(feedFixture(file)).snapshot);
});
