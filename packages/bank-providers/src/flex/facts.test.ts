import { expect, it } from "vitest";
import { readFeed } from "../feeds.js";

const read = (sections: string) =>
  readFeed(
    Buffer.from(
      `<FlexQueryResponse><FlexStatements><FlexStatement accountId="U1" fromDate="20240131" toDate="20240131">${sections}</FlexStatement></FlexStatements></FlexQueryResponse>`,
    ),
  ).snapshot;
const facts = ["price", "price_currency", "price_unit", "cost", "accrued_interest", "identifiers"];
const moves = ["kind", "settlement_date", "fees", "taxes", "gross", "identifiers"];
const only = (row: object | undefined, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => names.includes(name)));

const position = (attributes: string) =>
  `<OpenPosition conid="1" symbol="VELM" currency="EUR" position="3" positionValue="30" reportDate="20240131" ${attributes}/>`;
const held = (...rows: string[]) => read(`<OpenPositions>${rows.map(position).join("")}</OpenPositions>`).holdings?.[0];

it.each([
  [
    "a share",
    [
      'assetCategory="STK" markPrice="1,010.10" costBasisMoney="27.50" accruedInt="0" cusip="037833100" isin="US0378331005" figi="BBG000B9XRY4"',
    ],
    {
      price: "1010.10",
      price_currency: "EUR",
      cost: "27.50",
      identifiers: { isin: "US0378331005", cusip: "037833100", figi: "BBG000B9XRY4", ticker: "VELM" },
    },
  ],
  [
    "a bond, in percent and without a ticker",
    [
      'assetCategory="BOND" markPrice="98.625" costBasisMoney="9950.00" accruedInt="75.50" securityIDType="SEDOL" securityID="B0YBKJ7"',
    ],
    {
      price: "98.625",
      price_unit: "percent",
      cost: "9950.00",
      accrued_interest: "75.50",
      identifiers: { sedol: "B0YBKJ7" },
    },
  ],
  [
    "the lots of a position",
    [
      'assetCategory="STK" levelOfDetail="LOT" markPrice="10" costBasisMoney="9.95"',
      'assetCategory="STK" levelOfDetail="LOT" markPrice="10" costBasisMoney="20.10"',
    ],
    { price: "10", price_currency: "EUR", cost: "30.05", identifiers: { ticker: "VELM" } },
  ],
  [
    "lots of which one does not state its cost",
    ['assetCategory="STK" levelOfDetail="LOT" costBasisMoney="9.95"', 'assetCategory="STK" levelOfDetail="LOT"'],
    { identifiers: { ticker: "VELM" } },
  ],
  [
    "what cannot be read",
    ['assetCategory="STK" markPrice="n/a" costBasisMoney="--" accruedInt="1e3" isin="XS0000000000"'],
    { identifiers: { ticker: "VELM" } },
  ],
])("[C-5.120] facts of %s", (_, rows, expected) => {
  expect(only(held(...rows), facts)).toEqual(expected);
});

it("[C-5.120] a security that its position names by contract id only has the numbers of the list", () => {
  const info = '<SecuritiesInfo><SecurityInfo conid="1" symbol="VELM" cusip="037833100"/></SecuritiesInfo>';
  const row =
    '<OpenPosition conid="1" description="VELMORA" currency="EUR" position="1" positionValue="1" reportDate="20240131"/>';
  expect(read(`${info}<OpenPositions>${row}</OpenPositions>`).holdings?.[0]?.identifiers).toEqual({
    cusip: "037833100",
    ticker: "VELM",
  });
});

const moved = (section: string, row: string, attributes: string) =>
  read(
    `<OpenPositions/><${section}><${row} conid="1" symbol="VELM" description="VELMORA" currency="EUR" tradeDate="20240131" dateTime="20240131;120000" ${attributes}/></${section}>`,
  ).transactions ?? [];

