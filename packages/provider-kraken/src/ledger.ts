import {
  addDecimals,
  compareDecimals,
  decimalString,
  kindBySign,
  negateDecimal,
  type TransactionData,
  type TransactionKind,
  transactionFrom,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";
import { type Asset, resultOf, VALUED_IN } from "./assets.js";

const entry = z.object({
  refid: z.string().nullish(),
  /** Seconds of the epoch, with a fraction. */
  time: z.string().transform(Number).pipe(z.number().positive()),
  type: z.string(),
  subtype: z.string().nullish(),
  asset: z.string().min(1),
  amount: decimalString,
  fee: decimalString,
});
/** A page of the ledger, the newest first; `count` is how many entries all pages have. */
export const ledgers = resultOf(
  z.object({
    ledger: z.record(z.string(), entry).transform((all) => Object.entries(all).map(([id, one]) => ({ id, ...one }))),
    count: z.string().transform(Number),
  }),
);

type LedgerEntry = z.output<typeof ledgers>["ledger"][number];

/** The other side of an exchange: two entries, of what was given and what was got, have one `refid`. */
function otherSide({ id, refid, type }: LedgerEntry, entries: readonly LedgerEntry[]): LedgerEntry | null {
  if (!refid || !exchanges.has(type)) return null;
  const others = entries.filter((other) => other.refid === refid && other.id !== id);
  return others.length === 1 ? (others[0] ?? null) : null;
}

/** The entries of a page that is not the last, without those at its end whose other side may be on the next page. */
export function withoutHalves(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const oldest = entries.at(-1)?.time ?? 0;
  const start = entries.findIndex(({ time }) => time - oldest < 1);
  const isHalf = (one: LedgerEntry) => exchanges.has(one.type) && otherSide(one, entries) === null;
  return start > 0 && entries.slice(start).some(isHalf) ? entries.slice(0, start) : entries;
}

/** The transaction of an entry; null for the side in a currency of an exchange for something else, which the other side tells. */
export function transactionOf(
  one: LedgerEntry,
  entries: readonly LedgerEntry[],
  { portfolio_key, assetOf }: { readonly portfolio_key: string; readonly assetOf: (own: string) => Asset },
): TransactionData | null {
  const asset = assetOf(one.asset);
  const other = otherSide(one, entries);
  const isForCurrency = other !== null && assetOf(other.asset).isCurrency !== asset.isCurrency;
  if (isForCurrency && asset.isCurrency) return null;
  const cash = asset.isCurrency ? one : isForCurrency ? other : null;
  const subtype = one.subtype && one.subtype !== one.type ? ` (${one.subtype})` : "";
  const word = exchanges.has(one.type) ? kindBySign(one.amount, "buy", "sell") : one.type;
  return transactionFrom({
    key: one.id,
    portfolio_key,
    operation_date: utcDay(new Date(one.time * 1_000)),
    description: `${word.charAt(0).toUpperCase()}${word.slice(1)}${subtype} ${asset.name}`,
    balance: cash && net(cash),
    currency: cash ? assetOf(cash.asset).ticker : VALUED_IN,
    kind: kindOf(one, asset),
    fees: cash && compareDecimals(cash.fee, "0") > 0 ? cash.fee : null,
    ...(!asset.isCurrency && { holding_key: one.asset, amount: net(one), identifiers: { ticker: asset.ticker } }),
  });
}

/** What an entry changes: Kraken takes the fee besides the amount. */
function net({ amount, fee }: LedgerEntry): string {
  return addDecimals(amount, negateDecimal(fee));
}

function kindOf({ type, subtype, amount }: LedgerEntry, { isCurrency }: Asset): TransactionKind {
  if (exchanges.has(type)) return isCurrency ? "fx" : kindBySign<TransactionKind>(amount, "buy", "sell");
  if (type === "staking" || type === "reward" || subtype === "reward")
    return kindBySign<TransactionKind>(amount, "interest", "other");
  if (isCurrency && (type === "deposit" || type === "withdrawal")) return kindBySign(amount, "deposit", "withdrawal");
  if (transfers.has(type)) return kindBySign(amount, "transfer_in", "transfer_out");
  return type === "rollover" ? "fee" : type === "dividend" ? "dividend" : "other";
}

const exchanges: ReadonlySet<string> = new Set(["trade", "spend", "receive", "sale", "conversion"]);
const transfers: ReadonlySet<string> = new Set(["deposit", "withdrawal", "transfer", "custodytransfer", "earn"]);
