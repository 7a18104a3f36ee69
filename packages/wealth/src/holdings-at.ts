import type { Steps } from "@org/provider-kit";
import type { HoldingsAtAnswer } from "./answers.js";
import type { dayArguments } from "./arguments.js";
import type { Conversion } from "./currency-sums.js";
import type { HoldingFacts, WealthFacts } from "./facts.js";
import { fraction } from "./fraction.js";
import { closeOfDay, conversionFor, dayAsked, type QuestionOf, refuseMissingRates } from "./question.js";

export type DayArguments = QuestionOf<typeof dayArguments>;

/** The holdings at the close of a day, in the order of the facts; in steps. */
export function* holdingsAt(facts: WealthFacts, args: DayArguments, today: string): Steps<HoldingsAtAnswer> {
  const day = dayAsked("date", args.date, today);
  const { accounts, coverage, duplicates } = yield* closeOfDay(facts, args, day);
  const conversion = conversionFor(facts, args.currency);
  const items: HoldingsAtAnswer["items"] = [];
  for (const { facts: account, value } of accounts) {
    yield;
    if (!value) continue;
    const as_of = value.valuation.day;
    for (const { is_notional: _, ...holding } of value.valuation.holdings ?? []) {
      yield;
      const amounts = conversion && converted(holding, conversion, day);
      items.push({ ...holding, ...amounts, portfolio_id: account.shown_as, as_of });
    }
  }
  refuseMissingRates(conversion);
  return { items, coverage, ...duplicates };
}

function converted(
  { balance, cost, currency }: Pick<HoldingFacts, "balance" | "cost" | "currency">,
  conversion: Conversion,
  day: number,
): Pick<HoldingFacts, "balance" | "cost" | "currency"> {
  const money = (amount: string | null) =>
    amount && conversion.money(conversion.convert(fraction(amount), currency, day));
  return { balance: money(balance), cost: money(cost), currency: conversion.currency };
}
