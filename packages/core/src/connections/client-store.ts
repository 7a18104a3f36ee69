import type { ClientOrder } from "../schemas/client.js";
import type { Uuid } from "../schemas/identifier.js";

/** A client of a tenant: a reference, and a name if there is one. */
export interface ClientRecord {
  readonly client_ref: string;
  readonly name: string | null;
  readonly created_at: Date;
}

/** A client with the numbers of connections and letters. */
export interface CountedClient extends ClientRecord {
  readonly connections: number;
  readonly letters: number;
}

/** The clients of one tenant. Their references are on connections, letters and sessions. */
export interface TenantClientStore {
  /** Makes the client unless there is one; returns whether it did. Until the transaction ends, it is neither renamed nor removed. */
  note(clientRef: string, at: Date): Promise<boolean>;
  /** How many clients the tenant has, those of this transaction included; beside others that make one it is exact after {@link note} made one. */
  used(): Promise<number>;
  find(clientRef: string): Promise<CountedClient | null>;
  /** Those whose name or reference contains a text, compared by {@link searchKey}; null = all. `total` = how many match. */
  list(query: {
    readonly name: string | null;
    /** Only these; null = all. */
    readonly client_refs: readonly string[] | null;
    readonly order: ClientOrder;
    readonly page: number;
    readonly page_size: number;
  }): Promise<{ items: readonly CountedClient[]; total: number }>;
  /** Changes name or reference, a reference everywhere. Changes nothing if there is no such client or the new reference is taken. */
  update(
    clientRef: string,
    change: { readonly name?: string | null; readonly client_ref?: string },
  ): Promise<"changed" | "unknown" | "taken">;
  /** Ids of the client's connections and of the client's letters, in order, after `after` (null = from the first), at most `limit`. */
  connectionsOf(clientRef: string, after: Uuid | null, limit: number): Promise<readonly Uuid[]>;
  lettersOf(clientRef: string, after: Uuid | null, limit: number): Promise<readonly Uuid[]>;
  /** Removes the client, and the reference from whatever has it. Returns false if there is no such client. */
  remove(clientRef: string): Promise<boolean>;
}
