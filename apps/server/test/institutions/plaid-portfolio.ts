import { Exact } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { type PlaidAccount, plaidId, security } from "./plaid-bank.js";

/** Securities of every type that Plaid has, with the fields that are peculiar to it. */
export const kinds = {
  cash: security("U S Dollar", {
    ticker_symbol: "CUR:USD",
    type: "cash",
    subtype: "cash",
    is_cash_equivalent: true,
    close_price: new Exact("1"),
  }),
  moneyMarket: security("Larkspur Government Money Market", {
    ticker_symbol: "LGMXX",
    type: "cash",
    subtype: "money market debt",
    is_cash_equivalent: true,
    isin: "US5170000105",
    cusip: "517000010",
  }),
  stock: security("Apple Inc.", {
    isin: "US0378331005",
    cusip: "037833100",
    sedol: "2046251",
    ticker_symbol: "AAPL",
    market_identifier_code: "XNAS",
    sector: "Electronic Technology",
    industry: "Telecommunications Equipment",
    cfi_code: "ESVUFR",
    close_price: new Exact("271.49"),
    close_price_as_of: "2026-11-19",
    update_datetime: "2026-11-19T21:00:00Z",
  }),
  foreignStock: security("Larkspur Industrie", {
    ticker_symbol: "LKI",
    iso_currency_code: "EUR",
    market_identifier_code: "XPAR",
    institution_security_id: "LKI-77",
    institution_id: "ins_1",
  }),
  unlisted: security("Kestrel Labs, Series B", {
    ticker_symbol: null,
    subtype: "preferred equity",
    proxy_security_id: plaidId("security", "a listed one"),
  }),
  etf: security("Larkspur World ETF", { ticker_symbol: "LWLD", type: "etf", subtype: "etf", cfi_code: "CEOIES" }),
  fund: security("Larkspur Target Retirement 2045", {
    ticker_symbol: "LTRFX",
    type: "mutual fund",
    subtype: "mutual fund",
    cusip: "517000028",
  }),
  option: security("AAPL Jan 2027 280 Call", {
    ticker_symbol: "AAPL270115C00280000",
    type: "derivative",
    subtype: "option",
    option_contract: {
      contract_type: "call",
      expiration_date: "2027-01-15",
      strike_price: new Exact("280"),
      underlying_security_ticker: "AAPL",
    },
  }),
  bond: security("United States Treasury Note 4.25% 2035", {
    cusip: "91282CMM0",
    isin: "US91282CMM00",
    type: "fixed income",
    subtype: "note",
    fixed_income: {
      yield_rate: { percentage: new Exact("4.25"), type: "coupon" },
      maturity_date: "2035-02-15",
      issue_date: "2025-02-18",
      face_value: new Exact("1000"),
    },
  }),
  bill: security("Treasury bill without details", {
    type: "fixed income",
    subtype: "bill",
    fixed_income: {
      yield_rate: { percentage: new Exact("3.9"), type: null },
      maturity_date: null,
      issue_date: null,
      face_value: null,
    },
  }),
  coin: security("Bitcoin", {
    ticker_symbol: "CUR:BTC",
    type: "cryptocurrency",
    subtype: "cryptocurrency",
    iso_currency_code: "USD",
  }),
  unofficial: security("Tether", {
    ticker_symbol: "CUR:USDT",
    type: "cryptocurrency",
    subtype: "cryptocurrency",
    iso_currency_code: null,
    unofficial_currency_code: "USDT",
  }),
  loan: security("Loan to participant", { type: "loan", subtype: "other", iso_currency_code: null }),
  other: security("Variable annuity unit", { type: "other", subtype: "other" }),
  unknown: security(null, { type: null, subtype: null, is_cash_equivalent: null }),
} as const;

/** A type for each subtype, as plaid.com/docs/api/accounts pairs them; some stand under several. */
export const bookings: readonly (readonly [type: string, subtype: string])[] = Object.entries({
  buy: "buy,buy to cover,contribution,dividend reinvestment,interest reinvestment,long-term capital gain reinvestment,short-term capital gain reinvestment,assignment",
  sell: "sell,sell short,exercise,distribution",
  cancel: "buy",
  cash: "contribution,deposit,withdrawal,dividend,qualified dividend,non-qualified dividend,stock distribution,interest,long-term capital gain,short-term capital gain,unqualified gain,pending credit,pending debit,non-resident tax,tax,tax withheld,adjustment",
  fee: "account fee,fund fee,interest receivable,legal fee,management fee,margin expense,miscellaneous fee,transfer fee,trust fee",
  transfer:
    "transfer,assignment,exercise,expire,merger,spin off,split,trade,rebalance,return of principal,request,send,loan payment",
}).flatMap(([type, subtypes]) => subtypes.split(",").map((subtype) => [type, subtype] as const));

/** An account with a holding of every kind; figures that a float cannot keep are among them. */
export function furnish(account: PlaidAccount): void {
  account.hold(kinds.cash, "12345.67", "1");
  account.hold(kinds.moneyMarket, "1000.05", "1", { cost_basis: new Exact("1000.05") });
  account.hold(kinds.stock, "23.567", "271.49", {
    cost_basis: new Exact("4210.123456789012345"),
    institution_price_datetime: "2026-11-20T14:30:00Z",
    vested_quantity: new Exact("10.5"),
    vested_value: new Exact("2850.645"),
  });
  account.hold(kinds.foreignStock, "12", "88.1");
  account.hold(kinds.unlisted, "100", "0", { institution_price_as_of: null, institution_value: new Exact("0") });
  account.hold(kinds.etf, "0.1", "0.2");
  account.hold(kinds.fund, "9007199254740993.0000001", "0.0000001", { institution_price_as_of: null });
  // Two contracts.
  account.hold(kinds.option, "200", "8.15", { cost_basis: new Exact("1500") });
  account.hold(kinds.bond, "5", "981.25", { tax_lots: [] });
  account.hold(kinds.bill, "1", "990");
  account.hold(kinds.coin, "0.00000001", "91234.56");
  account.hold(kinds.unofficial, "250.123456789012345678", "1");
  account.hold(kinds.loan, "1", "-2500");
  account.hold(kinds.other, "3.5", "12.25", { institution_value: new Exact("42.88") });
  account.hold(kinds.unknown, "1", "17");
}

/** A transaction of every type and subtype, one a day, the last of them on `until`. */
export function bookAll(account: PlaidAccount, until: string): void {
  bookings.forEach(([type, subtype], index) => {
    const date = new Date(Date.parse(until) - (bookings.length - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    const isTrade = type === "buy" || type === "sell";
    account.book(type, subtype, type === "sell" ? "-100.1" : "100.1", {
      date,
      ...(isTrade && {
        of: kinds.stock,
        quantity: new Exact(type === "sell" ? "-0.5" : "0.5"),
        price: new Exact("200.2"),
        fees: null,
      }),
    });
  });
}
