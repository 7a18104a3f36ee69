import {
  calendarDate,
  kindBySign,
  signByDirection,
  type TransactionData,
  type TransactionKind,
  transactionFrom,
} from "@org/provider-kit";
import { z } from "zod";
import { figure, holdingKey, id, listOf, statedText, tickerOf } from "./instruments.js";

const day = calendarDate.nullish().catch(null);
const instrument = {
  AssetType: statedText,
  Uic: statedText,
  InstrumentDescription: statedText,
  InstrumentSymbol: statedText,
};
const row = z.object({ ...instrument, AccountId: id, AccountCurrency: z.string(), Amount: figure, ValueDate: day });
const trade = row.extend({ TradeId: id, TradeDate: calendarDate, TradeEventType: statedText });
const booking = row.extend({
  BkAmountId: id,
  BkAmountType: statedText,
  AmountAccountCurrency: figure,
  Currency: statedText,
  Date: calendarDate,
});

/** What was bought and sold. What was paid for it is in the bookings. */
export const trades = listOf(trade.transform(tradeOf));
/** What was booked to a cash account: each price, commission, tax, dividend, interest, payment. */
export const bookings = listOf(booking.transform(bookingOf));

function about({ AccountId: portfolio_key, AssetType, Uic, ValueDate, InstrumentSymbol }: z.output<typeof row>) {
  const stated = { portfolio_key, settlement_date: ValueDate };
  // An amount of no instrument has number 0, or none.
  if (!AssetType || !Uic || Uic === "0" || AssetType === "Cash") return stated;
  return { ...stated, holding_key: holdingKey({ AssetType, Uic }), identifiers: tickerOf(InstrumentSymbol) };
}

const directions: ReadonlyMap<string, TransactionKind> = new Map([
  ["Bought", "buy"],
  ["Sold", "sell"],
  ["TransferIn", "transfer_in"],
  ["TransferOut", "transfer_out"],
]);

/** The units of a trade. Its price is in the instrument's currency, which a trade does not state. */
function tradeOf(stated: z.output<typeof trade>): TransactionData {
  const { TradeId, TradeEventType: direction, TradeDate, Amount, InstrumentDescription, InstrumentSymbol } = stated;
  const kind = directions.get(direction ?? "");
  return transactionFrom({
    ...about(stated),
    key: `trade ${TradeId}`,
    operation_date: TradeDate,
    description: `${kind ? direction : "Trade"} ${InstrumentDescription ?? InstrumentSymbol ?? ""}`,
    amount: kind ? signByDirection(Amount, kind === "sell" || kind === "transfer_out") : Amount,
    currency: stated.AccountCurrency,
    kind: kind ?? "other",
  });
}

const words: readonly (readonly [RegExp, TransactionKind])[] = [
  [/\btax|withholding|stamp duty|\bvat\b/i, "tax"],
  [/dividend/i, "dividend"],
  [/coupon/i, "coupon"],
  [/commission|\bfees?\b|charge|costs?\b/i, "fee"],
  [/interest|financ/i, "interest"],
];
const payments = /deposit|withdrawal|cash amount|cash transfer|wire transfer/i;

/** An amount, in the currency of its account. */
function bookingOf(stated: z.output<typeof booking>): TransactionData {
  const { AmountAccountCurrency, Amount, Currency, AccountCurrency, InstrumentDescription } = stated;
  const word = stated.BkAmountType ?? "Booking";
  const isInAccountCurrency = AmountAccountCurrency != null;
  const balance = isInAccountCurrency ? AmountAccountCurrency : Amount;
  const payment = balance != null && payments.test(word) ? kindBySign(balance, "deposit", "withdrawal") : "other";
  return transactionFrom({
    ...about(stated),
    key: `booking ${stated.BkAmountId}`,
    operation_date: stated.Date,
    description: InstrumentDescription ? `${word} ${InstrumentDescription}` : word,
    balance,
    currency: isInAccountCurrency ? AccountCurrency : (Currency ?? AccountCurrency),
    kind: words.find(([pattern]) => pattern.test(word))?.[1] ?? payment,
  });
}