it.each<[string, string, object]>([
  [
    "a buy",
    'buySell="BUY" quantity="4" proceeds="-40.00" ibCommission="-1.25" ibCommissionCurrency="EUR" taxes="-0.30" netCash="-41.55" settleDateTarget="20240202"',
    { kind: "buy", settlement_date: "2024-02-02", fees: "1.25", taxes: "0.30", gross: "-40.00" },
  ],
  [
    "a sale with a rebate",
    'buySell="SELL" quantity="-4" proceeds="40.00" ibCommission="0.20" taxes="0" netCash="40.20"',
    { kind: "sell", fees: "-0.20", taxes: "0", gross: "40.00" },
  ],
  ["a sale that was cancelled", 'buySell="SELL (Ca.)" quantity="4" netCash="-40"', { kind: "sell" }],
  [
    "what cannot be read",
    'buySell="BUY" quantity="4" netCash="-41" ibCommission="--" settleDateTarget="02/02/2024"',
    { kind: "buy" },
  ],
])("[C-5.120] facts of a trade: %s", (_, attributes, expected) => {
  const [trade] = moved("Trades", "Trade", `assetCategory="STK" ${attributes}`);
  expect(only(trade, moves)).toEqual({ ...expected, identifiers: { ticker: "VELM" } });
});

it("[C-5.120] a commission in another currency is a fee of its own, and none of the trade's", () => {
  const deal =
    'assetCategory="CASH" buySell="BUY" quantity="10" proceeds="-10.8" taxes="0" ibCommission="-1.75" ibCommissionCurrency="CHF"';
  expect(moved("Trades", "Trade", deal).map((row) => only(row, moves))).toEqual([
    { kind: "fx", taxes: "0", gross: "-10.8" },
    { kind: "fee" },
  ]);
});

it.each([
  ["Dividends", "5", "dividend"],
  ["Payment In Lieu Of Dividends", "5", "dividend"],
  ["Withholding Tax", "-1", "tax"],
  ["871(m) Withholding", "-1", "tax"],
  ["Bond Interest Received", "5", "coupon"],
  ["Bond Interest Paid", "-5", "interest"],
  ["Broker Interest Paid", "-5", "interest"],
  ["Broker Interest Received", "5", "interest"],
  ["Other Fees", "-5", "fee"],
  ["Commission Adjustments", "1", "fee"],
  ["Deposits &amp; Withdrawals", "5", "deposit"],
  ["Deposits/Withdrawals", "-5", "withdrawal"],
  ["Other Income", "5", "other"],
])("[C-5.120] the kind of a cash transaction: %s of %s is %s", (type, amount, kind) => {
  const [row] = moved("CashTransactions", "CashTransaction", `type="${type}" amount="${amount}" settleDate="20240202"`);
  expect(row).toMatchObject({ kind, settlement_date: "2024-02-02" });
});

it.each([
  ["FS", "split"],
  ["Stock Split", "split"],
  ["SO", "spin_off"],
  ["TC", "merger"],
  ["BM", "redemption"],
  ["SD", "dividend"],
  ["PV", "other"],
])("[C-5.120] the kind of a corporate action: %s is %s", (type, kind) => {
  expect(moved("CorporateActions", "CorporateAction", `type="${type}" quantity="1"`)).toMatchObject([{ kind }]);
});

it.each([
  ["TransactionTaxes", "TransactionTax", 'taxAmount="-1"', "tax"],
  ["SalesTaxes", "SalesTax", 'salesTax="-1"', "tax"],
  ["Transfers", "Transfer", 'direction="OUT" quantity="-1"', "transfer_out"],
  ["Transfers", "Transfer", 'direction="IN" quantity="1"', "transfer_in"],
  ["OptionEAE", "OptionEAE", 'transactionType="Assignment" quantity="1"', "other"],
  ["OptionEAE", "OptionEAE", 'transactionType="Sell" quantity="-1"', "sell"],
])("[C-5.120] rows of %s: %s %s is %s", (section, row, attributes, kind) => {
  expect(moved(section, row, attributes)).toMatchObject([{ kind }]);
});
