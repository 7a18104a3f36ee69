/**
 * Every figure of the package, written a second time as literally and as slowly as can be: exact fractions, no index, no short cut. Tests hold the
 * package's own figures against these.
 */
import type { WealthFacts } from "../../src/facts.js";
import { gains, holdingsAt, summary } from "./day-figures.js";
import { history } from "./history.js";
import { income } from "./income.js";
import { performance } from "./performance.js";

export const reference = { history, holdingsAt, summary, performance, income, gains };

/** What can be asked: one function for each question. It throws a {@link Refusal}, or an error with the same `code` and `details`. */
export type Figures = {
  readonly [Name in keyof typeof reference]: (
    facts: WealthFacts,
    asked: Parameters<(typeof reference)[Name]>[1],
    today: string,
  ) => unknown;
};

/** The answer to a question, or what it is refused with. */
export function answerOf(figures: Figures, question: keyof Figures, facts: WealthFacts, asked: object, today: string) {
  const ask = figures[question] as (facts: WealthFacts, asked: object, today: string) => unknown;
  try {
    return ask(facts, asked, today);
  } catch (error) {
    if (error instanceof Error && "code" in error && "details" in error)
      return { code: error.code, details: error.details };
    throw error;
  }
}
