import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WealthFacts } from "../src/facts.js";
import { type Question, today, type WorkedCase } from "./cases/build.js";
import { currencyCases } from "./cases/currencies.js";
import { dayCases } from "./cases/days.js";
import { engineCases } from "./cases/engine.js";
import { flowCases } from "./cases/flows.js";
import { incomeCases } from "./cases/income.js";
import { moneyWeightedCases } from "./cases/money-weighted.js";
import { moreFlowCases } from "./cases/more-flows.js";
import { partCases } from "./cases/parts.js";
import { refusalCases } from "./cases/refusals.js";
import { timeWeightedCases } from "./cases/time-weighted.js";
import { engine } from "./engine.js";
import { completeHistories, histories, historyEnd, questions, stretched } from "./histories.js";
import { answerOf, reference } from "./reference/index.js";

/** The reference takes long: its money-weighted returns tens of milliseconds. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

const cases: readonly WorkedCase[] = [
  ...timeWeightedCases,
  ...moneyWeightedCases,
  ...flowCases,
  ...moreFlowCases,
  ...refusalCases,
  ...currencyCases,
  ...dayCases,
  ...partCases,
  ...incomeCases,
  ...engineCases,
];

function expectSame(question: Question, facts: WealthFacts, asked: object, now: string): void {
  const expected = answerOf(reference, question, facts, asked, now);
  expect(answerOf(engine, question, facts, asked, now)).toEqual(expected);
}

describe("[C-8.150] the engine answers the worked cases as the reference does, digit by digit", () => {
  it.each(cases.map((each) => [each.name, each] as const))("%s", (_, { question, facts, asked }) => {
    expectSame(question, facts, asked, today);
  });
});

describe("[C-8.151] the engine answers questions about random histories as the reference does, digit by digit", () => {
  it.each([
    ["with gaps", histories],
    ["complete", completeHistories],
  ])("%s", (_, drawn) => {
    fc.assert(
      fc.property(drawn, questions, (facts, { question, asked }) => {
        expectSame(question, facts, asked, historyEnd);
      }),
      { numRuns },
    );
  });

  it("returns of months and years", () => {
    const returns = questions.filter(({ question }) => question === "performance");
    const drawn = fc.oneof(histories, completeHistories);
    fc.assert(
      fc.property(drawn, returns, fc.constantFrom(9, 33, 91), (facts, { question, asked }, times) => {
        const long = stretched({ facts, asked, historyEnd }, times);
        expectSame(question, long.facts, { ...long.asked, stale_after: 400 }, long.historyEnd);
      }),
      { numRuns },
    );
  });
});
