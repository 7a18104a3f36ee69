import { type Fault, invalidValue } from "../errors.js";
import type { TenantActor } from "./actor.js";

/** Whose limit of clients holds. */
export type LimitedActor = Pick<TenantActor, "client_refs">;

/** Returns what was found if it exists for an actor, else null. */
export function inLimit<Found extends { readonly client_ref: string | null }>(
  { client_refs }: LimitedActor,
  found: Found | null,
): Found | null {
  if (client_refs === undefined || found === null) return found;
  return found.client_ref !== null && client_refs.includes(found.client_ref) ? found : null;
}

/** Returns the clients that a search of an actor is of. @param asked those that it names; null = all, and what is nobody's */
export function clientsWithin(
  { client_refs }: LimitedActor,
  asked: readonly string[] | null,
): readonly string[] | null {
  if (client_refs === undefined) return asked;
  return asked === null ? client_refs : asked.filter((one) => client_refs.includes(one));
}

/** The faults of a request that makes something of a client, or of nobody. @param field names the client in it */
export function limitFaults(actor: LimitedActor, client_ref: string | null, field: string): readonly Fault[] {
  if (inLimit(actor, { client_ref })) return [];
  const rule = "must be one of the clients that the application is limited to";
  return [invalidValue(field, client_ref === null ? `is required: it ${rule}` : rule)];
}
