import type { Steps } from "@org/provider-kit";
import { addDecimals, negateDecimal } from "@org/provider-kit/decimal";
import type { GainsAnswer } from "./answers.js";
import { type Conversion, CurrencySums, totalsOf } from "./currency-sums.js";
import { dateOf } from "./days.js";
import type { HoldingFacts, WealthFacts } from "./facts.js";
import { absolute, divide, type Fraction, fraction, parseDecimal, round, subtract, ZERO } from "./fraction.js";
import type { DayArguments } from "./holdings-at.js";
import { closeOfDay, conversionFor, dayAsked, refuseMissingRates } from "./question.js";

/** Unrealised gains at the close of a day, of all holdings but cash; in steps. Balance and cost are both at the day's rate. */
export function* gains(facts: WealthFacts, args: DayArguments, today: string): Steps<GainsAnswer> {
  const day = dayAsked("date", args.date, today);
  const { accounts, coverage, duplicates } = yield* closeOfDay(facts, args, day);
  const conversion = conversionFor(facts, args.currency);
  const items: GainsAnswer["items"] = [];
  const totals = new Map<string, GainSums>();
  for (const { facts: account, value } of accounts) {
    for (const holding of value?.valuation.holdings ?? []) {
      yield;
      if (holding.type === "L" || holding.is_notional) continue;
      items.push(itemOf(holding, account.shown_as, conversion, day));
      if (holding.balance !== null) count(totals, holding, conversion);
    }
  }
  const date = dateOf(day);
  const answer = { date, items, totals: totalsByCurrency(totals, conversion, day), coverage };
  refuseMissingRates(conversion);
  return { ...answer, ...duplicates };
}

function itemOf(
  { id, name, isin, balance, cost, currency }: HoldingFacts,
  portfolio_id: string,
  conversion: Conversion | null,
  day: number,
): GainsAnswer["items"][number] {
  const known = balance !== null && cost !== null;
  const gain = known ? subtract(fraction(balance), fraction(cost)) : null;
  const paid = cost === null ? null : absolute(fraction(cost));
  const gain_share = gain && paid && paid.n !== 0n ? round(divide(gain, paid), 6) : null;
  if (!conversion) {
    const difference = known ? addDecimals(balance, negateDecimal(cost)) : null;
    return { id, name, isin, portfolio_id, currency, balance, cost, gain: difference, gain_share };
  }
  const money = (value: Fraction | null) => value && conversion.money(conversion.convert(value, currency, day));
  return {
    id,
    name,
    isin,
    portfolio_id,
    currency: conversion.currency,
    balance: money(balance === null ? null : fraction(balance)),
    cost: money(cost === null ? null : fraction(cost)),
    gain: money(gain),
    gain_share,
  };
}

interface GainSums {
  readonly balance: CurrencySums;
  readonly cost: CurrencySums;
  readonly gain: CurrencySums;
  readonly withoutCost: CurrencySums;
  holdings: number;
  holdingsWithoutCost: number;
}

function count(
  totals: Map<string, GainSums>,
  { balance, cost, currency }: HoldingFacts,
  conversion: Conversion | null,
): void {
  const key = conversion?.currency ?? currency;
  let sums = totals.get(key);
  if (!sums) {
    sums = {
      balance: new CurrencySums(),
      cost: new CurrencySums(),
      gain: new CurrencySums(),
      withoutCost: new CurrencySums(),
      holdings: 0,
      holdingsWithoutCost: 0,
    };
    totals.set(key, sums);
  }
  const worth = { amount: balance ?? "0", currency };
  if (cost === null) {
    sums.withoutCost.add(worth);
    sums.holdingsWithoutCost += 1;
    return;
  }
  const paid = { amount: cost, currency };
  sums.balance.add(worth);
  sums.cost.add(paid);
  sums.gain.add(worth);
  sums.gain.subtract(paid);
  sums.holdings += 1;
}

function totalsByCurrency(
  totals: ReadonlyMap<string, GainSums>,
  conversion: Conversion | null,
  day: number,
): GainsAnswer["totals"] {
  return [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sums]) => {
      const told = [sums.balance, sums.cost, sums.gain, sums.withoutCost].map(
        (part) => totalsOf(part, conversion, day)[0]?.balance,
      );
      // A sum of nothing has the digits of those beside it.
      const zero = round(ZERO, Math.max(...told.map((amount) => parseDecimal(amount ?? "0").scale)));
      const [balance = zero, cost = zero, gain = zero, balance_without_cost = zero] = told;
      return {
        ...{ currency, balance, cost, gain },
        holdings: sums.holdings,
        balance_without_cost,
        holdings_without_cost: sums.holdingsWithoutCost,
      };
    });
}
