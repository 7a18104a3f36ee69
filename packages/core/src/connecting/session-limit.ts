import type { TenantActor } from "../ports/actor.js";
import { inLimit } from "../ports/client-limit.js";
import type { Uuid } from "../schemas/identifier.js";
import type { ListedSession } from "./session-store.js";
import type { ConnectingStores } from "./storage.js";

type Stores = Pick<ConnectingStores, "connections">;

/** The connections among these that exist for an actor; null = any. */
export async function connectionsSeen({ connections }: Stores, actor: TenantActor, ids: readonly Uuid[] | null) {
  const found = ids && (await Promise.all(ids.map((id) => connections.find(id))));
  return found?.flatMap((one) => inLimit(actor, one)?.connection_id ?? []) ?? null;
}

/** A session as far as it exists for an actor: one of an inside client may have come upon a connection of another. */
export async function seen<Found extends ListedSession>(
  { connections }: Stores,
  actor: TenantActor,
  session: Found | null,
): Promise<Found | null> {
  const found = inLimit(actor, session);
  if (actor.client_refs === undefined || !found?.connection_id) return found;
  return inLimit(actor, await connections.find(found.connection_id)) ? found : { ...found, connection_id: null };
}
