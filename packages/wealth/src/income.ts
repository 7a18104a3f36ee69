import type { Steps } from "@org/provider-kit";
import { sumDecimals } from "@org/provider-kit/decimal";
import { isReinvested, isToldByDepot } from "./account-flows.js";
import type { IncomeAnswer } from "./answers.js";
import type { incomeArguments } from "./arguments.js";
import { type Conversion, DecimalSum } from "./currency-sums.js";
import { DayList, dayNumber } from "./days.js";
import type { Movement, Rate, WealthFacts } from "./facts.js";
import { type Fold, FoldedAccounts, folded } from "./fold.js";
import { add, type Fraction, formatDecimal, fraction, ZERO } from "./fraction.js";
import { conversionFor, periodAsked, type QuestionOf, refuseMissingRates } from "./question.js";
import { byKey } from "./summary.js";

/** `kind`: one or many; left out: dividend, interest and coupon. */
export type IncomeArguments = QuestionOf<typeof incomeArguments>;

/** What came in of dividends, coupons and interest, or went out as fees and taxes, by operation date; in steps. */
export function income(facts: WealthFacts, args: IncomeArguments, today: string): Steps<IncomeAnswer> {
  return folded(incomeFold(facts.rates, args, today), facts.connections);
}

/** {@link income} of facts that come piece by piece. */
export function incomeFold(rates: readonly Rate[], args: IncomeArguments, today: string): Fold<IncomeAnswer> {
  const { last } = periodAsked(args, today);
  const accounts = new FoldedAccounts(args, new DayList([last]), true);
  const conversion = conversionFor({ rates }, args.currency);
  const kinds: ReadonlySet<string> = new Set([args.kind ?? ["dividend", "interest", "coupon"]].flat());
  const to = args.to ?? today;
  const whole: Sums = new Map();
  const groups = new Map<string | null, Sums>();
  let unvalued = 0;
  return {
    *add(connections) {
      for (const connection of connections) {
        const byId = new Map((yield* accounts.add(connection)).map(([account]) => [account.portfolio_id, account]));
        for (const movement of connection.movements) {
          yield;
          const account = byId.get(movement.portfolio_id);
          const { kind, operation_date, balance } = movement;
          if (!account || kind === null || !kinds.has(kind)) continue;
          if (operation_date < args.from || operation_date > to) continue;
          if (isToldByDepot(movement, account, connection)) continue;
          if (balance === null) {
            unvalued += 1;
            continue;
          }
          const key = keyOf(movement, args.by);
          const sums = groups.get(key) ?? new Map();
          groups.set(key, sums);
          count(sums, movement, conversion);
          count(whole, movement, conversion);
        }
      }
    },
    *answer() {
      const { coverage, duplicates } = accounts.resultOfDay();
      refuseMissingRates(conversion);
      const items: IncomeAnswer["items"] = [];
      for (const [key, sums] of [...groups].sort(([a], [b]) => byKey(a, b))) {
        yield;
        items.push({ key, totals: totalsOf(sums, conversion) });
      }
      return { items, totals: totalsOf(whole, conversion), unvalued, coverage, ...duplicates };
    },
  };
}

function keyOf({ operation_date, isin, holding_id, kind }: Movement, by: IncomeArguments["by"]): string | null {
  if (by === "month") return operation_date.slice(0, "YYYY-MM".length);
  if (by === "year") return operation_date.slice(0, "YYYY".length);
  return by === "kind" ? kind : (isin ?? holding_id);
}

/** One movement's figures, in its currency. */
function figuresOf(movement: Movement): { net: string; taxes: string | null; gross: string | null } {
  const { taxes, fees } = movement;
  const moved = isReinvested(movement) ? absoluteOf : (amount: string) => amount;
  const net = moved(movement.balance ?? "0");
  if (movement.gross !== null) return { net, taxes, gross: moved(movement.gross) };
  return { net, taxes, gross: taxes === null ? null : sumDecimals([net, taxes, fees ?? "0"]) };
}

function absoluteOf(amount: string): string {
  return amount.replace("-", "");
}

/** Sums by the currency of the answer; where nothing is converted, as stated. */
type Sums = Map<string, { net: Sum; taxes: Sum; gross: Sum; count: number }>;

/** A sum that one unknown part makes unknown. */
class Sum {
  private readonly stated = new DecimalSum();
  private converted: Fraction = ZERO;
  private isKnown = true;

  add(amount: string | null, convert: ((value: Fraction) => Fraction) | null): void {
    if (amount === null) this.isKnown = false;
    else if (convert) this.converted = add(this.converted, convert(fraction(amount)));
    else this.stated.add(amount);
  }

  result(conversion: Conversion | null): string | null {
    if (!this.isKnown) return null;
    return conversion ? conversion.money(this.converted) : formatDecimal(this.stated.sum());
  }
}

function count(sums: Sums, movement: Movement, conversion: Conversion | null): void {
  const currency = conversion?.currency ?? movement.currency;
  let sum = sums.get(currency);
  if (!sum) {
    sum = { net: new Sum(), taxes: new Sum(), gross: new Sum(), count: 0 };
    sums.set(currency, sum);
  }
  const day = dayNumber(movement.operation_date);
  const convert = conversion && ((value: Fraction) => conversion.convert(value, movement.currency, day));
  const figures = figuresOf(movement);
  sum.net.add(figures.net, convert);
  sum.taxes.add(figures.taxes, convert);
  sum.gross.add(figures.gross, convert);
  sum.count += 1;
}

function totalsOf(sums: Sums, conversion: Conversion | null): IncomeAnswer["totals"] {
  return [...sums]
    .sort(([a], [b]) => byKey(a, b))
    .map(([currency, { net, taxes, gross, count }]) => ({
      currency,
      net: net.result(conversion) ?? "0",
      taxes: taxes.result(conversion),
      gross: gross.result(conversion),
      count,
    }));
}
