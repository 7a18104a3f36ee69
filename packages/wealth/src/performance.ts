import type { Steps } from "@org/provider-kit";
import { askedAccounts, closeOf, lastValueIndex, type Value, type ValuedAccount } from "./accounts.js";
import type { PerformanceAnswer } from "./answers.js";
import type { performanceArguments } from "./arguments.js";
import { Conversion, CurrencySums, DaySums } from "./currency-sums.js";
import { DayList, dateOf } from "./days.js";
import type { WealthFacts } from "./facts.js";
import { costsByDay, type Flows, flowsOf, type NetFlow, netFlows } from "./flows.js";
import { add, compare, type Fraction, negate, ONE, round, subtract, ZERO } from "./fraction.js";
import { firstValueDay, gapsOf, inOrder, type Period } from "./gaps.js";
import { type CashFlow, PresentValue } from "./money-weighted.js";
import { roundedPowerLessOne } from "./powers.js";
import { coverageAt, periodAsked, type QuestionOf, refuseMissingRates } from "./question.js";
import { RateTable } from "./rates.js";
import { timeWeighted, type ValuePoint } from "./time-weighted.js";
import { insufficientData, invalidArgument } from "./wealth-error.js";

export type PerformanceArguments = QuestionOf<typeof performanceArguments>;

const RULES = 1;
const DAYS_OF_YEAR = 365;

/**
 * What the accounts earned in a period, which opens with the close of the day before. Runs in steps.
 *
 * @throws WealthError INSUFFICIENT_DATA where the return would be a guess; VALIDATION_ERROR if there are several currencies and none is asked for
 */
export function* performance(facts: WealthFacts, args: PerformanceArguments, today: string): Steps<PerformanceAnswer> {
  const { first, last } = periodAsked(args, today);
  const method = args.method ?? "twr";
  const scope = yield* askedAccounts(facts, args);
  const asked: Period = { opening: first - 1, last };
  const hasOpening = scope.accounts.some(({ values }) => lastValueIndex(values, asked.opening) >= 0);
  // Without a value to open with, a period that may have gaps opens with the first one.
  const opening = hasOpening ? asked.opening : (firstValueDay(scope.accounts, asked) ?? asked.opening);
  const period = { opening, last };
  const movements = yield* flowsOf(scope, opening, last, args.stale_after);
  const days = linkDays(scope.accounts, period);
  const closesNeeded = method === "twr" ? days : [opening, last];
  const gaps = inOrder([...(yield* gapsOf(scope, asked, closesNeeded, args.stale_after)), ...movements.gaps]);
  if (!hasOpening && opening === asked.opening) throw insufficientData(gaps);
  const currency = args.currency ?? onlyCurrency(scope.accounts, period, movements);
  if (gaps.length > 0 && args.allow_gaps !== true) throw insufficientData(gaps);

  const conversion = new Conversion(new RateTable(facts.rates), currency);
  const convert = conversion.convert.bind(conversion);
  const { points, entries } = yield* valuePoints(scope.accounts, days, closesNeeded, conversion);
  const flows = netFlows(movements.flows, convert);
  // The gross returns are time-weighted alone: without and with taxes.
  const costs = method === "twr" ? [false, true].map((taxes) => costsByDay(movements.costs, taxes, convert)) : [];
  refuseMissingRates(conversion);

  const [start, end] = [points[0]?.value ?? ZERO, points.at(-1)?.value ?? ZERO];
  const cameIn = sumOf(flows.filter(({ amount }) => amount.n > 0n));
  const wentOut = sumOf(flows.filter(({ amount }) => amount.n < 0n));
  const entered = sumOf(entries);
  const gain = subtract(subtract(end, start), add(add(cameIn, wentOut), entered));
  const money = conversion.money.bind(conversion);
  const returns =
    method === "twr"
      ? timeWeightedReturns(points, flows, costs, last - opening, money)
      : yield* moneyWeightedReturns(start, end, flows, entries, period);
  const closes = scope.accounts.map((account) =>
    closeOf(account, lastValueIndex(account.values, last), last, args.stale_after),
  );
  return {
    from: args.from,
    to: dateOf(last),
    method,
    rules: RULES,
    currency,
    opening: { date: dateOf(opening), balance: money(start) },
    closing: { date: dateOf(last), balance: money(end) },
    flows: { in: money(cameIn), out: money(wentOut), count: flows.length },
    entries: entries.map(({ portfolio_id, day, amount }) => ({
      portfolio_id,
      date: dateOf(day),
      balance: money(amount),
    })),
    gain: money(gain),
    ...returns,
    gaps,
    ...coverageAt(scope, closes),
  };
}

