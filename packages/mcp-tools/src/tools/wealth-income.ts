import { incomeAnswer, incomeArguments } from "@org/wealth";
import { figurePaging, figureScope, figuresSchema, figureText } from "../figure-answer.js";
import { dataIcon } from "../icons.js";
import { defineTool, readsOnly } from "../tool.js";

/** Answers what portfolios paid, or cost, in a period. */
export const wealthIncome = defineTool({
  name: "wealth-income",
  title: "Income of a period",
  description:
    "Dividends, interest and coupons of a period (with kind also fees or taxes), divided by month, year, security or kind. " +
    "totals is the whole, over all pages: never add up items. net is what was paid, gross what it was before taxes; null is unknown, not zero. unvalued counts movements that state no cash and are in no sum: say so. " +
    "Single payments are rows of svc-investment-transactions of /mcp.",
  icons: dataIcon,
  scope: "investments:read",
  annotations: readsOnly,
  input: incomeArguments.extend({ ...figureScope, ...figurePaging }),
  output: figuresSchema(incomeAnswer),
  run: ({ wealth }, actor, request, most) => wealth.income(actor, request).then((answer) => figureText(answer, most)),
});
