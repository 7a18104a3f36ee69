import { describe, expect, it } from "vitest";
import {
  changed,
  feedFixture,
  holdingsOf,
  portfoliosOf,
  refusalOfFeed,
  transactionsOf,
} from "../../test/feed-files.js";
import { readFeed } from "../feeds.js";

const file = "statement.camt053.xml";

it("[C-9.29] [C-9.30] reads a wrapped, prefixed, Latin 1 statement, every figure as written", () => {
  const feed = readFeed(feedFixture(file));
  expect(feed.format).toBe("camt.053");
  expect(feed.snapshot.as_of).toEqual(new Date("2024-01-31"));
  expect(portfoliosOf(feed)).toEqual(["CH9300762011623852957:CHF | Réserve | -49.955 CHF | L"]);
  expect(holdingsOf(feed)).toEqual(["Cash CHF | null | -49.955 | -49.955 CHF | 2024-01-31 | L"]);
  expect(transactionsOf(feed)).toEqual([
    "2024-01-31 | Larkspur & Söhne: Rent January | null | -150.00 CHF | null",
    "2024-01-31 | Reversal: PMNT MDOP FEES | null | 0.045 CHF | null",
  ]);
});

it.each([
  ["true", "Reversal: PMNT MDOP FEES", 0],
  ["1", "Reversal: PMNT MDOP FEES", 0],
  ["0", "PMNT MDOP FEES", 0],
  ["maybe", "PMNT MDOP FEES", 1],
])("[C-9.29] a reversal is told by %s", (is, description, warnings) => {
  const whole = readFeed(feedFixture(file));
  const feed = readFeed(changed(file, ["<c:RvslInd>true<", `<c:RvslInd>${is}<`]));
  expect(feed.snapshot.transactions?.[1]?.description).toBe(description);
  expect(feed.warnings).toHaveLength(whole.warnings.length + warnings);
});

it("one reference of the bank on two entries leaves them two, with ids that the next file repeats", () => {
  const keys = readFeed(feedFixture(file)).snapshot.transactions?.map(({ key }) => key);
  expect(keys).toEqual(['["R1","2024-01-31","-150.00","CHF"]', '["R1","2024-01-31","0.045","CHF"]']);
});

it("an entry that is not booked yet is left out and told", () => {
  expect(readFeed(feedFixture(file)).warnings).toEqual([
    {
      place: "line 39, column 11, Envelope/Body/Document/BkToCstmrStmt/Stmt/Ntry[3]",
      message: "an entry that is not booked yet; it is left out until it is",
    },
  ]);
});

describe("what banks write differently", () => {
  const balanceOf = (...changes: Parameters<typeof changed>[1][]) =>
    readFeed(changed(file, ...changes)).snapshot.portfolios?.[0]?.balance;
  it.each<[string, string | null, ...Parameters<typeof changed>[1][]]>([
    ["a zero that is owed is zero", "0.00", [">49.955<", ">0.00<"]],
    ["an interim balance where the day is not closed", "-49.955", [">CLBD<", ">ITBD<"]],
    ["a closing balance in another currency is no balance of the account", null, ['"CHF">49.955', '"EUR">49.955']],
    ["version 8 names no account currency", "-49.955", ["<c:Ccy>CHF</c:Ccy>", ""]],
    ["a leading plus and zeros", "-49.955", [">49.955<", ">+0049.955<"]],
  ])("%s", (_, balance, ...changes) => {
    expect(balanceOf(...changes)).toBe(balance);
  });

  it("version 8: a status that is a choice, a party that is wrapped", () => {
    const feed = readFeed(
      changed(
        file,
        ["<c:Sts>PDNG</c:Sts>", "<c:Sts><c:Cd>BOOK</c:Cd></c:Sts>"],
        [
          "<c:Cdtr><c:Nm>Larkspur &amp; S\u00F6hne</c:Nm></c:Cdtr>",
          "<c:Cdtr><c:Pty><c:Nm>Wrapped</c:Nm></c:Pty></c:Cdtr>",
        ],
      ),
    );
    expect(transactionsOf(feed)).toEqual([
      expect.stringContaining("Wrapped: Rent January"),
      expect.anything(),
      "2024-02-01 | Cash movement | null | -9.00 CHF | null",
    ]);
  });

  it("UTF-16 and UTF-8 with a mark at the beginning", () => {
    const text = feedFixture(file).toString("latin1").replace("ISO-8859-1", "UTF-8");
    for (const bytes of [Buffer.from(`\uFEFF${text}`, "utf16le"), Buffer.from(`\uFEFF${text}`)])
      expect(readFeed(bytes).snapshot.portfolios?.[0]?.name).toBe("Réserve");
  });
});

