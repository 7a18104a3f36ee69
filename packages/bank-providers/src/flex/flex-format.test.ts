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

const file = "activity.flex.xml";

it("[C-9.29] [C-9.30] reads several statements of several accounts, every figure as written", () => {
  const feed = readFeed(feedFixture(file));
  expect(feed.format).toBe("ibkr-flex");
  expect(feed.snapshot.as_of).toEqual(new Date("2024-01-31"));
  expect(portfoliosOf(feed)).toEqual(["U1 | Réserve | 12345.67 EUR | S", "U2 | Interactive Brokers U2 | null XXX | S"]);
  expect(holdingsOf(feed)).toEqual([
    "VELMORA | US0378331005 | 3 | 30.30 USD | 2024-01-31 | VI",
    "TRACKER | null | 3.75 | 37.50 EUR | 2024-01-31 | ETF",
    "ES 15MAR24 | null | -2 | -487025.00 USD | 2024-01-31 | DV/FT",
    "BOND 4 30 | null | 10000 | 9850.000 EUR | 2024-01-31 | FI",
    "ODD | null | 0 | null EUR | 2024-01-31 | O",
    "Cash EUR | null | 100.125 | 100.125 EUR | 2024-01-31 | L",
    "Cash USD | null | -5 | -5 USD | 2024-01-31 | L",
  ]);
  expect(transactionsOf(feed)).toEqual([
    "2024-01-30 | Sell: VELM | -1 | 9 USD | null",
    "2024-01-31 | Buy: VELMORA | 4 | -41 USD | 10",
    "2024-01-31 | Buy cancelled: VELMORA | -4 | 41 USD | 10",
    "2024-01-31 | Sell: EUR.USD | -10 | 10.8 USD | 1.08",
    "2024-01-30 | Dividends: VELMORA DIVIDEND | null | 1.25 USD | null",
    "2024-01-29 | Deposits & Withdrawals | null | -2 EUR | null",
    "2024-01-31 | VELMORA SPLIT 4 FOR 1 | 3 | 0 USD | null",
  ]);
});

it("a trade and its cancellation keep keys of their own", () => {
  const keys = readFeed(feedFixture(file)).snapshot.transactions?.map(({ key }) => key);
  expect(keys?.slice(1, 3)).toEqual(["transactionID:7", "transactionID:7:cancelled"]);
});

const information = '<AccountInformation currency="EUR"/>';
const inDollars = '<ChangeInNAV currency="USD" endingValue="1000000.00"/>';
const withoutCurrency = '<ChangeInNAV endingValue="1000000.00"/>';
const days = (currency: string) =>
  `<EquitySummaryInBase><EquitySummaryByReportDateInBase ${currency} reportDate="20240131" total="7.5"/></EquitySummaryInBase>`;
const position = (symbol: string, currency: string) =>
  `<OpenPosition symbol="${symbol}" currency="${currency}" position="1" positionValue="500" reportDate="20240131"/>`;
const inYen = position("A", "JPY");
const mixed = inYen + position("B", "USD");

it.each([
  ["the row that states it", inDollars, inYen, "1000000.00 USD", 0],
  ["the row that states it, before the account's", information + inDollars, inYen, "1000000.00 USD", 0],
  ["the account's base currency", information + withoutCurrency, inYen, "1000000.00 EUR", 0],
  ["the summary of its day", days('currency="USD"'), inYen, "7.5 USD", 0],
  ["another row in the base currency", withoutCurrency + days('currency="USD"'), inYen, "1000000.00 USD", 0],
  ["none: the sum of what is held stands for the total", withoutCurrency, inYen, "500 JPY", 1],
  ["none, without the days' either", days('currency="BASE_SUMMARY"'), inYen, "500 JPY", 1],
  ["none, and several currencies are held: no balance", withoutCurrency, mixed, "null JPY", 1],
  ["no total is stated", "", inYen, "500 JPY", 0],
])("[C-9.30] the currency of a total is that of %s", (_, sections, positions, balance, warned) => {
  const statement = `<FlexStatements><FlexStatement accountId="U3" fromDate="20240131" toDate="20240131">${sections}
    <OpenPositions>${positions}</OpenPositions></FlexStatement></FlexStatements>`;
  const feed = readFeed(Buffer.from(statement));
  expect(portfoliosOf(feed)).toEqual([`U3 | Interactive Brokers U3 | ${balance} | S`]);
  expect(feed.warnings.filter(({ message }) => message.includes("a total without its currency"))).toHaveLength(warned);
});

it("what is odd is told with its place", () => {
  expect(
    readFeed(feedFixture(file)).warnings.map(({ place, message }) => `${place.split(", ")[0]}: ${message}`),
  ).toEqual([
    'line 18: "XS0000000000" has a wrong check digit; the security is kept without an ISIN',
    "line 19: has neither positionValue nor markPrice; the holding is kept without a value",
  ]);
});

