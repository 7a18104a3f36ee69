import { holdingTypes } from "@org/core";
import { completeCredentialsToken, completeOneOf } from "../completers.js";
import { dataIcon } from "../icons.js";
import { definePrompt, quoted } from "../prompt.js";

const commonCurrencies = ["CHF", "EUR", "GBP", "JPY", "SEK", "USD"];

/** Reviews what is held, where, and how the parts compare. */
export const reviewPortfolio = definePrompt({
  name: "review-portfolio",
  title: "Review a portfolio",
  description:
    "Review what is held at which bank: totals by currency, the split by type, the largest holdings, and how fresh the data is.",
  icons: dataIcon,
  arguments: {
    credentials_token: {
      title: "Connection",
      description: "Only this bank connection; left out: all of them together.",
      completer: completeCredentialsToken,
    },
    currency: {
      title: "Currency",
      description: "Only holdings in this currency (ISO 4217).",
      completer: completeOneOf(commonCurrencies),
    },
    inv_type: {
      title: "Type",
      description: "Only holdings of this type, a code such as VI (equities); wealth-connect://types explains all.",
      completer: completeOneOf(holdingTypes),
    },
  },
  text: ({ credentials_token, currency, inv_type }) => {
    const filters = [
      ...(credentials_token === undefined ? [] : [`credentials_token=${quoted(credentials_token)}`]),
      ...(currency === undefined ? [] : [`currency=${quoted(currency)}`]),
    ].join(" and ");
    return [
      `Review my investments${filters === "" ? " over all connected banks" : ` with ${filters}`}.`,
      `Read the accounts with svc-portfolios and the holdings with svc-investments${filters === "" ? "" : ", each with these parameters"}, all pages (pass snapshot along).`,
      ...(inv_type === undefined ? [] : [`Of the holdings, only those with inv_type=${quoted(inv_type)}.`]),
      "Look at sources first: name every bank whose state is not ok, with the age of its data, before any figure of it.",
      "Then show: totals per currency as the tools give them, never added across currencies; the split by type within each currency; the ten largest holdings with bank, units and value; anything that stands out, such as a large share in one holding or in cash.",
      "State facts from the data, and no investment advice.",
    ].join("\n");
  },
});
