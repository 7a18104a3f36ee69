import type { TenantActor } from "../ports/actor.js";
import { inLimit } from "../ports/client-limit.js";
import type { Uuid } from "../schemas/identifier.js";
import type { ListedSession } from "./session-store.js";
import type { ConnectingStores } from "./storage.js";

type Stores = Pick<ConnectingStores, "connections">;

/** The connections among these that exist for an actor; null = any. */
export async function connectionsSeen({ connections }: Stores, actor: TenantActor, ids: readonly Uuid[] | null) {
  if (ids === null) return null;
  const found = await connections.findMany(ids);
  return found.flatMap((one) => inLimit(actor, one)?.connection_id ?? []);
}

/** Sessions as far as they exist for an actor: one of an inside client may have come upon a connection of another. */
export async function seen<Found extends ListedSession>(
  stores: Stores,
  actor: TenantActor,
  sessions: readonly Found[],
): Promise<readonly Found[]> {
  const inside = sessions.filter((one) => inLimit(actor, one) !== null);
  if (actor.client_refs === undefined) return inside;
  const named = new Set(inside.flatMap(({ connection_id }) => connection_id ?? []));
  const known = new Set(await connectionsSeen(stores, actor, [...named]));
  return inside.map((one) =>
    one.connection_id && !known.has(one.connection_id) ? { ...one, connection_id: null } : one,
  );
}
