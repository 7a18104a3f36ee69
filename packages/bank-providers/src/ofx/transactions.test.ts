import { describe, expect, it } from "vitest";
import { accessRefusal, parse, securityId, statementFile } from "../../test/ofx-files.js";

const file = (...rows: string[]) =>
  statementFile(`<INVTRANLIST><DTSTART>20240101<DTEND>20240131${rows.join("")}</INVTRANLIST>`);
/** The movements left out, each with its warning. */
const leftOut = (text: string) => {
  const { left_out = [], warnings } = parse(text);
  return left_out.map((one) => ({ ...one, ...warnings.find(({ place }) => place === one.place) }));
};
const only = (row: string) => parse(file(row)).transactions?.[0];
const header = "<INVTRAN><FITID>t1<DTTRADE>20240115</INVTRAN>";
const security = securityId("A");

describe("[C-9.29] signed units and signed cash of every kind", () => {
  const trade = (name: string, inside: string, figures: string) =>
    `<${name}><${inside}>${header}${security}${figures}</${inside}></${name}>`;
  const bought = "<UNITS>2.50<UNITPRICE>4<TOTAL>-10.00";
  const sold = "<UNITS>-2.50<UNITPRICE>4<TOTAL>10.00";

  it.each(["BUYDEBT", "BUYMF", "BUYOPT", "BUYOTHER", "BUYSTOCK"])("%s", (name) => {
    expect(only(trade(name, "INVBUY", bought))).toMatchObject({
      amount: "2.50",
      balance: "-10.00",
      unit_price: "4",
      description: "Buy: A",
    });
  });

  it.each(["SELLDEBT", "SELLMF", "SELLOPT", "SELLOTHER", "SELLSTOCK"])("%s", (name) => {
    expect(only(trade(name, "INVSELL", sold))).toMatchObject({
      amount: "-2.50",
      balance: "10.00",
      unit_price: "4",
      description: "Sell: A",
    });
  });

  it.each([
    ["INCOME", `${security}<INCOMETYPE>DIV<TOTAL>3.1`, null, "3.1", null, "Dividend: A"],
    ["INCOME", `${security}<INCOMETYPE>CGLONG<TOTAL>3`, null, "3", null, "Long-term capital gain: A"],
    ["INCOME", `${security}<INCOMETYPE>toString<TOTAL>3`, null, "3", null, "Income: A"],
    [
      "REINVEST",
      `${security}<INCOMETYPE>INTEREST<TOTAL>-3<UNITS>1.5<UNITPRICE>2`,
      "1.5",
      "-3",
      "2",
      "Interest reinvested: A",
    ],
    ["RETOFCAP", `${security}<TOTAL>4`, null, "4", null, "Return of capital: A"],
    ["INVEXPENSE", `${security}<TOTAL>-4`, null, "-4", null, "Expense: A"],
    ["MARGININTEREST", "<TOTAL>-0.5", null, "-0.5", null, "Margin interest"],
    ["JRNLFUND", "<SUBACCTTO>CASH<SUBACCTFROM>MARGIN<TOTAL>7", null, "7", null, "Cash moved between sub-accounts"],
    ["JRNLSEC", `${security}<UNITS>8`, "8", null, null, "Moved between sub-accounts: A"],
    ["TRANSFER", `${security}<UNITS>8<TFERACTION>IN<UNITPRICE>2.0`, "8", null, "2.0", "Transfer in: A"],
    ["TRANSFER", `${security}<UNITS>8.10<TFERACTION>OUT<POSTYPE>LONG`, "-8.10", null, null, "Transfer out: A"],
    ["TRANSFER", `${security}<UNITS>-8<TFERACTION>OUT<POSTYPE>LONG`, "-8", null, null, "Transfer out: A"],
    ["TRANSFER", `${security}<UNITS>8<TFERACTION>OUT<POSTYPE>SHORT`, "8", null, null, "Transfer out: A"],
    [
      "SPLIT",
      `${security}<OLDUNITS>10<NEWUNITS>15.50<NUMERATOR>3<DENOMINATOR>2<FRACCASH>0.3`,
      "5.50",
      "0.3",
      null,
      "Split: A",
    ],
    ["SPLIT", `${security}<OLDUNITS>10.0<NEWUNITS>1<NUMERATOR>1<DENOMINATOR>10`, "-9.0", null, null, "Split: A"],
    [
      "CLOSUREOPT",
      `${security}<OPTACTION>EXPIRE<UNITS>-2<SHPERCTRCT>100`,
      "-2",
      null,
      null,
      "Option closed: EXPIRE: A",
    ],
  ])("%s %s", (name, figures, amount, balance, unit_price, description) => {
    expect(only(`<${name}>${header}${figures}</${name}>`)).toMatchObject({
      key: "t1",
      amount,
      balance,
      unit_price,
      description,
    });
  });
});

