import { compareDecimals, kindBySign, type TransactionKind } from "@org/provider-kit";

/** `+-`: in or out, by the sign. */
type Kind = TransactionKind | "+-";

/** What subtypes mean, whichever type Plaid gives them. Corporate actions stay what they are also where units are bought or sold by them. */
const corporateActions: ReadonlyMap<string, TransactionKind> = new Map([
  ["merger", "merger"],
  ["spin off", "spin_off"],
  ["split", "split"],
]);

/** Subtypes of cash and transfers (Plaid's schema of investment transaction types). */
const subtypes: Readonly<Record<string, Kind>> = {
  ...({ buy: "buy", "buy to cover": "buy", sell: "sell", "sell short": "sell" } as const),
  ...({ contribution: "deposit", deposit: "deposit", distribution: "withdrawal", withdrawal: "withdrawal" } as const),
  ...({ dividend: "dividend", "qualified dividend": "dividend", "non-qualified dividend": "dividend" } as const),
  // Gains that a fund pays out.
  ...({ "long-term capital gain": "dividend", "short-term capital gain": "dividend" } as const),
  ...({ "unqualified gain": "dividend", interest: "interest", "interest receivable": "interest" } as const),
  // Paid and put back: what was bought is a row of the type buy.
  ...({ "dividend reinvestment": "dividend", "interest reinvestment": "interest" } as const),
  ...({
    "long-term capital gain reinvestment": "dividend",
    "short-term capital gain reinvestment": "dividend",
  } as const),
  ...({ "account fee": "fee", "fund fee": "fee", "legal fee": "fee", "management fee": "fee" } as const),
  ...({ "margin expense": "fee", "miscellaneous fee": "fee", "transfer fee": "fee", "trust fee": "fee" } as const),
  ...({ tax: "tax", "tax withheld": "tax", "non-resident tax": "tax", "return of principal": "redemption" } as const),
  ...({ transfer: "+-", request: "transfer_in", send: "transfer_out", "stock distribution": "transfer_in" } as const),
  ...({
    adjustment: "other",
    assignment: "other",
    exercise: "other",
    expire: "other",
    "loan payment": "other",
  } as const),
  ...({ "pending credit": "other", "pending debit": "other", rebalance: "other", trade: "other" } as const),
};
const bySubtype = new Map(Object.entries(subtypes));
/** What comes with the type of fees and is none; “interest receivable” is an inflow. */
const amongFees: ReadonlyMap<string, TransactionKind> = new Map([
  ...(["tax", "tax withheld", "non-resident tax"] as const).map((subtype) => [subtype, "tax"] as const),
  ["interest receivable", "interest"],
]);

/**
 * The kind of a transaction; `other` for words that Plaid did not have yet.
 * @param moved units, or cash if there are none, positive for what comes in
 */
export function plaidKind(type: string, subtype: string, moved: string): TransactionKind {
  const action = corporateActions.get(subtype);
  if (type === "cancel") return "other";
  if (action !== undefined) return action;
  if (type === "buy" || type === "sell") return type;
  if (type === "fee") return amongFees.get(subtype) ?? "fee";
  const kind = type === "cash" || type === "transfer" ? bySubtype.get(subtype) : undefined;
  if (kind !== "+-") return kind ?? "other";
  return compareDecimals(moved, "0") === 0 ? "other" : kindBySign(moved, "transfer_in", "transfer_out");
}
