import type { TransactionKind } from "@org/provider-kit";
import { actionKind } from "../stated-movements.js";

/** The bank transaction code of an entry (`BkTxCd/Domn`, ISO 20022 external code sets). */
export interface BankTransactionCode {
  readonly domain: string | null;
  readonly family: string | null;
  readonly subFamily: string | null;
}

/**
 * The kind that a code determines, if any. Most codes of payments tell the way that money went, and not what for.
 * @param isPaidOut whether the account pays; of a reversal, whether it paid what is reversed
 */
export function kindOfCode(
  { domain, family, subFamily }: BankTransactionCode,
  isPaidOut: boolean,
): TransactionKind | undefined {
  const isOfSecurities = domain === "SECU";
  const action = isOfSecurities && family === "CORP" ? actionKind(subFamily) : "other";
  if (action !== "other") return action;
  if (subFamily === "INTR") return isOfSecurities ? "coupon" : "interest";
  const anywhere = inAnyDomain.get(subFamily ?? "");
  if (anywhere) return anywhere;
  if (isOfSecurities) return isPaidOut ? "buy" : "sell";
  if (domain === "FORX") return "fx";
  return domain === "PMNT" ? (isPaidOut ? "withdrawal" : "deposit") : undefined;
}

/** Sub-families that say what the money is for, whatever their domain. */
const inAnyDomain: ReadonlyMap<string, TransactionKind> = new Map([
  ["CHRG", "fee"],
  ["COME", "fee"],
  ["COMI", "fee"],
  ["COMM", "fee"],
  ["COMT", "fee"],
  ["DVCA", "dividend"],
  ["FEES", "fee"],
  ["REDM", "redemption"],
  ["TAXE", "tax"],
]);
