import type { Movement, WealthFacts } from "../../src/facts.js";
import { amountOf, coverageOf, duplicatesOf, type SelectedAccount, selectAccounts } from "./accounts.js";
import { type Asked, checkPeriod, defaultStaleAfter, type Period } from "./arguments.js";
import { type Amount, Converter, digitsOf, sumByCurrency } from "./currencies.js";
import { Fraction } from "./fraction.js";
import { isReinvested } from "./movements.js";
import { Refusal } from "./refusal.js";

export type IncomeKind = "dividend" | "interest" | "coupon" | "fee" | "tax";

export interface IncomeArguments extends Asked, Period {
  readonly by: "month" | "year" | "security" | "kind";
  /** Dividends, interest and coupons if left out. */
  readonly kind?: IncomeKind | IncomeKind[];
}

interface Row {
  readonly key: string | null;
  readonly currency: string;
  readonly net: Amount;
  readonly taxes: Amount | null;
  readonly gross: Amount | null;
}

export function income(facts: WealthFacts, asked: IncomeArguments, today: string) {
  const to = asked.to ?? today;
  checkPeriod(asked.from, to, today);
  const portfolioIds = asked.portfolio_ids ?? null;
  const currency = asked.currency ?? null;
  const accounts = selectAccounts(facts, portfolioIds);
  const converter = new Converter(facts.rates, currency);
  const kinds: readonly string[] = [asked.kind ?? ["dividend", "interest", "coupon"]].flat();
  const movements = accounts.flatMap((selected) =>
    incomeOf(selected).filter(
      ({ kind, operation_date: day }) => kind !== null && kinds.includes(kind) && asked.from <= day && day <= to,
    ),
  );
  const rows = movements.flatMap((movement) => rowOf(movement, asked.by, converter));
  if (converter.missing.size > 0)
    throw new Refusal("INSUFFICIENT_DATA", converter.missingRates().slice(0, 50) as unknown as Refusal["details"]);
  const keys = [...new Set(rows.map((row) => row.key))].toSorted(nullLast);
  const duplicates = duplicatesOf(accounts);
  return {
    items: keys.map((key) => ({
      key,
      totals: sums(
        rows.filter((row) => row.key === key),
        currency,
      ),
    })),
    totals: sums(rows, currency),
    unvalued: movements.filter((movement) => movement.balance === null).length,
    coverage: coverageOf(facts, portfolioIds, to, asked.stale_after ?? defaultStaleAfter),
    ...(duplicates.length > 0 && { duplicates }),
  };
}

/** Movements of an account that may be income: what a depot tells is not counted a second time in the cash account. */
function incomeOf({ connection, account }: SelectedAccount): Movement[] {
  const isTwice = account.is_cash && connection.has_depot_income;
  return connection.movements.filter(
    (movement) =>
      movement.portfolio_id === account.portfolio_id &&
      !(isTwice && (movement.kind === "dividend" || movement.kind === "coupon")),
  );
}

function rowOf(movement: Movement, by: IncomeArguments["by"], converter: Converter): Row[] {
  if (movement.balance === null) return [];
  const told = (decimal: string | null) => (decimal === null ? null : amountOf(decimal, movement.currency));
  const received = (amount: Amount) => (isReinvested(movement) ? { ...amount, value: amount.value.size() } : amount);
  const net = received(amountOf(movement.balance, movement.currency));
  const [taxes, fees, gross] = [told(movement.taxes), told(movement.fees), told(movement.gross)];
  // Fees that are not told were none.
  const reckoned = taxes === null ? null : sumByCurrency([net, taxes, ...(fees === null ? [] : [fees])])[0];
  const convert = (amount: Amount) => converter.convert(amount, movement.operation_date);
  return [
    {
      key: keyOf(movement, by),
      currency: converter.target ?? movement.currency,
      net: convert(net),
      taxes: taxes && convert(taxes),
      gross: gross === null ? (reckoned ? convert(reckoned) : null) : convert(received(gross)),
    },
  ];
}

function keyOf(movement: Movement, by: IncomeArguments["by"]): string | null {
  if (by === "month") return movement.operation_date.slice(0, 7);
  if (by === "year") return movement.operation_date.slice(0, 4);
  return by === "kind" ? movement.kind : (movement.isin ?? movement.holding_id);
}

function sums(rows: readonly Row[], asked: string | null) {
  const currencies = [...new Set(rows.map((row) => row.currency))].toSorted();
  return currencies.map((currency) => {
    const those = rows.filter((row) => row.currency === currency);
    const sum = (parts: readonly (Amount | null)[]) => {
      const told = parts.filter((part) => part !== null);
      const scale = asked === null ? Math.max(...told.map((part) => part.scale)) : digitsOf(asked);
      return told.length < parts.length ? null : Fraction.sum(told.map((part) => part.value)).toFixed(scale);
    };
    return {
      currency,
      net: sum(those.map((row) => row.net)),
      taxes: sum(those.map((row) => row.taxes)),
      gross: sum(those.map((row) => row.gross)),
      count: those.length,
    };
  });
}

function nullLast(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}
