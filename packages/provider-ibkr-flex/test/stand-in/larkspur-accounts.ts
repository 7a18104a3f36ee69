import { table } from "../../../provider-kit/test/stand-in/table.js";
import { contractOf } from "./contracts.js";
import type { FlexAccount, FlexRow } from "./flex-statement.js";
import {
  cashRow,
  common,
  informationRow,
  type MoneyLine,
  moneyRow,
  type PositionLine,
  positionRow,
  type RowContext,
  type TradeLine,
  tradeRow,
  unitsRow,
  valueRow,
} from "./rows.js";

/** The two business days with statements: the second is published with the next day. */
export const firstDay = "2026-11-19";
export const secondDay = "2026-11-20";

const main: RowContext = { account: "U7000001", alias: "Family & Co", rates: { USD: "1", EUR: "1.0853" } };
const later: RowContext = { ...main, rates: { USD: "1", EUR: "1.0871" } };

const firstPositions = table<PositionLine>(`
  contract | level | units      | mark       | value            | cost            | accrued | opened
  apple    |       | 120.5      | 271.49     | 32714.545        | 25305.00000001  |         |
  apple    | LOT   | 100        | 271.49     | 27149            | 19808.39500001  |         | 2024-03-05T09:31:00
  apple    | LOT   | 20.5       | 271.49     | 5565.545         | 5496.605        |         | 2026-11-02T10:30:11
  vanguard |       | 300        | 141.07     | 42321            | 36000.123456789 |         |
  call     |       | -2         | 6.4512     | -1290.24         | -1099.1         |         |
  future   |       | 1          | 6710.25    | 335512.5         | 334927.25       |         |
  treasury |       | 25000      | 102.015625 | 25503.90625      | 24992.5         | 12.43   |
  fund     |       | 1234.567   | 10.2345    | 12635.1759615    | 12345.67        |         |
  bitcoin  |       | 0.12345678 | 87654.32   | 10821.5201002896 | 7999.999344     |         |
  warrant  |       | 500        | 1.37       | 685              | 600             |         |
  cfd      |       | -5         | 6701.2     | -33506           | -33250          |         |
  societe  |       | 40         | 61.23      | 2449.2           | 2414.212        |         |
`);

const secondPositions = table<PositionLine>(`
  contract | level | units      | mark       | value           | cost            | accrued | opened
  apple    |       | 122.5      | 273.01     | 33443.725       | 25851.36000001  |         |
  apple    | LOT   | 100        | 273.01     | 27301           | 19808.39500001  |         | 2024-03-05T09:31:00
  apple    | LOT   | 20.5       | 273.01     | 5596.705        | 5496.605        |         | 2026-11-02T10:30:11
  apple    | LOT   | 2          | 273.01     | 546.02          | 546.36          |         | 2026-11-20T10:30:11
  vanguard |       | 290        | 141.55     | 41049.5         | 34800.119341563 |         |
  call     |       | -2         | 6.9001     | -1380.02        | -1099.1         |         |
  future   |       | 1          | 6688.75    | 334437.5        | 334927.25       |         |
  treasury |       | 25000      | 102.109375 | 25527.34375     | 24992.5         | 15.54   |
  fund     |       | 1234.567   | 10.2411    | 12643.3241037   | 12345.67        |         |
  bitcoin  |       | 0.12345678 | 88001.1    | 10864.332442458 | 7999.999344     |         |
  warrant  |       | 500        | 1.41       | 705             | 600             |         |
  cfd      |       | -5         | 6679.6     | -33398          | -33250          |         |
  societe  |       | 40         | 60.98      | 2439.2          | 2414.212        |         |
`);

const trades = table<TradeLine>(`
  id          | trade_id  | contract | day        | settles    | units | price   | trade_money | proceeds | commission | taxes  | net_cash    | accrued | booked      | notes
  30000000003 | 710000001 | put      | 2026-10-26 | 2026-10-27 | -1    | 0.53    | -53         | 53       | -0.66365   |        | 52.33635    |         |             |
  30000000005 | 710000003 | apple    | 2026-11-02 | 2026-11-03 | 20.5  | 268.11  | 5496.255    | -5496.255| -0.35      |        | -5496.605   |         |             |
  30000000006 | 710000004 | call     | 2026-11-03 | 2026-11-04 | -2    | 5.5     | -1100       | 1100     | -0.9       |        | 1099.1      |         |             |
  30000000007 | 710000005 | future   | 2026-11-04 | 2026-11-04 | 1     | 6698.5  | 334925      | 0        | -2.25      |        | -2.25       |         |             |
  30000000010 | 710000007 | societe  | 2026-11-09 | 2026-11-11 | 40    | 60.1    | 2404        | -2404    | -3         | -7.212 | -2414.212   |         |             |
  30000000013 | 710000009 | tesla    | 2026-11-10 | 2026-11-12 | 5     | 401.01  | 2005.05     | -2005.05 | -1         |        | -2006.05    |         |             |
  30000000014 | 710000010 | tesla    | 2026-11-11 | 2026-11-12 | -5    | 401.01  | -2005.05    | 2005.05  | 1          |        | 2006.05     |         | TradeCancel | Ca
  30000000011 | 710000008 | treasury | 2026-11-16 | 2026-11-17 | 25000 | 99.95   | 24987.5     | -24987.5 | -5         |        | -24992.5    | -6.22   |             |
  30000000027 | 710000011 | apple    | 2026-11-20 | 2026-11-23 | 2     | 273     | 546         | -546     | -0.36      |        | -546.36     |         |             |
  30000000028 | 710000012 | vanguard | 2026-11-20 | 2026-11-23 | -10   | 141.5   | -1415       | 1415     | -0.360009  |        | 1414.639991 |         |             |
`);

