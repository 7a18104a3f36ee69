import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FeedRefusal } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { feedFixture } from "./feed-files.js";
import { type MovementCode, movementCodes } from "./movement-codes.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));

/** How often each code was met in banks' files that lie outside of the project, by format. */
type Counts = Record<string, Record<string, number>>;
const met: Counts = JSON.parse(feedFixture("sample-codes.json").toString());

const words = (text: string) => text.trim().split(/\s+/);
/** What stands for no code of the format, in words. */
const notCodes: ReadonlyMap<string, string> = new Map([
  ["none", "no code"],
  ["digits", "three digits"],
  ["only Prtry", "`Prtry` only"],
]);
const withMet = (codes: readonly string[], format: string) =>
  [...new Set([...codes, ...Object.keys(met[format] ?? {})])].filter((code) => !notCodes.has(code)).sort();
/** Codes of the formats' documentation: OFX 2.2 §11.4.4.3 and §13.9, SWIFT's field 61, and what ISO 20022's external code set has of each domain. */
const trnTypes = words(
  "ATM CASH CHECK CREDIT DEBIT DEP DIRECTDEBIT DIRECTDEP DIV FEE HOLD INT OTHER PAYMENT POS REPEATPMT SRVCHG XFER",
);
const incomes = words("CGLONG CGSHORT DIV INTEREST MISC");
const rows: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    words("DEBT MF OPT OTHER STOCK").flatMap((type) => [
      [`BUY${type}`, "<INVBUY><INVTRAN/><SECID/><UNITS>1<TOTAL>-1</INVBUY>"],
      [`SELL${type}`, "<INVSELL><INVTRAN/><SECID/><UNITS>-1<TOTAL>1</INVSELL>"],
    ]),
  ),
  ...Object.fromEntries(incomes.map((type) => [`INCOME ${type}`, `<INVTRAN/><SECID/><INCOMETYPE>${type}<TOTAL>1`])),
  ...Object.fromEntries(
    incomes.map((type) => [`REINVEST ${type}`, `<INVTRAN/><SECID/><INCOMETYPE>${type}<TOTAL>-1<UNITS>1`]),
  ),
  RETOFCAP: "<INVTRAN/><SECID/><TOTAL>1",
  INVEXPENSE: "<INVTRAN/><SECID/><TOTAL>-1",
  MARGININTEREST: "<INVTRAN/><TOTAL>-1",
  JRNLFUND: "<INVTRAN/><TOTAL>1",
  JRNLSEC: "<INVTRAN/><SECID/><UNITS>1",
  SPLIT: "<INVTRAN/><SECID/><OLDUNITS>1<NEWUNITS>2",
  CLOSUREOPT: "<INVTRAN/><SECID/><UNITS>1",
};
const swiftTypes =
  words(`BNK BOE BRF CAR CAS CHG CHK CLR CMI CMN CMP CMS CMT CMZ COL COM CPN DCR DDT DIS DIV EQA EXT FEX INT LBX LDP MAR
  MAT MGT MSC NWI ODC OPT PCH POP PRN REC RED RIG RTI SAL SEC SLE STO STP SUB SWP TAX TCK TCM TRA TRF TRN UWC VDA WAR`);
const bankCodes =
  `SECU CORP BONU|SECU CORP CAPG|SECU CORP DVCA|SECU CORP DVOP|SECU CORP INTR|SECU CORP MCAL|SECU CORP MRGR|SECU CORP PCAL
  |SECU CORP REDM|SECU CORP RHTS|SECU CORP SOFF|SECU CORP SPLF|SECU CORP TREC|SECU CUST CHRG|SECU SETT REDM|SECU SETT SUBS|SECU SETT TRAD|FORX SPOT OTHR
  |FORX SPOT COMM|PMNT CCRD POSD|PMNT CNTR CDPT|PMNT CNTR CWDL|PMNT ICDT ESCT|PMNT IDDT ESDD|PMNT RCDT ESCT|PMNT RDDT ESDD|PMNT MDOP TAXE
  |ACMT MCOP FEES|ACMT MCOP INTR|ACMT MCOP OTHR|ACMT MDOP CHRG|CAMT ACCB ZABA|DERV FUTU OTHR|LDAS FTLN OTHR|TRAD CLNC OTHR|XTND NTAV NTAV`
    .split("|")
    .map((code) => code.trim());

const ofxFile = (inside: string) =>
  `<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20240131<CURDEF>EUR<INVACCTFROM><BROKERID>b<ACCTID>1</INVACCTFROM><INVTRANLIST>${inside
    .replaceAll("<INVTRAN/>", "<INVTRAN><FITID>1<DTTRADE>20240131</INVTRAN>")
    .replaceAll(
      "<SECID/>",
      "<SECID><UNIQUEID>1<UNIQUEIDTYPE>OTHER</SECID>",
    )}</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>`;
const bankRow = (type: string, amount: string) =>
  ofxFile(`<INVBANKTRAN><STMTTRN><TRNTYPE>${type}<DTPOSTED>20240131<TRNAMT>${amount}<FITID>1</STMTTRN></INVBANKTRAN>`);
