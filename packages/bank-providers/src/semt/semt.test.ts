import { withoutPlaces } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { holdingsOf, portfoliosOf, refusalOfFeed } from "../../test/feed-files.js";
import { readFeed } from "../feeds.js";

const read = (text: string) => readFeed(Buffer.from(text));
const document = (message: string, root: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<d:Document xmlns:d="urn:iso:std:iso:20022:tech:xsd:${message}.001.09"><d:${root}>${inside.replace(/<(\/?)(?=\w)/g, "<$1d:")}</d:${root}></d:Document>`;
const page = (number: number, isLast: boolean) =>
  `<Pgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></Pgntn>`;
const account = "<AcctSvcr><Id><AnyBIC>CUSTCHZZ</AnyBIC></Id></AcctSvcr><SfkpgAcct><Id>4711</Id></SfkpgAcct>";
const of = (day: string, more = "") =>
  `<StmtGnlDtls><RptNb><Shrt>1</Shrt></RptNb><StmtDtTm><DtTm>${day}T18:00:00+02:00</DtTm></StmtDtTm>${more}</StmtGnlDtls>`;

const apple =
  "<FinInstrmId><ISIN>US0378331005</ISIN><OthrId><Id>037833100</Id><Tp><Cd>CUSP</Cd></Tp></OthrId><Desc>APPLE INC</Desc></FinInstrmId>";
const units = (kind: string, value: string, side = "LONG") =>
  `<AggtBal><ShrtLngInd>${side}</ShrtLngInd><Qty><Qty><Qty><${kind}>${value}</${kind}></Qty></Qty></Qty></AggtBal>`;
const money = (name: string, value: string, sign = "") => `<${name}><Amt Ccy="CHF">${value}</Amt>${sign}</${name}>`;
const balance = (inside: string) => `<BalForAcct>${inside}</BalForAcct>`;
const stock = balance(
  `${apple}<FinInstrmAttrbts><ClssfctnTp><ClssfctnFinInstrm>ESVUFR</ClssfctnFinInstrm></ClssfctnTp></FinInstrmAttrbts>${units("Unit", "10.50")}<PricDtls><Tp><Cd>MRKT</Cd></Tp><Val><Amt Ccy="USD">200.10</Amt></Val><QtnDt><Dt>2026-07-28</Dt></QtnDt></PricDtls><AcctBaseCcyAmts>${money("HldgVal", "1800.10")}${money("BookVal", "1500")}</AcctBaseCcyAmts>`,
);
const bond = balance(
  `<FinInstrmId><OthrId><Id>12345</Id><Tp><Cd>VALO</Cd></Tp></OthrId><Desc>BOND</Desc></FinInstrmId>${units("FaceAmt", "10000", "SHOR")}<PricDtls><Val><Rate>98.25</Rate></Val><ValTp><PARV/></ValTp></PricDtls><AcctBaseCcyAmts>${money("HldgVal", "9825.00", "<Sgn>false</Sgn>")}${money("AcrdIntrstAmt", "12.5")}</AcctBaseCcyAmts>`,
);
const total = `<AcctBaseCcyTtlAmts>${money("TtlHldgsValOfStmt", "8024.90", "<Sgn>false</Sgn>")}</AcctBaseCcyTtlAmts>`;

describe.each([
  ["semt.002", "SctiesBalCtdyRpt"],
  ["semt.003", "SctiesBalAcctgRpt"],
])("%s", (name, root) => {
  const file = (inside: string) => document(name, root, inside);

  it("positions with their values, prices, costs and numbers, under any prefix", () => {
    const feed = read(file(page(1, true) + of("2026-07-29") + account + stock + bond + total));
    expect([feed.format, feed.sender, feed.snapshot.as_of]).toEqual([
      name,
      "CUSTCHZZ",
      new Date("2026-07-29T16:00:00Z"),
    ]);
    expect(portfoliosOf(feed)).toEqual(["4711 | Safekeeping account 4711 | -8024.90 CHF | S"]);
    const inDigits = page(1, true).replace("true", "1") + of("2026-07-29") + account + stock + bond + total;
    expect(withoutPlaces(read(file(inDigits.replaceAll(">false<", ">0<"))).snapshot)).toEqual(
      withoutPlaces(feed.snapshot),
    );
    expect(holdingsOf(feed)).toEqual([
      "APPLE INC | US0378331005 | 10.50 | 1800.10 CHF | 2026-07-28 | VI",
      "BOND | null | -10000 | -9825.00 CHF | 2026-07-29 | FI",
    ]);
    expect(feed.snapshot.holdings).toMatchObject([
      {
        key: "ISIN:US0378331005",
        price: "200.10",
        price_currency: "USD",
        cost: "1500",
        identifiers: { cusip: "037833100" },
      },
      {
        key: "VALO:12345",
        price: "98.25",
        price_unit: "percent",
        accrued_interest: "12.5",
        identifiers: { valor: "12345" },
      },
    ]);
  });

  it("pages in files of their own wait, and read as one when they are put together", () => {
    const [first, last] = [
      file(page(1, false) + of("2026-07-29") + account + stock),
      file(page(2, true) + of("2026-07-29") + account + bond + total),
    ];
    const waiting = [first, last].flatMap((one) => read(one).pages ?? []);
    expect(waiting.map(({ number, is_last }) => [number, is_last])).toEqual([
      [1, false],
      [2, true],
    ]);
    const whole = read(waiting.map(({ text }) => text).join("\n"));
    expect(holdingsOf(whole)).toHaveLength(2);
    expect(portfoliosOf(whole)).toEqual(["4711 | Safekeeping account 4711 | -8024.90 CHF | S"]);
  });

  it("[C-9.433] an optional field that cannot be read is dropped with a warning, one that is not given without", () => {
    const odd =
      of("2026-07-29") + account + stock.replace("200.10", "x").replace("1500", "x").replace("2026-07-28", "x");
    const feed = read(file(odd));
    expect(holdingsOf(feed)).toEqual(["APPLE INC | US0378331005 | 10.50 | 1800.10 CHF | 2026-07-29 | VI"]);
    expect(feed.warnings).toHaveLength(3);
    expect(read(file(odd.replace(/>x</g, ">N/A<"))).warnings).toEqual([]);
    const bare = balance(`${apple}<FinInstrmAttrbts><DnmtnCcy>?</DnmtnCcy></FinInstrmAttrbts>${units("Unit", "1")}`);
    const none = read(file(of("2026-07-29") + account + bare));
    expect(holdingsOf(none)).toEqual(["APPLE INC | US0378331005 | 1 | null XXX | 2026-07-29 | O"]);
    expect(none.warnings[0]?.message).toBe('"?" is not a three-letter currency code; it is left out');
  });

  it("[C-9.437] of several accounts one that cannot be read is refused alone", () => {
    const both = file(of("2026-07-29") + account + stock).replace(
      /<\/d:Document>$/,
      `${/<d:Scties.*(?=<\/d:Document>)/.exec(file(of("2026-07-29") + account.replace("4711", "4712") + bond))?.[0]}</d:Document>`,
    );
    const feed = read(both.replace("10.50", "x"));
    expect(feed.refused_accounts).toEqual(["4711"]);
    expect(portfoliosOf(feed)).toEqual(["4712 | Safekeeping account 4712 | -9825.00 CHF | S"]);
    expect(feed.snapshot.holdings).toHaveLength(1);
  });

  it("sub-accounts have the sums of what they hold; the latest of several statements counts", () => {
    const part = `<SubAcctDtls><SfkpgAcct><Id>4712</Id></SfkpgAcct>${stock.replaceAll("BalForAcct", "BalForSubAcct")}</SubAcctDtls>`;
    expect(portfoliosOf(read(file(of("2026-07-29") + account + part)))).toEqual([
      "4712 | Safekeeping account 4712 | 1800.10 CHF | S",
    ]);
    const days = file(of("2026-07-28") + account + stock).replace(
      /<\/d:Document>$/,
      `${/<d:Scties.*(?=<\/d:Document>)/.exec(file(of("2026-07-29") + account + bond))?.[0]}</d:Document>`,
    );
    expect(holdingsOf(read(days))).toEqual(["BOND | null | -10000 | -9825.00 CHF | 2026-07-29 | FI"]);
  });

  it.each([
    [
      "what has changed only",
      of("2026-07-29", "<UpdTp><Cd>DELT</Cd></UpdTp>") + account,
      /StmtGnlDtls: holds only what has changed/,
    ],
    ["no account", of("2026-07-29"), /SfkpgAcct is missing$/],
    ["no day", of("2026-02-30") + account, /StmtDtTm: .* is not a date that exists$/],
    [
      "a number that is none",
      of("2026-07-29") + account + stock.replace("10.50", "10,50"),
      /Unit: "10,50" is not a decimal number$/,
    ],
    ["no quantity", of("2026-07-29") + account + balance(`${apple}<AggtBal/>`), /AggtBal: holds no quantity/],
    [
      "no security",
      of("2026-07-29") + account + balance(`<FinInstrmId/>${units("Unit", "1")}`),
      /identifies no security/,
    ],
  ])("is refused with its place for %s", (_, inside, expected) => {
    expect(refusalOfFeed(file(inside))).toMatch(expected);
  });
});

describe("semt.017", () => {
  const period =
    "<StmtGnlDtls><StmtPrd><FrDtToDt><FrDt>2026-07-01</FrDt><ToDt>2026-07-29</ToDt></FrDtToDt></StmtPrd></StmtGnlDtls>";
  const posting = (details: string, direction = "RECE") =>
    document(
      "semt.017",
      "SctiesTxPstngRpt",
      `${period}${account}<FinInstrmDtls>${apple}<Tx><AcctOwnrTxId>R1</AcctOwnrTxId><AcctSvcrTxId>S1</AcctSvcrTxId><CmonId>NONREF</CmonId><TxDtls><SctiesMvmntTp>${direction}</SctiesMvmntTp><PstngQty><Qty><Unit>2</Unit></Qty></PstngQty><FctvSttlmDt><Dt><Dt>2026-07-29</Dt></Dt></FctvSttlmDt>${details}</TxDtls></Tx></FinInstrmDtls>`,
    );
  const cash = (mark: string) => `<PstngAmt><Amt Ccy="USD">248.65</Amt><CdtDbtInd>${mark}</CdtDbtInd></PstngAmt>`;
  const only = (text: string) => read(text).snapshot.transactions?.[0];

  it("postings, known by what owner and servicer call them", () => {
    expect(read(posting("")).snapshot.portfolios).toMatchObject([
      { key: "4711", holdings_unknown: true, balance: null },
    ]);
    expect(only(posting(cash("DBIT")))).toEqual({
      key: null,
      portfolio_key: "4711",
      holding_key: "ISIN:US0378331005",
      operation_date: "2026-07-29",
      settlement_date: "2026-07-29",
      description: "Buy: APPLE INC",
      amount: "2",
      balance: "-248.65",
      currency: "USD",
      unit_price: null,
      kind: "buy",
      identifiers: { isin: "US0378331005", cusip: "037833100" },
      references: ["SEME:R1", "SEME:S1", "ASRF:S1"],
      stage: "posted",
      place: "line 2, column 510",
    });
  });

  it.each([
    ["free of payment", posting("", "DELI"), { amount: "-2", balance: null, kind: "transfer_out", currency: "XXX" }],
    ["a sale", posting(cash("CRDT"), "DELI"), { amount: "-2", balance: "248.65", kind: "sell" }],
    [
      "a reversal goes the other way",
      posting(`${cash("DBIT")}<RvslInd>true</RvslInd>`),
      { amount: "-2", balance: "248.65" },
    ],
    ["a reversal told by a digit", posting(`${cash("DBIT")}<RvslInd>1</RvslInd>`), { amount: "-2", balance: "248.65" }],
    ["no reversal", posting(`${cash("DBIT")}<RvslInd>0</RvslInd>`), { amount: "2", balance: "-248.65" }],
    ["a trade date", posting("<TradDt><Dt><Dt>2026-07-27</Dt></Dt></TradDt>"), { operation_date: "2026-07-27" }],
    ["a corporate action", posting("<CorpActnEvtTp><Cd>SPLF</Cd></CorpActnEvtTp>"), { kind: "split" }],
  ])("%s", (_, file, expected) => {
    expect(only(file)).toMatchObject(expected);
  });

  it.each([
    [
      "a reversal that is unclear",
      posting("<RvslInd>maybe</RvslInd>"),
      /RvslInd: "maybe" is neither true nor false; the/,
    ],
    ["a direction that is none", posting("", "XXXX"), /SctiesMvmntTp: "XXXX" is neither RECE nor DELI; the movement/],
    ["no quantity", posting("").replace("<d:Unit>2</d:Unit>", ""), /PstngQty: holds no quantity/],
  ])("[C-9.433] a posting with %s is left out with its place", (_, file, warning) => {
    const { snapshot, left_out, warnings } = read(file);
    expect([snapshot.transactions, snapshot.portfolios?.length, left_out?.length]).toEqual([[], 1, 1]);
    expect(warnings.map(({ place, message }) => `${place}: ${message}`)).toEqual([expect.stringMatching(warning)]);
  });

  it("[C-9.433] a settlement date that is none is dropped beside a trade date, and so is a period", () => {
    const file = posting("<TradDt><Dt><Dt>2026-07-27</Dt></Dt></TradDt>");
    const { snapshot, warnings } = read(file.replaceAll("2026-07-29", "2026-02-30"));
    expect(snapshot.transactions).toMatchObject([{ operation_date: "2026-07-27" }]);
    expect(snapshot.as_of).toEqual(new Date("2026-07-27"));
    expect(warnings).toHaveLength(2);
  });

  it("what is cut off is refused, wherever", () => {
    const text = posting(cash("DBIT"));
    for (let end = 60; end < text.length; end += 11) expect(refusalOfFeed(text.slice(0, end))).toMatch(/: /);
  });
});