const movement = (fields: string) => `<INVBANKTRAN><STMTTRN>${fields}</STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>`;

it.each([
  ["INCOME", "<INCOMETYPE>CGSHORT<TOTAL>3", "dividend"],
  ["INCOME", "<INCOMETYPE>INTEREST<TOTAL>3", "interest"],
  ["INCOME", "<INCOMETYPE>MISC<TOTAL>3", undefined],
  ["REINVEST", "<INCOMETYPE>DIV<TOTAL>-3<UNITS>1<UNITPRICE>3", "dividend"],
  ["REINVEST", "<INCOMETYPE>INTEREST<TOTAL>-3<UNITS>1<UNITPRICE>3", "interest"],
  ["REINVEST", "<INCOMETYPE>MISC<TOTAL>-3<UNITS>1<UNITPRICE>3", undefined],
  ["TRANSFER", "<UNITS>8<TFERACTION>IN", "transfer_in"],
  ["TRANSFER", "<UNITS>8<TFERACTION>OUT", "transfer_out"],
  ["TRANSFER", "<UNITS>-8<TFERACTION>OUT", "transfer_out"],
  ["RETOFCAP", "<TOTAL>4", undefined],
])("[C-4.114] [C-7.200] %s with %s is of kind %s", (name, figures, kind) => {
  expect(only(`<${name}>${header}${security}${figures}</${name}>`)?.kind).toBe(kind);
});

describe("cash movements", () => {
  const fields = "<TRNTYPE>DEP<DTPOSTED>20240102<TRNAMT>+1.20<FITID>m1";

  it.each([
    ["<NAME>PAYEE LTD<MEMO>invoice 7", "PAYEE LTD: invoice 7"],
    ["<NAME>PAYEE LT<MEMO>PAYEE LTD, invoice 7", "PAYEE LTD, invoice 7"],
    ["<NAME>PAYEE", "PAYEE"],
    ["<MEMO>memo", "memo"],
    ["<PAYEE><NAME>Full Name<CITY>X</PAYEE>", "Full Name"],
    ["", "DEP"],
  ])("with %j are described as %j", (words, description) => {
    expect(only(movement(fields + words))).toEqual({
      key: "m1",
      portfolio_key: "b:1:USD",
      holding_key: null,
      operation_date: "2024-01-02",
      description,
      amount: null,
      balance: "1.20",
      currency: "USD",
      unit_price: null,
      kind: "deposit",
      place: "line 6, column 106",
    });
  });

  it.each([
    ["ATM", "1", "deposit"],
    ["ATM", "-1", "withdrawal"],
    ["CASH", "-1", "withdrawal"],
    ["DIRECTDEP", "1", "deposit"],
    ["DIV", "1", "dividend"],
    ["fee", "-1", "fee"],
    ["INT", "1", "interest"],
    ["SRVCHG", "-1", "fee"],
    ["XFER", "1", "deposit"],
    ["XFER", "-1", "withdrawal"],
    ["CREDIT", "1", "deposit"],
    ["PAYMENT", "-1", "withdrawal"],
    ["OTHER", "1", "deposit"],
    ["constructor", "1", "deposit"],
    ["", "1", undefined],
  ])("[C-4.114] [C-7.200] of type %s with %s are of kind %s", (type, amount, kind) => {
    const row = `<TRNTYPE>${type}<DTPOSTED>20240102<TRNAMT>${amount}<FITID>m1`;
    expect(only(movement(row))?.kind).toBe(kind);
  });

  it("have their own currency where they say so", () => {
    expect(only(movement(`${fields}<CURRENCY><CURRATE>1<CURSYM>EUR</CURRENCY>`))).toMatchObject({ currency: "EUR" });
  });
});

