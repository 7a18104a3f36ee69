import { describe, expect, it } from "vitest";
import { changed } from "../../test/feed-files.js";
import {
  accessRefusal,
  fixture,
  fundPosition,
  investmentStatement,
  parse,
  securityId,
  statementFile,
  statementResponse,
} from "../../test/ofx-files.js";
import { ofxFormat } from "./ofx-format.js";

const list = (...positions: string[]) => `<INVPOSLIST>${positions.join("")}</INVPOSLIST>`;

it("[C-9.29] [C-5.69] reads a whole SGML statement, every figure as written", () => {
  const key = "larkspur.example:77-1:USD";
  const security = "CUSIP:111222337";
  expect(ofxFormat.read(fixture("brokerage-sgml.ofx"))).toEqual({
    sender: "Larkspur Trust",
    keys: "unique",
    as_of: new Date("2024-01-31T23:00:00Z"),
    portfolios: [
      {
        key,
        name: "Larkspur Trust 77-1",
        balance: "320.750",
        currency: "USD",
        ref_account: "77-1",
        type: "S",
        as_of: new Date("2024-01-31T23:00:00Z"),
        place: "line 21, column 1",
      },
    ],
    holdings: [
      {
        key: security,
        portfolio_key: key,
        name: "Velmora Foods & Cafés Inc",
        isin: "US1112223375",
        amount: "10.500",
        balance: "220.500",
        currency: "USD",
        valuation_date: "2024-01-31",
        type: "VI",
        subtype: null,
        price: "21.00",
        identifiers: { cusip: "111222337" },
        place: "line 43, column 1",
      },
      {
        key: "PRIVATE:OWN-1",
        portfolio_key: key,
        name: "OWN-1",
        isin: null,
        amount: "0",
        balance: "0.00",
        currency: "USD",
        valuation_date: "2024-01-31",
        type: "O",
        subtype: null,
        place: "line 47, column 1",
      },
      {
        key: "CASH:USD",
        portfolio_key: key,
        name: "Cash USD",
        isin: null,
        amount: "100.25",
        balance: "100.25",
        currency: "USD",
        valuation_date: "2024-01-31",
        type: "L",
        subtype: null,
        place: "line 52, column 1",
      },
    ],
    transactions: [
      {
        key: "B1",
        portfolio_key: key,
        holding_key: security,
        operation_date: "2024-01-05",
        description: "Buy: Velmora Foods & Cafés Inc",
        amount: "10.500",
        balance: "-210.00",
        currency: "USD",
        unit_price: "20.00",
        kind: "buy",
        identifiers: { cusip: "111222337" },
        place: "line 27, column 1",
      },
      {
        key: "D1",
        portfolio_key: key,
        holding_key: security,
        operation_date: "2024-01-10",
        description: "DIVIDEND: Velmora Foods & Cafés Inc",
        amount: null,
        balance: "1.05",
        currency: "USD",
        unit_price: null,
        kind: "dividend",
        identifiers: { cusip: "111222337" },
        place: "line 33, column 1",
      },
      {
        key: "F1",
        portfolio_key: key,
        holding_key: null,
        operation_date: "2024-01-31",
        description: "CUSTODY FEE & TAX",
        amount: null,
        balance: "-2.50",
        currency: "USD",
        unit_price: null,
        kind: "fee",
        place: "line 38, column 14",
      },
    ],
    warnings: [],
  });
});

it("reads a whole XML statement", () => {
  expect(ofxFormat.read(fixture("brokerage-xml.ofx"))).toMatchObject({
    as_of: new Date("2024-01-31T00:00:00Z"),
    portfolios: [{ key: "tamarack.example:C-9:CAD", name: "tamarack.example C-9", balance: "99.99", currency: "CAD" }],
    holdings: [
      {
        key: "ISIN:CA1112223377",
        isin: "CA1112223377",
        name: "Érable <Équilibré> & Co",
        amount: "3.25",
        balance: "13.00",
        currency: "CAD",
        valuation_date: "2024-01-30",
        type: "F",
      },
      { key: "CASH:CAD", amount: "1", balance: "1", currency: "CAD", valuation_date: "2024-01-31", type: "L" },
    ],
    transactions: [],
  });
});

