/**
 * Decides whether a bank customer has to log in again, and why (S1 §3).
 *
 *   credential-status.ts  the status object of a bank connection
 *   evaluate-relogin.ts   the rule
 */
export type { CredentialStatus, ProductFlags, StatusFlags, TransactionFlags } from "./credential-status.js";
export {
  evaluateRelogin,
  type ReloginEvaluation,
  type ReloginReason,
  type ReloginReasonCode,
} from "./evaluate-relogin.js";