/** Interactive Brokers states a net cash of 0 for currency deals; the proceeds and the commission are what moves. */
const [currencyDeal] = table<TradeLine>(`
  id          | trade_id  | contract | day        | settles    | units | price   | trade_money | proceeds | commission | net_cash
  30000000009 | 710000006 | euro     | 2026-11-06 | 2026-11-10 | 1000  | 1.08531 | 1085.31     | -1085.31 | -2         | 0
`);

/** An expiry appears twice, as a trade at zero and as an option event; the contract is removed once. */
const [expiry] = table<TradeLine>(`
  id          | trade_id  | contract | day        | settles    | units | price | trade_money | proceeds | commission | net_cash | booked    | notes
  30000000004 | 710000002 | put      | 2026-10-30 | 2026-10-30 | 1     | 0     | 0           | -0       | 0          | 0        | BookTrade | Ep
`);

const moneys = table<MoneyLine>(`
  id          | type                         | contract | day        | amount | currency | kind       | text
  30000000001 | Deposits/Withdrawals         |          | 2026-10-21 | 5000   | USD      | deposit    | CASH RECEIPTS / ELECTRONIC FUND TRANSFERS
  30000000002 | Deposits/Withdrawals         |          | 2026-10-23 | -250.5 | EUR      | withdrawal | DISBURSEMENT INITIATED BY CUSTOMER
  30000000019 | Broker Interest Received     |          | 2026-11-04 | 1.02   | USD      | interest   | USD CREDIT INT FOR OCT-2026
  30000000020 | Broker Interest Paid         |          | 2026-11-04 | -2.87  | EUR      | interest   | EUR DEBIT INT FOR OCT-2026
  30000000021 | Other Fees                   |          | 2026-11-04 | -1.5   | USD      | fee        | M******01:NASDAQ (UTP TAPE C) LEVEL 1 FOR NOV 2026
              | Dividends                    | apple    | 2026-11-12 | 26.1   | USD      |            | AAPL(US0378331005) CASH DIVIDEND USD 0.26 PER SHARE
  30000000015 | Dividends                    | apple    | 2026-11-12 | 26.1   | USD      | dividend   | AAPL(US0378331005) CASH DIVIDEND USD 0.26 PER SHARE (Ordinary Dividend)
  30000000016 | Withholding Tax              | apple    | 2026-11-12 | -3.92  | USD      | tax        | AAPL(US0378331005) CASH DIVIDEND USD 0.26 PER SHARE - US TAX
  30000000017 | Payment In Lieu Of Dividends | vanguard | 2026-11-12 | 12.34  | USD      | dividend   | VT(US9220427424) PAYMENT IN LIEU OF DIVIDEND
  30000000012 | Bond Interest Paid           | treasury | 2026-11-16 | -6.22  | USD      |            | PURCHASE ACCRUED INT T 4 1/2 11/15/33
  30000000018 | Bond Interest Received       | treasury | 2026-11-16 | 562.5  | USD      |            | BOND COUPON PAYMENT (T 4 1/2 11/15/33)
  30000000029 | Other Fees                   |          | 2026-11-20 | -0.01  | USD      | fee        | ADR CUSTODY FEE
  30000000030 | Dividends                    | societe  | 2026-11-20 | 23.45  | EUR      | dividend   | GLE(FR0000130809) CASH DIVIDEND EUR 0.58625 PER SHARE
`);

