import type { Uuid } from "../schemas/identifier.js";

/** What can have a name. */
export type NamedKind =
  | "tenant"
  | "person"
  | "application"
  | "client"
  | "grant"
  | "letter"
  | "connection"
  | "session"
  | "webhook_endpoint"
  | "registration_token"
  | "source_token"
  | "file"
  | "connector"
  | "provider"
  | "feed_key";

/** An id as it is stored in the audit trail or an event, with the tenant of that line; null = the installation's. */
export interface AskedName {
  readonly tenant_id: Uuid | null;
  readonly id: string;
}

/** What an id is called today. Names are never stored with the id. */
export interface Named {
  readonly id: string;
  readonly kind: NamedKind;
  /** Null for something that has none, such as a letter without labels. */
  readonly name: string | null;
  /** The custodian of a letter, the source of a file or token, the bank of a session. */
  readonly of: string | null;
}

/** Finds names in the stored data of all packages. */
export interface NameReader {
  /**
   * What still exists among `asked`; an id that is left out is unknown, gone, or not for the reader.
   * @param reader the tenant whose person reads, who learns no name of another tenant and none of operators; null = an operator
   */
  find(reader: Uuid | null, asked: readonly AskedName[]): Promise<readonly Named[]>;
}