describe("currencies", () => {
  it.each([
    ["the statement's by default", "", "USD", "US1112223375"],
    ["CURRENCY, which the amounts are in", "<CURRENCY><CURRATE>1.3<CURSYM>CAD</CURRENCY>", "CAD", "CA1112223377"],
    [
      "not ORIGCURRENCY, which they were converted from",
      "<ORIGCURRENCY><CURRATE>1.3<CURSYM>cad</ORIGCURRENCY>",
      "USD",
      "CA1112223377",
    ],
  ])("are %s", (_, extra, currency, isin) => {
    const { holdings } = parse(statementFile(list(fundPosition("111222337", "3", extra, "CUSIP"))));
    expect(holdings).toMatchObject([{ currency, isin }]);
  });

  it("that are no codes are refused", () => {
    const file = statementFile(list(fundPosition("A", "3", "<CURRENCY><CURRATE>1<CURSYM>Euro</CURRENCY>")));
    expect(accessRefusal(file)).toContain('CURRENCY/CURSYM: "EURO" is not a three-letter currency code');
  });
});

describe("positions", () => {
  const inPosition = `<INVPOS>${securityId("A")}<UNITS>1<UNITPRICE>1<MKTVAL>1<DTPRICEASOF>20240131</INVPOS>`;

  it.each([
    ["POSMF", "F", null],
    ["POSSTOCK", "VI", null],
    ["POSDEBT", "FI", null],
    ["POSOPT", "DV", "OP"],
    ["POSOTHER", "O", null],
  ])("[C-4.40] %s is of type %s", (name, type, subtype) => {
    expect(parse(statementFile(list(`<${name}>${inPosition}</${name}>`))).holdings).toMatchObject([{ type, subtype }]);
  });

  it("of a kind that OFX does not have are refused, not dropped", () => {
    for (const name of ["POSGOLD", "toString", "__PROTO__"]) {
      expect(accessRefusal(statementFile(list(`<${name}>${inPosition}</${name}>`)))).toContain(
        "is no kind of position",
      );
    }
  });

  it("in one security stay apart, named in order when the list names each", () => {
    const held = list(fundPosition("A", "1"), fundPosition("B", "2"), fundPosition("A", "3"));
    const security = (id: string, name: string) =>
      `<MFINFO><SECINFO>${securityId(id)}<SECNAME>${name}</SECINFO></MFINFO>`;
    const named = (...entries: string[]) => `<SECLISTMSGSRSV1><SECLIST>${entries.join("")}</SECLIST></SECLISTMSGSRSV1>`;
    const names = (...entries: string[]) =>
      parse(statementFile(held, named(...entries))).holdings?.map(({ name }) => name);
    expect(names(security("A", "one"), security("A", "two"), security("B", "b"))).toEqual(["one", "b", "two"]);
    expect(names(security("A", "only"))).toEqual(["only", "B", "only"]);
    expect(names(security("A", "one"), security("A", "two"), security("A", "three"))).toEqual(["one", "B", "one"]);
  });

  it.each([
    ["CUSIP", "111222337", "US1112223375"],
    ["CUSIP", "111222338", null],
    ["CUSIP", "G7945E105", null],
    ["ISIN", "bmg7945e1057", "BMG7945E1057"],
    ["ISIN", "BMG7945E1058", null],
    ["SEDOL", "0263494", null],
  ])("of %s %s have the ISIN %s and are never refused for it", (scheme, number, isin) => {
    expect(parse(statementFile(list(fundPosition(number, "1", "", scheme)))).holdings).toMatchObject([{ isin }]);
  });
});

describe("several statements", () => {
  it("of several accounts are all read, as of the latest", () => {
    const later = statementResponse(list(fundPosition("B", "2")), "<BROKERID>b<ACCTID>2").replace(
      "20240131",
      "20240201120000[-5:EST]",
    );
    const file = statementFile(list(fundPosition("A", "1"))).replace(
      "</INVSTMTMSGSRSV1>",
      `${later}</INVSTMTMSGSRSV1>`,
    );
    const snapshot = parse(file);
    expect(snapshot.as_of.toISOString()).toBe("2024-02-01T17:00:00.000Z");
    expect(snapshot.portfolios?.map(({ key, balance: sum }) => [key, sum])).toEqual([
      ["b:1:USD", "1"],
      ["b:2:USD", "2"],
    ]);
    expect(snapshot.holdings?.map(({ portfolio_key }) => portfolio_key)).toEqual(["b:1:USD", "b:2:USD"]);
  });

  it("of one account are told apart by currency, and refused when they are not", () => {
    const again = (statement: string) =>
      statementFile("").replace("</INVSTMTMSGSRSV1>", `${statement}</INVSTMTMSGSRSV1>`);
    const inEuros = statementResponse("").replace("<CURDEF>USD", "<CURDEF>EUR");
    expect(parse(again(inEuros)).portfolios?.map(({ key }) => key)).toEqual(["b:1:USD", "b:1:EUR"]);
    expect(accessRefusal(again(statementResponse("")))).toContain(
      "a second statement of the same account and currency",
    );
  });
});

