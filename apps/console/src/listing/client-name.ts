/** Whose a connection, letter or session is. */
export interface OfClient {
  /** The tenant's own reference; null = nobody's. */
  readonly client_ref?: string | null | undefined;
  readonly client_name?: string | null | undefined;
}

/** The client's name, else the reference; empty for nobody's. */
export function clientOf({ client_ref, client_name }: OfClient): string {
  return client_name || client_ref || "";
}

/** The name of a connection, letter or session: the client comes first. */
export function nameWithClient(of: OfClient, what: string): string {
  const client = clientOf(of);
  return client === "" ? what : `${client} · ${what}`;
}
