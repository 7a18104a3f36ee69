import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { calendarDate, decimalString } from "@org/core";
import { FeedRefusal, MAX_FEED_BYTES } from "@org/provider-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFeed } from "../src/feeds.js";
import { feedFixture } from "./feed-files.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));
const sampleNames = existsSync(samples)
  ? ["ofx", "camt053", "mt535", "ibflex"].flatMap((folder) =>
      (readdirSync(`${samples}/${folder}`, { recursive: true }) as string[])
        .filter((name) => /\.(?:ofx|xml|fin)$/.test(name))
        .map((name) => `${samples}/${folder}/${name}`),
    )
  : [];
const fixtures = [
  "brokerage-sgml.ofx",
  "brokerage-xml.ofx",
  "statement.camt053.xml",
  "holdings.mt535",
  "activity.flex.xml",
].map(feedFixture);
const files = [...fixtures, ...sampleNames.map((name) => readFileSync(name))];
/** Small files of every format, valid and invalid. */
const dialects = Object.entries(
  JSON.parse(feedFixture("dialects.json").toString()) as Record<string, { text: string; refused?: true }>,
).map(([name, { text, refused }]) => ({ name, isSound: !refused, file: Buffer.from(text, "latin1") }));

/** Reads the file and checks the guarantee: a whole snapshot of plain values, or a refusal with place and reason; never anything else. */
function takeOrRefuse(file: Uint8Array): "taken" | "refused" {
  try {
    const { snapshot, warnings } = readFeed(file);
    const { as_of, portfolios, holdings, transactions } = snapshot;
    expect(Number.isNaN(as_of.getTime())).toBe(false);
    expect(warnings.length).toBeLessThanOrEqual(21);
    const keys = new Set(portfolios?.map(({ key }) => key));
    expect(keys.size).toBe(portfolios?.length);
    for (const { balance, currency } of portfolios ?? []) expectMoney(balance, currency);
    for (const { balance, currency, amount, portfolio_key, valuation_date } of holdings ?? []) {
      expectMoney(balance, currency);
      expectMoney(amount, currency);
      expect(keys.has(portfolio_key)).toBe(true);
      expect(valuation_date === null || calendarDate.safeParse(valuation_date).success).toBe(true);
    }
    for (const transaction of transactions ?? []) {
      const { balance, currency, amount, unit_price, fees, taxes, gross, portfolio_key } = transaction;
      for (const figure of [balance, amount, unit_price, fees, taxes, gross]) expectMoney(figure ?? null, currency);
      expect(keys.has(portfolio_key)).toBe(true);
      for (const day of [transaction.operation_date, transaction.settlement_date ?? transaction.operation_date])
        expect(calendarDate.safeParse(day).success).toBe(true);
      for (const reference of [...(transaction.references ?? []), ...(transaction.cancels ?? [])])
        expect(reference).toMatch(/^[A-Z0-9]{1,12}:[^\p{Cc}]{1,200}$/u);
    }
    return "taken";
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    expect(error.place && error.reason).toBeTruthy();
    expect(error.message.length).toBeLessThan(2_000);
    return "refused";
  }
}

function expectMoney(figure: string | null, currency: string): void {
  if (figure !== null && !decimalString.safeParse(figure).success) throw new Error(`${figure} is no decimal`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new Error(`${currency} is no currency`);
}

const bits = [
  "<",
  ">",
  "</",
  "/>",
  "&#",
  "&#x0;",
  "&amp;",
  "]]>",
  "<![CDATA[",
  "<!--",
  "<?",
  "<!DOCTYPE a>",
  "'",
  '"',
  "=",
  " ",
  "<Stmt>",
  "</Stmt>",
  "<Ntry>",
  "</Bal>",
  '<Amt Ccy="EUR">',
  "CRDT",
  "<FlexStatement ",
  "</OpenPositions>",
  ' position="1"',
  ":16R:FIN",
  ":16S:FIN",
  "\r\n:93B::AGGR//UNIT/1,",
  "\r\n:61:240102C1,NTRFNONREF",
  "\r\n:62F:C240102EUR1,",
  "\r\n:60M:D240102EUR1,",
  "\r\n:86:",
  "RD",
  ":16R:TRAN",
  ":16S:TRANSDET",
  "\r\n:22H::REDE//DELI",
  "\r\n:20C::RELA//T9",
  "CANC",
  "<Tx>",
  "</SctiesMvmntTp>",
  "<STMTTRN>",
  "</STMTRS>",
  "<TradeConfirm ",
  "-}",
  "-}$",
  "$",
  "1/MORE",
  "{1:F01A}{2:O5351}{4:\r\n",
  "{4:",
  "\n",
  ",",
  ".",
  "-",
  "N",
  "1e9",
  "99999999999999999999999999999",
  "2024-02-30",
  "20240230",
  "\u0000",
  "\u0085",
  "\uFEFF",
  "__proto__",
  "constructor",
]; // prettier-ignore
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 40 }),
  inserted: fc.oneof(
    fc.constantFrom(...bits),
    fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    // A piece of the file itself, starting at a given fraction of it.
    fc.record({ from: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat({ max: 300 }) }),
  ),
});

