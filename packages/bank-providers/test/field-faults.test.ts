import { FeedRefusal, faultsOfContent, type ReadFeed, withoutPlaces } from "@org/provider-kit";
import { expect, it } from "vitest";
import { readFeed } from "../src/feeds.js";
import { feedFixture } from "./feed-files.js";

/** A field of a file: its name in the format, and where it is in the text. */
interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Where its value is, if it has one that can be spoiled. */
  readonly value: readonly [from: number, to: number] | null;
}

/** A file with a second account, whose fields stay as they are. */
interface Sample {
  readonly format: string;
  readonly text: string;
  readonly fields: (text: string) => readonly Field[];
  /** Adds the second account. */
  readonly complete: (text: string) => string;
}

const dialects: Readonly<Record<string, { readonly text: string }>> = JSON.parse(
  feedFixture("dialects.json").toString(),
);
const dialect = (name: string) => dialects[name]?.text ?? "";
const replaced = (text: string, ...changes: readonly (readonly [was: string, is: string])[]) =>
  changes.reduce((changed, [was, is]) => {
    if (!changed.includes(was)) throw new Error(`the sample does not hold ${was}`);
    return changed.replaceAll(was, is);
  }, text);

/** Fields of SWIFT messages, with the block that they are in. */
function swiftFields(text: string): Field[] {
  const fields: Field[] = [];
  const blocks: { name: string; from: number }[] = [];
  for (const { 0: all, index } of text.matchAll(/^:\d\d[A-Z]?:[\s\S]*?\n(?=:\d\d[A-Z]?:|-)/gm)) {
    const [, tag = "", qualifier = "", value = ""] =
      /^:(\d\d[A-Z]?):(?::([A-Z]{4})\/\/?)?([\s\S]*?)\r?\n$/.exec(all) ?? [];
    const to = index + all.length;
    const within = blocks.map(({ name }) => name).join("/");
    if (tag === "16R") blocks.push({ name: value, from: index });
    else if (tag === "16S") {
      const block = blocks.pop();
      if (block) fields.push({ name: within, from: block.from, to, value: null });
    } else {
      const name = `${within && `${within}/`}${tag}${qualifier && `::${qualifier}`}`;
      fields.push({ name, from: index, to, value: valueIn(all, value, index) });
    }
  }
  return fields;
}

/** Where a value ends a text that is at `index`. */
function valueIn(text: string, value: string, index: number): [from: number, to: number] {
  const from = index + text.lastIndexOf(value);
  return [from, from + value.length];
}

const closing = (name: string) => new RegExp(`</(?:\\w+:)?${name}>`);

/** Elements and attributes of XML, and of SGML whose values are not closed; paths begin below `top`. */
const markupFields = (top: string) => (text: string) => {
  const fields: Field[] = [];
  const open: { name: string; from: number; end: number; isLeaf: boolean }[] = [];
  const path = () => {
    const names = open.map(({ name }) => name);
    return names.slice(names.indexOf(top) + 1).join("/");
  };
  const close = (to: number, value: Field["value"]) => {
    const name = path();
    const element = open.pop();
    if (element && name !== "") fields.push({ name, from: element.from, to, value });
  };
  for (const match of text.matchAll(/<(\/?)(?:\w+:)?([A-Za-z][\w.]*)((?:\s[^<>]*?)?)(\/?)>([^<]*)/g)) {
    const { 0: all, 1: isEnd = "", 2: name = "", 3: attributes = "", 4: isEmpty = "", 5: content = "", index } = match;
    const end = index + all.length - content.length;
    if (isEnd) {
      const element = open.at(-1);
      if (element?.name === name) close(end, element.isLeaf ? [element.end, index] : null);
      continue;
    }
    const isLeaf = content.trim() !== "";
    // An empty value that SGML leaves open.
    if (!isLeaf && !isEmpty && !closing(name).test(text.slice(end))) continue;
    open.push({ name, from: index, end, isLeaf });
    for (const part of attributes.matchAll(/(\s)([\w:]+)="([^"]*)"/g)) {
      const from = end - isEmpty.length - 1 - attributes.length + part.index;
      const to = from + part[0].length;
      fields.push({ name: `${path()} @${part[2]}`, from, to, value: [to - 1 - (part[3] ?? "").length, to - 1] });
    }
    if (isEmpty) close(end, null);
    else if (content.trim() !== "" && text.slice(end + content.length).search(closing(name)) !== 0)
      close(end + content.length, [end, end + content.trimEnd().length]);
  }
  return fields;
};

