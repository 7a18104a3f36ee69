import type { WealthFacts } from "../../src/facts.js";
import { coverageOf, duplicatesOf, lastValuation, type SelectedAccount, selectAccounts, worthOf } from "./accounts.js";
import { type Asked, checkPeriod, defaultStaleAfter, type Period } from "./arguments.js";
import { Converter, digitsOf } from "./currencies.js";
import { addDays, daysBetween, everyDay } from "./days.js";
import { type AccountFlows, flowsOf } from "./flows.js";
import { Fraction } from "./fraction.js";
import { findGaps, firstValueDay, valuedDays } from "./gaps.js";
import { exponential, logarithm, sixDecimals, unit } from "./high-precision.js";
import { moneyWeighted } from "./money-weighted.js";
import { Refusal } from "./refusal.js";
import type { Entry, NettedFlow, Outcome, Series } from "./series.js";
import { timeWeighted } from "./time-weighted.js";

export interface PerformanceArguments extends Asked, Period {
  readonly method?: "twr" | "mwr";
  readonly allow_gaps?: boolean;
}

export function performance(facts: WealthFacts, asked: PerformanceArguments, today: string) {
  const to = asked.to ?? today;
  checkPeriod(asked.from, to, today);
  const portfolioIds = asked.portfolio_ids ?? null;
  const staleAfter = asked.stale_after ?? defaultStaleAfter;
  const allowGaps = asked.allow_gaps ?? false;
  const method = asked.method ?? "twr";
  const accounts = selectAccounts(facts, portfolioIds);

  const before = addDays(asked.from, -1);
  const first = firstValueDay(accounts);
  // Without any value before the period it opens, with gaps, at the first value.
  const opening = first !== null && first > before && first <= to ? first : before;
  const found = accounts.map((selected) => flowsOf(selected, opening, to, staleAfter));
  const linkDays = everyDay(addDays(opening, 1), to).filter(
    (day) => day === to || accounts.some((selected) => valuedDays(selected).includes(day)),
  );
  const neededDays = [opening, ...(method === "twr" ? linkDays : [to])];
  const gaps = findGaps(facts, accounts, found, { before, to, portfolioIds, staleAfter, neededDays });
  if (first === null || first > to) throw insufficient(gaps);
  const currency = asked.currency ?? onlyCurrency(accounts, found, opening, to);
  if (gaps.length > 0 && !allowGaps) throw insufficient(gaps);

  const converter = new Converter(facts.rates, currency);
  const series = readSeries(accounts, found, opening, to, linkDays, converter, method);
  const openingValue = series.valueAt(opening);
  const closingValue = series.valueAt(to);
  for (const day of neededDays) series.valueAt(day);
  if (converter.missing.size > 0) throw insufficient(converter.missingRates());

  const outcome: Outcome = method === "twr" ? timeWeighted(series) : moneyWeighted(series);
  const money = (value: Fraction) => value.toFixed(digitsOf(currency));
  const [comesIn, goesOut] = [1, -1].map((sign) =>
    Fraction.sum(series.flows.filter((flow) => flow.value.sign === sign).map((flow) => flow.value)),
  );
  const inflow = comesIn ?? Fraction.zero;
  const outflow = goesOut ?? Fraction.zero;
  const entered = Fraction.sum(series.entries.map((entry) => entry.value));
  const days = daysBetween(opening, to);
  const duplicates = duplicatesOf(accounts);
  return {
    from: asked.from,
    to,
    method,
    rules: 1,
    currency,
    opening: { date: opening, balance: money(openingValue) },
    closing: { date: to, balance: money(closingValue) },
    flows: { in: money(inflow), out: money(outflow), count: series.flows.length },
    entries: series.entries.map(({ portfolioId, date, value }) => ({
      portfolio_id: portfolioId,
      date,
      balance: money(value),
    })),
    gain: money(closingValue.minus(openingValue).minus(inflow).minus(outflow).minus(entered)),
    return: outcome.factor.shown,
    annualised: annualised(outcome.factor.fixed, days),
    return_gross_of_fees: outcome.gross,
    return_gross_of_fees_and_taxes: outcome.grossOfTaxes,
    estimated: outcome.estimated.map((part) => ({ ...part, flows: money(part.flows) })),
    gaps,
    coverage: coverageOf(facts, portfolioIds, to, staleAfter),
    ...(duplicates.length > 0 && { duplicates }),
  };
}

