import type { Uuid } from "../schemas/identifier.js";
/** Finds the tenant of an id. Returns ids only, never contents: whoever asks goes on through `inTenant`. */
export interface Directory {
  /** By SHA-256 (hex) of the secret in a `widget_url`. */
  sessionByLink(linkHash: string): Promise<{ tenant_id: string; session_id: Uuid } | null>;
  /** By SHA-256 (hex) of the state that leads back from a bank's page. */
  sessionByCallback(callbackHash: string): Promise<{ tenant_id: string; session_id: Uuid } | null>;
  tenantOfConnection(connectionId: Uuid): Promise<string | null>;
  tenantOfLetter(letterId: Uuid): Promise<string | null>;
  tenantOfMail(mailId: Uuid): Promise<string | null>;
}