const introduction = `# Faults in a custodian's file, by field

What happens if a file lacks a field, or the field cannot be read. The rules are in
[Custodian data feeds](data-feeds.md#what-is-refused). A test changes a sample of each format field by field and renews this page.

| outcome | meaning |
|---|---|
| file refused | nothing of the file is stored |
| account refused | the account stays as it was; the other accounts of the file are stored |
| left out | one movement is not stored; the answer counts it |
| warned | the file is stored, with a warning |
| dropped | the file is stored without this value |
| the same | nothing depends on the field |

- Fields that never cause more than a warning are not listed.
- A refusal has a reason: what the field decides. If a field occurs several times, the worst outcome is listed.
- **Unreadable** means a question mark instead of the value. Text such as a name can always be read.
`;

type Outcome = "the same" | "dropped" | "warned" | "left out" | "account refused" | "file refused";

function outcomeOf(text: string, base: ReadFeed): Outcome {
  try {
    const { format: _, snapshot, ...rest } = readFeed(Buffer.from(text), { interim: true });
    const { warnings, left_out = [], refused_accounts = [] } = rest;
    expect(faultsOfContent({ ...snapshot, ...rest })).toEqual([]);
    if (refused_accounts.length > 0) return "account refused";
    if (left_out.length > (base.left_out?.length ?? 0)) return "left out";
    if (warnings.length > base.warnings.length) return "warned";
    const content = (of: ReadFeed["snapshot"]) => JSON.stringify(withoutPlaces(of));
    return content(snapshot) === content(base.snapshot) ? "the same" : "dropped";
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    return "file refused";
  }
}

/** The sample of a SWIFT format and the same of another account. */
const swift = (format: string, name: string, account: string, more: readonly (readonly [string, string])[] = []) => ({
  format,
  text: replaced(dialect(name), ...more),
  fields: swiftFields,
  complete: (text: string) => `${text}\n${replaced(dialect(name), [account, "OTHER"])}`,
});
const declaration = /^<\?xml[^>]*\?>\s*/;
/** The sample of an ISO 20022 format and the same of another account, in one document. */
const iso = (format: string, text: string, top: string, account: string) => ({
  format,
  text: text.replace(declaration, ""),
  fields: markupFields(top),
  complete: (changed: string) => `<All>${changed}${replaced(text, [account, "OTHER"]).replace(declaration, "")}</All>`,
});

const swissAccount = "CH9300762011623852957";
const posted = replaced(dialect("semt017/buy-sell.xml"), [
  "<FctvSttlmDt>",
  "<TradDt><Dt>2024-01-01</Dt></TradDt><FctvSttlmDt>",
]);
const held = replaced(
  dialect("semt002/two.xml"),
  ["</HldgVal>", '</HldgVal><AcrdIntrstAmt><Amt Ccy="EUR">1</Amt></AcrdIntrstAmt>'],
  [
    "<AggtBal>",
    "<FinInstrmAttrbts><DnmtnCcy>EUR</DnmtnCcy><ClssfctnTp><ClssfctnFinInstrm>ESVUFR</ClssfctnFinInstrm></ClssfctnTp></FinInstrmAttrbts><AggtBal>",
  ],
);
const accounted = replaced(
  held,
  ["semt.002", "semt.003"],
  ["SctiesBalCtdyRpt", "SctiesBalAcctgRpt"],
  ["</HldgVal>", '</HldgVal><BookVal><Amt Ccy="EUR">9</Amt></BookVal>'],
);
const bankStatement = (account: string) =>
  `<STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20240101<DTEND>20240131<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240105<TRNAMT>-1.50<FITID>C1<NAME>Fee<MEMO>January</STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>5.25<DTASOF>20240131</LEDGERBAL><AVAILBAL><BALAMT>5.25<DTASOF>20240131</AVAILBAL></STMTRS></STMTTRNRS>`;
