import { type Actor, CoreError, type CoreErrorCode, type Fault } from "@org/core";
import { type AuditOrigin, OAuthError, type OAuthErrorCode } from "@org/oauth-server";

/** Who acts, as the authorization server's part of the audit trail has it. */
export function originOf({ application_id, address, trace_id }: Actor): AuditOrigin {
  return { actor: application_id, address, trace_id };
}

/**
 * Lets what the authorization server refuses with one of these codes be refused in core's words; whatever else is thrown stays as it is.
 * @param told what is wrong with the input, if that is what it is, and another message than the error's
 */
export function refusedAsCore(
  codes: Partial<Record<OAuthErrorCode, CoreErrorCode>>,
  told: (error: OAuthError, code: CoreErrorCode) => { readonly details: readonly Fault[]; readonly message?: string },
) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof OAuthError ? codes[error.code] : undefined;
      if (!(error instanceof OAuthError) || code === undefined) throw error;
      const { details, message = error.message } = told(error, code);
      throw new CoreError(code, message, { cause: error, ...(details.length > 0 && { details }) });
    }
  };
}
