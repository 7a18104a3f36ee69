import type { TransactionData } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { refusalOfFeed } from "../../test/feed-files.js";
import { readFeed } from "../feeds.js";

/** A message of the network, from its type and the lines of its text. */
const message = (type: string, ...lines: readonly string[]) =>
  `{1:F01CUSTCHZZAXXX0000000000}{2:O${type}0000260729CUSTCHZZAXXX00000000002607290000N}{4:\n${lines.join("\n")}\n-}`;
const block = (name: string, ...lines: readonly string[]) => [`:16R:${name}`, ...lines, `:16S:${name}`];
const link = (...references: readonly string[]) => references.flatMap((one) => block("LINK", `:20C::${one}`));

const read = (text: string) => readFeed(Buffer.from(text));
const only = (text: string): TransactionData => {
  const [transaction, ...others] = read(text).snapshot.transactions ?? [];
  expect(others).toEqual([]);
  if (!transaction) throw new Error("there is no transaction");
  return transaction;
};

/** Why the only movement of a file is left out. Its account is known all the same. */
const leftOut = (text: string) => {
  const { snapshot, left_out, warnings } = read(text);
  expect([snapshot.transactions, snapshot.portfolios?.length, left_out?.length]).toEqual([[], 1, 1]);
  const [{ place, message: why } = { place: "", message: "" }] = warnings;
  return `${place}: ${why}`;
};

/** Messages of a custodian about one purchase. */
const security = [":35B:ISIN US0378331005", "/US/037833100", "APPLE INC"];
const trade = (purpose = "NEWM", ...links: readonly string[]) =>
  message(
    "515",
    ...block("GENL", ":20C::SEME//T1", `:23G:${purpose}`, ":98A::PREP//20260727", ...link("TRRF//D1", ...links)),
    ...block(
      "CONFDET",
      ":98A::TRAD//20260727",
      ":98B::SETT//OPEN",
      ":90B::DEAL//ACTU/USD123,45",
      ":22H::BUSE//BUYI",
      ...block("CONFPRTY", ":95P::BUYR//CUSTCHZZ", ":97A::SAFE//4711"),
      ...block("CONFPRTY", ":95P::SELL//BROKCHZZ", ":97A::SAFE//99"),
      ":36B::CONF//UNIT/2,",
      ...security,
    ),
    ...block(
      "SETDET",
      ...block("AMT", ":19A::DEAL//USD246,90"),
      ...block("AMT", ":19A::CHAR//USD1,5", ":19A::EXEC//USD,", ":19A::STAM//USD0,25", ":19A::OTHR//USD9,"),
      ...block("AMT", ":19A::SETT//USD248,65", ":19A::LOCO//CHF1,"),
    ),
  ).replace("USD,", "USD0,5");
const settlement = (type: string, purpose = "NEWM", ...links: readonly string[]) =>
  message(
    type,
    ...block("GENL", ":20C::SEME//S1", `:23G:${purpose}`, ...link("RELA//R1", "POOL//P1", ...links)),
    ...block("TRADDET", ":98A::TRAD//20260727", ":98C::ESET//20260729120000", ":98A::SETT//20260728", ...security),
    ...block("FIAC", ":36B::ESTT//UNIT/2,", ":97B::SAFE//ABRD/4711"),
    ...block("SETDET", ":22F::SETR//TRAD", ...block("AMT", ":19A::ESTT//USD248,65")),
  );
const booking = (...lines: readonly string[]) =>
  message(
    "536",
    ...block(
      "GENL",
      ":28E:1/ONLY",
      ":20C::SEME//NONREF",
      ":23G:NEWM",
      ":69A::STAT//20260701/20260729",
      ":97A::SAFE//4711",
      ":17B::ACTI//Y",
    ),
    ...block(
      "FIN",
      ...security,
      ...block(
        "TRAN",
        ...link("RELA//R1", "TRRF//D1", "RELA//NONREF"),
        ...block(
          "TRANSDET",
          ":36B::PSTA//UNIT/2,",
          ":19A::PSTA//USD248,65",
          ":22F::TRAN//SETT",
          ":22H::REDE//RECE",
          ":22H::PAYM//APMT",
          ":98A::ESET//20260729",
          ...lines,
        ),
      ),
    ),
  );

const bought = {
  portfolio_key: "4711",
  holding_key: "ISIN:US0378331005",
  description: "Buy: APPLE INC",
  amount: "2",
  balance: "-248.65",
  currency: "USD",
  kind: "buy",
  identifiers: { isin: "US0378331005", cusip: "037833100" },
};

