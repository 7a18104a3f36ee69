import { defineFeedFormat, type FeedFormat, FeedRefusal } from "@org/provider-kit";
import { expect, it, vi } from "vitest";
import { feedFixture, refusalOfFeed } from "../test/feed-files.js";
import { fixture, statementResponse } from "../test/ofx-files.js";
import { feedFormats, readFeed } from "./feeds.js";

it("a file is read by the parser that recognises it", () => {
  expect(readFeed(fixture("brokerage-sgml.ofx"))).toMatchObject({
    format: "ofx",
    snapshot: { portfolios: [{ ref_account: "77-1" }] },
  });
  expect(readFeed(fixture("brokerage-xml.ofx"))).toMatchObject({ format: "ofx" });
});

const readable = `in none of the formats that can be read: ${feedFormats.map(({ name }) => name).join(", ")}`;
const formatHint = 'see "What is refused" in docs/reference/data-feeds.md';

it.each(["OFX without brackets", "\u0001\u0002", "prose, and more\nof it"])(
  "a file that starts with %j is in no known format",
  (text) => {
    expect(() => readFeed(Buffer.from(text))).toThrow(FeedRefusal);
    expect(refusalOfFeed(text)).toBe(`file: is ${readable}; ${formatHint}`);
  },
);

const mt = (number: string) => `{1:F01A}{2:O${number}1}{4:\n:20:1\n-}`;

it.each<[string, string | Uint8Array]>([
  ["an empty file", ""],
  ["an empty file", "\r\n"],
  ["a PDF document", "%PDF-1.7\n"],
  ["an Excel workbook (XLSX)", "PK\u0003\u0004\u0014\u0000[Content_Types].xml"],
  ["a zip archive", "PK\u0003\u0004\u0014\u0000statement.xml"],
  ["an Excel workbook (XLS)", Buffer.from("d0cf11e0a1b11ae1", "hex")],
  ["a compressed file (gzip)", Buffer.from("1f8b0800", "hex")],
  ["a picture", Buffer.from("89504e470d0a1a0a", "hex")],
  ["an encrypted file (PGP)", "-----BEGIN PGP MESSAGE-----\n"],
  ["an encrypted or signed file (S/MIME)", "MIME-Version: 1.0\nContent-Type: application/pkcs7-mime\n"],
  ["an e-mail", "From: desk@bank.example\nSubject: statement\n"],
  ["an MT941 balance report (SWIFT)", mt("941")],
  ["an MT103 message (SWIFT)", mt("103")],
  [
    "a semt.018 message (ISO 20022)",
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:semt.018.001.11"><SctiesTxPdgRpt/></Document>',
  ],
  ["a pain.001 message (ISO 20022)", "<?xml version='1.0'?><s:Document><s:CstmrCdtTrfInitn>"],
  ["a pain.001 message (ISO 20022)", "<CstmrCdtTrfInitn>"],
  ["a web page (HTML)", "<!DOCTYPE html><html>"],
  ["an XML document <Document>", '<?xml version="1.0"?><Document/>'],
  ["JSON", '{ "accounts": [] }'],
  ["JSON", '[{"isin": 1}]'],
  ["a QIF file", "!Type:Invst\n"],
  ["an EDIFACT message", "UNA:+.? '"],
  ["an activity statement of Interactive Brokers as CSV", "\uFEFFStatement,Header,Field Name,Field Value\n"],
  ["CSV (text in columns)", "Date,Symbol,Amount\n"],
  ["CSV (text in columns)", "\uFEFFDatum;Konto\r\n\r\n2025-01-14;Savings\r\n"],
  ["CSV (text in columns)", "Depotauszug\n\nKunde: Muster, Hans\nTag;Art;Betrag\n2026-01-31;Kauf;1\n"],
  ["CSV (text in columns)", 'Positions as of Friday\n""\n"Symbol","Name","Worth"\n"VLM","Velmora, Inc","1,000"\n'],
  ["CSV (text in columns)", Buffer.from("\uFEFFDate\tAmount\n1\t2\n", "utf16le")],
])("what is refused names the format that it is and where to look: %s", (name, file) => {
  expect(refusalOfFeed(file)).toBe(`file: is ${name}, which is ${readable}; ${formatHint}`);
});

it.each([
  ["interim report \\(camt.052\\)", "<Document><BkToCstmrAcctRpt/></Document>"],
  ["OFX", "<OFX></OFX>"],
  ["interim report \\(MT942\\)", ":20:X\n:25:PL1\n:28C:1/1\n:34F:PLN0\n"],
  ["MT535", "{1:F01A}{2:O5351}{4:\n:16R:FIN\n:16S:FIN\n-}"],
])("so does %s, which a parser knows and does not read", (name, text) => {
  expect(refusalOfFeed(text)).toMatch(new RegExp(`: is (?:a |an )?${name}.*; ${formatHint}$`));
});

it("formats have names of their own", () => {
  expect(new Set(feedFormats.map(({ name }) => name)).size).toBe(feedFormats.length);
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

// Quadratic time would be hours; the test's timeout would notice.
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

it("a format of somebody else's is asked first; its content is checked, and its refusals are ours", async () => {
  const made = (read: FeedFormat["read"]) =>
    defineFeedFormat({ name: "mine", title: "Mine", recognises: (head) => head.startsWith(":20:"), read });
  const content = { as_of: new Date(0), portfolios: [], holdings: [], transactions: [], warnings: [] };
  const reading = (read: FeedFormat["read"]) => () =>
    readFeed(Buffer.from(":20:1"), { interim: false, formats: [made(read)] });
  expect(reading(() => ({ ...content, sender: "BANKDEFF" }))()).toMatchObject({ format: "mine", sender: "BANKDEFF" });
  const holding = { key: "1", portfolio_key: "1", name: "", isin: null, amount: 1.5 } as never;
  expect(reading(() => ({ ...content, holdings: [holding] }))).toThrow(
    /^file: the format mine makes no good content of it: holdings\.0\.amount: /,
  );
  vi.resetModules();
  const otherCopy = await import("@org/provider-kit");
  const foreign = new otherCopy.FeedRefusal("line 1", "is odd");
  const failing = (error: unknown) =>
    reading(() => {
      throw error;
    });
  expect(failing(foreign)).toThrow(new FeedRefusal("line 1", "is odd"));
  expect(failing(new RangeError("17.50"))).toThrow(new FeedRefusal("file", "the format mine failed (RangeError)"));
  expect(() => defineFeedFormat({ ...made(() => content), name: "Mine" })).toThrow(TypeError);
});