it.each([
  ["samples and fixtures", files, 100],
  // Nearly everything in such a file is required.
  ["small files of every format", dialects.filter(({ isSound }) => isSound).map(({ file }) => file), 15],
])("mutated %s are taken or refused, never anything else", (_, originals, ofEach) => {
  const outcomes = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...originals), fc.array(edit, { minLength: 1, maxLength: 4 }), (file, edits) => {
      let text = file.toString("latin1");
      for (const { at, removed, inserted } of edits) {
        const offset = Math.floor(at * text.length);
        const piece =
          typeof inserted === "string"
            ? inserted
            : text.slice(Math.floor(inserted.from * text.length)).slice(0, inserted.length);
        text = text.slice(0, offset) + piece + text.slice(offset + removed);
      }
      outcomes[takeOrRefuse(Buffer.from(text, "latin1"))] += 1;
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 3_000) },
  );
  // Both outcomes occur, so that both halves of the guarantee are tested.
  expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(ofEach);
});

it.each(fixtures.map((file, index) => [index, file] as const))("no cut of fixture %i crashes a parser", (_, file) => {
  for (let length = 0; length < file.length; length += 7) takeOrRefuse(file.subarray(0, length));
});

it.each(oneOfEach())("no cut of %s at any byte crashes a parser", (_, file) => {
  for (let length = 0; length < file.length; length += 1) takeOrRefuse(file.subarray(0, length));
});

/** A valid file of each kind, the first by name. */
function oneOfEach(): [string, Buffer][] {
  const firsts = new Map<string, Buffer>();
  for (const { name, isSound, file } of dialects) {
    const kind = name.split("/")[0] ?? "";
    if (isSound && !firsts.has(kind)) firsts.set(kind, file);
  }
  return [...firsts];
}

