import { Exact, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { isNegative, isZero, minus, negative, over, plus, times } from "./decimals.js";
import {
  dayOf,
  isMargin,
  type SaxoAccount,
  type SaxoBook,
  type SaxoClosedPosition,
  type SaxoInstrument,
  type SaxoPosition,
  worthOf,
} from "./saxo-book.js";

/** What an answer is about: these accounts, in this currency, and if one account was named it alone. */
export interface SaxoScope {
  readonly book: SaxoBook;
  readonly accounts: readonly SaxoAccount[];
  readonly currency: string;
  readonly isOneAccount: boolean;
}

const number = (text: string) => new Exact(text);
const sum = (texts: readonly string[]) => plus("0", ...texts);

export function userOf({ client, clock }: SaxoBook): JsonObject {
  return {
    ClientKey: client.key,
    Culture: "en-GB",
    Language: "en",
    LastLoginStatus: "Successful",
    LastLoginTime: clock().toISOString(),
    LegalAssetTypes: ["FxSpot", "Stock", "Etf", "Bond", "MutualFund", "CfdOnStock"],
    MarketDataViaOpenApiTermsAccepted: true,
    Name: client.name,
    TimeZoneId: 26,
    UserId: client.id,
    UserKey: client.userKey,
  };
}

export function clientOf({ client, accounts }: SaxoBook): JsonObject {
  return {
    AllowedTradingSessions: "Regular",
    ClientId: client.id,
    ClientKey: client.key,
    CurrencyDecimals: 2,
    DefaultAccountId: accounts[0]?.id,
    DefaultAccountKey: accounts[0]?.key,
    DefaultCurrency: client.currency,
    IsMarginTradingAllowed: true,
    Name: client.name,
    PositionNettingMethod: "FIFO",
    PositionNettingMode: "EndOfDay",
    PositionNettingProfile: "FifoEndOfDay",
  };
}

export function accountOf({ client }: SaxoBook, { id, key, groupKey, currency }: SaxoAccount): JsonObject {
  return {
    AccountGroupKey: groupKey,
    AccountId: id,
    AccountKey: key,
    AccountType: "Normal",
    Active: true,
    ClientId: client.id,
    ClientKey: client.key,
    CreationDate: "2017-01-01T13:00:00.000000Z",
    Currency: currency,
    CurrencyDecimals: 2,
    IndividualMargining: false,
    IsMarginTradingAllowed: true,
    IsTrialAccount: false,
    ManagementType: "Client",
  };
}

/** The sums of the documents' own example: cash, positions and what has not been booked are the total. */
export function balanceOf({ book, accounts, currency }: SaxoScope): JsonObject {
  const inCurrency = (of: (account: SaxoAccount) => string) =>
    sum(accounts.map((account) => times(of(account), book.rateOf(account.currency, currency))));
  const positions = book.positions.filter(({ account }) => accounts.includes(account));
  const converted = (of: (position: SaxoPosition) => string, margin: boolean) =>
    sum(
      positions
        .filter(({ instrument }) => isMargin(instrument) === margin)
        .map((position) => times(of(position), book.rateOf(position.instrument.currency, currency))),
    );
  const cash = inCurrency((account) => book.cashOf(account));
  const notBooked = inCurrency((account) => book.notBookedOf(account));
  const value = converted(valueNow, false);
  const profit = converted(profitOf, true);
  return {
    CalculationReliability: positions.some(({ instrument }) => instrument.price === null) ? "NoMarketAccess" : "Ok",
    CashAvailableForTrading: number(cash),
    CashBalance: number(cash),
    CashBlocked: 0,
    ChangesScheduled: false,
    ClosedPositionsCount: 0,
    CorporateActionUnrealizedAmounts: 0,
    CostToClosePositions: 0,
    Currency: currency,
    CurrencyDecimals: 2,
    NetPositionsCount: new Set(positions.map(({ instrument }) => instrument)).size,
    NonMarginPositionsValue: number(value),
    OpenPositionsCount: positions.length,
    OptionPremiumsMarketValue: 0,
    OrdersCount: 0,
    OtherCollateral: 0,
    TotalValue: number(plus(cash, value, profit, notBooked)),
    TransactionsNotBooked: number(notBooked),
    UnrealizedMarginClosedProfitLoss: 0,
    UnrealizedMarginOpenProfitLoss: number(profit),
    UnrealizedMarginProfitLoss: number(profit),
    UnrealizedPositionsValue: number(plus(value, profit)),
  };
}

export function positionOf(position: SaxoPosition, { book, currency }: SaxoScope): JsonObject {
  const { id, account, instrument, amount, openPrice, commission, at } = position;
  const { uic, assetType } = instrument;
  const view = viewOf([position], book.rateOf(instrument.currency, currency));
  return {
    DisplayAndFormat: displayOf(instrument),
    Exchange: exchangeOf(instrument),
    NetPositionId: netIdOf(instrument),
    PositionBase: {
      AccountId: account.id,
      AccountKey: account.key,
      Amount: number(amount),
      AssetType: assetType,
      CanBeClosed: true,
      ClientId: book.client.id,
      CloseConversionRateSettled: false,
      ExecutionTimeOpen: at.toISOString(),
      IsForceOpen: false,
      IsMarketOpen: false,
      LockedByBackOffice: false,
      OpenPrice: number(openPrice),
      OpenPriceIncludingCosts: number(withCosts(instrument, amount, openPrice, commission)),
      ...(assetType === "FxSpot" && { SpotDate: dayOf(at) }),
      Status: "Open",
      Uic: uic,
      ValueDate: `${dayOf(at)}T00:00:00.000000Z`,
    },
    PositionId: id,
    PositionView: {
      ...view,
      ...(!isMargin(instrument) && { MarketValueOpen: number(worthOf(instrument, amount, openPrice)) }),
    },
  };
}

/** All positions of one instrument. */
export function netPositionOf(
  positions: readonly [SaxoPosition, ...SaxoPosition[]],
  { book, accounts, currency, isOneAccount }: SaxoScope,
): JsonObject {
  const [first, second] = positions;
  const { instrument } = first;
  const amounts = positions.map((each) => each.amount);
  const amount = sum(amounts);
  const paid = sum(positions.map((each) => times(each.amount, each.openPrice)));
  const costs = sum(positions.map(({ commission }) => commission));
  const average = isZero(amount) ? "0" : over(paid, amount, 8);
  const isShared = positions.some(({ account }) => account !== first.account);
  return {
    DisplayAndFormat: displayOf(instrument),
    Exchange: exchangeOf(instrument),
    NetPositionBase: {
      ...(isOneAccount && { AccountId: accounts[0]?.id }),
      Amount: number(amount),
      AmountLong: number(sum(amounts.filter((each) => !isNegative(each)))),
      AmountShort: number(sum(amounts.filter(isNegative))),
      AssetType: instrument.assetType,
      CanBeClosed: true,
      ClientId: book.client.id,
      HasForceOpenPositions: false,
      IsMarketOpen: false,
      NonTradableReason: "None",
      NumberOfRelatedOrders: 0,
      OpenOrdersCount: 0,
      OpeningDirection: isNegative(first.amount) ? "Sell" : "Buy",
      ...(!isShared && { PositionsAccount: first.account.id }),
      ...(!second && {
        SinglePositionAccountId: first.account.id,
        SinglePositionId: first.id,
        SinglePositionStatus: "Open",
      }),
      Uic: instrument.uic,
      ValueDate: `${dayOf(first.at)}T00:00:00.000000Z`,
    },
    NetPositionId: netIdOf(instrument),
    NetPositionView: {
      ...viewOf(positions, book.rateOf(instrument.currency, currency)),
      AverageOpenPrice: number(average),
      AverageOpenPriceIncludingCosts: number(withCosts(instrument, amount, average, costs)),
      PositionCount: positions.length,
      PositionsNotClosedCount: positions.length,
      Status: "Open",
    },
  };
}

/** "Closed today", as the list holds what the end of the day has not netted yet. */
export function closedPositionOf(closed: SaxoClosedPosition, { book, currency }: SaxoScope): JsonObject {
  const { open, id, price, commission, at } = closed;
  const { instrument } = open;
  const rate = book.rateOf(instrument.currency, currency);
  const profit = worthOf(instrument, open.amount, minus(price, open.openPrice));
  const value = isMargin(instrument) ? "0" : worthOf(instrument, open.amount, price);
  return {
    ClosedPosition: {
      AccountId: open.account.id,
      Amount: number(open.amount),
      AssetType: instrument.assetType,
      BuyOrSell: isNegative(open.amount) ? "Buy" : "Sell",
      ClientId: book.client.id,
      ClosedProfitLoss: number(profit),
      ClosedProfitLossInBaseCurrency: number(times(profit, rate)),
      ClosingMarketValue: number(value),
      ClosingMarketValueInBaseCurrency: number(times(value, rate)),
      ClosingMethod: "Fifo",
      ClosingPositionId: id,
      ClosingPrice: number(price),
      CostClosing: number(negative(commission)),
      CostOpening: number(negative(open.commission)),
      ExecutionTimeClose: at.toISOString(),
      ExecutionTimeOpen: open.at.toISOString(),
      OpeningPositionId: open.id,
      OpenPrice: number(open.openPrice),
      Uic: instrument.uic,
    },
    ClosedPositionUniqueId: `${open.id}-${id}`,
    DisplayAndFormat: displayOf(instrument),
    Exchange: exchangeOf(instrument),
    NetPositionId: netIdOf(instrument),
  };
}

export function instrumentOf(instrument: SaxoInstrument): JsonObject {
  const { uic, assetType, symbol, description, currency, decimals } = instrument;
  return {
    AmountDecimals: assetType === "MutualFund" ? 4 : 0,
    AssetType: assetType,
    CurrencyCode: currency,
    DefaultAmount: 1,
    Description: description,
    Exchange: { CountryCode: "NL", ExchangeId: exchangeOf(instrument).ExchangeId, Name: "Exchange" },
    Format: {
      Decimals: decimals,
      ...(assetType === "FxSpot" && { Format: "AllowDecimalPips" }),
      OrderDecimals: decimals,
    },
    GroupId: 0,
    IsTradable: true,
    NonTradableReason: "None",
    PriceCurrency: currency,
    Symbol: symbol,
    TradableAs: [assetType],
    TradingStatus: "Tradable",
    Uic: uic,
  };
}

function viewOf(positions: readonly [SaxoPosition, ...SaxoPosition[]], rate: string): JsonObject {
  const { instrument } = positions[0];
  const value = sum(positions.map(valueNow));
  const profit = sum(positions.map(profitOf));
  const costs = negative(sum(positions.map(({ commission }) => commission)));
  const amount = sum(positions.map((each) => each.amount));
  const isPair = instrument.assetType === "FxSpot";
  return {
    CalculationReliability: instrument.price === null ? "NoMarketAccess" : "Ok",
    ConversionRateCurrent: number(rate),
    CurrentPrice: number(instrument.price ?? "0"),
    CurrentPriceDelayMinutes: 15,
    CurrentPriceType: instrument.price === null ? "None" : "LastTraded",
    Exposure: number(isPair ? amount : value),
    ExposureCurrency: isPair ? instrument.symbol.slice(0, 3) : instrument.currency,
    ExposureInBaseCurrency: number(times(value, rate)),
    InstrumentPriceDayPercentChange: 0.26,
    ...(!isMargin(instrument) && {
      MarketValue: number(value),
      MarketValueInBaseCurrency: number(times(value, rate)),
    }),
    ProfitLossOnTrade: number(profit),
    ProfitLossOnTradeInBaseCurrency: number(times(profit, rate)),
    TradeCostsTotal: number(costs),
    TradeCostsTotalInBaseCurrency: number(times(costs, rate)),
  };
}

function valueNow({ instrument, amount }: SaxoPosition): string {
  return worthOf(instrument, amount, instrument.price ?? "0");
}

function profitOf({ instrument, amount, openPrice }: SaxoPosition): string {
  return instrument.price === null ? "0" : worthOf(instrument, amount, minus(instrument.price, openPrice));
}

function withCosts(instrument: SaxoInstrument, amount: string, price: string, costs: string): string {
  return isZero(amount) ? price : plus(price, over(costs, worthOf(instrument, amount, "1"), 8));
}

function displayOf({ assetType, symbol, description, currency, decimals }: SaxoInstrument): JsonObject {
  return {
    Currency: currency,
    Decimals: decimals,
    Description: description,
    Format: assetType === "FxSpot" ? "AllowDecimalPips" : "Normal",
    OrderDecimals: decimals,
    Symbol: symbol,
  };
}

export function exchangeOf({ assetType, symbol }: SaxoInstrument) {
  const id = assetType === "FxSpot" ? "SBFX" : (symbol.split(":")[1] ?? "SBSIM").toUpperCase();
  return { Description: assetType === "FxSpot" ? "Inter Bank" : id, ExchangeId: id, IsOpen: false };
}

function netIdOf({ symbol, assetType }: SaxoInstrument): string {
  return `${symbol}_${assetType}`;
}