describe("MT515", () => {
  it("a confirmation of a trade: price, costs, the customer's account among the parties', and how others know it", () => {
    expect(only(trade())).toEqual({
      ...bought,
      key: "SEME:T1",
      operation_date: "2026-07-27",
      unit_price: "123.45",
      gross: "-246.90",
      fees: "2.0",
      taxes: "0.25",
      references: ["SEME:T1", "TRRF:D1"],
      stage: "traded",
      place: "line 10",
    });
    const { format, warnings, snapshot, sender } = read(trade());
    expect([format, sender]).toEqual(["mt515", "CUSTCHZZ"]);
    expect(warnings).toEqual([
      { place: "line 40, :19A::LOCO", message: "is in another currency than the amount (USD) and left out" },
    ]);
    expect(snapshot.portfolios).toMatchObject([
      { key: "4711", balance: null, currency: "USD", holdings_unknown: true },
    ]);
  });

  it("a reference that goes on on another line is told on one", () => {
    expect(only(trade().replace("//T1", "//T1\nA"))).toMatchObject({
      key: "SEME:T1 A",
      references: ["SEME:T1 A", "TRRF:D1"],
    });
  });

  it("[C-9.141] a cancellation names what it takes back, and no event by that name", () => {
    expect(only(trade("CANC", "PREV//T0"))).toMatchObject({
      references: ["SEME:T1", "TRRF:D1"],
      cancels: ["SEME:T0"],
      amount: "2",
    });
    expect(leftOut(trade("CANC"))).toBe(
      "line 4, :23G:: takes a message back and does not say which one (20C::PREV); the movement is left out",
    );
    expect(leftOut(trade("PREA"))).toBe("line 4, :23G:: is none of NEWM, CANC; the movement is left out");
  });

  it("a sale gets the cash; what is not stated is left out", () => {
    const sale = trade().replace("BUYI", "SELL").replace(":36B::CONF//UNIT/2,\n", "").replace("//4711", "//99");
    expect(only(sale)).toMatchObject({
      portfolio_key: "99",
      amount: null,
      balance: "248.65",
      gross: "246.90",
      kind: "sell",
    });
    expect(refusalOfFeed(trade().replace("BUYI", "XXXX"))).toMatch(/:22H::BUSE: is neither a purchase nor a sale/);
  });
});

describe("MT544 to MT547", () => {
  it.each([
    ["544", { amount: "2", balance: null, currency: "XXX", kind: "transfer_in", description: "Receipt: APPLE INC" }],
    ["545", { amount: "2", balance: "-248.65", currency: "USD", kind: "buy", description: "Buy: APPLE INC" }],
    ["546", { amount: "-2", balance: null, currency: "XXX", kind: "transfer_out", description: "Delivery: APPLE INC" }],
    ["547", { amount: "-2", balance: "248.65", currency: "USD", kind: "sell", description: "Sell: APPLE INC" }],
  ])("MT%s: which way securities and cash went", (type, expected) => {
    expect(read(settlement(type)).format).toBe("mt544");
    expect(only(settlement(type))).toEqual({
      ...bought,
      key: "SEME:S1",
      operation_date: "2026-07-27",
      settlement_date: "2026-07-29",
      unit_price: null,
      references: ["SEME:S1", "SEME:R1"],
      stage: "settled",
      place: "line 12",
      ...expected,
    });
  });

  it.each(["CANC", "RVSL"])("[C-9.141] %s goes the other way", (purpose) => {
    expect(only(settlement("545", purpose, "PREV//S0"))).toMatchObject({
      description: "Reversal: Buy: APPLE INC",
      amount: "-2",
      balance: "248.65",
      cancels: ["SEME:S0"],
    });
  });

  it("several in one file, of several types; a part of each that is missing is named", () => {
    const both = read(`${settlement("545")}$${settlement("546").replace("S1", "S2")}`);
    expect(both.snapshot.transactions?.map(({ key, amount }) => [key, amount])).toEqual([
      ["SEME:S1", "2"],
      ["SEME:S2", "-2"],
    ]);
    expect(leftOut(settlement("545").replace(":36B::ESTT//UNIT/2,\n", ""))).toMatch(/FIAC: :36a::SETT is missing;/);
    expect(leftOut(settlement("545").replace(":20C::SEME//S1\n", ""))).toMatch(/GENL: :20a::SEME is missing;/);
  });
});

