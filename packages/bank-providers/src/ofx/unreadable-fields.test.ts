import { describe, expect, it } from "vitest";
import { accessRefusal, fundPosition, parse, securityId, statementFile } from "../../test/ofx-files.js";

const account = "<BANKACCTFROM><BANKID>1<ACCTID>2</BANKACCTFROM>";
const movement = (fields: string) => `<STMTTRN>${fields}</STMTTRN>`;
const bankFile = (movements: string, more = "") =>
  `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD${account}${movements}<LEDGERBAL><BALAMT>100.00<DTASOF>20240131</LEDGERBAL>${more}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
const list = (...rows: string[]) => `<BANKTRANLIST>${rows.map(movement).join("")}</BANKTRANLIST>`;
const good = "<TRNTYPE>OTHER<DTPOSTED>20240102<TRNAMT>-1.00<FITID>";
const cash = (text: string) => parse(text).transactions?.map(({ balance }) => balance);
const told = (text: string) => parse(text).warnings.map(({ message }) => message);

describe("[C-9.433] what cannot be read in OFX", () => {
  it("a movement is left out with its place and field, and the others are read", () => {
    const file = bankFile(list(`${good}1`, "<TRNTYPE>OTHER<DTPOSTED>N/A<TRNAMT>-2.00<FITID>2", `${good}3<MEMO>a`));
    expect(cash(file)).toEqual(["-1.00", "-1.00"]);
    expect(parse(file).left_out).toMatchObject([{ field: "DTPOSTED" }]);
    expect(parse(file).left_out?.[0]?.place).toContain("STMTTRN[2]");
  });

  it("a list that comes again is read to its end", () => {
    expect(cash(bankFile(list(`${good}1`) + list(`${good}2`)))).toEqual(["-1.00", "-1.00"]);
    const positions = (number: string) => `<INVPOSLIST>${fundPosition(number, "3")}</INVPOSLIST>`;
    expect(parse(statementFile(positions("A") + positions("B"))).holdings).toHaveLength(2);
  });

  it("an optional fact is dropped: a security without number, a row of balances, an available balance", () => {
    const names =
      "<SECLISTMSGSRSV1><SECLIST><MFINFO><SECINFO><SECNAME>A</SECINFO></MFINFO></SECLIST></SECLISTMSGSRSV1>";
    const balances = "<INVBAL><AVAILCASH>--<BALLIST><BAL><VALUE>x</BAL></BALLIST></INVBAL>";
    const { holdings, warnings } = parse(
      statementFile(`<INVPOSLIST>${fundPosition("A", "3")}</INVPOSLIST>${balances}`, names),
    );
    expect(holdings).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual(["names a security without its number; it is left out"]);
    expect(told(bankFile(list(`${good}1`), "<AVAILBAL><BALAMT>5</AVAILBAL>"))).toEqual([]);
  });

  it.each([
    ["DTPRICEASOF>20240131", "DTPRICEASOF>x", 1],
    ["<DTPRICEASOF>20240131", "", 0],
    ["UNITPRICE>3", "UNITPRICE>x", 1],
    ["UNITPRICE>3", "UNITPRICE>N/A", 0],
  ])("an optional field of a position, %s as %s, is dropped: %i warnings", (was, is, warnings) => {
    const file = statementFile(`<INVPOSLIST>${fundPosition("A", "3").replace(was, is)}</INVPOSLIST>`);
    expect(parse(file).holdings).toMatchObject([{ amount: "1", balance: "3", valuation_date: "2024-01-31" }]);
    expect(told(file)).toHaveLength(warnings);
  });

  it("a status without a code refuses nothing where it is no error", () => {
    const status = "<SIGNONMSGSRSV1><SONRS><STATUS><SEVERITY>INFO</STATUS></SONRS></SIGNONMSGSRSV1>";
    expect(cash(bankFile(list(`${good}1`)).replace("<OFX>", `<OFX>${status}`))).toEqual(["-1.00"]);
  });

  it.each(["N/A", "--", ""])("a number that is not given, %j, is none: equal movements stay two", (number) => {
    const file = bankFile(list(`${good}${number}`, `${good}${number}`));
    expect(parse(file).transactions?.map(({ key, balance }) => [key, balance])).toEqual(Array(2).fill([null, "-1.00"]));
    expect(told(file)).toEqual([]);
  });

  it("a security whose number is N/A is none", () => {
    const position = `<INVPOSLIST>${fundPosition("N/A", "3")}</INVPOSLIST>`;
    expect(accessRefusal(statementFile(position))).toMatch(/SECID\/UNIQUEID: "N\/A" names no security$/);
  });

  it("what decides what is held refuses", () => {
    const position = fundPosition("A", "3").replace("<UNITS>1", "<UNITS>N/A");
    expect(accessRefusal(statementFile(`<INVPOSLIST>${position}</INVPOSLIST>`))).toContain("UNITS");
    expect(accessRefusal(bankFile("").replace("100.00", "1,650"))).toContain("may be thousands or decimals");
  });
});

describe("[C-9.434] signs", () => {
  it.each([
    ["DEBIT", "25.00", "-25.00", 1],
    ["FEE", "9.00", "-9.00", 1],
    ["CREDIT", "-40.00", "40.00", 1],
    ["DIV", "4.00", "4.00", 0],
    ["ATM", "12.00", "12.00", 1],
    ["XFER", "12.00", "12.00", 0],
  ])("%s of %s is %s", (type, amount, balance, warnings) => {
    const file = bankFile(list(`<TRNTYPE>${type}<DTPOSTED>20240102<TRNAMT>${amount}<FITID>1`));
    expect(cash(file)).toEqual([balance]);
    expect(told(file)).toHaveLength(warnings);
  });

  it.each([
    ["BUYMF", "INVBUY", "10", "200.00", "10", "-200.00", 1],
    ["SELLMF", "INVSELL", "4", "100.00", "-4", "100.00", 1],
    ["SELLMF", "INVSELL", "4", "-100.00", "4", "-100.00", 0],
  ])("%s (%s) of %s units for %s", (name, inside, units, total, amount, balance, warnings) => {
    const header = "<INVTRAN><FITID>1<DTTRADE>20240102</INVTRAN>";
    const body = `${header}${securityId("A")}<UNITS>${units}<UNITPRICE>N/A<TOTAL>${total}`;
    const file = statementFile(`<INVTRANLIST><${name}><${inside}>${body}</${inside}></${name}></INVTRANLIST>`);
    expect(parse(file).transactions).toMatchObject([{ amount, balance, unit_price: null }]);
    expect(told(file)).toHaveLength(warnings);
  });

  it("a short position of positive units and a negative value is negative", () => {
    const position = fundPosition("A", "-150", "<POSTYPE>SHORT");
    expect(parse(statementFile(`<INVPOSLIST>${position}</INVPOSLIST>`)).holdings).toMatchObject([
      { amount: "-1", balance: "-150" },
    ]);
  });

  it("margin debt is a negative holding of type L, and part of the sum", () => {
    const file = statementFile(
      `<INVPOSLIST>${fundPosition("A", "150")}</INVPOSLIST><INVBAL><AVAILCASH>0<MARGINBALANCE>-40</INVBAL>`,
    );
    expect(parse(file).portfolios).toMatchObject([{ balance: "110" }]);
    expect(parse(file).holdings?.[1]).toMatchObject({ key: "MARGIN:USD", type: "L", balance: "-40" });
  });
});

it.each([
  ["-1,650", "-3.00", "-1650"],
  ["-1,650", "-3,00", "-1.650"],
  ["-1.650", "-3,00", "-1650"],
])("[C-9.433] %s beside %s is %s", (amount, other, read) => {
  const file = bankFile(list(good.replace("-1.00", amount), good.replace("-1.00", other))).replace("100.00", "7");
  expect(cash(file)?.[0]).toBe(read);
});
