import type { Uuid } from "../schemas/identifier.js";
/** A connection or letter that files may be for. */
export interface LocatedFeed {
  readonly id: Uuid;
  readonly tenant_id: string;
  readonly connector_id: string;
  /** Its own id, or that of the letter's connection; null while the letter has none. */
  readonly connection_id: Uuid | null;
}

/** Finds the tenant of an id. Returns ids and connectors, never contents: whoever asks goes on through `inTenant`. */
export interface Directory {
  /** By SHA-256 (hex) of the secret in a `widget_url`. */
  sessionByLink(linkHash: string): Promise<{ tenant_id: string; session_id: Uuid } | null>;
  /** By SHA-256 (hex) of the state that leads back from a bank's page. */
  sessionByCallback(callbackHash: string): Promise<{ tenant_id: string; session_id: Uuid } | null>;
  tenantOfConnection(connectionId: Uuid): Promise<string | null>;
  tenantOfLetter(letterId: Uuid): Promise<string | null>;
  tenantOfMail(mailId: Uuid): Promise<string | null>;
  /** Of connections and letters: whose files are for them. Ids that are none are left out; in no order. */
  feedsOf(connectionOrLetterIds: readonly Uuid[]): Promise<readonly LocatedFeed[]>;
}