describe("keys", () => {
  const row = (id: string, amount: string, extra = "") =>
    movement(`<TRNTYPE>DEP<DTPOSTED>20240102<TRNAMT>${amount}<FITID>${id}${extra}`);
  const readRows = (...rows: string[]) => {
    const { transactions, corrections } = parse(file(...rows));
    return {
      transactions: transactions?.map(({ key, balance }) => [key, balance]),
      corrections: corrections?.map(({ key, by }) => [key, by?.balance ?? null]),
    };
  };

  it("[C-9.431] are as the sender gives them, also where one comes again or is missing", () => {
    const rows = [row("a", "1"), row("a", "1"), row("a", "2"), row("", "3")];
    expect(readRows(...rows)).toEqual({
      transactions: [
        ["a", "1"],
        ["a", "1"],
        ["a", "2"],
        [null, "3"],
      ],
      corrections: undefined,
    });
  });

  it("[C-9.431] are those of the corrected row in a correction, and in one of a correction", () => {
    const replace = (key: string) => `<CORRECTFITID>${key}<CORRECTACTION>REPLACE`;
    const remove = "<CORRECTFITID>b<CORRECTACTION>DELETE";
    const rows = [row("a", "1"), row("b", "2"), row("c", "3", replace("a")), row("d", "0", remove), row("e", "5")];
    expect(readRows(...rows, row("f", "4", replace("c")))).toEqual({
      transactions: [["e", "5"]],
      corrections: [
        ["a", "4"],
        ["b", null],
      ],
    });
    // Of several rows with the number only one is corrected: the one that agrees in most.
    const [feb, mar] = [row("k", "3"), row("k", "9").replace("20240102", "20240305")];
    const fixed = row("n", "8", replace("k")).replace("20240102", "20240305");
    expect(readRows(feb, mar, fixed)).toEqual({ transactions: [["k", "3"]], corrections: [["k", "8"]] });
    const both = parse(file(feb, mar, fixed, row("o", "3", "<CORRECTFITID>k<CORRECTACTION>DELETE")));
    expect(both.transactions).toEqual([]);
    expect(both.corrections).toMatchObject([{ of: { balance: "9" }, by: { balance: "8" } }, { by: null }]);
    expect(both.warnings).toEqual([]);
    const unclear = parse(file(row("k", "3"), row("k", "9"), row("n", "8", replace("k"))));
    expect(unclear.corrections).toMatchObject([{ of: { balance: "9" } }]);
    expect(unclear.warnings).toMatchObject([
      { message: expect.stringMatching(/^does not tell which row with FITID "k"/) },
    ]);
    expect(leftOut(file(row("c", "3", "<CORRECTFITID>a<CORRECTACTION>UNDO")))).toMatchObject([
      { field: "CORRECTACTION", message: expect.stringContaining("is neither REPLACE nor DELETE") },
    ]);
  });
});