describe("MT536", () => {
  it("what was posted, known by the instruction and the deal", () => {
    const { format, snapshot } = read(booking());
    expect([format, snapshot.as_of]).toEqual(["mt536", new Date("2026-07-29")]);
    expect(snapshot.portfolios).toMatchObject([{ key: "4711", balance: null, holdings_unknown: true }]);
    expect(only(booking())).toEqual({
      ...bought,
      key: null,
      operation_date: "2026-07-29",
      settlement_date: "2026-07-29",
      unit_price: null,
      references: ["SEME:R1", "TRRF:D1"],
      stage: "posted",
      place: "line 14",
    });
  });

  it.each([
    [
      "a reversal goes the other way",
      [":25D::MOVE//REVE"],
      { amount: "-2", balance: "248.65", description: "Reversal: Buy: APPLE INC" },
    ],
    ["a corporate action by its code", [":22F::CAEV//DVCA"], { kind: "dividend", description: "DVCA: APPLE INC" }],
    ["the bank's words", [":70E::TRDE//Fee share", "of July"], { description: "Fee share of July: APPLE INC" }],
    ["a trade date", [":98A::TRAD//20260727"], { operation_date: "2026-07-27", settlement_date: "2026-07-29" }],
  ])("%s", (_, lines, expected) => {
    expect(only(booking(...lines))).toMatchObject(expected);
  });

  it("a sign on a receipt is read as a debit, with a warning; on a delivery it is one", () => {
    const signed = (text: string) => read(text.replace("PSTA//USD", "PSTA//NUSD"));
    const receipt = signed(booking());
    expect(receipt.snapshot.transactions?.[0]?.balance).toBe("-248.65");
    expect(receipt.warnings).toMatchObject([{ message: expect.stringContaining("has a sign (N) on a receipt") }]);
    const delivery = signed(booking().replace("REDE//RECE", "REDE//DELI"));
    expect([delivery.snapshot.transactions?.[0]?.balance, delivery.warnings]).toEqual(["-248.65", []]);
  });

  it("pages wait for each other; every statement of an account counts; sub-accounts are portfolios of their own", () => {
    const first = booking().replace("1/ONLY", "1/MORE");
    const last = booking().replace("1/ONLY", "2/LAST").replace("UNIT/2,", "UNIT/3,");
    expect(read(last)).toMatchObject({ snapshot: { transactions: [] }, pages: [{ number: 2, is_last: true }] });
    const amounts = (text: string) => read(text).snapshot.transactions?.map(({ amount }) => amount);
    expect(amounts(`${last}\n${first}`)).toEqual(["2", "3"]);
    expect(amounts(booking() + booking().replace("20260701/", "20260702/"))).toEqual(["2", "2"]);
    const sub = booking()
      .replace(":16R:FIN\n", ":16R:SUBSAFE\n:97A::SAFE//4712\n:16R:FIN\n")
      .replace(":16S:FIN\n", ":16S:FIN\n:16S:SUBSAFE\n");
    expect(only(sub).portfolio_key).toBe("4712");
    // The account above it is not in the result.
    expect(read(sub).snapshot.portfolios?.map(({ key }) => key)).toEqual(["4712"]);
  });
});

describe("MT566", () => {
  const action = (purpose: string, ...moves: readonly string[]) =>
    message(
      "566",
      ...block("GENL", ":20C::CORP//C1", ":20C::SEME//A1", `:23G:${purpose}`, ":22F::CAEV//DVOP", ...link("PREV//N1")),
      ...block("USECU", ":97A::SAFE//4711", ...security, ":93B::CONB//UNIT/2,"),
      ...block("CACONF", ":13A::CAON//001", ":22H::CAOP//CASH", ...moves),
    );
  const cash = block(
    "CASHMOVE",
    ":22H::CRDB//CRED",
    ":19B::PSTA//USD8,5",
    ":19B::GRSS//USD10,",
    ":19B::TAXR//USD1,50",
    ":98A::POST//20260729",
    ":98A::VALU//20260730",
  );
  const shares = block(
    "SECMOVE",
    ":22H::CRDB//DEBT",
    ":35B:ISIN US5949181045",
    ":36B::PSTA//UNIT/1,",
    ":98A::POST//20260729",
  );

  it("movements of cash and of securities, known by the event", () => {
    const { transactions } = read(action("NEWM", ...cash, ...shares)).snapshot;
    const common = {
      portfolio_key: "4711",
      operation_date: "2026-07-29",
      unit_price: null,
      kind: "dividend",
      references: ["SEME:A1", "CORP:C1", "SEME:N1"],
      stage: "settled",
    };
    expect(transactions).toEqual([
      {
        ...common,
        key: "SEME:A1/1",
        holding_key: "ISIN:US0378331005",
        description: "Dividend: APPLE INC",
        amount: null,
        balance: "8.5",
        currency: "USD",
        gross: "10",
        taxes: "1.50",
        settlement_date: "2026-07-30",
        identifiers: { isin: "US0378331005", cusip: "037833100" },
        place: "line 21",
      },
      {
        ...common,
        key: "SEME:A1/2",
        identifiers: { isin: "US5949181045" },
        holding_key: "ISIN:US5949181045",
        description: "Dividend: US5949181045",
        amount: "-1",
        balance: null,
        currency: "XXX",
        place: "line 29",
      },
    ]);
  });

  it("[C-9.141] a reversal goes the other way", () => {
    expect(only(action("REVR", ...cash))).toMatchObject({
      balance: "-8.5",
      gross: "-10",
      taxes: "-1.50",
      cancels: ["SEME:N1"],
    });
    expect(leftOut(action("NEWM", ...cash.map((line) => line.replace("CRED", "XXXX"))))).toMatch(
      /:22H::CRDB: is neither CRED nor DEBT; the movement is left out$/,
    );
    expect(refusalOfFeed(action("NEWM"))).toBe("file: holds no movement: neither CASHMOVE nor SECMOVE");
  });
});