it.each<[string, RegExp, ...Parameters<typeof changed>[1][]]>([
  ["a number that is none", /line 21, .*\/Bal\[2\]\/Amt: "49,955" is not a decimal number/, [">49.955<", ">49,955<"]],
  ["a sign in an amount", /Amt: "-49.955" is negative; the sign is in CdtDbtInd/, [">49.955<", ">-49.955<"]],
  ["a day that does not exist", /Dt: "2024-02-30" is a date that does not exist/, ["2024-01-31+01:00", "2024-02-30"]],
  ["an amount without a currency", /Amt: Ccy is missing/, ['Ccy="CHF">49', ">49"]],
  ["a balance without a direction", /Bal\[2\]: CdtDbtInd is missing/, ["<c:CdtDbtInd>DBIT</c:CdtDbtInd>", ""]],
  [
    "an account without a number",
    /Acct\/Id: holds no account number/,
    ["<c:IBAN>CH93 0076 2011 6238 5295 7</c:IBAN>", ""],
  ],
  ["no statement", /holds no statement \(Stmt\)/, ["<c:Stmt>", "<c:Other>"], ["</c:Stmt>", "</c:Other>"]],
  [
    "a definition of entities",
    /a declaration inside the document/,
    ["<env:Env", '<!DOCTYPE a [<!ENTITY b "c">]><env:Env'],
  ],
])("%s refuses the whole file with the place", (_, refusal, ...changes) => {
  expect(refusalOfFeed(changed(file, ...changes))).toMatch(refusal);
});

it.each<[string, number, ...Parameters<typeof changed>[1][]]>([
  ["a statement without an id", 0, ["<c:Id>S1</c:Id>", ""]],
  ["a currency of the account that is none", 1, ["<c:Ccy>CHF<", "<c:Ccy>EURO<"]],
  [
    "a value date that is none, beside a booking date",
    1,
    ["</c:BookgDt>", "</c:BookgDt><c:ValDt><c:Dt>?</c:Dt></c:ValDt>"],
  ],
  [
    "a balance of no type, beside the closing one",
    0,
    [/<c:Tp>.*?OPBD.*?<\/c:Tp>/.exec(feedFixture(file).toString())?.[0] ?? "", ""],
  ],
])("[C-9.433] %s refuses nothing", (_, warnings, ...changes) => {
  const whole = readFeed(feedFixture(file));
  const feed = readFeed(changed(file, ...changes));
  expect(feed.snapshot).toEqual(whole.snapshot);
  expect(feed.warnings).toHaveLength(whole.warnings.length + warnings);
});

it("[C-9.433] an entry without a date is left out", () => {
  const whole = readFeed(feedFixture(file)).snapshot.transactions ?? [];
  const feed = readFeed(Buffer.from(changed(file, ["<c:ValDt><c:Dt>2024-01-31</c:Dt></c:ValDt>", ""])));
  expect(feed.snapshot.transactions).toHaveLength(whole.length - 1);
  expect(feed.left_out).toMatchObject([{ place: expect.stringContaining("Ntry[2]"), field: "Ntry" }]);
  expect(feed.warnings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^has neither a booking date .*; the movement is left out$/),
  );
});

