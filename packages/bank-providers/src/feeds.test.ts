import { FeedRefusal } from "@org/core";
import { expect, it } from "vitest";
import { feedFixture, refusalOfFeed } from "../test/feed-files.js";
import { fixture, statementResponse } from "../test/ofx-files.js";
import { feedParsers, readFeed } from "./feeds.js";

it("a file is read by the parser that recognises it", () => {
  expect(readFeed(fixture("brokerage-sgml.ofx"))).toMatchObject({
    format: "ofx",
    snapshot: { portfolios: [{ ref_account: "77-1" }] },
  });
  expect(readFeed(fixture("brokerage-xml.ofx"))).toMatchObject({ format: "ofx" });
});

it.each(["", "%PDF-1.7", "Date,Symbol,Amount\n", '<?xml version="1.0"?><Document/>', "OFX without brackets"])(
  "a file that starts with %j is in no known format",
  (text) => {
    expect(() => readFeed(Buffer.from(text))).toThrow(FeedRefusal);
    expect(() => readFeed(Buffer.from(text))).toThrow("file: is in none of the formats that can be read: ofx");
  },
);

it("formats have names of their own", () => {
  expect(new Set(feedParsers.map(({ format }) => format)).size).toBe(feedParsers.length);
});

const camt = (...accounts: readonly (readonly [account: string, day: string])[]) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${accounts
    .map(
      ([account, day]) => `<Stmt><Id>${account}</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal></Stmt>`,
    )
    .join("")}</BkToCstmrStmt></Document>`;
const mt535 = (account: string, day: string) =>
  `:16R:GENL\n:28E:00001/ONLY\n:23G:NEWM\n:98A::STAT//${day}\n:97A::SAFE//${account}\n:17B::ACTI//N\n:16S:GENL\n`;
const flex = (account: string, day: string) =>
  `<FlexStatement accountId="${account}" fromDate="${day}" toDate="${day}"><OpenPositions/></FlexStatement>`;
const ofx = (account: string, day: string) =>
  statementResponse("", `<BROKERID>b<ACCTID>${account}`).replace("<DTASOF>20240131", `<DTASOF>${day}`);

it.each([
  ["camt.053", camt(["A", "2024-01-20"], ["B", "2024-01-10"])],
  ["mt535", mt535("A", "20240120") + mt535("B", "20240110")],
  ["ibkr-flex", `<FlexStatements>${flex("A", "20240120")}${flex("B", "20240110")}</FlexStatements>`],
  ["ofx", `<OFX><INVSTMTMSGSRSV1>${ofx("A", "20240120")}${ofx("B", "20240110")}</INVSTMTMSGSRSV1></OFX>`],
])("%s: each portfolio is as of its own statement, the file as of the latest", (format, text) => {
  const { snapshot, ...feed } = readFeed(Buffer.from(text));
  expect(feed.format).toBe(format);
  expect(snapshot.portfolios?.map(({ ref_account, as_of }) => [ref_account, as_of])).toEqual([
    ["A", new Date("2024-01-20")],
    ["B", new Date("2024-01-10")],
  ]);
  expect(snapshot.as_of).toEqual(new Date("2024-01-20"));
});

// By the square of their number these would take hours: the test's own limit tells.
const MANY = 2_000_000;

it("white space that is a control character costs time in proportion to its length, after a document and inside", () => {
  const statement = feedFixture("statement.camt053.xml");
  const feed = readFeed(statement);
  const padding = Buffer.alloc(MANY, "\u000B");
  const endOfFile = Buffer.from("\u001A");
  expect(readFeed(Buffer.concat([statement, padding]))).toEqual(feed);
  expect(readFeed(Buffer.concat([statement, endOfFile, padding]))).toEqual(feed);
  expect(refusalOfFeed(Buffer.concat([statement, padding, endOfFile]))).toMatch(/^line \d+, column \d+: a control/);
  expect(refusalOfFeed(Buffer.concat([padding, statement]))).toMatch(/formats that can be read/);
});

it("a file of very many accounts costs time in proportion to their number", () => {
  const accounts = Array.from({ length: 150_000 }, (_, n) => `:16R:SUBSAFE\n:97A::SAFE//${n}\n:16S:SUBSAFE\n`);
  expect(readFeed(Buffer.from(mt535("A", "20240131") + accounts.join(""))).snapshot.portfolios).toHaveLength(
    accounts.length,
  );
});