const transfer = (units: string, action: string) =>
  ofxFile(`<TRANSFER><INVTRAN/><SECID/><UNITS>${units}<TFERACTION>${action}</TRANSFER>`);
const swiftFile = (type: string, mark: string) =>
  `:20:A\n:25:1\n:28C:1\n:60F:C240131EUR1,\n:61:240131${mark}1,N${type}NONREF\n:62F:C240131EUR1,\n-`;
const camtFile = (code: string, mark: string) => {
  const [domain, family, subFamily] = words(code);
  const money = `<Amt Ccy="EUR">1</Amt><CdtDbtInd>${mark}</CdtDbtInd>`;
  const day = "<Dt>2024-01-31</Dt>";
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>1</Id></Othr></Id></Acct><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>${money}<Dt>${day}</Dt></Bal><Ntry>${money}<BookgDt>${day}</BookgDt><BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry></Stmt></BkToCstmrStmt></Document>`;
};

/** Bold if it was met in banks' files. */
function shown(format: string, code: string): string {
  const text = notCodes.get(code) ?? code;
  return met[format]?.[code] ? `**${text}**` : text;
}

/** Two files with each code, one whose movement comes in, and one whose movement goes out. */
const files = [
  ...trnTypes.flatMap((type) => [bankRow(type, "1"), bankRow(type, "-1")]),
  ...Object.entries(rows).map(([name, inside]) => {
    const [row] = words(name);
    return ofxFile(`<${row}>${inside}</${row}>`);
  }),
  transfer("1", "IN"),
  transfer("1", "OUT"),
  ...withMet(swiftTypes, "MT940, MT942, MT950").flatMap((type) => [swiftFile(type, "C"), swiftFile(type, "D")]),
  ...withMet(bankCodes, "camt.052, camt.053, camt.054").flatMap((code) => [
    camtFile(code, "CRDT"),
    camtFile(code, "DBIT"),
  ]),
];

const introduction = `# Transaction kinds by code

Which \`kind\` a transaction gets from the code in a custodian's file. A test reads a movement with each code and renews this page.

- Of two kinds, the first is for incoming, the second for outgoing movements.
- **Bold**: the code occurs in the banks' files on which the readers were tried.
- Other codes have no kind, with these exceptions: other types of \`STMTTRN\` are deposits and withdrawals, other camt codes of SECU sales
  and purchases, of FORX \`fx\`, of PMNT deposits and withdrawals.
`;

it("[C-7.200] [C-7.204] docs/reference/feed-kinds.md says which code makes which kind (run this file with -u to renew it)", async () => {
  const kinds = new Map<string, Map<string, Set<MovementCode["kind"]>>>();
  for (const { format, code, kind } of files.flatMap((text) => movementCodes(Buffer.from(text)))) {
    const codes = kinds.get(format) ?? new Map<string, Set<MovementCode["kind"]>>();
    kinds.set(format, codes);
    codes.set(code, (codes.get(code) ?? new Set()).add(kind));
  }
  const tables = [...kinds].flatMap(([format, codes]) => {
    const told = new Map([...codes].map(([code, some]) => [code, [...some].map((kind) => kind ?? "none").join(" / ")]));
    const others = Object.keys(met[format] ?? {}).filter((code) => !told.has(code));
    expect(others, "codes met in samples are listed").toEqual(others.filter((code) => notCodes.has(code)));
    for (const other of others) told.set(other, "none");
    const codesOfKind = new Map<string, string[]>();
    for (const [code, kind] of told) codesOfKind.set(kind, [...(codesOfKind.get(kind) ?? []), shown(format, code)]);
    const lines = [...codesOfKind].map(([kind, some]) => `| ${kind} | ${some.join(", ")} |`);
    return [`## ${format}`, "", "| kind | codes |", "|---|---|", ...lines.toSorted(), ""];
  });
  await expect([introduction, ...tables].join("\n")).toMatchFileSnapshot("../../../docs/reference/feed-kinds.md");
});

describe.skipIf(!existsSync(samples))(`sample files${existsSync(samples) ? "" : ` (no folder ${samples})`}`, () => {
  it("[C-7.204] hold the codes that are counted (run this file with -u to count again)", async () => {
    const counts: Counts = {};
    for (const name of (readdirSync(samples, { recursive: true }) as string[]).sort())
      for (const { format, code } of codesOf(`${samples}/${name}`)) {
        const known = counts[format] ?? {};
        counts[format] = known;
        known[code] = (known[code] ?? 0) + 1;
      }
    await expect(`${JSON.stringify(counts, null, 2)}\n`).toMatchFileSnapshot("fixtures/sample-codes.json");
  });
});

/** Nothing for what is no file of these formats, or refused. */
function codesOf(path: string): readonly MovementCode[] {
  if (!/\.(?:ofx|sta|mt940|mt942|mt950|xml)$/i.test(path)) return [];
  try {
    return movementCodes(readFileSync(path));
  } catch (error) {
    if (error instanceof FeedRefusal) return [];
    throw error;
  }
}