describe("refusals", () => {
  const bankFile = (movement: string, ledger = "<BALAMT>1<DTASOF>20240101") =>
    `<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>POFICHBE<ACCTID>CH93 0076 2011 6238 5295 7<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><STMTTRN>${movement}</STMTTRN></BANKTRANLIST><LEDGERBAL>${ledger}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
  it("a bank statement is an account of liquidity, whose IBAN is its key; without a balance it tells movements only", () => {
    const file = bankFile(movement, "<BALAMT>-7.50<DTASOF>20240131");
    const cards = "<CREDITCARDMSGSRSV1><CCSTMTTRNRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>";
    const { portfolios, holdings, transactions, warnings } = ofxFormat.read(Buffer.from(file.replace("</OFX>", cards)));
    const account = { key: "CH9300762011623852957:USD", cash_account: true, servicer: "POFICHBE", type: "L" };
    expect(portfolios).toMatchObject([{ ...account, balance: "-7.50", as_of: new Date("2024-01-31") }]);
    expect(holdings).toMatchObject([{ key: "CASH:USD", balance: "-7.50" }]);
    expect(transactions).toMatchObject([{ key: "1", balance: "-1", holding_key: "CASH:USD", stage: "posted" }]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "card statements are left out",
      "TRNAMT 1 contradicts TRNTYPE FEE; its sign is turned",
    ]);
    const open = file.replace(/<LEDGERBAL>.*<\/LEDGERBAL>/s, "").replace("<STMTTRN>", "<DTSTART>20240130<STMTTRN>");
    const told = ofxFormat.read(Buffer.from(open));
    expect(told.portfolios).toMatchObject([{ holdings_unknown: true, balance: null, as_of: new Date("2024-01-30") }]);
    expect([told.holdings?.length, told.transactions?.length, told.warnings.length]).toEqual([0, 1, 2]);
  });
  const movement = "<TRNTYPE>FEE<DTPOSTED>20240101<TRNAMT>1<FITID>1";
  const status = (inside: string) => statementFile("").replace("<CODE>0<SEVERITY>INFO", inside);

  it.each([
    ["only card statements", "<OFX><CREDITCARDMSGSRSV1></CREDITCARDMSGSRSV1></OFX>", "holds card statements only"],
    ["no statement", "<OFX></OFX>", "OFX: is OFX and holds no investment or bank statement (INVSTMTMSGSRSV1,"],
    ["a bank account without number", bankFile(movement).replace(/<ACCTID>[^<]*/, ""), "ACCTID is missing"],
    [
      "a bank statement that says nothing",
      bankFile(movement).replace(/<BANKTRANLIST>.*<\/LEDGERBAL>/s, ""),
      "STMTRS: has neither a balance (LEDGERBAL) nor movements",
    ],
    [
      "an empty bank balance",
      bankFile(movement, "<BALAMT></BALAMT><DTASOF>20240101"),
      "LEDGERBAL/BALAMT: BALAMT is empty",
    ],
    [
      "an error status",
      status("<CODE>2000<SEVERITY>ERROR<MESSAGE>Down &amp; out"),
      'the bank reports error 2000: "Down & out"',
    ],
    ["an error without severity", status("<CODE>15500"), "the bank reports error 15500"],
    ["an error without code", status("<SEVERITY>ERROR"), "the bank reports error without a code"],
    [
      "a statement that is missing",
      "<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>",
      "holds no investment or bank statement",
    ],
    ["no date", statementFile("").replace("<DTASOF>20240131", ""), "INVSTMTRS: DTASOF is missing"],
    ["no currency", statementFile("").replace("<CURDEF>USD", ""), "INVSTMTRS: CURDEF is missing"],
    ["no account", statementFile("").replace("<ACCTID>1", ""), "INVACCTFROM: ACCTID is missing"],
    [
      "no units",
      statementFile(list(fundPosition("A", "1"))).replace("<UNITS>1", ""),
      "INVPOSLIST/POSMF/INVPOS: UNITS is missing",
    ],
    ["no value", statementFile(list(fundPosition("A", "1"))).replace("<MKTVAL>1", ""), "INVPOS: MKTVAL is missing"],
    [
      "no security",
      statementFile(list(fundPosition("A", "1"))).replace(securityId("A"), ""),
      "INVPOS: SECID is missing",
    ],
    ["a value that is no number", statementFile(list(fundPosition("A", "$1"))), 'MKTVAL: "$1" is not a decimal number'],
  ])("[C-9.29] a file with %s is refused for it", (_, file, reason) => {
    expect(accessRefusal(file)).toContain(reason);
  });

  it("[C-9.437] a statement with an error of the bank is left out with a warning beside one that has none", () => {
    const failed = "<STMTTRNRS><STATUS><CODE>2000<SEVERITY>ERROR<MESSAGE>Down</STATUS></STMTTRNRS>";
    const file = bankFile(movement).replace("<STMTTRNRS>", `${failed}<STMTTRNRS>`);
    const feed = ofxFormat.read(Buffer.from(file));
    expect(feed.portfolios).toHaveLength(1);
    expect(feed.warnings?.map(({ message }) => message)).toContain(
      'the bank reports error 2000: "Down"; its statement is left out',
    );
  });

  it("name line, column and path", () => {
    const file = statementFile(`\n  ${list(fundPosition("A", "1"), fundPosition("B", "x"))}`);
    expect(accessRefusal(file)).toMatch(
      /^line 7, column \d+, OFX\/INVSTMTMSGSRSV1\/INVSTMTTRNRS\/INVSTMTRS\/INVPOSLIST\/POSMF\[2\]\/INVPOS\/MKTVAL: "x" is not a decimal number$/,
    );
  });

  it("do not meet warnings and good bank statements beside an investment statement", () => {
    const warned = statementFile(list(fundPosition("A", "1"))).replace(
      "<CODE>0<SEVERITY>INFO",
      "<CODE>2<SEVERITY>WARN",
    );
    expect(parse(warned).holdings).toHaveLength(1);
    const both = bankFile(movement).replace("<OFX>", `<OFX>${investmentStatement("")}`);
    expect(parse(both).portfolios?.map(({ key }) => key)).toEqual(["b:1:USD", "CH9300762011623852957:USD"]);
  });
});

it.each([
  ["a CUSIP with a wrong check digit", "CUSIP", "111222338", /CUSIP "111222338" has a wrong check digit/],
  ["no CUSIP at all", "CUSIP", "1112", /"1112" is no CUSIP/],
  ["an ISIN with a wrong check digit", "ISIN", "US1112223376", /"US1112223376" has a wrong check digit/],
])("%s is told with its place, and the holding is kept without an ISIN", (_, scheme, number, message) => {
  const { holdings, warnings } = ofxFormat.read(
    Buffer.from(statementFile(list(fundPosition(number, "1", "", scheme)))),
  );
  expect(holdings).toMatchObject([{ isin: null, amount: "1" }]);
  expect(warnings).toEqual([
    {
      place: expect.stringMatching(/^line \d+, column \d+, OFX\/.*\/INVPOS$/),
      message: expect.stringMatching(message),
    },
  ]);
});

it("of many warnings the first are told, and how many more there are", () => {
  const bad = Array.from({ length: 30 }, () => fundPosition("111222338", "1", "", "CUSIP"));
  const { warnings } = ofxFormat.read(Buffer.from(statementFile(list(...bad))));
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toEqual({ place: "file", message: "10 more warnings" });
});

it("[C-5.69] facts of a statement are read, and one that cannot be read is not known", () => {
  const facts = (more: string) =>
    ofxFormat.read(
      changed("brokerage-sgml.ofx", ["<UNITPRICE>20.00", `<UNITPRICE>20.00<COMMISSION>1.50<FEES>0.25${more}`]),
    ).transactions?.[0];
  expect(facts("<TAXES>0.10")).toMatchObject({ kind: "buy", fees: "1.75", taxes: "0.10" });
  expect(facts("<TAXES>a few")).not.toHaveProperty("taxes");
});

it.each([
  ["positions", /<UNITS>1/, "<UNITS>x"],
  ["currency", /<CURDEF>[A-Z]*/, ""],
])("[C-9.437] of several accounts one whose %s cannot be read is refused alone", (_, field, odd) => {
  const one = list(fundPosition("A", "1"));
  const file = statementFile(one).replace(/<INVSTMTTRNRS>.*<\/INVSTMTTRNRS>/s, (good) =>
    [good.replace(field, odd).replace(/<ACCTID>[^<\s]*/, "<ACCTID>odd"), good].join(""),
  );
  const { portfolios, refused_accounts, warnings } = parse(file);
  expect(refused_accounts).toEqual(["odd"]);
  expect(portfolios).toHaveLength(1);
  expect(warnings.map(({ message }) => message)).toContainEqual(expect.stringMatching(/the account "odd" is refused/));
});