const message = (kind: string, part: string, inside: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.x"><BkToCstmr${kind}><GrpHdr/><${part}><Id>1</Id><CreDtTm>2024-01-31T12:00:00</CreDtTm>
  <Acct><Id><IBAN>CH9300762011623852957</IBAN></Id><Ccy>CHF</Ccy><Svcr><FinInstnId><BICFI>POFICHBE</BICFI></FinInstnId></Svcr></Acct>
  ${inside}</${part}></BkToCstmr${kind}></Document>`;
const entry = (amount: string, reference = "R1", status = "BOOK") =>
  `<Ntry><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>2024-01-31</Dt></BookgDt>
  <ValDt><Dt>2024-02-01</Dt></ValDt>${reference && `<AcctSvcrRef>${reference}</AcctSvcrRef>`}</Ntry>`;
const closing =
  '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>';
const entries = entry("1.00") + entry("2", "") + entry("3", "R3", "PDNG");

it.each([
  ["SECU CORP DVCA", "CRDT", "dividend"],
  ["SECU CORP INTR", "CRDT", "coupon"],
  ["SECU CORP REDM", "CRDT", "redemption"],
  ["SECU CORP FEES", "DBIT", "fee"],
  ["SECU CORP XXXX", "CRDT", "sell"],
  ["SECU SETT TRAD", "DBIT", "buy"],
  ["SECU SETT TRAD", "CRDT", "sell"],
  ["SECU SETT SUBS", "DBIT", "buy"],
  ["SECU SETT REDM", "CRDT", "redemption"],
  ["ACMT MDOP INTR", "DBIT", "interest"],
  ["PMNT MDOP TAXE", "DBIT", "tax"],
  ["PMNT CNTR CDPT", "CRDT", "deposit"],
  ["PMNT CCRD CWDL", "DBIT", "withdrawal"],
  ["SECU CUST INTR", "CRDT", "coupon"],
  ["SECU CUST CHRG", "DBIT", "fee"],
  ["SECU OTHR OTHR", "DBIT", "buy"],
  ["PMNT RCDT ESCT", "CRDT", "deposit"],
  ["PMNT ICDT ESCT", "DBIT", "withdrawal"],
  ["PMNT RCDT COMM", "DBIT", "fee"],
  ["PMNT RCDT DVCA", "CRDT", "dividend"],
  ["PMNT RCDT toString", "CRDT", "deposit"],
  ["ACMT MCOP OTHR", "CRDT", undefined],
  ["FORX SPOT OTHR", "CRDT", "fx"],
  ["FORX SPOT FEES", "DBIT", "fee"],
])("[C-4.114] [C-7.200] an entry with the code %s, %s, is of kind %s", (code, side, kind) => {
  const [domain, family, subFamily] = code.split(" ");
  const coded = `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
  const kindsOf = (of: string) =>
    readFeed(Buffer.from(message("Stmt", "Stmt", closing + of))).snapshot.transactions?.map((row) => row.kind);
  const one = entry("1").replace("CRDT", side).replace("</Ntry>", `${coded}</Ntry>`);
  expect(kindsOf(one)).toEqual([kind]);
  // A reversal goes the other way, and is of the same kind.
  const reversed = one
    .replace(side, side === "CRDT" ? "DBIT" : "CRDT")
    .replace("<Sts>", "<RvslInd>true</RvslInd><Sts>");
  expect(kindsOf(reversed)).toEqual([kind]);
});

it.each([
  ["camt.052", "AcctRpt", "Rpt"],
  ["camt.054", "DbtCdtNtfctn", "Ntfctn"],
])("%s adds booked entries that a statement knows again, and no balance", (format, kind, part) => {
  const feed = readFeed(Buffer.from(message(kind, part, closing + entries)), { interim: true });
  expect(feed).toMatchObject({ format, sender: "POFICHBE", snapshot: { holdings: [] } });
  expect(feed.snapshot.portfolios).toEqual([
    expect.objectContaining({ balance: null, holdings_unknown: true, cash_account: true, servicer: "POFICHBE" }),
  ]);
  expect(feed.snapshot.transactions).toEqual([
    expect.objectContaining({
      references: ["ASRV:R1/2024-01-31/1CHF"],
      settlement_date: "2024-02-01",
      stage: "posted",
      balance: "1.00",
    }),
  ]);
  expect(feed.warnings).toHaveLength(2);
});

it("a booking is one transaction in every message: MT940, camt.053, camt.054 and camt.052 give it one reference", () => {
  const swift =
    ":20:1\n:25:CH9300762011623852957\n:60F:C240131CHF0,\n:61:2402010131C1,NTRFNONREF//R1\n:62F:C240131CHF1,\n-\n";
  const files = [message("Stmt", "Stmt", closing + entry("1.00")), message("AcctRpt", "Rpt", entry("1")), swift];
  const feeds = files.map((text) => readFeed(Buffer.from(text), { interim: true }).snapshot);
  const of = (read: (snapshot: (typeof feeds)[number]) => unknown) =>
    new Set(feeds.map((feed) => JSON.stringify(read(feed))));
  expect(of(({ transactions }) => transactions?.map(({ references }) => references))).toEqual(
    new Set(['[["ASRV:R1/2024-01-31/1CHF"]]']),
  );
  expect(of(({ portfolios }) => portfolios?.map(({ key }) => key))).toEqual(new Set(['["CH9300762011623852957:CHF"]']));
  const both = `<Both>${message("AcctRpt", "Rpt", entry("1"))}${files[0]}</Both>`;
  const together = readFeed(Buffer.from(both), { interim: true });
  expect([together.format, together.snapshot.transactions?.length]).toEqual(["camt.053", 1]);
});

