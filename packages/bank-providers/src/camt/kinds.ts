import type { TransactionKind } from "@org/provider-kit";
import { actionKind } from "../stated-movements.js";

/** The bank transaction code of an entry (`BkTxCd/Domn`, ISO 20022 external code sets). */
export interface BankTransactionCode {
  readonly domain: string | null;
  readonly family: string | null;
  readonly subFamily: string | null;
}

/** The kind that a code determines, if any: most codes of payments tell the way that money went, and not what for. */
export function kindOfCode(
  { domain, family, subFamily }: BankTransactionCode,
  isPaidOut: boolean,
): TransactionKind | undefined {
  if (subFamily === null) return domain === "FORX" ? "fx" : undefined;
  const action = domain === "SECU" && family === "CORP" ? actionKind(subFamily) : "other";
  if (action !== "other") return action;
  const anywhere = inAnyDomain.get(subFamily);
  if (anywhere) return anywhere;
  if (domain === "SECU" && family === "SETT" && subFamily === "TRAD") return isPaidOut ? "buy" : "sell";
  return domain === "FORX" ? "fx" : byPath.get(`${domain} ${family} ${subFamily}`);
}

/** Sub-families that every domain has. */
const inAnyDomain: ReadonlyMap<string, TransactionKind> = new Map([
  ["CHRG", "fee"],
  ["COME", "fee"],
  ["COMI", "fee"],
  ["COMM", "fee"],
  ["COMT", "fee"],
  ["FEES", "fee"],
  ["INTR", "interest"],
  ["TAXE", "tax"],
]);

const byPath: ReadonlyMap<string, TransactionKind> = new Map([
  ["PMNT CCRD CDPT", "deposit"],
  ["PMNT CCRD CWDL", "withdrawal"],
  ["PMNT CNTR CDPT", "deposit"],
  ["PMNT CNTR CWDL", "withdrawal"],
  ["SECU SETT REDM", "redemption"],
  ["SECU SETT SUBS", "buy"],
]);
