import { holdingSubtypeMeanings, holdingTypeMeanings, portfolioTypeMeanings, transactionKindMeanings } from "@org/core";
import type { OfferedResource } from "../offer.js";

const URI = "wealth-connect://types";

/** Explains the codes of types, subtypes and kinds. */
export const typesResource: OfferedResource = {
  listed: {
    uri: URI,
    name: "types",
    title: "Types, subtypes and kinds",
    description:
      "What the codes in type and subtype of portfolios and investments and in kind of transactions mean, and which parameters of the tools take them.",
    mimeType: "text/markdown",
  },
  read: () => ({
    contents: [{ uri: URI, mimeType: "text/markdown", text }],
    ttlMs: 3_600_000,
    cacheScope: "public",
  }),
};

const text = [
  "# Types of portfolio accounts",
  "`type` of a row of svc-portfolios; its parameter `portfolio_type` takes one or a list.",
  tableOf(["code", "meaning"], Object.entries(portfolioTypeMeanings)),
  "# Types of investments",
  "`type` of a row of svc-investments; its parameter `inv_type` takes one or a list.",
  tableOf(["code", "meaning"], Object.entries(holdingTypeMeanings)),
  "# Subtypes of investments",
  "`subtype` of a row of svc-investments, null where the type has none; its parameter `subtype` takes one or a list.",
  tableOf(
    ["code", "of type", "meaning"],
    Object.entries(holdingSubtypeMeanings).map(([code, { of, meaning }]) => [code, of, meaning]),
  ),
  "# Kinds of transactions",
  "`kind` of a row of svc-investment-transactions, where `fields` names it, null where the bank does not tell it; its parameter `kind` takes one or a list.",
  tableOf(["code", "meaning"], Object.entries(transactionKindMeanings)),
].join("\n\n");

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