it.each<[string, RegExp, ...Parameters<typeof changed>[1][]]>([
  [
    "a number that is none",
    /line 13, .*OpenPosition\[1\]: position "3,5" is not a decimal/,
    ['position="3"', 'position="3,5"'],
  ],
  ["an exponent", /position "1e3" is not a decimal number/, ['position="3"', 'position="1e3"']],
  ["a number that is missing", /OpenPosition\[1\]: position is missing/, ['position="3" ', ""]],
  ["a value given twice", /OpenPosition\[1\]: position is given twice/, ['position="3"', 'position="3" position="4"']],
  [
    "two summaries of one position",
    /a second summary of one position/,
    ['levelOfDetail="LOT" />', 'levelOfDetail="SUMMARY" />'],
  ],
  [
    "cash of one currency twice",
    /a second row of cash in EUR/,
    ['currency="USD" endingCash', 'currency="EUR" endingCash'],
  ],
])("[C-9.437] %s refuses the account, with the place, and no other one", (_, refusal, ...changes) => {
  const { snapshot, refused_accounts, warnings } = readFeed(changed(file, ...changes));
  expect(refused_accounts).toEqual(["U1"]);
  expect(snapshot.portfolios?.map(({ key }) => key)).not.toContain("U1");
  expect(snapshot.transactions?.filter(({ portfolio_key }) => portfolio_key === "U1")).toEqual([]);
  const said = warnings.map(({ place, message }) => `${place}: ${message}`);
  expect(said).toContainEqual(expect.stringMatching(refusal));
  expect(said).toContainEqual(expect.stringMatching(/; the account "U1" is refused, the others are taken$/));
});

it.each<[string, RegExp, ...Parameters<typeof changed>[1][]]>([
  [
    "a date of either order",
    /tradeDate "01\/02\/2024" is not a date as yyyy-MM-dd.*the Flex query sets how dates are written/,
    ['tradeDate="20240131"', 'tradeDate="01/02/2024"'],
  ],
  ["a period given twice", /a second statement of the same account and period/, ['"U2" fromDate', '"U1" fromDate']],
  [
    "no statements",
    /FlexStatements: holds no FlexStatement/,
    ["<FlexStatement ", "<Other "],
    ["</FlexStatement>", "</Other>"],
    ["<FlexStatement ", "<Other "],
    ["</FlexStatement>", "</Other>"],
    ["<FlexStatement ", "<Other "],
    ["</FlexStatement>", "</Other>"],
  ],
])("%s refuses the whole file with the place", (_, refusal, ...changes) => {
  expect(refusalOfFeed(changed(file, ...changes))).toMatch(refusal);
});

it("IBKR's word that there is no statement is passed on", () => {
  const answer =
    "<FlexStatementResponse><Status>Fail</Status><ErrorCode>1019</ErrorCode><ErrorMessage>Statement generation in progress</ErrorMessage></FlexStatementResponse>";
  expect(refusalOfFeed(answer)).toContain('IBKR reports error 1019: "Statement generation in progress"');
});

describe("trade confirmations", () => {
  const confirmations = (...rows: readonly string[]) =>
    `<FlexQueryResponse queryName="c" type="TCF"><FlexStatements count="1"><FlexStatement accountId="U1" fromDate="20240131" toDate="20240131"><TradeConfirms>${rows.join("")}</TradeConfirms></FlexStatement></FlexStatements></FlexQueryResponse>`;
  const confirm = (attributes: string) =>
    `<TradeConfirm currency="USD" assetCategory="STK" symbol="VELM" description="VELMORA" conid="1" tradeID="7" orderID="70" tradeDate="20240131" settleDate="20240202" buySell="BUY" quantity="2" price="10.5" proceeds="-21" netCash="-22.10" commission="-1.00" commissionCurrency="USD" tax="-0.10" levelOfDetail="EXECUTION" ${attributes}/>`;

  it("are trades that the activity statement completes; what is held is not told", () => {
    const { format, snapshot } = readFeed(Buffer.from(confirmations(confirm(""))));
    expect(format).toBe("ibkr-flex-confirmations");
    expect(snapshot.portfolios).toMatchObject([
      { key: "U1", name: "Interactive Brokers U1", balance: null, currency: "USD", holdings_unknown: true },
    ]);
    expect(snapshot.transactions).toEqual([
      {
        key: "TRADE:7",
        portfolio_key: "U1",
        holding_key: "CONID:1",
        operation_date: "2024-01-31",
        settlement_date: "2024-02-02",
        description: "Buy: VELMORA",
        amount: "2",
        balance: "-22.10",
        currency: "USD",
        unit_price: "10.5",
        kind: "buy",
        fees: "1.00",
        taxes: "0.10",
        gross: "-21",
        identifiers: { ticker: "VELM" },
        references: ["TRADE:7", "ORDER:70"],
        stage: "traded",
        place: "line 1, column 154",
      },
    ]);
    const activity = `<FlexStatements><FlexStatement accountId="U1" fromDate="20240131" toDate="20240131"><Trades><Trade currency="USD" assetCategory="STK" symbol="VELM" conid="1" transactionID="9" tradeID="7" ibOrderID="70" tradeDate="20240131" buySell="BUY" quantity="2" netCash="-22.10"/></Trades></FlexStatement></FlexStatements>`;
    expect(readFeed(Buffer.from(activity)).snapshot.transactions).toMatchObject([
      { key: "transactionID:9", references: ["TRADE:7", "ORDER:70"] },
    ]);
  });

  it("one that is cancelled is named by its number, or by that of the original", () => {
    const cancelled = (attributes: string) =>
      readFeed(Buffer.from(confirmations(confirm(attributes).replace('"BUY"', '"BUY (Ca.)"')))).snapshot.transactions;
    expect(cancelled("")).toMatchObject([{ description: "Buy cancelled: VELMORA", cancels: ["TRADE:7"] }]);
    expect(cancelled('origTradeID="6"')).toMatchObject([{ cancels: ["TRADE:6"] }]);
    expect(cancelled('origTradeID="0"')).toMatchObject([{ cancels: ["TRADE:7"] }]);
  });
});
