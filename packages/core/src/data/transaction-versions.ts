import type { TenantActor } from "../ports/actor.js";
import type { Uuid } from "../schemas/identifier.js";
import { clientsNamed, connectionsOfClients, knownId, unknownIds } from "./client-connections.js";
import type { DataReader } from "./data-reader.js";

/** One transaction of one connection. */
export interface TransactionVersionsRequest {
  readonly credentials_token: string;
  /** `id` of a row of transactions. */
  readonly transaction_id: string;
}

export interface TransactionVersions {
  readonly id: Uuid;
  readonly credentials_token: Uuid;
  /** A JSON array, see {@link DataReader.transactionVersions}; never empty. */
  readonly versions_json: string;
}

/**
 * Reads a transaction as it is now and as it was before.
 * @throws CoreError NOT_FOUND for an unknown `credentials_token`, or one that is not of the caller's clients, and for a `transaction_id` of
 * which no version is kept
 */
export async function transactionVersions(
  reader: DataReader,
  actor: TenantActor,
  { credentials_token, transaction_id }: TransactionVersionsRequest,
): Promise<TransactionVersions> {
  const connectionId = knownId("credentials_token", credentials_token);
  const clients = clientsNamed(actor, undefined);
  if (clients !== null) {
    const own = await connectionsOfClients(reader, actor.tenant_id, clients, [connectionId]);
    if (own.length === 0) throw unknownIds("credentials_token", [connectionId]);
  }
  const id = knownId("transaction_id", transaction_id);
  const versions_json = await reader.transactionVersions(actor.tenant_id, connectionId, id);
  if (versions_json === null) throw unknownIds("credentials_token", [connectionId]);
  if (versions_json === "[]") throw unknownIds("transaction_id", [id]);
  return { id, credentials_token: connectionId, versions_json };
}
