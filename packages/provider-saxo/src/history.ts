import {
  calendarDate,
  compareDecimals,
  kindBySign,
  negateDecimal,
  type TransactionData,
  type TransactionKind,
} from "@org/provider-kit";
import { z } from "zod";
import { figure, holdingKey, listOf, tickerOf } from "./instruments.js";

const id = z.string().min(1);
const instrument = {
  AssetType: z.string().nullish(),
  Uic: z.string().nullish(),
  InstrumentDescription: z.string().nullish(),
  InstrumentSymbol: z.string().nullish(),
  AccountId: id,
  AccountCurrency: z.string(),
  ValueDate: calendarDate.nullish().catch(null),
};

/** What was bought and sold. What was paid for it is in the bookings. */
export const trades = listOf(
  z.object({
    ...instrument,
    Amount: figure,
    TradeDate: calendarDate,
    TradeEventType: z.string().nullish(),
    TradeId: id,
  }),
);
/** What was booked to a cash account: each price, commission, tax, dividend, interest, payment. */
export const bookings = listOf(
  z.object({
    ...instrument,
    Amount: figure,
    AmountAccountCurrency: figure,
    BkAmountId: id,
    BkAmountType: z.string().nullish(),
    Currency: z.string().nullish(),
    Date: calendarDate,
  }),
);

type Stated = Pick<z.output<typeof bookings>["Data"][number], keyof typeof instrument>;

function about(
  row: Stated,
): Pick<TransactionData, "portfolio_key" | "holding_key" | "settlement_date" | "identifiers"> {
  const { AccountId: portfolio_key, AssetType, Uic, ValueDate, InstrumentSymbol } = row;
  // An amount of no instrument has number 0, or none.
  const isOfInstrument = AssetType && Uic && Uic !== "0" && AssetType !== "Cash";
  return {
    portfolio_key,
    holding_key: isOfInstrument ? holdingKey({ AssetType, Uic }) : null,
    ...(ValueDate && { settlement_date: ValueDate }),
    ...(isOfInstrument && tickerOf(InstrumentSymbol)),
  };
}

const directions: Readonly<Record<string, { readonly kind: TransactionKind; readonly isOut: boolean }>> = {
  Bought: { kind: "buy", isOut: false },
  Sold: { kind: "sell", isOut: true },
  TransferIn: { kind: "transfer_in", isOut: false },
  TransferOut: { kind: "transfer_out", isOut: true },
};

/** The units of a trade. Its price is in the instrument's currency, which a trade does not state. */
export function tradeOf(row: z.output<typeof trades>["Data"][number]): TransactionData {
  const { TradeId, TradeEventType, TradeDate, Amount, InstrumentDescription, InstrumentSymbol } = row;
  const direction = directions[TradeEventType ?? ""];
  const isTurned = direction && Amount && compareDecimals(Amount, "0") < 0 !== direction.isOut;
  const name = InstrumentDescription ?? InstrumentSymbol ?? "";
  return {
    ...about(row),
    key: `trade ${TradeId}`,
    operation_date: TradeDate,
    description: `${direction ? TradeEventType : "Trade"} ${name}`,
    amount: isTurned ? negateDecimal(Amount) : (Amount ?? null),
    balance: null,
    currency: row.AccountCurrency,
    unit_price: null,
    kind: direction?.kind ?? "other",
  };
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
export function bookingOf(row: z.output<typeof bookings>["Data"][number]): TransactionData {
  const { BkAmountId, BkAmountType, Date: day, AmountAccountCurrency, Amount, InstrumentDescription } = row;
  const balance = AmountAccountCurrency ?? Amount ?? null;
  const word = BkAmountType ?? "Booking";
  const named = words.find(([pattern]) => pattern.test(word))?.[1];
  const isPayment = balance !== null && payments.test(word);
  return {
    ...about(row),
    key: `booking ${BkAmountId}`,
    operation_date: day,
    description: InstrumentDescription ? `${word} ${InstrumentDescription}` : word,
    amount: null,
    balance,
    currency: AmountAccountCurrency == null ? (row.Currency ?? row.AccountCurrency) : row.AccountCurrency,
    unit_price: null,
    kind: named ?? (isPayment ? kindBySign(balance, "deposit", "withdrawal") : "other"),
  };
}
