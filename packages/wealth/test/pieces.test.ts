import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Fold,
  gains,
  historyFold,
  holdingsAt,
  incomeFold,
  summary,
  WealthError,
  type WealthFacts,
} from "../src/index.js";
import { PresentValue } from "../src/money-weighted.js";
import { histories, historyEnd, questions } from "./histories.js";
import { account, connection, factsOf, holding, movement, resultOf, valuation } from "./sample-facts.js";

const common = { portfolio_ids: null, currency: null, stale_after: 7 };

/** An answer, or how it is refused. */
function told(answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof WealthError)) throw error;
    return [error.code, error.field, error.details];
  }
}

function folded<Answer>(fold: Fold<Answer>, pieces: readonly WealthFacts["connections"][]): Answer {
  for (const piece of pieces) resultOf(fold.add(piece));
  return resultOf(fold.answer());
}

describe("[C-8.223] facts that come piece by piece give the answer of all at once", () => {
  it.each([
    ["history", historyFold],
    ["income", incomeFold],
  ] as const)("%s", (name, start) => {
    const many = fc.tuple(fc.array(histories, { minLength: 2, maxLength: 4 }), questions);
    fc.assert(
      fc.property(many, ([all, { question, asked }]) => {
        const args = { ...common, by: "kind", from: historyEnd, ...asked } as never;
        const [first] = all;
        if (!first || (name === "income") !== (question === "income")) return;
        const fold = () => start(first.rates, args, historyEnd) as Fold<unknown>;
        const connections = all.flatMap((one) => one.connections);
        const once = told(() => folded(fold(), [connections]));
        expect(told(() => folded(fold(), [...connections.map((one) => [one]), []]))).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });
});

const ACCOUNTS = 40;
const many = factsOf([
  connection(
    Array.from({ length: ACCOUNTS }, (_, at) =>
      account(`p${at}`, [valuation("2026-03-02", "100.00", [holding(`a${at}`, "60.00"), holding(`b${at}`, "40.00")])]),
    ),
    Array.from({ length: ACCOUNTS }, (_, at) => movement(`p${at}`, "2026-03-02", "interest", "1.00")),
  ),
]);

const TODAY = "2026-03-05";

it.each([
  ["history", () => folding(historyFold([], { ...common, from: "2026-03-02" }, TODAY)), 3],
  ["income", () => folding(incomeFold([], { ...common, from: "2026-03-02", by: "kind" }, TODAY)), 3],
  ["summary", () => summary(many, { ...common, by: "security" }, TODAY), 4],
  ["holdings at a day", () => holdingsAt(many, common, TODAY), 4],
  ["gains", () => gains(many, common, TODAY), 4],
] as const)("[C-8.227] %s: an account, holding, movement or row is a step", (_, start, each) => {
  let taken = 0;
  for (const steps = start(); !steps.next().done; ) taken += 1;
  expect(taken).toBeGreaterThanOrEqual(ACCOUNTS * each);
});

function* folding(fold: Fold<unknown>) {
  yield* fold.add(many.connections);
  yield* fold.answer();
}

it("[C-8.228] a money-weighted return whose flows cancel each other at most rates is refused by name after bounded work", () => {
  // (1 - y)^300: no float tells it from zero, nor do 2,048 bits at many rates.
  let coefficient = 1n;
  const flows = Array.from({ length: 301 }, (_, day) => {
    const amount = { n: day % 2 === 0 ? coefficient : -coefficient, d: 1n };
    coefficient = (coefficient * BigInt(300 - day)) / BigInt(day + 1);
    return { day, amount };
  });
  expect(told(() => resultOf(new PresentValue(flows, 1_095).brackets()))).toEqual(["VALIDATION_ERROR", "method", []]);
});

it("[C-8.228] flows that add up to nothing have a return of zero, whose sign takes no powers", () => {
  const flows = Array.from({ length: 3_660 }, (_, day) => ({
    day,
    amount: { n: day === 3_659 ? 3_659n : -1n, d: 1n },
  }));
  const value = new PresentValue(flows, 3_660);
  const [bracket] = resultOf(value.brackets());
  expect(bracket && resultOf(value.root(bracket))).toBe(1_000_000n);
});