function insufficient(details: readonly object[]): Refusal {
  return new Refusal("INSUFFICIENT_DATA", details.slice(0, 50) as Refusal["details"]);
}

/** x^(365/days) − 1; null under 365 days, and where less than nothing is left. */
function annualised(factor: bigint, days: number): string | null {
  if (days < 365 || factor < 0n) return null;
  if (factor === 0n) return "-1.000000";
  return sixDecimals(exponential((logarithm(factor) * 365n) / BigInt(days)) - unit);
}

/** @throws Refusal where values and flows are in several currencies */
function onlyCurrency(
  accounts: readonly SelectedAccount[],
  found: readonly AccountFlows[],
  opening: string,
  to: string,
): string {
  const codes = new Set<string>();
  for (const { account } of accounts) {
    const last = lastValuation(account, opening);
    for (const valuation of account.valuations) {
      const isUsed = valuation === last || (valuation.day > opening && valuation.day <= to);
      if (isUsed) for (const amount of worthOf(account, valuation) ?? []) codes.add(amount.currency);
    }
  }
  for (const { flows, costs } of found) for (const { amount } of [...flows, ...costs]) codes.add(amount.currency);
  const [only, ...others] = codes;
  if (only === undefined || others.length > 0) throw new Refusal("VALIDATION_ERROR", [{ field: "currency" }]);
  return only;
}

function readSeries(
  accounts: readonly SelectedAccount[],
  found: readonly AccountFlows[],
  opening: string,
  to: string,
  linkDays: readonly string[],
  converter: Converter,
  method: "twr" | "mwr",
): Series {
  const valueOfAccount = ({ account }: SelectedAccount, day: string) => {
    const valuation = lastValuation(account, day);
    const amounts = valuation === null ? [] : (worthOf(account, valuation) ?? []);
    return Fraction.sum(amounts.map((amount) => converter.convert(amount, day).value));
  };
  const entries: Entry[] = [];
  for (const selected of accounts) {
    const date = firstValueDay([selected]);
    if (date === null || date <= opening || date > to) continue;
    const value = valueOfAccount(selected, date);
    const portfolioId = selected.account.shown_as;
    const index = entries.findIndex((entry) => entry.portfolioId === portfolioId && entry.date === date);
    const same = entries[index];
    if (same === undefined) entries.push({ portfolioId, date, value });
    else entries[index] = { ...same, value: same.value.plus(value) };
  }
  const costs = (kind: "fee" | "tax") =>
    found
      .flatMap((each) => each.costs)
      .filter((cost) => cost.kind === kind && method === "twr")
      .map((cost) => ({ counts: cost.counts, value: converter.convert(cost.amount, cost.date).value }));
  return {
    opening,
    to,
    linkDays,
    flows: net(found, converter),
    entries: entries.toSorted((one, other) =>
      `${one.date} ${one.portfolioId}` < `${other.date} ${other.portfolioId}` ? -1 : 1,
    ),
    fees: costs("fee"),
    taxes: costs("tax"),
    valueAt: (day) => Fraction.sum(accounts.map((selected) => valueOfAccount(selected, day))),
  };
}

/** Flows of one date that count on one day, over all accounts. */
function net(found: readonly AccountFlows[], converter: Converter): NettedFlow[] {
  const netted = new Map<string, NettedFlow>();
  for (const flow of found.flatMap((each) => each.flows)) {
    const key = `${flow.counts} ${flow.date}`;
    const value = converter.convert(flow.amount, flow.date).value;
    const none = {
      date: flow.date,
      counts: flow.counts,
      value: Fraction.zero,
      atStart: Fraction.zero,
      atEnd: Fraction.zero,
    };
    const before = netted.get(key) ?? none;
    netted.set(key, {
      ...before,
      value: before.value.plus(value),
      atStart: flow.placement === "start" ? before.atStart.plus(value) : before.atStart,
      atEnd: flow.placement === "end" ? before.atEnd.plus(value) : before.atEnd,
    });
  }
  return [...netted.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, flow]) => flow)
    .filter((flow) => flow.value.sign !== 0);
}
