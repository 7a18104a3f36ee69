import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { plaidKind } from "../src/transaction-kinds.js";

const file = new URL("./description/plaid-2020-09-14.json", import.meta.url);
const { schemas } = (
  JSON.parse(readFileSync(file, "utf8")) as { components: { schemas: Record<string, { enum?: string[] }> } }
).components;
const types = schemas.InvestmentTransactionType?.enum ?? [];
const subtypes = schemas.InvestmentTransactionSubtype?.enum ?? [];

/** What a movement of cash, or of units without a price, is by its subtype. `±` is in or out. */
const kinds = {
  buy: ["buy", "buy to cover"],
  sell: ["sell", "sell short"],
  deposit: ["contribution", "deposit"],
  withdrawal: ["distribution", "withdrawal"],
  dividend: [
    ...["dividend", "dividend reinvestment", "qualified dividend", "non-qualified dividend"],
    ...["long-term capital gain", "long-term capital gain reinvestment"],
    ...["short-term capital gain", "short-term capital gain reinvestment", "unqualified gain"],
  ],
  interest: ["interest", "interest receivable", "interest reinvestment"],
  fee: [
    ...["account fee", "fund fee", "legal fee", "management fee", "margin expense", "miscellaneous fee"],
    ...["transfer fee", "trust fee"],
  ],
  tax: ["non-resident tax", "tax", "tax withheld"],
  redemption: ["return of principal"],
  transfer_in: ["request", "stock distribution"],
  transfer_out: ["send"],
  "±": ["transfer"],
  merger: ["merger"],
  spin_off: ["spin off"],
  split: ["split"],
  other: [
    ...["adjustment", "assignment", "exercise", "expire", "loan payment", "pending credit", "pending debit"],
    ...["rebalance", "trade"],
  ],
};
const kindOfSubtype = new Map(Object.entries(kinds).flatMap(([kind, listed]) => listed.map((one) => [one, kind])));
const corporate = ["merger", "spin_off", "split"];

function expected(type: string, subtype: string, sign: string): string {
  const kind = kindOfSubtype.get(subtype) ?? "none";
  if (type === "cancel") return "other";
  if (corporate.includes(kind)) return kind;
  if (type === "buy" || type === "sell") return type;
  if (type === "fee") return kind === "tax" ? "tax" : subtype === "interest receivable" ? "interest" : "fee";
  return kind === "±" ? (sign === "-" ? "transfer_out" : "transfer_in") : kind;
}

it("[C-5.251] every type and subtype of transactions that Plaid's description has is of a kind, each by name", () => {
  expect([...kindOfSubtype.keys()].sort()).toEqual([...subtypes].sort());
  expect([...types].sort()).toEqual(["buy", "cancel", "cash", "fee", "sell", "transfer"]);
  const pairs = types.flatMap((type) => subtypes.flatMap((subtype) => ["", "-"].map((sign) => [type, subtype, sign])));
  expect(pairs).toHaveLength(6 * 48 * 2);
  for (const [type = "", subtype = "", sign = ""] of pairs)
    expect([type, subtype, sign, plaidKind(type, subtype, `${sign}2.5`)]).toEqual([
      ...[type, subtype, sign],
      expected(type, subtype, sign),
    ]);
});

it("[C-5.251] words that Plaid's description does not have, and a transfer of nothing, are other", () => {
  expect(plaidKind("cash", "staking reward", "1")).toBe("other");
  expect(plaidKind("loan", "interest", "1")).toBe("other");
  expect(plaidKind("transfer", "transfer", "0")).toBe("other");
});