it.each([
  ["an unknown kind", `<BUYGOLD>${header}</BUYGOLD>`, 'BUYGOLD: "BUYGOLD" is no kind of investment transaction'],
  ["a kind named like a built-in", `<constructor>${header}</constructor>`, "is no kind of investment transaction"],
  ["no date", `<INCOME><INVTRAN><FITID>1</INVTRAN>${security}<TOTAL>1</INCOME>`, "INCOME/INVTRAN: DTTRADE is missing"],
  ["no total", `<INCOME>${header}${security}</INCOME>`, "INVTRANLIST/INCOME: TOTAL is missing"],
  ["no units", `<BUYMF><INVBUY>${header}${security}<UNITPRICE>1<TOTAL>1</INVBUY></BUYMF>`, "INVBUY: UNITS is missing"],
  ["no security", `<JRNLSEC>${header}<UNITS>1</JRNLSEC>`, "JRNLSEC: SECID is missing"],
  [
    "no such direction",
    `<TRANSFER>${header}${security}<UNITS>1<TFERACTION>UP</TRANSFER>`,
    'TFERACTION "UP" is neither IN nor OUT',
  ],
])("[C-9.433] a transaction with %s is left out", (_, row, reason) => {
  const good = `<JRNLFUND>${header}<TOTAL>7</JRNLFUND>`;
  const [one, ...others] = leftOut(file(row, good));
  expect(`${one?.place}: ${one?.message}`).toContain(reason);
  expect(one?.message).toMatch(/; the movement is left out$/);
  expect(others).toEqual([]);
  expect(parse(file(row, good)).transactions).toMatchObject([{ balance: "7" }]);
});

it("[C-9.433] a file with very many transactions that cannot be read is refused", () => {
  const rows = Array.from({ length: 101 }, () => `<JRNLFUND>${header}</JRNLFUND>`);
  expect(leftOut(file(...rows.slice(1)))).toHaveLength(100);
  expect(accessRefusal(file(...rows))).toContain("TOTAL is missing, after 100 movements that cannot be read");
});

describe("[C-9.434] a sign that contradicts its element", () => {
  const trade = (name: string, inside: string, units: string, total: string) =>
    `<${name}><${inside}>${header}${security}<UNITS>${units}<UNITPRICE>20<TOTAL>${total}</${inside}></${name}>`;
  it.each([
    ["BUYSTOCK", "INVBUY", "10", "200.00", "10", "-200.00", "TOTAL contradicts BUYSTOCK; its sign is turned"],
    ["BUYSTOCK", "INVBUY", "-10", "-200", "10", "-200", "UNITS contradicts BUYSTOCK; its sign is turned"],
    ["SELLSTOCK", "INVSELL", "4", "100.00", "-4", "100.00", "UNITS contradicts SELLSTOCK; its sign is turned"],
    ["SELLSTOCK", "INVSELL", "-4", "-0.50", "-4", "-0.50", undefined],
    ["BUYSTOCK", "INVBUY", "-10", "200", "-10", "200", undefined],
    ["SELLSTOCK", "INVSELL", "4", "-100", "4", "-100", undefined],
    ["BUYSTOCK", "INVBUY", "10", "0.00", "10", "0.00", undefined],
  ])("%s of %s units and %s is turned", (name, inside, units, total, amount, balance, warning) => {
    const { transactions, warnings } = parse(file(trade(name, inside, units, total)));
    expect(transactions).toMatchObject([{ amount, balance }]);
    expect(warnings[0]?.message).toBe(warning);
  });

  it.each([
    ["DEBIT", "25.00", "-25.00"],
    ["FEE", "9", "-9"],
    ["CREDIT", "-40.00", "40.00"],
    ["DIRECTDEP", "-1", "1"],
    ["DEBIT", "0.00", "0.00"],
    ["OTHER", "5", "5"],
    ["XFER", "-5", "-5"],
    ["ATM", "12.00", "12.00"],
  ])("TRNTYPE %s with %s is %s", (type, written, balance) => {
    const { transactions, warnings } = parse(
      file(movement(`<TRNTYPE>${type}<DTPOSTED>20240102<TRNAMT>${written}<FITID>1`)),
    );
    expect(transactions).toMatchObject([{ balance }]);
    expect(warnings).toHaveLength(balance !== written || type === "ATM" ? 1 : 0);
  });
});
