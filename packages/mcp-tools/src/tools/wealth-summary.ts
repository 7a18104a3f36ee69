import { summaryAnswer, summaryArguments } from "@org/wealth";
import { figurePaging, figureScope, figuresSchema, figureText } from "../figure-answer.js";
import { dataIcon } from "../icons.js";
import { defineTool, readsOnly } from "../tool.js";

/** Answers what portfolios are worth on a day, and how that is divided. */
export const wealthSummary = defineTool({
  name: "wealth-summary",
  title: "Wealth on a day",
  description:
    "What portfolios were worth at the close of one day (today if date is left out), in total and divided by type, currency, bank, client or security. " +
    "Use it for how much somebody has, where, and in what. totals is the whole, over all pages; items divide it, with their share of it. " +
    "Name a currency to have everything converted and shares told; otherwise there is one sum per currency. " +
    "complete=false means that something has no value: say which portfolios, from coverage.details. " +
    "Not for several days (wealth-history) or returns (wealth-performance).",
  icons: dataIcon,
  scope: "investments:read",
  annotations: readsOnly,
  input: summaryArguments.extend({ ...figureScope, ...figurePaging }),
  output: figuresSchema(summaryAnswer),
  run: ({ wealth }, actor, request, most) => wealth.summary(actor, request).then((answer) => figureText(answer, most)),
});