it("reports of an unfinished day are refused unless they are asked for, and left out beside a statement", () => {
  const report = message("AcctRpt", "Rpt", entry("1"));
  expect(refusalOfFeed(report)).toMatch(/BkToCstmrAcctRpt: is an interim report \(camt\.052\).*FEED_INTERIM/);
  const both = readFeed(Buffer.from(`<Both>${report}${message("Stmt", "Stmt", closing)}</Both>`));
  expect([both.snapshot.transactions, both.warnings.length]).toEqual([[], 1]);
  expect(refusalOfFeed("<Document><BkToCstmrDbtCdtNtfctn/></Document>")).toContain("holds no notification (Ntfctn)");
});

it("[C-9.440] version 1 is named: a report as an interim one, what is not read as version 1", () => {
  const report = message("AcctRpt", "Rpt", entry("1")).replaceAll("BkToCstmrAcctRpt", "BkToCstmrAcctRptV01");
  expect(refusalOfFeed(report)).toMatch(/BkToCstmrAcctRptV01: is an interim report \(camt\.052\).*FEED_INTERIM/);
  const both = readFeed(Buffer.from(`<Both>${report}${message("Stmt", "Stmt", closing)}</Both>`));
  expect(both.warnings).toMatchObject([{ message: expect.stringContaining("is an interim report (camt.052)") }]);
  expect(() => readFeed(Buffer.from(report), { interim: true })).toThrow(/is version 1 of a report; what can be read/);
  const statement = message("Stmt", "Stmt", closing).replaceAll("BkToCstmrStmt", "BkToCstmrStmtV01");
  expect(refusalOfFeed(statement)).toMatch(/is version 1 of a statement; what can be read is version 2 and later/);
});

it("[C-9.437] a report or notification of one account refuses no other, and is as old as its message", () => {
  const good = message("DbtCdtNtfctn", "Ntfctn", entry("1.00"));
  const undated = good
    .replace("<CreDtTm>2024-01-31T12:00:00</CreDtTm>", "")
    .replace("<GrpHdr/>", "<GrpHdr><CreDtTm>2024-01-30T12:00:00</CreDtTm></GrpHdr>");
  expect(readFeed(Buffer.from(undated)).snapshot.as_of).toEqual(new Date("2024-01-30"));
  const other = undated.replace("2024-01-30T12", "x").replace("CH9300762011623852957", "DE02120300000000202051");
  const feed = readFeed(Buffer.from(`<All>${good}${other}</All>`));
  expect(feed.refused_accounts).toEqual(["DE02120300000000202051"]);
  expect(feed.snapshot.transactions).toHaveLength(1);
});

describe("several statements of an account", () => {
  const text = feedFixture(file).toString("latin1");
  const one = /<c:Stmt>.*<\/c:Stmt>/s.exec(text)?.[0] ?? "";
  const both = (other: string) => Buffer.from(text.replace(one, one + other), "latin1");
  it("the same one twice is refused: its entries would count twice", () => {
    expect(refusalOfFeed(both(one))).toMatch(/Stmt\[2\]: a statement, or a page of one, for the second time/);
  });
  it("a page that does not end its statement needs neither a closing balance nor the account's currency", () => {
    const page = one
      .replace(/<c:Bal>\s*<c:Tp><c:CdOrPrtry><c:Cd>CLBD.*?<\/c:Bal>/s, "")
      .replace("<c:Ccy>CHF</c:Ccy>", "")
      .replace("<c:Id>S1</c:Id>", "<c:Id>S1</c:Id><c:StmtPgntn><c:PgNb>0</c:PgNb></c:StmtPgntn>");
    const feed = readFeed(both(page));
    expect(portfoliosOf(feed)).toEqual(["CH9300762011623852957:CHF | R\u00E9serve | -49.955 CHF | L"]);
    expect(feed.snapshot.transactions).toHaveLength(4);
  });
  it("pages of one, and other days, add up, and the latest balance counts", () => {
    const page = one.replace("<c:Id>S1</c:Id>", "<c:Id>S1</c:Id><c:StmtPgntn><c:PgNb>2</c:PgNb></c:StmtPgntn>");
    const yesterday = one.replace(">S1<", ">S0<").replace("2024-01-31+01:00", "2024-01-30").replace(">49.955<", ">1<");
    const feed = readFeed(both(page + yesterday));
    expect(portfoliosOf(feed)).toEqual(["CH9300762011623852957:CHF | Réserve | -49.955 CHF | L"]);
    expect(feed.snapshot.transactions).toHaveLength(6);
  });
});

