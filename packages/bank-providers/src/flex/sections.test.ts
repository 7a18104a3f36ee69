import { expect, it } from "vitest";
import { holdingsOf, portfoliosOf, refusalOfFeed, transactionsOf } from "../../test/feed-files.js";
import { readFeed } from "../feeds.js";
import { readFlexStatement } from "./flex-format.js";
import { FlexQueryRefusal } from "./query-refusal.js";

const statement = (sections: string, day = "20240131") =>
  `<FlexStatement accountId="U1" fromDate="${day}" toDate="${day}">${sections}</FlexStatement>`;
const query = (...statements: string[]) =>
  Buffer.from(`<FlexQueryResponse><FlexStatements>${statements.join("")}</FlexStatements></FlexQueryResponse>`);
const read = (sections: string) => readFeed(query(statement(sections)));
const messages = (feed: ReturnType<typeof readFeed>) => feed.warnings.map(({ message }) => message);

const lacking = (text: Uint8Array) => {
  try {
    return readFlexStatement(text).left_out ?? [];
  } catch (error) {
    return error instanceof FlexQueryRefusal ? error.lacking : [];
  }
};

/** A row of each section, with nothing that it cannot be read without twice. */
const minimal: Readonly<Record<string, string>> = {
  OpenPositions: '<OpenPosition symbol="A" currency="USD" position="2" positionValue="1"/>',
  CashReport: '<CashReportCurrency currency="USD" endingCash="1"/>',
  Trades: '<Trade symbol="A" currency="USD" tradeDate="20240131" quantity="1" netCash="-1"/>',
  CashTransactions: '<CashTransaction type="Fees" currency="USD" dateTime="20240131" amount="-1"/>',
  CorporateActions: '<CorporateAction symbol="A" currency="USD" dateTime="20240131" quantity="1"/>',
  TransactionTaxes: '<TransactionTax symbol="A" currency="USD" dateTime="20240131" taxAmount="-1"/>',
  SalesTaxes: '<SalesTax taxType="VAT" currency="USD" dateTime="20240131" salesTax="-1"/>',
  Transfers: '<Transfer symbol="A" currency="USD" dateTime="20240131" quantity="1"/>',
  OptionEAE: '<OptionEAE symbol="A" currency="USD" dateTime="20240131" quantity="1"/>',
};