const units = table<Parameters<typeof unitsRow>[1]>(`
  id          | type     | direction | contract | day        | units  | money  | kind         | text
  30000000025 | ACATS    | IN        | nvidia   | 2026-10-28 | 10     | 1881.5 | transfer_in  | -
  30000000008 | BM       |           | bill     | 2026-11-05 | -10000 | 10000  | redemption   | (US912797GB79) FULL CALL / EARLY REDEMPTION FOR USD 1.00 PER BOND
  30000000023 | FS       |           | nvidia   | 2026-11-13 | 90     | 0      | split        | NVDA(US67066G1040) SPLIT 10 FOR 1 (NVDA, NVIDIA CORP, US67066G1040)
  30000000024 | SO       |           | vernova  | 2026-11-13 | 2.5    | 0      | spin_off     | GE(US3696043013) SPINOFF  1 FOR 4 (GEV, GE VERNOVA INC, US36828A1016)
  30000000026 | INTERNAL | OUT       | nvidia   | 2026-11-17 | -100   | -1899  | transfer_out | -
`);

/** Rows that repeat other rows, in separate sections. */
const repeated: readonly FlexRow[] = [
  {
    section: "OptionEAE",
    element: "OptionEAE",
    attributes: {
      ...common(main, contractOf("put"), "USD"),
      date: "2026-10-30",
      transactionType: "Expiration",
      quantity: "1",
      tradePrice: "0",
      markPrice: "0",
      proceeds: "0",
      commisionsAndTax: "0",
      costBasis: "-52.33635",
      realizedPnl: "52.33635",
      mtmPnl: "0",
      tradeID: "710000002",
    },
  },
  {
    section: "Trades",
    element: "Order",
    attributes: {
      ...common(main, contractOf("apple"), "USD"),
      tradeID: "",
      dateTime: "2026-11-02T10:30:11",
      tradeDate: "2026-11-02",
      reportDate: "2026-11-02",
      quantity: "20.5",
      tradePrice: "268.11",
      tradeMoney: "5496.255",
      proceeds: "-5496.255",
      taxes: "0",
      ibCommission: "-0.35",
      netCash: "-5496.605",
      buySell: "BUY",
      transactionID: "",
      levelOfDetail: "ORDER",
    },
  },
  {
    section: "TransactionTaxes",
    element: "TransactionTax",
    attributes: {
      ...common(main, contractOf("societe"), "EUR"),
      date: "2026-11-09",
      reportDate: "2026-11-09",
      taxDescription: "FRENCH DAILY TRADE CHARGE TAX",
      quantity: "40",
      tradePrice: "60.1",
      taxAmount: "-7.212",
      tradeId: "710000007",
      source: "STANDALONE",
      code: "",
      levelOfDetail: "DETAIL",
    },
  },
];

const salesTax: FlexRow = {
  section: "SalesTaxes",
  element: "SalesTax",
  attributes: {
    ...common(main, null, "USD"),
    date: "2026-11-04",
    country: "Austria",
    taxType: "VAT",
    payer: "U7000001",
    taxableAmount: "-1.5",
    taxRate: "0.2",
    taxableDescription: "m******01:NASDAQ (UTP Tape C) Level 1",
    taxableTransactionID: "30000000021",
    salesTax: "-0.3",
    transactionID: "30000000022",
    code: "",
  },
  transactions: [
    {
      account: "U7000001",
      id: "30000000022",
      conid: null,
      operation_date: "2026-11-04",
      amount: null,
      balance: "-0.3",
      currency: "USD",
      kind: "tax",
    },
  ],
};

/** A margin account in US dollars with nearly every kind of row. */
export const mainAccount: FlexAccount = {
  account: main.account,
  base_currency: "USD",
  days: {
    [firstDay]: [
      informationRow(main, "USD", "Larkspur Family Office"),
      valueRow(main, "ChangeInNAV", "USD", firstDay, "136876.52681354"),
      cashRow(main, firstDay, "BASE_SUMMARY", "9678.861732234"),
      cashRow(main, firstDay, "USD", "10234.567891234"),
      cashRow(main, firstDay, "EUR", "-512.03"),
      cashRow(main, firstDay, "JPY", "0"),
      ...firstPositions.map((line) => positionRow(main, firstDay, line)),
    ],
    [secondDay]: [
      informationRow(later, "USD", "Larkspur Family Office"),
      valueRow(later, "ChangeInNAV", "USD", secondDay, "137254.741209824"),
      cashRow(later, secondDay, "BASE_SUMMARY", "10571.702564234"),
      cashRow(later, secondDay, "USD", "11102.837882234"),
      cashRow(later, secondDay, "EUR", "-488.58"),
      cashRow(later, secondDay, "JPY", "0"),
      ...secondPositions.map((line) => positionRow(later, secondDay, line)),
    ],
  },
  movements: [
    ...trades.map((line) => tradeRow(main, line)),
    ...(currencyDeal ? [tradeRow(main, currencyDeal, { balance: "-1087.31", kind: "fx", fees: "2" })] : []),
    ...(expiry ? [tradeRow(main, expiry)] : []),
    ...moneys.map((line) => moneyRow(main, line)),
    ...units.map((line) => unitsRow(main, line)),
    salesTax,
    ...repeated,
  ],
};
