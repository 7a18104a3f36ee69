import {
  dayInZone,
  kindBySign,
  multiplyDecimals,
  negateDecimal,
  type TransactionData,
  type TransactionKind,
} from "@org/provider-kit";
import { z } from "zod";

/** The zone of Alpaca's days. */
export const ZONE = "America/New_York";

const fill = z.object({
  id: z.string().min(1),
  activity_type: z.literal("FILL"),
  transaction_time: z.iso.datetime({ offset: true }),
  side: z.string(),
  symbol: z.string().min(1),
  qty: z.string(),
  price: z.string(),
});
const other = z.object({
  id: z.string().min(1),
  activity_type: z.string(),
  date: z.iso.date().or(z.iso.datetime({ offset: true })),
  status: z.string().nullish(),
  symbol: z.string().nullish(),
  cusip: z.string().nullish(),
  qty: z.string().nullish(),
  net_amount: z.string().nullish(),
  currency: z.string().nullish(),
  description: z.string().nullish(),
});
/** A page of activities: executions, and all else (`activity_type`). */
export const activities = z.array(z.union([fill, other]));

/** Whether the institution has taken an activity back. */
export function isCanceled(activity: z.output<typeof activities>[number]): boolean {
  return "status" in activity && activity.status === "canceled";
}

/** A transaction of the account. */
export function toTransaction(activity: z.output<typeof activities>[number], portfolio_key: string): TransactionData {
  return "transaction_time" in activity ? executed(activity, portfolio_key) : booked(activity, portfolio_key);
}

function executed(activity: z.output<typeof fill>, portfolio_key: string): TransactionData {
  const { id, transaction_time, side, symbol, qty, price } = activity;
  const isBuy = side === "buy";
  const size = contractSize(symbol);
  const value = size === null ? null : multiplyDecimals(multiplyDecimals(qty, price), size);
  return {
    key: id,
    portfolio_key,
    holding_key: symbol,
    operation_date: dayInZone(ZONE, new Date(transaction_time)),
    description: `${isBuy ? "Buy" : "Sell"} ${symbol}`,
    amount: isBuy ? qty : negateDecimal(qty),
    balance: value && (isBuy ? negateDecimal(value) : value),
    currency: "USD",
    unit_price: price,
    kind: isBuy ? "buy" : "sell",
    identifiers: { ticker: symbol },
  };
}

/** Units of a contract: 100 for a standard option, unknown for one that a corporate action has changed (its root ends in a digit). */
function contractSize(symbol: string): string | null {
  const option = /^([A-Z]{1,6})(\d?)\d{6}[CP]\d{8}$/.exec(symbol);
  if (option === null) return "1";
  return option[2] === "" ? "100" : null;
}

function booked(activity: z.output<typeof other>, portfolio_key: string): TransactionData {
  const { id, activity_type, symbol, cusip, qty, net_amount, currency, description, date } = activity;
  const { kind, name, movesUnits } = kindOf(activity_type, net_amount, qty);
  const words = description || (symbol ? `${name} ${symbol}` : name);
  return {
    key: id,
    portfolio_key,
    holding_key: symbol || null,
    operation_date: date.slice(0, 10),
    description: words,
    amount: movesUnits ? (qty ?? null) : null,
    balance: net_amount ?? null,
    currency: currency ?? "USD",
    unit_price: null,
    kind,
    ...((symbol || cusip) && { identifiers: { ...(symbol && { ticker: symbol }), ...(cusip && { cusip }) } }),
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