/** The opening, each day on which any account is valued, and the last day; ascending. */
function linkDays(accounts: readonly ValuedAccount[], { opening, last }: Period): number[] {
  const days = new Set([opening, last]);
  for (const { values } of accounts) {
    const first = lastValueIndex(values, opening) + 1;
    for (const { day } of values.slice(first, lastValueIndex(values, last) + 1)) days.add(day);
  }
  return [...days].sort((a, b) => a - b);
}

/** The one currency that the values and movements of the period have. */
function onlyCurrency(accounts: readonly ValuedAccount[], { opening, last }: Period, { flows, costs }: Flows): string {
  const currencies = new Set<string>();
  for (const { values } of accounts) {
    const from = Math.max(lastValueIndex(values, opening), 0);
    for (const { amounts } of values.slice(from, lastValueIndex(values, last) + 1))
      for (const { currency } of amounts) currencies.add(currency);
  }
  for (const { currency } of flows) currencies.add(currency);
  for (const { currency } of costs) currencies.add(currency);
  const [only, ...others] = currencies;
  if (only === undefined || others.length > 0)
    throw invalidArgument("currency", `must be named: there are ${[...currencies].sort().join(", ")}`);
  return only;
}

/** What a portfolio was worth when it was first valued. */
interface Entry {
  readonly portfolio_id: string;
  readonly day: number;
  readonly amount: Fraction;
}

/** The values of the days that are needed, the first of which is the opening, and the accounts that enter. */
function* valuePoints(
  accounts: readonly ValuedAccount[],
  days: readonly number[],
  needed: readonly number[],
  conversion: Conversion,
): Steps<{ points: ValuePoint[]; entries: Entry[] }> {
  const [opening = 0] = days;
  const list = new DayList(days);
  const isNeeded = new Set(needed);
  const sums = new DaySums(list.length);
  const entering = new Map<number, CurrencySums>();
  const entries = new Map<string, Entry>();
  for (const { values, facts } of accounts) {
    yield;
    const first = lastValueIndex(values, opening);
    for (let index = Math.max(first, 0); index < values.length; index += 1) {
      const { day, amounts } = values[index] as Value;
      const from = list.indexFrom(day);
      const after = values[index + 1];
      for (const amount of amounts) sums.add(amount, from, after ? list.indexFrom(after.day) : list.length);
      if (index > 0 || day <= opening || from === list.length) continue;
      const own = new CurrencySums();
      const ofDay = entering.get(day) ?? new CurrencySums();
      entering.set(day, ofDay);
      for (const amount of amounts) {
        own.add(amount);
        ofDay.add(amount);
      }
      const key = `${day} ${facts.shown_as}`;
      const amount = add(entries.get(key)?.amount ?? ZERO, conversion.total(own, day));
      entries.set(key, { portfolio_id: facts.shown_as, day, amount });
    }
  }
  let value = ZERO;
  const points: ValuePoint[] = [];
  for (const [at, ofDay] of sums.days()) {
    yield;
    const day = days[at] ?? opening;
    if (at > 0 && !isNeeded.has(day)) continue;
    const total = conversion.total(ofDay, day);
    if (at === 0 || compare(total, value) !== 0) value = total;
    const entered = entering.get(day);
    points.push({ day, value, entered: entered ? conversion.total(entered, day) : ZERO });
  }
  const ordered = [...entries.values()].sort((a, b) => a.day - b.day || (a.portfolio_id < b.portfolio_id ? -1 : 1));
  return { points, entries: ordered };
}

