import {
  calendarDate,
  dayInZone,
  decimalString,
  kindBySign,
  negateDecimal,
  roundedProduct,
  type StatedTransaction,
  type TransactionData,
  type TransactionKind,
  transactionFrom,
} from "@org/provider-kit";
import { z } from "zod";

/** The zone of Alpaca's days. */
export const ZONE = "America/New_York";

/** What cannot be read is unknown: one odd row is no reason to have none. */
const ifKnown = <Value>(schema: z.ZodType<Value>) => schema.nullable().catch(null);
export const knownText = ifKnown(z.string().min(1));
export const decimal = ifKnown(decimalString);
/** The name of a coin in positions and fees, `BTCUSD`, also where an execution has `BTC/USD`. */
export const symbol = z
  .string()
  .min(1)
  .transform((name) => name.replace("/", ""));
/** The day with which a text begins. */
const day = ifKnown(
  z
    .string()
    .transform((at) => at.replace(/^(\d{4})-?(\d\d)-?(\d\d).*$/s, "$1-$2-$3"))
    .pipe(calendarDate),
);
const activity = z.object({
  id: z.string().min(1),
  activity_type: z.string().catch("Activity"),
  transaction_time: ifKnown(z.iso.datetime({ offset: true }).transform((at) => dayInZone(ZONE, new Date(at)))),
  date: day,
  status: knownText,
  side: knownText,
  symbol: ifKnown(symbol),
  cusip: knownText,
  qty: decimal,
  price: decimal,
  net_amount: decimal,
  currency: knownText,
  description: knownText,
});
type Activity = z.output<typeof activity>;
export const activities = z.array(activity);

/** The transaction of an activity; null for one without a day. What does not name its currency is in that of the account. */
export function toTransaction(one: Activity, portfolio_key: string, ofAccount: string): TransactionData | null {
  const { id: key, transaction_time, date, symbol, cusip } = one;
  // Where no day is stated, the id begins with it.
  const operation_date = transaction_time ?? date ?? day.parse(key);
  if (operation_date === null) return null;
  const currency = one.currency ?? ofAccount;
  const { balance, ...moved } = executed(one) ?? booked(one);
  return transactionFrom({
    key,
    portfolio_key,
    holding_key: symbol,
    operation_date,
    ...moved,
    ...(/^[A-Z]{3}$/.test(currency) ? { balance, currency } : { currency: ofAccount }),
    identifiers: { ticker: symbol, cusip },
  });
}

type Moved = Pick<StatedTransaction, "description" | "amount" | "balance" | "unit_price" | "kind">;

/** What an execution moved, if it says so. */
function executed({ activity_type, side, symbol, qty, price }: Activity): Moved | null {
  if (activity_type !== "FILL" || !side || !symbol || !qty || !price) return null;
  const isBuy = side === "buy";
  const size = contractSize(symbol);
  const value = size && roundedProduct(qty, price, size);
  return {
    description: `${isBuy ? "Buy" : "Sell"} ${symbol}`,
    amount: isBuy ? qty : negateDecimal(qty),
    balance: value && (isBuy ? negateDecimal(value) : value),
    unit_price: price,
    kind: isBuy ? "buy" : "sell",
  };
}

/** Units of a contract: 100 for a standard option, unknown for one that a corporate action has changed (its root ends in a digit). */
function contractSize(symbol: string): string | null {
  const [, digit] = /^[A-Z]{1,6}(\d?)\d{6}[CP]\d{8}$/.exec(symbol) ?? [];
  return digit === undefined ? "1" : digit === "" ? "100" : null;
}

/** What anything else moved, in a direction that may be told by the sign alone. */
function booked({ activity_type, symbol, qty, net_amount, description }: Activity): Moved {
  const [kind, name, movesUnits] = kinds.get(activity_type) ?? (["other", activity_type, true] as const);
  const amount = movesUnits ? qty : null;
  return {
    description: description ?? (symbol ? `${name} ${symbol}` : name),
    amount,
    balance: net_amount,
    kind: kind === "transfer_in" ? kindBySign(amount ?? net_amount ?? "0", kind, "transfer_out") : kind,
  };
}

/** By type: with dividends `qty` is what they were paid for, and no units move. */
const kinds = new Map<string, readonly [kind: TransactionKind, name: string, movesUnits?: true]>(
  Object.entries({
    ACATC: ["transfer_in", "ACATS transfer of cash"],
    ACATS: ["transfer_in", "ACATS transfer of securities", true],
    CFEE: ["fee", "Crypto fee", true],
    CGD: ["dividend", "Capital gain distribution"],
    CSD: ["deposit", "Cash deposit"],
    CSW: ["withdrawal", "Cash withdrawal"],
    DIV: ["dividend", "Dividend"],
    DIVCGL: ["dividend", "Dividend (long-term capital gain)"],
    DIVCGS: ["dividend", "Dividend (short-term capital gain)"],
    DIVFEE: ["fee", "Dividend fee"],
    DIVFT: ["tax", "Foreign tax withheld from a dividend"],
    DIVNRA: ["tax", "Non-resident tax withheld from a dividend"],
    DIVROC: ["dividend", "Dividend (return of capital)"],
    DIVTW: ["tax", "Tefra tax withheld from a dividend"],
    DIVTXEX: ["dividend", "Dividend (tax exempt)"],
    FEE: ["fee", "Fee"],
    // An execution that does not say what it moved.
    FILL: ["other", "Execution"],
    FOPT: ["transfer_in", "Transfer free of payment", true],
    INT: ["interest", "Interest"],
    INTNRA: ["tax", "Non-resident tax withheld from interest"],
    INTTW: ["tax", "Tefra tax withheld from interest"],
    JNLC: ["transfer_in", "Journal entry of cash"],
    JNLS: ["transfer_in", "Journal entry of securities", true],
    MA: ["merger", "Merger or acquisition", true],
    OPASN: ["other", "Option assignment", true],
    OPEXC: ["other", "Option exercise", true],
    OPEXP: ["other", "Option expiration", true],
    PTC: ["fee", "Pass-through charge"],
    REORG: ["other", "Reorganisation", true],
    SPIN: ["spin_off", "Spin-off", true],
    SPLIT: ["split", "Split", true],
  }),
);
