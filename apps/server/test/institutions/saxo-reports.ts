import { Exact, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { isNegative, minus, negative, times } from "./decimals.js";
import { exchangeOf } from "./saxo-answers.js";
import {
  dayOf,
  type SaxoAccount,
  type SaxoBook,
  type SaxoBooking,
  type SaxoClosedPosition,
  type SaxoInstrument,
  type SaxoTrade,
  worthOf,
} from "./saxo-book.js";

const number = (text: string) => new Exact(text);

export function tradeOf(trade: SaxoTrade, book: SaxoBook): JsonObject {
  const { id, account, instrument, amount, price, isOpening, booked, at } = trade;
  return {
    ...inReports(account, instrument, book),
    AccountCurrencyDecimals: 2,
    AdjustedTradeDate: dayOf(at),
    Amount: number(amount),
    BookedAmountAccountCurrency: number(booked),
    BookedAmountClientCurrency: number(times(booked, book.rateOf(account.currency, book.client.currency))),
    BookedAmountUSD: number(times(booked, book.rateOf(account.currency, "USD"))),
    Direction: "None",
    ExchangeDescription: exchangeOf(instrument).Description,
    InstrumentCurrencyDecimal: 2,
    OrderId: `9${id}`,
    Price: number(price),
    ToOpenOrClose: isOpening ? "ToOpen" : "ToClose",
    TradeBarrierEventStatus: false,
    TradeDate: dayOf(at),
    TradedValue: number(negative(worthOf(instrument, amount, price))),
    TradeEventType: isNegative(amount) ? "Sold" : "Bought",
    TradeExecutionTime: at.toISOString(),
    TradeId: id,
    TradeType: "Market",
    UnderlyingInstrumentDescription: instrument.description,
    UnderlyingInstrumentSymbol: instrument.symbol,
    ValueDate: dayOf(at),
  };
}

export function bookingOf(booking: SaxoBooking, book: SaxoBook): JsonObject {
  const { id, account, type, amount, currency, inAccount, at, instrument, tradeId, corporateAction } = booking;
  return {
    ...inReports(account, instrument, book),
    Amount: number(amount),
    AmountAccountCurrency: number(inAccount),
    AmountClass: "NotAssigned",
    AmountClientCurrency: number(times(inAccount, book.rateOf(account.currency, book.client.currency))),
    AmountSubClass: "NotAssigned",
    AmountUSD: number(times(amount, book.rateOf(currency, "USD"))),
    BkAmountId: id,
    BkAmountType: type[1],
    BkAmountTypeId: type[0],
    ...(corporateAction && { CaEventName: corporateAction.name }),
    CaMasterRecordId: corporateAction?.id ?? "0",
    ConversionRate: number(book.rateOf(currency, account.currency)),
    CostClass: "NotAssigned",
    CostSubClass: "NotAssigned",
    Currency: currency,
    Date: dayOf(at),
    InstrumentSubType: "None",
    ...(tradeId && { RelatedPositionId: tradeId, RelatedTradeId: tradeId }),
    ValueDate: dayOf(at),
  };
}

export function closedReportOf({ open, id, price, at }: SaxoClosedPosition, book: SaxoBook): JsonObject {
  const { account, instrument, amount } = open;
  const profit = times(
    worthOf(instrument, amount, minus(price, open.openPrice)),
    book.rateOf(instrument.currency, account.currency),
  );
  const bookedOf = (tradeId: string) => book.trades.find((trade) => trade.id === tradeId)?.booked ?? "0";
  return {
    ...inReports(account, instrument, book),
    AccountCurrencyDecimals: 2,
    Amount: number(amount),
    AmountClose: number(negative(amount)),
    AmountOpen: number(amount),
    ClosePositionId: id,
    ClosePrice: number(price),
    ExchangeDescription: exchangeOf(instrument).Description,
    InstrumentCurrency: instrument.currency,
    OpenPositionId: open.id,
    OpenPrice: number(open.openPrice),
    PnLAccountCurrency: number(profit),
    PnLClientCurrency: number(times(profit, book.rateOf(account.currency, book.client.currency))),
    PnLUSD: number(times(profit, book.rateOf(account.currency, "USD"))),
    TotalBookedOnClosingLegAccountCurrency: number(bookedOf(id)),
    TotalBookedOnOpeningLegAccountCurrency: number(bookedOf(open.id)),
    TradeDate: dayOf(at),
    TradeDateClose: dayOf(at),
    TradeDateOpen: dayOf(open.at),
  };
}

function inReports(account: SaxoAccount, instrument: SaxoInstrument | null, { client }: SaxoBook): JsonObject {
  return {
    AccountCurrency: account.currency,
    AccountId: account.id,
    ClientCurrency: client.currency,
    ...(instrument && {
      AssetType: instrument.assetType,
      InstrumentDescription: instrument.description,
      InstrumentSymbol: instrument.symbol,
    }),
    Uic: instrument?.uic ?? 0,
  };
}
