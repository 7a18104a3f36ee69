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
    ];
    const listed = filters.map((filter) => `, ${filter}`).join("");
    const ofType = inv_type === undefined ? "" : `, inv_type=${quoted(inv_type)}`;
    return [
      `Review my investments${filters.length === 0 ? " over all connected banks" : ` with ${filters.join(" and ")}`}.`,
      `1. Accounts: svc-portfolios with totals_by=bank${listed}.`,
      `2. Holdings: svc-investments with sort=-balance, page_size=10, totals_by=type, fields=name, amount, balance, currency, bank${listed}${ofType}. Its totals are the split by type, its rows the ten largest; where there are several currencies, those of the one with the largest total.`,
      "Look at as_of and sources first: name every bank whose state is not ok, with the age of its data, before any figure of it.",
      "Then show: totals per currency as the tools give them, never added across currencies; the split by bank, and by type within each currency; the ten largest holdings with bank, units and value; anything that stands out, such as a large share in one holding or in cash.",
      "State facts from the data, and no investment advice.",
    ].join("\n");
  },
});