const investments = replaced(
  feedFixture("brokerage-sgml.ofx").toString("latin1"),
  ["</SIGNONMSGSRSV1>", `</SIGNONMSGSRSV1><BANKMSGSRSV1>${bankStatement("B-1")}</BANKMSGSRSV1>`],
  ["<SHORTBALANCE>0", "<SHORTBALANCE>0<BALLIST><BAL><NAME>Net worth<BALTYPE>DOLLAR<VALUE>320.75</BAL></BALLIST>"],
  ["<TOTAL>-210.00", "<COMMISSION>1.00<TOTAL>-210.00"],
);
const flexSections = `<EquitySummaryInBase><EquitySummaryByReportDateInBase reportDate="20240131" currency="EUR" total="12345.67" /></EquitySummaryInBase>
<SecuritiesInfo><SecurityInfo conid="1" symbol="VELM" cusip="037833100" /></SecuritiesInfo>
<TransactionTaxes><TransactionTax conid="1" symbol="VELM" currency="USD" date="20240131" taxDescription="Stamp" taxAmount="-1" /></TransactionTaxes>
<SalesTaxes><SalesTax currency="USD" date="20240131" taxType="VAT" taxableDescription="Data" salesTax="-2" transactionID="21" /></SalesTaxes>
<Transfers><Transfer conid="1" symbol="VELM" assetCategory="STK" currency="USD" date="20240131" type="ACATS" direction="OUT" quantity="1" cashTransfer="0" transferPrice="2" transactionID="22" /></Transfers>
<OptionEAE><OptionEAE conid="1" symbol="VELM" currency="USD" date="20240131" transactionType="Assignment" quantity="1" proceeds="3" commisionsAndTax="-1" tradePrice="3" tradeID="23" /></OptionEAE>
</FlexStatement>`;
const flex = feedFixture("activity.flex.xml").toString().replace("</FlexStatement>", flexSections);
const confirmed = `<FlexQueryResponse queryName="q" type="TCF"><FlexStatements count="1"><FlexStatement accountId="U1" fromDate="20240131" toDate="20240131"><TradeConfirms>
<TradeConfirm conid="1" symbol="VELM" description="VELMORA" assetCategory="STK" isin="US0378331005" currency="USD" tradeDate="20240131" settleDate="20240202" buySell="BUY" quantity="4" price="10" proceeds="-40" netCash="-41" commission="-1" commissionCurrency="USD" tax="0.5" tradeID="7" orderID="8" transactionType="ExchTrade" levelOfDetail="EXECUTION" />
</TradeConfirms></FlexStatement><FlexStatement accountId="U2" fromDate="20240131" toDate="20240131"><TradeConfirms /></FlexStatement></FlexStatements></FlexQueryResponse>`;

