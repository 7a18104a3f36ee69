import type { Challenge } from "@org/core";

/** What a Continue button answers where the customer approves elsewhere. */
export const APPROVAL = "approve";

/** Whether a challenge is approved elsewhere, in the bank's app or by scanning, rather than answered by a typed code. */
export function isApproval(kind: Challenge["kind"]): boolean {
  return kind === "app" || kind === "qr";
}
