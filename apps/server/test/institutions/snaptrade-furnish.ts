import type { SnapTradeBook } from "./snaptrade-book.js";
import { instrument, type SnapTradeInstrument } from "./snaptrade-brokerage.js";

/**
 * A brokerage with one login (`erika`, `s3cret`) and two accounts that hold every kind of instrument, with an activity of every type of
 * docs/sandbox and of the description, and an exchange with another (`erika`, `coins`), whose figures no float holds. All on days before today.
 */
export function furnish(book: SnapTradeBook) {
  const larch = book.addBrokerage("LARCH", "Larch Brokers");
  const login = larch.register("erika", "s3cret");
  const day = (ago: number) => new Date(book.clock().getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const figi = { figi_code: "BBG000B9XRY4", figi_share_class: "BBG001S5N8V8" };
  const apple = instrument("stock", "AAPL", "Apple Inc.", { figi });
  const shopify = instrument("stock", "SHOP.TO", "Shopify Inc.", { currency: "CAD", exchange: "XTSE" });
  const index = instrument("etf", "SPY", "SPDR S&P 500 ETF Trust", { exchange: "ARCX" });
  const alibaba = instrument("adr", "BABA", "Alibaba Group Holding Ltd ADR", { exchange: "XNYS" });
  const trust = instrument("cef", "BST", "BlackRock Science and Technology Trust", { exchange: "XNYS" });
  const fund = instrument("mutualfund", "VFIAX", "Vanguard 500 Index Fund Admiral Shares");
  const money = instrument("mutualfund", "SWVXX", "Schwab Value Advantage Money Fund");
  const bond = instrument("other", "US912810TM09", "US TREASURY 4% 15 NOV 2042", { exchange: null });
  const call = optionOf(apple, "CALL", "240", "2026-12-18");
  const put = optionOf(index, "PUT", "412.5", "2027-01-15", "10");
  const future = instrument("future", "ESM27", "E-mini S&P 500", {
    raw_symbol: "ES",
    exchange: "XCME",
    future: { expiration_code: "M27", expiration_date: "2027-06-18", multiplier: "50" },
  });
  const cfd = instrument("cfd", "AAPL", "Apple Inc.", { underlying: apple });

  const margin = login.open("Q6542138443", { institution_account_id: "54953432", rates: { CAD: "0.7113" } });
  margin.deposit("25000.07", { trade_date: day(90) });
  margin.deposit("4000", { currency: "CAD", trade_date: `${day(89)}T09:15:00.123456Z` });
  margin.trade("BUY", apple, "12.3456789012345678", "187.250000000000001", { fee: "1.01", trade_date: day(80) });
  margin.trade("BUY", shopify, "20", "98.7", { trade_date: day(79), settlement_date: day(77) });
  margin.trade("BUY", call, "2", "3.15", { fee: "1.3", trade_date: day(60) });
  margin.trade("SELL", put, "3", "7.4", { option_type: "SELL_TO_OPEN", trade_date: day(59) });
  margin.trade("SELL", apple, "2", "201", { trade_date: day(40) });
  margin.hold(index, "4", { price: "512.11", cost_basis: "480.005" });
  margin.hold(alibaba, "-7", { price: "88.2", cost_basis: "90" });
  margin.hold(trust, "100", { price: "31.4159", cost_basis: null });
  margin.hold(fund, "3.219", { price: "455.02", cost_basis: "400.1", cash_equivalent: false });
  margin.hold(money, "1500.25", { price: "1", cost_basis: "1", cash_equivalent: true });
  margin.hold(bond, "10000", { price: null, cost_basis: "98.125" });
  margin.hold(future, "1", { price: "5123.25", cost_basis: "5100" });
  margin.hold(cfd, "5", { price: "187.3", cost_basis: "180" });
  margin.price(apple, "203.4567890123456789");
  margin.price(call, "4.05");
  margin.buyingPower.set("CAD", null);
  const paid = { instrument: apple, amount: "3.05", trade_date: day(30) };
  margin.book("DIVIDEND", { ...paid, description: "APPLE INC CASH DIV ON 12.3456 SHS" });
  margin.book("TAX", { instrument: apple, amount: "-0.46", trade_date: day(30) });
  margin.book("REI", { instrument: apple, amount: "-2.59", units: "0.0127", price: "203.94", trade_date: day(29) });

  const plan = login.open("Q6542138444", { name: "Erika's plan", raw_type: "IRA", total: "1024.19" });
  const types =
    "WITHDRAWAL INTEREST FEE REBATE SUBSTITUTE_DIVIDEND STOCK_DIVIDEND RETURN_OF_CAPITAL DISTRIBUTION OPTIONEXPIRATION OPTIONASSIGNMENT OPTIONEXERCISE SPLIT REVERSE_SPLIT SPINOFF STOCK_MERGER ADJUSTMENT TRANSFER EXTERNAL_ASSET_TRANSFER_IN EXTERNAL_ASSET_TRANSFER_OUT INTERNAL_CASH_TRANSFER_IN INTERNAL_CASH_TRANSFER_OUT INTERNAL_ASSET_TRANSFER_IN INTERNAL_ASSET_TRANSFER_OUT".split(
      " ",
    );
  plan.deposit("1000", { trade_date: day(28) });
  for (const type of types) {
    const isSpent = /WITHDRAWAL|FEE|CASH_TRANSFER_OUT/.test(type);
    const isCash = isSpent || /INTEREST|REBATE|SUBSTITUTE|RETURN|DISTRIBUTION|CASH_TRANSFER_IN/.test(type);
    const units = /OUT|ASSIGNMENT|EXPIRATION|EXERCISE|REVERSE/.test(type) ? "-1" : "1";
    plan.book(type, {
      trade_date: day(20),
      ...(isCash
        ? { amount: isSpent ? "-3.1" : "5.2", description: `${type} of the plan` }
        : { instrument: type.startsWith("OPTION") ? call : index, units, amount: "0" }),
    });
  }
  // What the brokerage has no usual type for keeps its own.
  plan.book("Gutschrift für Größe", { amount: "0.01", trade_date: null });

  const coins = book.addBrokerage("COINS", "Coin Exchange", {
    type: "Cryptocurrency Exchange",
    auth_type: "OAUTH",
    allows_trading: false,
  });
  const wallet = coins.register("erika", "coins").open("****8443", { name: null, raw_type: null });
  const bitcoin = instrument("crypto", "XBT", "Bitcoin");
  const tether = instrument("crypto", "USDT", "Tether");
  wallet.deposit("100.1", { trade_date: `${day(10)}T23:59:59Z` });
  wallet.hold(bitcoin, "0.123456789012345678", { price: "67123.456789012345678" });
  wallet.hold(tether, "9007199254740993.1", { price: null, currency: null });
  wallet.book("BUY", {
    instrument: bitcoin,
    units: "0.123456789012345678",
    price: "67000.000000000000001",
    amount: "-8271.604863827160427",
    currency: null,
    quote: tether,
    trade_date: `${day(9)}T12:00:00Z`,
    external_reference_id: "TX-1",
  });
  return {
    larch,
    login,
    margin,
    plan,
    coins,
    wallet,
    instruments: { apple, shopify, index, alibaba, trust, fund, money, bond, call, put, future, cfd, bitcoin, tether },
  };
}

/** With the symbol of OCC: root, day, side, a thousandfold strike. */
function optionOf(
  underlying: SnapTradeInstrument,
  option_type: "CALL" | "PUT",
  strike_price: string,
  expiration_date: string,
  multiplier = "100",
) {
  const strike = String(Number(strike_price) * 1000).padStart(8, "0");
  const symbol = `${underlying.symbol.padEnd(6)}${expiration_date.slice(2).replaceAll("-", "")}${option_type[0]}${strike}`;
  return instrument("option", symbol, `${underlying.symbol} ${expiration_date} ${strike_price} ${option_type}`, {
    exchange: "OPRA",
    option: { option_type, strike_price, expiration_date, multiplier },
    underlying,
  });
}