function timeWeightedReturns(
  points: readonly ValuePoint[],
  flows: readonly NetFlow[],
  costs: readonly ReadonlyMap<number, Fraction>[],
  days: number,
  money: (value: Fraction) => string,
): ReturnFigures {
  const result = timeWeighted(points, flows, costs);
  if ("undefinedOn" in result)
    throw insufficientData(result.undefinedOn.map((day) => ({ reason: "return_undefined", date: dateOf(day) })));
  const [grossOfFees, grossOfBoth] = result.gross.map((growth) => growth && round(subtract(growth, ONE), 6));
  return {
    return: round(subtract(result.growth, ONE), 6),
    annualised: annualised(result.growth, days),
    return_gross_of_fees: grossOfFees ?? null,
    return_gross_of_fees_and_taxes: grossOfBoth ?? null,
    estimated: result.estimated.map(({ from, to, flows: weighted, large }) => ({
      from: dateOf(from),
      to: dateOf(to),
      flows: money(weighted),
      large,
    })),
  };
}

type ReturnFigures = Pick<
  PerformanceAnswer,
  "return" | "annualised" | "return_gross_of_fees" | "return_gross_of_fees_and_taxes" | "estimated"
>;

/** growth ^ (365 / days) − 1; null under a year, and where more than all was lost. */
function annualised(growth: Fraction, days: number): string | null {
  if (days < DAYS_OF_YEAR || growth.n < 0n) return null;
  if (growth.n === 0n) return "-1.000000";
  const exponent = { n: BigInt(DAYS_OF_YEAR), d: BigInt(days) };
  return millionths(days === DAYS_OF_YEAR ? null : roundedPowerLessOne(growth, exponent, 6), growth);
}

function millionths(value: bigint | null, growth: Fraction): string {
  return value === null ? round(subtract(growth, ONE), 6) : round({ n: value, d: 1_000_000n }, 6);
}

/** The internal rate of return by XIRR's formula, for the days of the period and for a year. */
function* moneyWeightedReturns(
  start: Fraction,
  end: Fraction,
  flows: readonly NetFlow[],
  entries: readonly Entry[],
  { opening, last }: Period,
): Steps<ReturnFigures> {
  const days = last - opening;
  const cash: CashFlow[] = [
    { day: 0, amount: negate(start) },
    ...flows.map(({ date, amount }) => ({ day: Math.max(date - opening, 0), amount: negate(amount) })),
    ...entries.map(({ day, amount }) => ({ day: day - opening, amount: negate(amount) })),
    { day: days, amount: end },
  ].filter(({ amount }) => amount.n !== 0n);
  const value = new PresentValue(cash, Math.max(days, 1));
  const brackets = yield* value.brackets();
  const [bracket] = brackets;
  if (!bracket) throw insufficientData([{ reason: "no_root" }]);
  if (brackets.length > 1) {
    const returns: string[] = [];
    for (const at of brackets) returns.push(lessOne(yield* value.root(at)));
    throw insufficientData([{ reason: "several_roots", returns }]);
  }
  const ret = lessOne(yield* value.root(bracket));
  const figures = { return: ret, return_gross_of_fees: null, return_gross_of_fees_and_taxes: null, estimated: [] };
  if (days < DAYS_OF_YEAR) return { ...figures, annualised: null };
  // The root for a year is x^(365 / days), looked for in the same bracket.
  const power = DAYS_OF_YEAR / days;
  const yearly = { ...bracket, low: bracket.low ** power, high: bracket.high ** power };
  return { ...figures, annualised: lessOne(yield* new PresentValue(cash, DAYS_OF_YEAR).root(yearly)) };
}

function lessOne(root: bigint): string {
  return round({ n: root - 1_000_000n, d: 1_000_000n }, 6);
}

function sumOf(amounts: readonly { readonly amount: Fraction }[]): Fraction {
  return amounts.reduce((sum, { amount }) => add(sum, amount), ZERO);
}