const samples: readonly Sample[] = [
  {
    format: "ofx",
    text: investments,
    fields: markupFields("OFX"),
    complete: (text) => text.replace("</BANKMSGSRSV1>", `${bankStatement("B-2")}</BANKMSGSRSV1>`),
  },
  iso("camt.053", feedFixture("statement.camt053.xml").toString("latin1"), "Document", "CH93 0076 2011 6238 5295 7"),
  iso("camt.052", dialect("camt/052-interim.xml"), "Document", swissAccount),
  iso("camt.054", dialect("camt/054-credit.xml"), "Document", swissAccount),
  swift("mt535", "mt535/ch-two.fin", "SAFE1"),
  swift("mt536", "mt536/buy-and-sell.fin", "SAFE1", [[":98A::ESET", ":98A::TRAD//20240101\n:98A::ESET"]]),
  swift("mt515", "mt515/buy.fin", "SAFE1"),
  swift("mt544", "mt54x/545-trade-reference.fin", "SAFE1"),
  swift("mt566", "mt566/dividend.fin", "SAFE1"),
  swift("mt566", "mt566/merger.fin", "SAFE1"),
  iso("semt.002", held, "Document", "S2"),
  iso("semt.003", accounted, "Document", "S2"),
  iso("semt.017", posted, "Document", "S2"),
  swift("mt940", "mt940/blocks.fin", swissAccount),
  swift("mt942", "mt942/interim.sta", "77", [["C1,NTRFNONREF", "C1,NTRFNONREF//B1"]]),
  swift("mt950", "mt950/loro.fin", "NOSTRO-1"),
  { format: "ibkr-flex", text: flex, fields: markupFields("FlexStatements"), complete: (text) => text },
  {
    format: "ibkr-flex-confirmations",
    text: confirmed,
    fields: markupFields("FlexStatements"),
    complete: (text) => text,
  },
];

/** What a field that refuses decides, by the end of its name: nothing else may refuse. */
const decisive: readonly (readonly [decides: string, names: RegExp])[] = [
  [
    "whose it is",
    /(?:ACCTID|ACCTFROM|BROKERID|BANKID|IBAN|Acct|Acct\/Id|BkToCstmr\w+\/\w+|97A::SAFE|GENL|^25|@accountId)$/,
  ],
  ["in what currency", /CURDEF$/],
  [
    "which statement counts",
    /(?:DTASOF|28E|23G|98A::STAT|69A::STAT|PgNb|LastPgInd|StmtDtTm|DtTm|StmtGnlDtls|@toDate)$/,
  ],
  ["what is held", /(?:SECID|UNIQUEID(?:TYPE)?|UNITS|INVPOS|AVAILCASH|MARGINBALANCE|35B|93B::AGGR|@position)$/],
  ["what is held", /(?:LEDGERBAL\/BALAMT|^6[02]F|FinInstrmId|ISIN|AggtBal|Qty|Unit)$/],
  ["what is held", /Bal\/(?:Amt(?: @Ccy)?|CdtDbtInd|Dt|Dt\/Dt)$/],
  ["what is held", /(?:OpenPosition @(?:currency|levelOfDetail)|CashReportCurrency @(?:currency|endingCash))$/],
  ["a total", /(?:MKTVAL|BAL\/VALUE|19A::HOLD|19A::HOLS|@endingValue|@total|@positionValue)$/],
  ["a total", /(?:HldgVal|TtlHldgsValOfStmt)\/Amt(?: @Ccy)?$/],
  ["whether it is a file of this format", /FlexQueryResponse$/],
];

/** Outcomes of all places of a field, the worst one first. */
const severity: readonly Outcome[] = ["file refused", "account refused", "left out", "warned", "dropped", "the same"];

/** A file with `text` in the place of a field, or of its value. */
const withText = (text: string, [from, to]: readonly [number, number], by: string) =>
  text.slice(0, from) + by + text.slice(to);

interface Row {
  readonly name: string;
  removed: Outcome;
  unreadable: Outcome | null;
  /** With `N/A` in the place of the value. */
  notGiven: Outcome | null;
}

const worse = (a: Outcome | null, b: Outcome | null) =>
  a === null ? b : b === null ? a : severity.indexOf(a) <= severity.indexOf(b) ? a : b;

