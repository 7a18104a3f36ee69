import { describe, expect, it } from "vitest";
import { today } from "./cases/build.js";
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
import { answerOf, reference } from "./reference/index.js";

describe.each([
  ["C-8.110", "time-weighted", timeWeightedCases],
  ["C-8.111", "money-weighted", moneyWeightedCases],
  ["C-8.112", "flows", flowCases],
  ["C-8.112", "seldom flows", moreFlowCases],
  ["C-8.113", "refusals", refusalCases],
  ["C-8.114", "currencies", currencyCases],
  ["C-8.115", "days", dayCases],
  ["C-8.116", "parts and gains", partCases],
  ["C-8.117", "income", incomeCases],
  ["C-8.150", "what was in question", engineCases],
])("[%s] what was reckoned by hand: %s", (_, __, cases) => {
  it.each(cases.map((each) => [each.name, each] as const))(
    "%s",
    (_name, { question, facts, asked, answer, refused }) => {
      expect(answerOf(reference, question, facts, asked, today)).toMatchObject(refused ?? answer ?? {});
    },
  );
});
