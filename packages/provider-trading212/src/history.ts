import {
  type KeyReading,
  money,
  negateDecimal,
  sumDecimals,
  type TransactionData,
  type TransactionKind,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";

/** Where the addresses of an account begin. */
export const ROOT = "/api/v0/equity";

export const text = z.string().nullish();
const moment = z.iso.datetime({ offset: true });
export const instrument = z.object({ ticker: text, name: text, isin: text, currency: text });
const charge = z.object({ name: text, quantity: text, currency: text });
const impact = z.object({ currency: text, netValue: text, taxes: z.array(charge).nullish() });
const orders = z.object({
  order: z.object({
    id: z.string(),
    status: text,
    side: text,
    ticker: text,
    instrument: instrument.nullish(),
    currency: text,
    filledQuantity: text,
    createdAt: moment,
  }),
  fill: z
    .object({
      id: z.string(),
      type: text,
      quantity: text,
      price: text,
      filledAt: moment.nullish(),
      walletImpact: impact.nullish(),
    })
    .nullish(),
});
const dividends = z.object({
  reference: text,
  type: text,
  ticker: text,
  instrument: instrument.nullish(),
  amount: text,
  currency: z.string(),
  paidOn: moment,
});
const transactions = z.object({ reference: text, type: text, amount: text, currency: z.string(), dateTime: moment });

/** A row of a list: its day, and the transaction if it moves anything. */
interface Row {
  readonly day: string;
  readonly row: TransactionData | null;
}
type Reader = (calls: KeyReading, path: string) => Promise<{ rows: readonly Row[]; next: string | null }>;

/** Reads a page of a list, row by row. */
function pageOf<Item extends z.ZodType>(
  item: Item,
  rowOf: (item: z.output<Item>, portfolio_key: string) => Row,
): Reader {
  const page = z.object({ items: z.array(item), nextPagePath: text });
  return async (calls, path) => {
    const { items, nextPagePath } = await calls.get(path, page);
    return { rows: items.map((one) => rowOf(one, calls.user_key)), next: nextPagePath || null };
  };
}

/** The lists of the history, in the order in which they are read: an account has the most orders. */
export const histories: readonly (readonly [path: string, read: Reader])[] = [
  [`${ROOT}/history/transactions`, pageOf(transactions, moved)],
  [`${ROOT}/history/dividends`, pageOf(dividends, paid)],
  [`${ROOT}/history/orders`, pageOf(orders, executed)],
];

function moved(one: z.output<typeof transactions>, portfolio_key: string): Row {
  const [kind, name] = kinds[one.type ?? ""] ?? (["other", one.type || "Transaction"] as const);
  // The documents do not say whether what leaves the account is negative.
  const balance = kind === "withdrawal" || kind === "fee" ? outward(one.amount) : (one.amount ?? null);
  return row(one.dateTime, {
    key: one.reference || null,
    portfolio_key,
    holding_key: null,
    description: name,
    amount: null,
    balance,
    currency: one.currency,
    unit_price: null,
    kind: kind === "transfer_in" && balance?.startsWith("-") ? "transfer_out" : kind,
  });
}

function paid(one: z.output<typeof dividends>, portfolio_key: string): Row {
  const type = one.type ?? "";
  const kind = type.startsWith("TAX_EVENT") ? "tax" : type.startsWith("INTEREST") ? "interest" : "dividend";
  const words = { tax: "Tax withheld", interest: "Interest", dividend: "Dividend" }[kind];
  return row(one.paidOn, {
    key: one.reference ? `dividend:${one.reference}` : null,
    portfolio_key,
    ...about(words, one),
    amount: null,
    balance: one.amount ?? null,
    currency: one.currency,
    unit_price: null,
    kind,
  });
}

/** An order moves something when it is filled: one that is cancelled, rejected or replaced is no transaction, except for what was filled before. */
function executed({ order, fill }: z.output<typeof orders>, portfolio_key: string): Row {
  const at = fill?.filledAt ?? order.createdAt;
  if (!fill && !/FILLED/.test(order.status ?? "")) return row(at, null);
  const { type, quantity = order.filledQuantity, price, walletImpact } = fill ?? {};
  const isSale = order.side ? order.side === "SELL" : quantity?.startsWith("-") === true;
  const [kind, words, movesMoney = false] = fills[type ?? "TRADE"] ?? (["other", type ?? "", true] as const);
  const priced = money(order.instrument?.currency ?? order.currency ?? "", price ?? null);
  const currency = walletImpact?.currency ?? priced.currency;
  return row(at, {
    key: fill ? `fill:${fill.id}` : `order:${order.id}`,
    portfolio_key,
    ...about(words || (isSale ? "Sell" : "Buy"), order),
    amount: isSale ? outward(quantity) : inward(quantity),
    balance: movesMoney ? (isSale ? inward : outward)(walletImpact?.netValue) : null,
    currency,
    // The price is in the currency of the instrument; a row has one currency.
    unit_price: priced.currency === currency ? priced.amount : null,
    kind: kind === "buy" && isSale ? "sell" : kind === "transfer_in" && isSale ? "transfer_out" : kind,
    ...chargesOf(walletImpact?.taxes ?? [], currency),
  });
}

function row(at: string, moves: Omit<TransactionData, "operation_date"> | null): Row {
  const day = utcDay(new Date(at));
  return { day, row: moves && { ...moves, operation_date: day } };
}

function about(words: string, { ticker, instrument: of }: Pick<z.output<typeof dividends>, "ticker" | "instrument">) {
  const holding_key = ticker ?? of?.ticker ?? null;
  const description = [words, of?.name ?? holding_key].filter(Boolean).join(" ");
  return { holding_key, description, ...(of?.isin && { identifiers: { isin: of.isin } }) };
}

const outward = (stated: string | null | undefined) =>
  stated ? (stated.startsWith("-") ? stated : negateDecimal(stated)) : null;
const inward = (stated: string | null | undefined) => (stated ? stated.replace(/^-/, "") : null);

/** What was charged, positive; nothing is said of charges that are in part in another currency. */
function chargesOf(charges: readonly z.output<typeof charge>[], currency: string) {
  if (charges.some((one) => one.currency !== currency)) return {};
  const [fees, taxes] = [false, true].map((isTax) => {
    const own = charges.filter(({ name }) => /TAX|DUTY/.test(name ?? "") === isTax);
    const sum = sumDecimals(own.map(({ quantity }) => inward(quantity) ?? "0"));
    return /[1-9]/.test(sum) ? sum : null;
  });
  return { ...(fees && { fees }), ...(taxes && { taxes }) };
}

const kinds: Readonly<Record<string, readonly [kind: TransactionKind, name: string]>> = {
  DEPOSIT: ["deposit", "Deposit"],
  FEE: ["fee", "Fee"],
  // Not in the description; others have met them.
  INTEREST_ON_FREE_CASH: ["interest", "Interest on cash"],
  LENDING_INTEREST: ["interest", "Interest on lent shares"],
  TRANSFER: ["transfer_in", "Transfer"],
  WITHDRAW: ["withdrawal", "Withdrawal"],
};

/** What a fill is. Corporate actions and deliveries free of payment move securities, whatever their value in money is said to be. */
const fills: Readonly<Record<string, readonly [kind: TransactionKind, name: string, movesMoney?: boolean]>> = {
  CASH_AND_STOCK_ACQUISITION: ["merger", "Acquisition for cash and shares", true],
  CUSTOM_STOCK_DISTRIBUTION: ["other", "Distribution of shares"],
  EQUITY_RIGHTS: ["other", "Rights"],
  FOP: ["transfer_in", "Transfer free of payment"],
  FOP_CORRECTION: ["transfer_in", "Correction of a transfer"],
  SCRIP_STOCK_DIVIDENDS: ["dividend", "Scrip dividend"],
  SPIN_OFF: ["spin_off", "Spin-off"],
  STOCK_ACQUISITION: ["merger", "Acquisition for shares"],
  STOCK_DISTRIBUTION: ["other", "Distribution of shares"],
  STOCK_DIVIDENDS: ["dividend", "Stock dividend"],
  STOCK_SPLIT: ["split", "Split"],
  TRADE: ["buy", "", true],
};
