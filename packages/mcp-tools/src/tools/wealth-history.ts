import { historyAnswer, historyArguments } from "@org/wealth";
import { figurePaging, figureScope, figuresSchema, figureText } from "../figure-answer.js";
import { dataIcon } from "../icons.js";
import { defineTool, readsOnly } from "../tool.js";

/** Answers what portfolios were worth over time. */
export const wealthHistory = defineTool({
  name: "wealth-history",
  title: "Wealth over time",
  description:
    "What portfolios were worth at the close of each day, week or month of a period, oldest first. Use it for how a value developed and for charts: interval=month for years, week for a quarter. " +
    "A day with complete=false lacks portfolios, or has no sum where a rate is missing: show a gap and say why, never a line through it. " +
    "A change of value is not a return, because deposits and withdrawals are in it: for returns use wealth-performance.",
  icons: dataIcon,
  scope: "investments:read",
  annotations: readsOnly,
  input: historyArguments.extend({ ...figureScope, ...figurePaging }),
  output: figuresSchema(historyAnswer),
  run: ({ wealth }, actor, request, most) => wealth.history(actor, request).then((answer) => figureText(answer, most)),
});