describe("[C-9.433] what cannot be read", () => {
  it.each<[string, string, string, string]>([
    ["the settlement date of a trade", trade(), ":98B::SETT//OPEN", ":98A::SETT//20260230"],
    ["the amount of the deal", trade(), "DEAL//USD246,90", "DEAL//?"],
    ["the price of a trade", trade(), "ACTU/USD123,45", "ACTU/USD1,2,3"],
    ["a charge", trade(), "CHAR//USD1,5", "CHAR//?"],
    ["the date of a message", trade(), "PREP//20260727", "PREP//?"],
    ["the trade date of a settlement", settlement("545"), "TRAD//20260727", "TRAD//20260230"],
    ["the trade date of a posting", booking(":98A::TRAD//20260230"), "", ""],
  ])("%s is optional: it is dropped with a warning", (_, text, was, is) => {
    const before = read(text).warnings.length - (was === "" ? 1 : 0);
    const changed = text.replace(was, is);
    expect(only(changed)).toMatchObject({ amount: "2", balance: "-248.65" });
    expect(read(changed).warnings).toHaveLength(before + 1);
  });

  it.each<[string, string]>([
    ["MT515", `${trade()}$${trade().replace("CONF//UNIT/2,", "CONF//?")}`],
    ["MT544", `${settlement("545")}$${settlement("545").replace("ESTT//USD248,65", "ESTT//?")}`],
    ["MT536", booking().replace(/:16R:TRAN\n[\s\S]*:16S:TRAN\n/, (row) => row + row.replace("UNIT/2,", "UNIT/x"))],
  ])("a movement of %s is left out, and the others are read", (_, text) => {
    const { snapshot, left_out, warnings } = read(text);
    expect(snapshot.transactions).toMatchObject([{ amount: "2" }]);
    expect(left_out).toHaveLength(1);
    expect(warnings.at(-1)?.message).toMatch(/; the movement is left out$/);
  });

  it("a file of which nothing can be read is refused for its first fault", () => {
    expect(refusalOfFeed(trade().replace(/:97A::SAFE\/\/\d+\n/g, ""))).toMatch(/CONFDET: :97a::SAFE is missing$/);
  });

  it("[C-9.437] a statement of transactions whose page is none refuses its account alone", () => {
    const { refused_accounts, snapshot } = read(
      `${booking()}$${booking().replace("1/ONLY", "x").replace("4711", "4712")}`,
    );
    expect(refused_accounts).toEqual(["4712"]);
    expect(snapshot.portfolios?.map(({ key }) => key)).toEqual(["4711"]);
  });
});

it("instructions of the customer's own are refused by name", () => {
  for (const type of ["540", "541", "542", "543"])
    expect(refusalOfFeed(message(type, ...block("GENL", ":20C::SEME//1")))).toMatch(
      new RegExp(`^file: is an MT${type}, an instruction of the customer's own \\(SWIFT\\), which is in none`),
    );
});

it("bare text is told by what it has: trades, statements of transactions, corporate actions", () => {
  const bare = (text: string) => read(text.replace(/^.*\n/, "").replace("\n-}", "")).format;
  expect([bare(trade()), bare(booking())]).toEqual(["mt515", "mt536"]);
});

it("what is cut off is refused, wherever", () => {
  for (const text of [trade(), settlement("545"), booking()])
    for (let end = 1; end < text.length - 1; end += 7)
      expect(refusalOfFeed(text.slice(0, end)), text.slice(0, end).slice(-20)).toMatch(/: /);
});
