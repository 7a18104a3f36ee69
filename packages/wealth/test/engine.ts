import { gains, history, holdingsAt, income, performance, summary, WealthError } from "../src/index.js";
import type { Figures } from "./reference/index.js";
import { Refusal } from "./reference/refusal.js";
import { resultOf } from "./sample-facts.js";

const common = { portfolio_ids: null, currency: null, stale_after: 7 };

/** The package's own figures, asked as the reference is. */
export const engine = {
  history: (facts, asked, today) => judged(() => resultOf(history(facts, { ...common, ...asked }, today))),
  holdingsAt: (facts, asked, today) => judged(() => resultOf(holdingsAt(facts, { ...common, ...asked }, today))),
  summary: (facts, asked, today) => judged(() => resultOf(summary(facts, { ...common, ...asked }, today))),
  performance: (facts, asked, today) => judged(() => resultOf(performance(facts, { ...common, ...asked }, today))),
  income: (facts, asked, today) => judged(() => resultOf(income(facts, { ...common, ...asked }, today))),
  gains: (facts, asked, today) => judged(() => resultOf(gains(facts, { ...common, ...asked }, today))),
} satisfies Figures;

/** The error of an argument says which one it is. */
function judged<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof WealthError)) throw error;
    throw new Refusal(error.code, error.code === "INSUFFICIENT_DATA" ? error.details : [{ field: error.field }]);
  }
}
