import { sumDecimals } from "@org/provider-kit/decimal";
import { isReinvested, isToldByDepot } from "./account-flows.js";
import { askedAccounts, closeOf, lastValueIndex, type ValuedAccount } from "./accounts.js";
import type { IncomeAnswer } from "./answers.js";
import type { incomeArguments } from "./arguments.js";
import { type Conversion, DecimalSum } from "./currency-sums.js";
import { dayNumber } from "./days.js";
import type { Movement, WealthFacts } from "./facts.js";
import { add, type Fraction, formatDecimal, fraction, ZERO } from "./fraction.js";
import { conversionFor, coverageAt, periodAsked, type QuestionOf, refuseMissingRates } from "./question.js";
import { byKey } from "./summary.js";

/** `kind`: one or many; left out: dividend, interest and coupon. */
export type IncomeArguments = QuestionOf<typeof incomeArguments>;

/** What came in of dividends, coupons and interest, or went out as fees and taxes, by operation date. */
export function income(facts: WealthFacts, args: IncomeArguments, today: string): IncomeAnswer {
  const { last } = periodAsked(args, today);
  const scope = askedAccounts(facts, args);
  const conversion = conversionFor(facts, args.currency);
  const kinds: ReadonlySet<string> = new Set([args.kind ?? ["dividend", "interest", "coupon"]].flat());
  const to = args.to ?? today;
  const whole: Sums = new Map();
  const groups = new Map<string | null, Sums>();
  let unvalued = 0;
  for (const { movement, account } of movementsOf(scope.accounts)) {
    const { kind, operation_date, balance } = movement;
    if (kind === null || !kinds.has(kind) || operation_date < args.from || operation_date > to) continue;
    if (isToldByDepot(movement, account.facts, account.connection)) continue;
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
  refuseMissingRates(conversion);
  const closes = scope.accounts.map((account) =>
    closeOf(account, lastValueIndex(account.values, last), last, args.stale_after),
  );
  const items = [...groups]
    .sort(([a], [b]) => byKey(a, b))
    .map(([key, sums]) => ({ key, totals: totalsOf(sums, conversion) }));
  return { items, totals: totalsOf(whole, conversion), unvalued, ...coverageAt(scope, closes) };
}

/** The movements of accounts, each with its account. */
function* movementsOf(accounts: readonly ValuedAccount[]): Generator<{ movement: Movement; account: ValuedAccount }> {
  const byId = new Map(accounts.map((account) => [account.facts.portfolio_id, account]));
  for (const connection of new Set(accounts.map((account) => account.connection))) {
    for (const movement of connection.movements) {
      const account = byId.get(movement.portfolio_id);
      if (account) yield { movement, account };
    }
  }
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