function rowsOf({ text, fields, complete }: Sample): Row[] {
  const base = readFeed(Buffer.from(complete(text)), { interim: true });
  const outcome = (changed: string) => outcomeOf(complete(changed), base);
  const rows = new Map<string, Row>();
  for (const { name: path, from, to, value } of fields(text)) {
    const parts = path.split("/");
    const name = parts.slice((parts.at(-1) ?? "").length > "Amt".length ? -2 : -3).join("/");
    const row: Row = rows.get(name) ?? { name, removed: "the same", unreadable: null, notGiven: null };
    row.removed = worse(row.removed, outcome(withText(text, [from, to], ""))) ?? row.removed;
    if (value) {
      row.unreadable = worse(row.unreadable, outcome(withText(text, value, "?")));
      row.notGiven = worse(row.notGiven, outcome(withText(text, value, "N/A")));
    }
    rows.set(name, row);
  }
  return [...rows.values()];
}

const reasonOf = ({ name, removed, unreadable }: Row) =>
  [removed, unreadable].some((outcome) => outcome?.endsWith("refused"))
    ? (decisive.find(([, names]) => names.test(name))?.[0] ?? "NOTHING")
    : "";

const isSilent = (outcome: Outcome) => outcome === "dropped" || outcome === "the same";

/** At most a warning, which says it all. */
const isMild = (outcome: Outcome | null) => outcome === null || severity.indexOf(outcome) >= severity.indexOf("warned");

/** Formats whose statements have the same fields. */
const familyOf = (format: string) => /^(?:camt|semt\.00|mt9)/.exec(format)?.[0] ?? format;

/** A row for each outcome, with the formats that it is of. */
function tableOf(formats: readonly string[]): string[] {
  const formatsOf = new Map<string, Map<string, Set<string>>>();
  for (const { format, rows } of outcomes.filter((one) => formats.includes(one.format)))
    for (const row of rows) {
      if (isMild(row.removed) && isMild(row.unreadable)) continue;
      const outcome = `${row.removed} | ${row.unreadable ?? ""} | ${reasonOf(row)}`;
      const fields = formatsOf.get(outcome) ?? new Map<string, Set<string>>();
      formatsOf.set(outcome, fields.set(row.name, (fields.get(row.name) ?? new Set()).add(format)));
    }
  const groups = new Map<string, string[]>();
  for (const [outcome, fields] of formatsOf)
    for (const [name, some] of fields) {
      const only = some.size < formats.length ? `${[...some].join(", ")} | ` : "all | ";
      const key = `| ${formats.length > 1 ? only : ""}${outcome} |`;
      groups.set(key, [...(groups.get(key) ?? []), `\`${name}\``]);
    }
  const order = (key: string) => severity.findIndex((outcome) => key.includes(outcome));
  return [...groups].toSorted(([a], [b]) => order(a) - order(b)).map(([key, names]) => `| ${names.join(", ")} ${key}`);
}

const outcomes = samples.map((sample) => ({ format: sample.format, rows: rowsOf(sample) }));

it("[C-9.433] [C-9.437] docs/reference/feed-faults.md says what each field does (run this file with -u to renew it)", async () => {
  const formats = [...new Set(samples.map(({ format }) => format))];
  const tables = [...new Set(formats.map(familyOf))].flatMap((family) => {
    const members = formats.filter((format) => familyOf(format) === family);
    const columns = ["fields", ...(members.length > 1 ? ["of"] : []), "removed", "unreadable", "decides"];
    const ruler = columns.map(() => "---");
    return [
      `## ${members.join(", ")}`,
      "",
      `| ${columns.join(" | ")} |`,
      `|${ruler.join("|")}|`,
      ...tableOf(members),
      "",
    ];
  });
  await expect([introduction, ...tables].join("\n")).toMatchFileSnapshot("../../../docs/reference/feed-faults.md");
});

it.each(outcomes)("[C-9.433] nothing of $format refuses but what decides what is held, or a total", ({ rows }) => {
  expect(rows.filter((row) => reasonOf(row) === "NOTHING").map(({ name }) => name)).toEqual([]);
});

it.each(outcomes)(
  "[C-9.433] an optional field of $format that is not given (N/A) is dropped without a word",
  ({ rows }) => {
    const warned = rows.filter(({ removed, notGiven }) => isSilent(removed) && notGiven === "warned");
    expect(warned.map(({ name }) => name)).toEqual([]);
  },
);
