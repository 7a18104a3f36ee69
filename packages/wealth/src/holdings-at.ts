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

type Amounts = Pick<HoldingFacts, "balance" | "cost" | "currency" | "price_currency" | "accrued_interest">;

/** A price stays as it was stated, and names its currency. */
function converted(holding: Omit<HoldingFacts, "is_notional">, conversion: Conversion, day: number): Amounts {
  const { balance, cost, currency, price, price_unit, price_currency, accrued_interest } = holding;
  const money = (amount: string | null) =>
    amount && conversion.money(conversion.convert(fraction(amount), currency, day));
  return {
    balance: money(balance),
    cost: money(cost),
    currency: conversion.currency,
    ...(price && price_unit !== "percent" && { price_currency: price_currency ?? currency }),
    ...(accrued_interest && { accrued_interest: money(accrued_interest) }),
  };
}