it.each(
  Object.entries(minimal).flatMap(([section, row]) =>
    [...row.matchAll(/ (\w+)="[^"]*"/g)].map(([written, field = ""]) => [section, field, row.replace(written, "")]),
  ),
)("[C-5.104] %s without %s: the query is at fault for what its rows cannot be read without", (section, field, row) => {
  const others = section === "OpenPositions" ? "" : "<OpenPositions/>";
  const file = query(statement(`<AccountInformation currency="EUR"/>${others}<${section}>${row}</${section}>`));
  const isUnreadable = refusalOfFeed(file) !== "not refused" || readFeed(file).left_out !== undefined;
  const fields = lacking(file).map(({ field: name }) => name);
  const named = section === "OpenPositions" && field === "symbol" ? "conid" : field;
  expect(fields).toEqual(isUnreadable ? [named] : []);
});

it("[C-5.104] a query is at fault for all fields that it lacks at once, and for none that a row leaves empty", () => {
  const bare = (row = "") => row.replace(/ (?:currency|amount|quantity)="[^"]*"/g, "");
  const file = query(statement(`<OpenPositions/><Trades>${bare(minimal.Trades)}</Trades>`));
  expect(lacking(file)).toEqual([
    { section: "Trades", field: "currency" },
    { section: "Trades", field: "quantity" },
  ]);
  const transfers = query(statement(`<OpenPositions/><Transfers>${bare(minimal.Transfers)}</Transfers>`));
  expect(lacking(transfers)).toEqual([{ section: "Transfers", field: "currency" }]);
  const empty = minimal.CashTransactions?.replace('"USD"', '""') ?? "";
  const odd = query(statement(`<OpenPositions/><CashTransactions>${empty}</CashTransactions>`));
  expect(lacking(odd)).toMatchObject([{ place: expect.stringContaining("CashTransaction"), field: "currency" }]);
});

const nothing = "<OpenPositions/>";
const position = (category: string, value: string, rest = "") =>
  `<OpenPosition symbol="${category}" assetCategory="${category}" currency="USD" position="2" ${value} reportDate="20240131" ${rest}/>`;
const positions = (...rows: string[]) => `<OpenPositions>${rows.join("")}</OpenPositions>`;
const stock = position("STK", 'positionValue="10.50"');

it.each([
  ["futures", position("FUT", 'positionValue="581250"')],
  ["futures whose value is worked out", position("FUT", 'markPrice="5812.50"', 'multiplier="50"')],
  ["futures-style options", position("FSFOP", 'positionValue="400"')],
  ["contracts for difference", position("CFD", 'positionValue="400"')],
  ["options at their strike", position("OPT", 'positionValue="20000"', 'strike="100" multiplier="100"')],
])("[C-4.84] the balance is the sum without notionals: %s", (_, contract) => {
  const feed = read(positions(stock, contract));
  expect(portfoliosOf(feed)).toEqual(["U1 | Interactive Brokers U1 | 10.50 USD | S"]);
  expect(feed.snapshot.holdings?.map(({ is_notional = false }) => is_notional)).toEqual([false, true]);
  expect(messages(feed)).toEqual([expect.stringMatching(/is its notional.*add the section ChangeInNAV/)]);
  const stated = read(`<ChangeInNAV currency="USD" endingValue="99.5"/>${positions(stock, contract)}`);
  expect([portfoliosOf(stated), messages(stated)]).toEqual([["U1 | Interactive Brokers U1 | 99.5 USD | S"], []]);
});

const cash = (attributes: string) => `<CashTransaction type="Other Fees" currency="USD" ${attributes}/>`;
const movements = (...rows: string[]) => `${nothing}<CashTransactions>${rows.map(cash).join("")}</CashTransactions>`;
const plain = 'date="20240131" amount="-1.50" description="Fee"';

it("an attribute is found wherever in its row it stands, and not in another's", () => {
  const rows = [plain, 'description="Fee" date="20240131" amount=" -2.50 "', 'amount="-3.50" date="20240131"', plain];
  const { transactions } = read(movements(...rows)).snapshot;
  expect(transactions?.map(({ balance, description }) => `${balance} ${description}`)).toEqual([
    "-1.50 Other Fees: Fee",
    "-2.50 Other Fees: Fee",
    "-3.50 Other Fees",
    "-1.50 Other Fees: Fee",
  ]);
});

it("of an attribute given twice an amount is not read, and words are the last ones, with a remark", () => {
  const twice = read(movements(plain, `${plain} amount="-2"`));
  expect(twice.snapshot.transactions).toHaveLength(1);
  expect(messages(twice)).toEqual([expect.stringMatching(/amount is given twice.*; the movement is left out/)]);
  expect(read(movements(plain, `${plain} amount="-1.50"`)).snapshot.transactions).toHaveLength(2);
  const feed = read(movements(plain, `${plain} description="Charge"`));
  expect(feed.snapshot.transactions?.[1]?.description).toBe("Other Fees: Charge");
  expect(messages(feed)).toEqual([expect.stringMatching(/description is given twice/)]);
});

it("an option at its market value is part of the sum", () => {
  const option = position("OPT", 'positionValue="725.00"', 'strike="180" multiplier="100" markPrice="3.625"');
  expect(portfoliosOf(read(positions(stock, option)))).toEqual(["U1 | Interactive Brokers U1 | 735.50 USD | S"]);
});

const trade = (attributes: string) =>
  `<Trades><Trade symbol="EUR.USD" currency="USD" tradeDate="20240131" transactionID="7" quantity="10" ${attributes}/></Trades>`;

it.each([
  [
    "in the trade's currency is part of its cash",
    'assetCategory="CASH" proceeds="-10.8" netCash="-2" ibCommission="-2" ibCommissionCurrency="USD"',
    ["2024-01-31 | Buy: EUR.USD | 10 | -12.8 USD | null"],
  ],
  [
    "without a currency is in the trade's",
    'assetCategory="CASH" proceeds="-10.8" ibCommission="-2"',
    ["2024-01-31 | Buy: EUR.USD | 10 | -12.8 USD | null"],
  ],
  [
    "in another currency is a movement of its own",
    'assetCategory="CASH" proceeds="-10.8" ibCommission="-1.75" ibCommissionCurrency="CHF"',
    ["2024-01-31 | Buy: EUR.USD | 10 | -10.8 USD | null", "2024-01-31 | Commission: EUR.USD | null | -1.75 CHF | null"],
  ],
  [
    "of zero is none",
    'assetCategory="CASH" proceeds="-10.8" ibCommission="0" ibCommissionCurrency="CHF"',
    ["2024-01-31 | Buy: EUR.USD | 10 | -10.8 USD | null"],
  ],
  [
    "of a share counts with its taxes where the net cash is left out",
    'assetCategory="STK" proceeds="-10.8" ibCommission="-1" taxes="-0.5"',
    ["2024-01-31 | Buy: EUR.USD | 10 | -12.3 USD | null"],
  ],
  [
    "of a share is in its net cash",
    'assetCategory="STK" proceeds="-10.8" ibCommission="-1" netCash="-11.8"',
    ["2024-01-31 | Buy: EUR.USD | 10 | -11.8 USD | null"],
  ],
])("the commission of a trade %s", (_, attributes, expected) => {
  expect(transactionsOf(read(nothing + trade(attributes)))).toEqual(expected);
});

const summary =
  '<CashReport><CashReportCurrency currency="BASE_SUMMARY" levelOfDetail="BaseCurrency" endingCash="57.505297533"/></CashReport>';

it.each([
  [
    "the account's",
    `<AccountInformation currency="USD"/>${nothing}`,
    "Cash USD | null | 57.505297533 | 57.505297533 USD",
  ],
  [
    "the total's",
    `<ChangeInNAV currency="USD" endingValue="1"/>${nothing}`,
    "Cash USD | null | 57.505297533 | 57.505297533 USD",
  ],
  [
    "that of a row whose rate is 1",
    positions(position("STK", 'positionValue="0"', 'fxRateToBase="1"')),
    "Cash USD | null | 57.505297533 | 57.505297533 USD",
  ],
])("cash that is stated in the base currency alone is in %s", (_, sections, expected) => {
  expect(holdingsOf(read(sections + summary)).at(-1)).toContain(expected);
});

it("cash whose currency nothing names is left out, and told", () => {
  const feed = read(nothing + summary);
  expect(feed.snapshot.holdings).toEqual([]);
  expect(messages(feed)).toEqual([expect.stringMatching(/^states cash without its currency; it is left out: add/)]);
});

it("cash of zero is no holding, in a currency or in all of them", () => {
  const cash = (...rows: string[]) => `${nothing}<CashReport>${rows.join("")}</CashReport>`;
  const inCurrency = (currency: string, ending: string) =>
    `<CashReportCurrency currency="${currency}" endingCash="${ending}"/>`;
  expect(holdingsOf(read(cash(inCurrency("JPY", "0"), inCurrency("EUR", "0.01"))))).toEqual([
    "Cash EUR | null | 0.01 | 0.01 EUR | 2024-01-31 | L",
  ]);
  expect(read(cash(inCurrency("JPY", "0.00"), inCurrency("BASE_SUMMARY", "0"))).snapshot.holdings).toEqual([]);
  expect(read(cash(inCurrency("BASE_SUMMARY", "0"))).snapshot.holdings).toEqual([]);
});

const row = (name: string, attributes: string) =>
  `<${name} symbol="ORCL" description="ORACLE CORP" conid="5" currency="USD" date="20240131" ${attributes}/>`;

it.each([
  [
    "transaction taxes",
    `<TransactionTaxes>${row("TransactionTax", 'taxDescription="Stamp duty" taxAmount="-0.347098" tradeId="9"')}</TransactionTaxes>`,
    ["2024-01-31 | Stamp duty: ORACLE CORP | null | -0.347098 USD | null"],
  ],
  [
    "sales taxes",
    `<SalesTaxes>${row("SalesTax", 'taxType="VAT" taxableDescription="NYSE Level 1" salesTax="-0.3" transactionID="2"')}</SalesTaxes>`,
    ["2024-01-31 | VAT: NYSE Level 1 | null | -0.3 USD | null"],
  ],
  [
    "transfers of positions",
    `<Transfers>${row("Transfer", 'type="ACATS" direction="OUT" quantity="10" cashTransfer="0" transferPrice="0"')}${row("Transfer", 'type="INTERNAL" direction="IN" quantity="4" transferPrice="12.5"')}</Transfers>`,
    [
      "2024-01-31 | ACATS transfer out: ORACLE CORP | -10 | null USD | null",
      "2024-01-31 | INTERNAL transfer in: ORACLE CORP | 4 | null USD | 12.5",
    ],
  ],
  [
    "transfers of cash",
    '<Transfers><Transfer symbol="--" assetCategory="CASH" currency="EUR" direction="OUT" quantity="0" cashTransfer="100.05" date="20240131"/></Transfers>',
    ["2024-01-31 | transfer out | null | -100.05 EUR | null"],
  ],
  [
    "option events",
    `<OptionEAE>${row("OptionEAE", 'transactionType="Assignment" quantity="1" proceeds="0" tradePrice="0"')}${row("OptionEAE", 'transactionType="Buy" quantity="100" proceeds="-5000" commisionsAndTax="-2" tradePrice="50"')}</OptionEAE>`,
    ["2024-01-31 | Assignment: ORACLE CORP | 1 | 0 USD | 0", "2024-01-31 | Buy: ORACLE CORP | 100 | -5002 USD | 50"],
  ],
  [
    "orders, where the query leaves out the executions",
    '<Trades><Order symbol="A" currency="USD" tradeDate="20240131" quantity="1" netCash="-5" levelOfDetail="ORDER"/></Trades>',
    ["2024-01-31 | Buy: A | 1 | -5 USD | null"],
  ],
])("%s are read", (_, section, expected) => {
  const feed = read(nothing + section);
  expect(transactionsOf(feed)).toEqual(expected);
  expect(messages(feed)).toEqual([]);
});

it("what two sections tell of one trade counts once: its taxes and its option event", () => {
  const trades =
    '<Trades><Trade symbol="ORCL" currency="USD" tradeDate="20240131" tradeID="9" quantity="100" taxes="-1" netCash="-5001"/></Trades>';
  const tax = `<TransactionTaxes>${row("TransactionTax", 'taxAmount="-1" tradeId="9"')}</TransactionTaxes>`;
  const event = `<OptionEAE>${row("OptionEAE", 'transactionType="Buy" quantity="100" proceeds="-5000" tradeID="9"')}</OptionEAE>`;
  expect(transactionsOf(read(nothing + trades + tax + event))).toEqual([
    "2024-01-31 | Buy: ORCL | 100 | -5001 USD | null",
  ]);
});

it("a section with rows that is not read is a warning with its name, once for all statements", () => {
  const unread = "<StmtFunds><StatementOfFundsLine/><StatementOfFundsLine/></StmtFunds><Fancy/><Other><X/></Other>";
  const feed = readFeed(query(statement(nothing + unread), statement(nothing + unread, "20240130")));
  expect(feed.warnings).toEqual([
    {
      place: expect.stringMatching(/FlexStatement\[1\]\/StmtFunds$/),
      message: "the section StmtFunds is not read; it has 4 rows",
    },
    { place: expect.stringMatching(/Other$/), message: "the section Other is not read; it has 2 rows" },
  ]);
  const lots = '<Trades><Lot symbol="A"/></Trades>';
  expect(messages(read(nothing + lots))).toEqual(["the section Trades is not read; it has 1 row"]);
});

it("a query with movements only is taken: what the account holds is not known", () => {
  const feed = read(trade('assetCategory="STK" netCash="-11.8"') + summary);
  expect(transactionsOf(feed)).toHaveLength(1);
  expect(feed.snapshot.holdings).toEqual([]);
  expect(feed.snapshot.portfolios).toMatchObject([{ key: "U1", balance: null, holdings_unknown: true }]);
  expect(messages(feed)).toEqual([expect.stringMatching(/^has no section OpenPositions: its movements are taken/)]);
});

it("of several periods the last one that says what is held counts", () => {
  const feed = readFeed(
    query(statement(positions(stock), "20240130"), statement(trade('assetCategory="STK" netCash="-11.8"'))),
  );
  expect(feed.snapshot.portfolios).toMatchObject([{ balance: "10.50", as_of: new Date("2024-01-30") }]);
  expect(feed.snapshot.portfolios?.[0]).not.toHaveProperty("holdings_unknown");
  expect(transactionsOf(feed)).toHaveLength(1);
});

it("a query with nothing to take is refused, with the names of what it has", () => {
  expect(refusalOfFeed(query(statement("<StmtFunds><StatementOfFundsLine/></StmtFunds>")))).toMatch(
    /FlexStatement: is IBKR Flex without a section to take: StmtFunds; add one of OpenPositions, Trades, .*data-feeds\.md$/,
  );
});

it("[C-9.433] a transfer without currency takes that of its account, and a position without a date that of the statement", () => {
  const transfer =
    '<Transfers><Transfer symbol="VT" conid="9" date="20240131" direction="IN" quantity="3" type="ACATS"/></Transfers>';
  const feed = read(`<AccountInformation accountId="U1" currency="USD"/>${transfer}`);
  expect(feed.snapshot.transactions).toMatchObject([{ amount: "3", currency: "USD" }]);
  expect(messages(feed)).toContainEqual(expect.stringMatching(/has no currency; that of the account, USD, is taken/));
  expect(read(transfer)).toMatchObject({ snapshot: { transactions: [] }, left_out: [{ field: "currency" }] });
});

it("[C-9.431] taxes and option events name a trade by tradeID, which several of them may share", () => {
  const tax = (words: string, amount: string) =>
    `<TransactionTax tradeID="T1" date="20240131" currency="EUR" taxDescription="${words}" taxAmount="${amount}"/>`;
  const event = (type: string, quantity: string) =>
    `<OptionEAE tradeID="T2" date="20240131" currency="USD" transactionType="${type}" quantity="${quantity}"/>`;
  const { transactions } = read(
    `<TransactionTaxes>${tax("FTT", "-3")}${tax("Stamp", "-5")}</TransactionTaxes><OptionEAE>${event("Assignment", "1")}${event("Sell", "-100")}</OptionEAE>`,
  ).snapshot;
  expect(transactions?.map(({ key }) => key)).toEqual([null, null, null, null]);
});

it("[C-9.431] of two periods in one file the later one corrects the earlier one, whichever is first", () => {
  const months = [
    statement(movements('transactionID="5" date="20240131" amount="-2"'), "20240228"),
    statement(movements('transactionID="5" date="20240131" amount="-1"')),
  ];
  for (const file of [query(...months), query(...months.toReversed())])
    expect(readFeed(file).snapshot.transactions?.at(-1)).toMatchObject({ key: "transactionID:5", balance: "-2" });
});

it("[C-9.29] rows of one corporate action that share a number stay apart", () => {
  const row = (symbol: string, quantity: string) =>
    `<CorporateAction transactionID="7" symbol="${symbol}" currency="USD" dateTime="20240131" quantity="${quantity}" type="TC"/>`;
  const feed = read(`${nothing}<CorporateActions>${row("OLD", "-10")}${row("NEW", "20")}</CorporateActions>`);
  expect(new Set(feed.snapshot.transactions?.map(({ key }) => key)).size).toBe(2);
});
