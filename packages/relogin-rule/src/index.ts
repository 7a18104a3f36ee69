export interface ProductFlags { auth: boolean; account: boolean; card: boolean; portfolio: boolean; investment: boolean; liability: boolean; holders: boolean }
export interface TransactionFlags { account: boolean; card: boolean; investment: boolean; liability: boolean }
export interface CredentialStatus { pending: boolean; blocked: boolean; reset_token: string | null; sca_token: string | null; transaction_token: string | null; last_update: string | null; created_at: string; errored: { product: ProductFlags; transaction: TransactionFlags }; created: { product: ProductFlags; transaction: TransactionFlags }; consent_expires_at: string | null }
export interface ReloginReason { code: "blocked" | "sca_required" | "auth_error" | "reset_token"; message: string; next_action: string }
export interface ReloginEvaluation { needs_relogin: boolean; reasons: ReloginReason[] }
export function evaluateRelogin(status: CredentialStatus): ReloginEvaluation {
  const reasons: ReloginReason[] = [];
  if (status.blocked) reasons.push({ code: "blocked", message: "blocked", next_action: "svc-create-connect-session" });
  return { needs_relogin: reasons.length > 0, reasons };
}
