import {
  AnswerFailure,
  money,
  type ReadPage,
  type StatedTransaction,
  signByDirection,
  sumDecimals,
  type TransactionKind,
  transactionFrom,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";

/** Where the addresses of an account begin. */
export const ROOT = "/api/v0/equity";

/** What is empty is as if it were left out. */
export const text = z
  .string()
  .nullish()
  .transform((stated) => stated || null);
/** The day of a moment. */
const day = z.iso.datetime({ offset: true }).transform((at) => utcDay(new Date(at)));
export const instrument = z.object({ ticker: text, name: text, isin: text, currency: text });
const named = z.object({ ticker: text, instrument: instrument.nullish() });
const charge = z.object({ name: text, quantity: text, currency: text });
const order = named.extend({ id: z.string(), status: text, side: text, currency: text, filledQuantity: text });
const impact = z.object({ currency: text, netValue: text, taxes: z.array(charge).nullish() });
const fill = z.object({ id: z.string(), type: text, quantity: text, price: text, filledAt: day.nullish() });
const orders = z.object({
  order: order.extend({ createdAt: day }),
  fill: fill.extend({ walletImpact: impact.nullish() }).nullish(),
});
const dividends = named.extend({ reference: text, type: text, amount: text, currency: z.string(), paidOn: day });
const transactions = z.object({ reference: text, type: text, amount: text, currency: z.string(), dateTime: day });

/** A row of a list: its day, and the transaction if it moves anything. */
interface Row {
  readonly day: string;
  readonly moves: Omit<StatedTransaction, "portfolio_key" | "operation_date"> | null;
}

/** Where the lists of the history are. */
export const HISTORY = `${ROOT}/history`;
/** The lists of the history by their names, in the order in which they are read: an account has the most orders. */
export const histories = {
  transactions: list("transactions", transactions.transform(moved)),
  dividends: list("dividends", dividends.transform(paid)),
  orders: list("orders", orders.transform(executed)),
};

/** Reads a list, page by page from its newest row, until all of a page is older than what is asked for. */
function list(name: string, row: z.ZodType<Row>): ReadPage {
  const own = `${HISTORY}/${name}`;
  const page = z.object({ items: z.array(row), nextPagePath: text });
  return async (calls, { at, from }) => {
    const path = at ?? `${own}?limit=50`;
    if (path.split("?")[0] !== own) throw new AnswerFailure("the next page of a list is at another address");
    const { items, nextPagePath } = await calls.get(path, page);
    const asked = items.filter(({ day }) => from === null || day >= from);
    const rows = asked.flatMap(({ day: operation_date, moves }) =>
      moves ? transactionFrom({ ...moves, portfolio_key: calls.user_key, operation_date }) : [],
    );
    return { rows, next: items.length > 0 && asked.length === 0 ? null : nextPagePath };
  };
}

function moved({ reference, type, amount, currency, dateTime }: z.output<typeof transactions>): Row {
  const [kind, description] = kinds.get(type ?? "") ?? (["other", type ?? "Transaction"] as const);
  // The documents do not say whether what leaves the account is negative.
  const balance = kind === "withdrawal" || kind === "fee" ? signByDirection(amount, true) : amount;
  const directed = kind === "transfer_in" && balance?.startsWith("-") ? "transfer_out" : kind;
  return { day: dateTime, moves: { key: reference, description, balance, currency, kind: directed } };
}

function paid(stated: z.output<typeof dividends>): Row {
  const { reference, amount: balance, currency, paidOn: day } = stated;
  const type = stated.type ?? "";
  const kind = type.startsWith("TAX_EVENT") ? "tax" : type.startsWith("INTEREST") ? "interest" : "dividend";
  const words = { tax: "Tax withheld", interest: "Interest", dividend: "Dividend" }[kind];
  const key = reference && `dividend:${reference}`;
  return { day, moves: { ...about(words, stated), key, balance, currency, kind } };
}

/** An order moves something when it is filled: one that is cancelled, rejected or replaced is no transaction, except for what was filled before. */
function executed({ order, fill }: z.output<typeof orders>): Row {
  const day = fill?.filledAt ?? order.createdAt;
  if (!fill && !order.status?.includes("FILLED")) return { day, moves: null };
  const { type, price, walletImpact } = fill ?? {};
  const quantity = fill?.quantity ?? order.filledQuantity;
  const isSale = order.side ? order.side === "SELL" : quantity?.startsWith("-") === true;
  const [kind, words, movesMoney = false] = fills.get(type ?? "TRADE") ?? (["other", type, true] as const);
  const priced = money(order.instrument?.currency ?? order.currency ?? "", price ?? null);
  const currency = walletImpact?.currency ?? priced.currency;
  const outgoing = kind === "buy" ? "sell" : kind === "transfer_in" ? "transfer_out" : kind;
  return {
    day,
    moves: {
      ...about(words || (isSale ? "Sell" : "Buy"), order),
      key: fill ? `fill:${fill.id}` : `order:${order.id}`,
      amount: signByDirection(quantity, isSale),
      balance: movesMoney ? signByDirection(walletImpact?.netValue, !isSale) : null,
      currency,
      // The price is in the currency of the instrument; a row has one currency.
      unit_price: priced.currency === currency ? priced.amount : null,
      kind: isSale ? outgoing : kind,
      ...chargesOf(walletImpact?.taxes ?? [], currency),
    },
  };
}

function about(words: string, { ticker, instrument: of }: z.output<typeof named>) {
  const holding_key = ticker ?? of?.ticker ?? null;
  const description = [words, of?.name ?? holding_key].filter(Boolean).join(" ");
  return { holding_key, description, identifiers: { isin: of?.isin } };
}

/** What was charged, positive; nothing is said of charges that are in part in another currency. */
function chargesOf(charges: readonly z.output<typeof charge>[], currency: string) {
  if (charges.some((one) => one.currency !== currency)) return {};
  const sumOf = (isTax: boolean) => {
    const own = charges.filter(({ name }) => /TAX|DUTY/.test(name ?? "") === isTax);
    const sum = sumDecimals(own.map(({ quantity }) => signByDirection(quantity, false) ?? "0"));
    return /[1-9]/.test(sum) ? sum : null;
  };
  return { fees: sumOf(false), taxes: sumOf(true) };
}

const kinds: ReadonlyMap<string, readonly [kind: TransactionKind, name: string]> = new Map([
  ["DEPOSIT", ["deposit", "Deposit"]],
  ["FEE", ["fee", "Fee"]],
  // Not in the description; others have met them.
  ["INTEREST_ON_FREE_CASH", ["interest", "Interest on cash"]],
  ["LENDING_INTEREST", ["interest", "Interest on lent shares"]],
  ["TRANSFER", ["transfer_in", "Transfer"]],
  ["WITHDRAW", ["withdrawal", "Withdrawal"]],
]);

/** What a fill is. Corporate actions and deliveries free of payment move securities, whatever their value in money is said to be. */
const fills: ReadonlyMap<string, readonly [kind: TransactionKind, name: string, movesMoney?: boolean]> = new Map([
  ["CASH_AND_STOCK_ACQUISITION", ["merger", "Acquisition for cash and shares", true]],
  ["CUSTOM_STOCK_DISTRIBUTION", ["other", "Distribution of shares"]],
  ["EQUITY_RIGHTS", ["other", "Rights"]],
  ["FOP", ["transfer_in", "Transfer free of payment"]],
  ["FOP_CORRECTION", ["transfer_in", "Correction of a transfer"]],
  ["SCRIP_STOCK_DIVIDENDS", ["dividend", "Scrip dividend"]],
  ["SPIN_OFF", ["spin_off", "Spin-off"]],
  ["STOCK_ACQUISITION", ["merger", "Acquisition for shares"]],
  ["STOCK_DISTRIBUTION", ["other", "Distribution of shares"]],
  ["STOCK_DIVIDENDS", ["dividend", "Stock dividend"]],
  ["STOCK_SPLIT", ["split", "Split"]],
  ["TRADE", ["buy", "", true]],
]);
