import { performanceAnswer, performanceArguments } from "@org/wealth";
import { figureSchema, figureScope, figureText } from "../figure-answer.js";
import { dataIcon } from "../icons.js";
import { defineTool, readsOnly } from "../tool.js";

/** Answers what portfolios earned in a period. */
export const wealthPerformance = defineTool({
  name: "wealth-performance",
  title: "Return of a period",
  description:
    "What portfolios earned from one day to another, without what was paid in or out: method=twr (time-weighted, how well the portfolio did) or mwr (money-weighted, how the client's money did). " +
    'return is a fraction: "0.020100" is 2.01 %. The period opens with the close of the day before from. Portfolios in several currencies need a currency. ' +
    "INSUFFICIENT_DATA says in details what is missing, with days: ask again for a period without these days or without these portfolios, or tell the user what is missing. Never estimate a refused return yourself. " +
    "allow_gaps=true reckons all the same, only where the user accepts that: then say what gaps and estimated list.",
  icons: dataIcon,
  scope: "investments:read",
  annotations: readsOnly,
  input: performanceArguments.extend(figureScope),
  output: figureSchema(performanceAnswer),
  run: ({ wealth }, actor, request, most) =>
    wealth.performance(actor, request).then((answer) => figureText(answer, most)),
});
