/** Finds the tenant of an id. Answers ids only, never contents: whoever asks goes on through `inTenant`. */
export interface Directory {
  /** By SHA-256 (hex) of the secret in a `widget_url`. */
  sessionByLink(linkHash: string): Promise<{ tenant_id: string; session_id: string } | null>;
  tenantOfConnection(connectionId: string): Promise<string | null>;
  tenantOfLetter(letterId: string): Promise<string | null>;
  tenantOfMail(mailId: string): Promise<string | null>;
}
