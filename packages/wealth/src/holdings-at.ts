import type { HoldingsAtAnswer } from "./answers.js";
import type { dayArguments } from "./arguments.js";
import type { Conversion } from "./currency-sums.js";
import type { HoldingFacts, WealthFacts } from "./facts.js";
import { fraction } from "./fraction.js";
import { closeOfDay, conversionFor, countedValue, dayAsked, type QuestionOf, refuseMissingRates } from "./question.js";

export type DayArguments = QuestionOf<typeof dayArguments>;

/** The holdings at the close of a day, in the order of the facts. */
export function holdingsAt(facts: WealthFacts, args: DayArguments, today: string): HoldingsAtAnswer {
  const day = dayAsked("date", args.date, today);
  const { accounts, closes, coverage, duplicates } = closeOfDay(facts, args, day);
  const conversion = conversionFor(facts, args.currency);
  const items = accounts.flatMap((account, at) => {
    const valuation = countedValue(closes[at])?.valuation;
    return (valuation?.holdings ?? []).map(({ is_notional: _, ...holding }) => ({
      ...holding,
      ...(conversion && converted(holding, conversion, day)),
      portfolio_id: account.facts.shown_as,
      as_of: valuation?.day ?? "",
    }));
  });
  refuseMissingRates(conversion);
  return { items, coverage, ...(duplicates && { duplicates }) };
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
