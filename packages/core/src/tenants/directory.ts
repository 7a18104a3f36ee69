import type { Uuid } from "../schemas/identifier.js";
/** A connection or letter that files may be for. */
export interface LocatedFeed {
  readonly id: Uuid;
  readonly tenant_id: string;
  readonly connector_id: string;
  /** Its own id, or that of the letter's connection; null while the letter has none. */
  readonly connection_id: Uuid | null;
}

/**
 * Finds the tenant of an id. It returns ids and connectors, never contents; callers continue with `inTenant`. `network` is that of a caller
 * who may have made the secret up: such look-ups take turns by network.
 */
export interface Directory {
  /** By SHA-256 (hex) of the secret in a `widget_url`. */
  sessionByLink(linkHash: string, network?: string): Promise<{ tenant_id: string; session_id: Uuid } | null>;
  /** By SHA-256 (hex) of the state with which a bank's page sends the customer back. */
  sessionByCallback(callbackHash: string, network?: string): Promise<{ tenant_id: string; session_id: Uuid } | null>;
  tenantOfConnection(connectionId: Uuid): Promise<string | null>;
  tenantOfLetter(letterId: Uuid): Promise<string | null>;
  tenantOfMail(mailId: Uuid): Promise<string | null>;
  /** Tenants and connectors of these connections and letters, in no order. Ids that are neither are left out. */
  feedsOf(connectionOrLetterIds: readonly Uuid[]): Promise<readonly LocatedFeed[]>;
}
