/** A client of a tenant: its reference, and a name if there is one. */
export interface GrantedClient {
  readonly client_ref: string;
  readonly name: string | null;
}

/** The clients of tenants, which are kept elsewhere and which a grant may be limited to. */
export interface GrantedClients {
  /**
   * By reference, at most `limit`, and how many there are in all.
   * @param query.text part of a name or reference
   * @param query.client_refs only these; null = all
   */
  list(
    tenantId: string,
    query: { readonly text?: string; readonly client_refs: readonly string[] | null; readonly limit: number },
  ): Promise<{ readonly items: readonly GrantedClient[]; readonly total: number }>;
}

/** How many clients a grant can be limited to. */
export const MAX_GRANTED_CLIENTS = 50;
