import {
  dayInZone,
  divideDecimals,
  isCalendarDate,
  isDecimalString,
  kindBySign,
  multiplyDecimals,
  negateDecimal,
  type TransactionData,
  type TransactionKind,
} from "@org/provider-kit";
import { z } from "zod";

/** The zone of Alpaca's days. */
export const ZONE = "America/New_York";

/** What cannot be read is unknown: one odd row is no reason to have none. */
const text = z.string().min(1).nullish().catch(null);
export const decimal = z.string().refine(isDecimalString).nullish().catch(null);
/** An execution (FILL) or anything else. */
const activity = z.object({
  id: z.string().min(1),
  activity_type: z.string().catch("Activity"),
  transaction_time: z.iso.datetime({ offset: true }).nullish().catch(null),
  date: text,
  status: text,
  side: text,
  symbol: text,
  cusip: text,
  qty: decimal,
  price: decimal,
  net_amount: decimal,
  currency: text,
  description: text,
});
type Activity = z.output<typeof activity>;
export const activities = z.array(activity);

/** The name of a coin in positions and fees, `BTCUSD`, also where an execution has `BTC/USD`. */
export const positionName = (symbol: string) => symbol.replace("/", "");

/** The transaction of an activity; null for one without a day. What does not name its currency is in that of the account. */
export function toTransaction(one: Activity, portfolio_key: string, ofAccount: string): TransactionData | null {
  const operation_date = dayOf(one);
  if (operation_date === null) return null;
  const symbol = one.symbol ? positionName(one.symbol) : null;
  const currency = one.currency ?? ofAccount;
  const isCurrency = /^[A-Z]{3}$/.test(currency);
  const moved = executed(one, symbol) ?? booked(one, symbol);
  return {
    key: one.id,
    portfolio_key,
    holding_key: symbol,
    operation_date,
    ...moved,
    balance: isCurrency ? moved.balance : null,
    currency: isCurrency ? currency : ofAccount,
    ...((symbol || one.cusip) && {
      identifiers: { ...(symbol && { ticker: symbol }), ...(one.cusip && { cusip: one.cusip }) },
    }),
  };
}

/** The day in New York; where no other is stated, the one with which the id begins. */
function dayOf({ id, transaction_time, date }: Activity): string | null {
  if (transaction_time) return dayInZone(ZONE, new Date(transaction_time));
  const days = [date?.slice(0, 10), id.replace(/^(\d{4})(\d\d)(\d\d).*$/s, "$1-$2-$3")];
  return days.find((day) => day !== undefined && isCalendarDate(day)) ?? null;
}

type Moved = Pick<TransactionData, "description" | "amount" | "balance" | "unit_price" | "kind">;

function executed({ activity_type, side, qty, price }: Activity, symbol: string | null): Moved | null {
  if (activity_type !== "FILL" || !side || !symbol || !qty || !price) return null;
  const isBuy = side === "buy";
  const size = contractSize(symbol);
  const value = size === null ? null : rounded(multiplyDecimals(multiplyDecimals(qty, price), size));
  return {
    description: `${isBuy ? "Buy" : "Sell"} ${symbol}`,
    amount: isBuy ? qty : negateDecimal(qty),
    balance: value && (isBuy ? negateDecimal(value) : value),
    unit_price: price,
    kind: isBuy ? "buy" : "sell",
  };
}

/** Prices that are converted have many digits, and a snapshot takes no more than 20 of them. */
const rounded = (value: string) => (isDecimalString(value) ? value : divideDecimals(value, "1", 20));

/** Units of a contract: 100 for a standard option, unknown for one that a corporate action has changed (its root ends in a digit). */
function contractSize(symbol: string): string | null {
  const option = /^([A-Z]{1,6})(\d?)\d{6}[CP]\d{8}$/.exec(symbol);
  if (option === null) return "1";
  return option[2] === "" ? "100" : null;
}

function booked({ activity_type, qty, net_amount, description }: Activity, symbol: string | null): Moved {
  const { kind, name, movesUnits } = kindOf(activity_type, net_amount, qty);
  return {
    description: description ?? (symbol ? `${name} ${symbol}` : name),
    amount: movesUnits ? (qty ?? null) : null,
    balance: net_amount ?? null,
    unit_price: null,
    kind,
  };
}

/** What an activity is; some are by the sign of what they move. With dividends `qty` is what they were paid for, and no units move. */
function kindOf(type: string, money: string | null | undefined, units: string | null | undefined) {
  const [kind, name, movesUnits = false] = kinds[type] ?? (["other", type, true] as const);
  const moved = (movesUnits ? (units ?? money) : money) ?? "0";
  return { kind: kind === "transfer_in" ? kindBySign(moved, kind, "transfer_out") : kind, name, movesUnits };
}

const kinds: Readonly<Record<string, readonly [kind: TransactionKind, name: string, movesUnits?: boolean]>> = {
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
};
