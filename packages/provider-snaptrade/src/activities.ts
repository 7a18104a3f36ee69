import {
  calendarDate,
  kindBySign,
  signByDirection,
  type TransactionData,
  type TransactionKind,
  transactionFrom,
} from "@org/provider-kit";
import { z } from "zod";
import { anyText, listedAs, optionalFigure, quotedIn } from "./holdings.js";

/** The day of a moment, as it is written. */
const day = z
  .string()
  .transform((text) => text.slice(0, 10))
  .pipe(calendarDate);
const security = z.object({
  id: z.string().min(1),
  symbol: anyText,
  raw_symbol: anyText,
  description: anyText,
  exchange: z.object({ mic_code: anyText }).nullish().catch(null),
  figi_code: anyText,
});
const option = z.object({ id: z.string().min(1), ticker: z.string() });

const activity = z
  .object({
    id: z.string().min(1),
    symbol: security.nullish().catch(null),
    option_symbol: option.nullish().catch(null),
    currency: z.object({ code: z.string() }).nullish().catch(null),
    price: optionalFigure,
    units: optionalFigure,
    amount: optionalFigure,
    fee: optionalFigure,
    type: anyText,
    option_type: anyText,
    description: anyText,
    trade_date: day.nullish(),
    settlement_date: day.nullish().catch(null),
  })
  .refine(({ trade_date, settlement_date }) => trade_date ?? settlement_date, {
    path: ["trade_date"],
    message: "is required without a settlement_date",
  });
export const activityPage = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ total: anyText }).nullish().catch(null),
});
type Activity = z.output<typeof activity>;

/** The activities of a page; null for what cannot be read, such as one without any date. */
export function activitiesOf(page: z.output<typeof activityPage>): readonly (Activity | null)[] {
  return page.data.map((row) => activity.safeParse(row).data ?? null);
}

const kinds = new Map<string, TransactionKind>(
  Object.entries({
    BUY: "buy",
    SELL: "sell",
    REI: "buy",
    DIVIDEND: "dividend",
    SUBSTITUTE_DIVIDEND: "dividend",
    STOCK_DIVIDEND: "dividend",
    DISTRIBUTION: "dividend",
    INTEREST: "interest",
    FEE: "fee",
    TAX: "tax",
    CONTRIBUTION: "deposit",
    WITHDRAWAL: "withdrawal",
    EXTERNAL_ASSET_TRANSFER_IN: "transfer_in",
    EXTERNAL_ASSET_TRANSFER_OUT: "transfer_out",
    INTERNAL_ASSET_TRANSFER_IN: "transfer_in",
    INTERNAL_ASSET_TRANSFER_OUT: "transfer_out",
    INTERNAL_CASH_TRANSFER_IN: "transfer_in",
    INTERNAL_CASH_TRANSFER_OUT: "transfer_out",
    SPLIT: "split",
    REVERSE_SPLIT: "split",
    SPINOFF: "spin_off",
    STOCK_MERGER: "merger",
  }),
);
/** Types whose units are those that were paid for, and change nothing. */
const paidOn: ReadonlySet<string> = new Set(["DIVIDEND", "SUBSTITUTE_DIVIDEND", "DISTRIBUTION", "INTEREST"]);

function kindOf({ type, units, amount }: Activity): TransactionKind {
  const kind = kinds.get(type ?? "");
  if (kind || type !== "TRANSFER") return kind ?? "other";
  const moved = nonZero(units) ?? nonZero(amount);
  return moved ? kindBySign(moved, "transfer_in", "transfer_out") : "other";
}

/** Zero stands where there is no figure. */
function nonZero(amount: string | null | undefined): string | null {
  return amount && /[1-9]/.test(amount) ? amount : null;
}

/** The transaction of an activity. Amounts in what is no currency, such as a coin, are left out. */
export function transactionOfActivity(
  stated: Activity,
  { portfolio_key, currency: ofAccount }: Pick<TransactionData, "portfolio_key" | "currency">,
): TransactionData {
  const { type, symbol, option_symbol, currency, description } = stated;
  const { currency: ownCurrency, amountOf } = quotedIn(currency?.code, ofAccount);
  const name = option_symbol?.ticker ?? symbol?.description ?? symbol?.symbol;
  const identifiers = option_symbol
    ? { ticker: option_symbol.ticker.trim() }
    : listedAs(symbol?.raw_symbol ?? symbol?.symbol, symbol?.exchange?.mic_code, symbol?.figi_code);
  return transactionFrom({
    key: stated.id,
    portfolio_key,
    holding_key: option_symbol?.id ?? symbol?.id,
    operation_date: (stated.trade_date ?? stated.settlement_date) as string,
    settlement_date: stated.settlement_date,
    description: description || [stated.option_type ?? type ?? "Activity", name].filter(Boolean).join(" "),
    amount: paidOn.has(type ?? "") ? null : nonZero(stated.units),
    balance: amountOf(nonZero(stated.amount)),
    currency: ownCurrency,
    unit_price: amountOf(nonZero(stated.price)),
    fees: signByDirection(amountOf(nonZero(stated.fee)), false),
    kind: kindOf(stated),
    identifiers,
  });
}
