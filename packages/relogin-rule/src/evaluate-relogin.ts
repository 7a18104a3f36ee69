import type { CredentialStatus } from "./credential-status.js";

/** Why a re-login is needed. */
export type ReloginReasonCode = "blocked" | "sca_required" | "auth_error" | "reset_token";

/** One reason with a message for a person and the next action. */
export interface ReloginReason {
  readonly code: ReloginReasonCode;
  readonly message: string;
  readonly next_action: string;
}

/** Result of the rule. `reasons` is empty exactly when no re-login is needed. */
export interface ReloginEvaluation {
  readonly needs_relogin: boolean;
  readonly reasons: readonly ReloginReason[];
}

/**
 * Evaluates the relogin rule (S1 §3): a blocked connection, a required strong customer authentication, an authentication error
 * or a reset token, in that order. Transaction errors and transaction tokens never count.
 */
export function evaluateRelogin(status: CredentialStatus): ReloginEvaluation {
  const applies: Record<ReloginReasonCode, boolean> = {
    blocked: status.blocked,
    sca_required: isSet(status.sca_token),
    auth_error: status.errored.product.auth,
    reset_token: isSet(status.reset_token),
  };
  const found = reasons.filter((reason) => applies[reason.code]);
  return { needs_relogin: found.length > 0, reasons: found };
}

const session =
  "Call svc-create-connect-session with this credential as connection_id and give its widget_url to the person, who logs in at the bank again";

const reasons: readonly ReloginReason[] = [
  {
    code: "blocked",
    message: "The bank connection is blocked and delivers no new data.",
    next_action: `${session} to unblock it.`,
  },
  {
    code: "sca_required",
    message: "The bank asks for strong customer authentication (a second factor) before it delivers new data.",
    next_action: `${session} and confirms the second factor.`,
  },
  {
    code: "auth_error",
    message: "The bank refused the stored login: the credentials have changed or expired.",
    next_action: `${session} with the present credentials.`,
  },
  { code: "reset_token", message: "The bank wants the login to be set up anew.", next_action: `${session}.` },
];

function isSet(token: string | null): boolean {
  return token !== null && token !== "";
}