describe("[C-9.436] a statement without a closing booked balance", () => {
  const balance = (code: string, day = "<Dt><Dt>2024-01-30</Dt></Dt>") =>
    `<Bal><Tp><CdOrPrtry>${code}</CdOrPrtry></Tp><Amt Ccy="CHF">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${day}</Bal>`;
  const readStatement = (inside: string) => readFeed(Buffer.from(message("Stmt", "Stmt", inside)));
  it.each([["<Cd>OPBD</Cd>"], ["<Cd>PRCD</Cd>"]])("is filled from %s and its entries", (code) => {
    const { snapshot, warnings } = readStatement(balance(code) + balance("<Cd>CLAV</Cd>", "") + entry("5.50"));
    expect(snapshot.portfolios).toMatchObject([{ balance: "15.50", as_of: new Date("2024-01-31") }]);
    expect(snapshot.holdings).toMatchObject([{ balance: "15.50", valuation_date: "2024-01-31" }]);
    expect(warnings[0]?.message).toMatch(/no closing booked balance.*come to 15\.50 CHF/);
  });

  it.each([
    ["no opening balance", balance("<Prtry>CLOSING</Prtry>") + entry("5")],
    ["an entry that is left out", balance("<Cd>OPBD</Cd>") + entry("5") + entry("x")],
    ["an opening balance without a date", balance("<Cd>OPBD</Cd>", "") + entry("5")],
    ["an entry in another currency", balance("<Cd>OPBD</Cd>") + entry("5").replace('"CHF"', '"EUR"')],
  ])("has none, and says so, with %s", (_, inside) => {
    const { snapshot, warnings } = readStatement(inside);
    expect(snapshot.portfolios).toMatchObject([{ balance: null, holdings_unknown: true }]);
    expect(snapshot.holdings).toEqual([]);
    expect(snapshot.transactions).toHaveLength(1);
    expect(warnings.map(({ message: text }) => text)).toContainEqual(
      expect.stringMatching(/no closing booked balance/),
    );
  });
});

it("[C-9.433] an opening balance without a date says nothing beside a closing one", () => {
  const opening = closing.replace("CLBD", "OPBD").replace(/<Dt><Dt>.*<\/Dt><\/Dt>/, "");
  const { snapshot, warnings } = readFeed(Buffer.from(message("Stmt", "Stmt", opening + closing + entry("5"))));
  expect(snapshot.portfolios).toMatchObject([{ balance: "1" }]);
  expect(warnings).toEqual([]);
});

it.each(["2024-03-31T10:00:00+0100", "20240331", "2024-03-31 10:00:00", "2024-03-31Z"])(
  "[C-9.435] a day is read as %s",
  (day) => {
    const one = entry("5").replace("<Dt>2024-01-31</Dt>", day.length > 11 ? `<DtTm>${day}</DtTm>` : `<Dt>${day}</Dt>`);
    const { snapshot } = readFeed(Buffer.from(message("Stmt", "Stmt", closing + one)));
    expect(snapshot.transactions).toMatchObject([{ operation_date: "2024-03-31" }]);
  },
);

it("[C-9.437] of several accounts one that cannot be read is refused alone, with all of its statements", () => {
  const second = message("Stmt", "Stmt", closing + entry("5"));
  const first = (amount: string) =>
    second
      .replace("CH9300762011623852957", "DE02120300000000202051")
      .replace('<Amt Ccy="CHF">1<', `<Amt Ccy="CHF">${amount}<`);
  const later = first("1").replace("<Id>1</Id>", "<Id>2</Id>");
  const feed = readFeed(Buffer.from(`<All>${first("x")}${second}${later}</All>`));
  expect(feed.refused_accounts).toEqual(["DE02120300000000202051"]);
  expect(feed.snapshot.portfolios?.map(({ ref_account }) => ref_account)).toEqual(["CH9300762011623852957"]);
  expect(feed.snapshot.transactions).toHaveLength(1);
  expect(refusalOfFeed(Buffer.from(`<All>${first("x")}${later}</All>`))).toMatch(/Amt: "x" is not a decimal number/);
});

it.each(["NOTPROVIDED", "Not provided", "NONREF", "NONE", "N/A", "-", "000"])(
  "[C-9.431] the words %s are no reference, so that what different entries say tells them apart",
  (words) => {
    const { snapshot } = readFeed(Buffer.from(message("Stmt", "Stmt", closing + entry("5", words))));
    expect(snapshot.transactions).toMatchObject([{ key: null, balance: "5" }]);
    expect(snapshot.transactions?.[0]?.references).toBeUndefined();
  },
);