describe("input made to cost time or memory is refused within bounds", () => {
  const camt = (inside: string) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${inside}</Document>`;
  const flex = (inside: string) => `<FlexQueryResponse><FlexStatements>${inside}</FlexStatements></FlexQueryResponse>`;
  const mt = (inside: string) => `:16R:GENL\n${inside}`;
  const cash = (inside: string) => `:20:A\n:25:1\n:28C:1\n:60F:C240101EUR1,\n${inside}`;
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, n) => `<!ENTITY b${n} "${`&b${n - 1};`.repeat(10)}">`).join("")}]>`;
  const half = MAX_FEED_BYTES / 2;
  it.each<[string, () => Uint8Array]>([
    [
      "a bomb of entities",
      () => Buffer.from(`<?xml version="1.0"?>${bomb}${camt("<BkToCstmrStmt>&b19;</BkToCstmrStmt>")}`),
    ],
    ["an external entity", () => Buffer.from(`<!DOCTYPE a SYSTEM "file:///etc/passwd">${camt("&a;")}`)],
    ["elements nested a million deep", () => Buffer.from(camt("<a>".repeat(1_000_000)))],
    ["five million attributes", () => Buffer.from(flex(`<FlexStatement ${'a="b" '.repeat(5_000_000)}>`))],
    ["five million attributes in SGML", () => Buffer.from(`<OFX ${'a="b" '.repeat(5_000_000)}>`)],
    ["ten million elements", () => Buffer.from(camt("<a/>".repeat(10_000_000)))],
    ["a tag that never ends", () => Buffer.from(camt(`<a ${" ".repeat(half)}`))],
    ["a quotation mark that never ends", () => Buffer.from(flex(`<FlexStatement a="${"x".repeat(half)}`))],
    ["a million comments that never end", () => Buffer.from(camt("<!-- ".repeat(1_000_000)))],
    ["a value as large as the file", () => Buffer.from(camt(`<BkToCstmrStmt>${"x".repeat(half)}</BkToCstmrStmt>`))],
    ["a million names", () => Buffer.from(camt(Array.from({ length: 1_000_000 }, (_, n) => `<a${n}/>`).join("")))],
    ["a million statements that say nothing", () => Buffer.from(flex("<FlexStatement/>".repeat(1_000_000)))],
    ["a million blocks that never end", () => Buffer.from(mt(":16R:FIN\n".repeat(1_000_000)))],
    ["a field as large as the file", () => Buffer.from(mt(`:28E:${"\nx".repeat(half / 2)}`))],
    ["ten million fields", () => Buffer.from(mt(":70E::A\n".repeat(5_000_000)))],
    ["a line as large as the file", () => Buffer.from(mt(`:35B:${"x ".repeat(half / 2)}`))],
    ["a header that never ends", () => Buffer.from(`{1:F01}{2:O535}${"{3:x}\n".repeat(5_000_000)}`)],
    ["many statement lines that say nothing", () => Buffer.from(cash(":61:\n".repeat(300_000)))],
    ["a statement line of digits", () => Buffer.from(cash(`:61:${"1".repeat(half)}`))],
    ["a statement line of letters", () => Buffer.from(cash(`:61:240102${"C".repeat(half)}`))],
    ["a text of a million lines", () => Buffer.from(cash(`:86:${"?20x\n".repeat(1_000_000)}`))],
    ["many balances", () => Buffer.from(cash(":62F:C240102EUR1,\n".repeat(300_000)))],
    ["a million statements without an account", () => Buffer.from(":20:A\n:28C:1\n".repeat(1_000_000))],
    ["a quantity of digits", () => Buffer.from(mt(`:36B::PSTA//UNIT/${"1".repeat(half)}`))],
    ["a file of 100 MB", () => Buffer.concat([Buffer.from(camt("")), Buffer.alloc(100_000_000, 32)])],
    ["100 MB of zeros", () => Buffer.alloc(100_000_000)],
  ])("%s", (_, make) => {
    const file = make();
    const began = process.cpuUsage();
    expect(takeOrRefuse(file)).toBe("refused");
    const { user, system } = process.cpuUsage(began);
    // Quadratic work on files of this size would take hours, so this generous bound still detects it.
    expect((user + system) / 1e6).toBeLessThan(60);
  });

  // Files of this size are read without a thread of their own.
  it.each<[string, string]>([
    ["trailers behind a message", `{1:F01A}{2:O940}{4:\n:20:A\n-}\n${"{5:}".repeat(28)}x`],
    ["general information again and again", `:69B::STAT\n${`${"\n".repeat(15)}:16R:GENL\n`.repeat(2_600)}`],
    ["roots that never end", "<Document ".repeat(12_000)],
    ["answers that never end", "<FlexQueryResponse ".repeat(6_000)],
  ])("%s in a small file", (_, text) => {
    const began = process.cpuUsage();
    for (let time = 0; time < 5; time += 1) expect(takeOrRefuse(Buffer.from(text))).toBe("refused");
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(1);
  });

  it("a wide, honest file costs time in proportion", () => {
    const entry =
      '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2024-01-31</Dt></BookgDt></Ntry>';
    const document = camt(
      `<BkToCstmrStmt><GrpHdr><CreDtTm>2024-01-31T00:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>CH1</IBAN></Id></Acct>
      <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>
      ${entry.repeat(200_000)}</Stmt></BkToCstmrStmt>`,
    );
    const began = process.cpuUsage();
    expect(takeOrRefuse(Buffer.from(document))).toBe("taken");
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(60);
  });
});
