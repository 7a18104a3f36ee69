import type { WebhookEvent } from "@org/webhook-verifier";

/** How a connection stands, as events say it. */
export type Condition = "pending" | "ready" | "needs_relogin" | "blocked" | "removed";

/** A tenant's connections, as far as events have told. It is what the file holds. */
export interface Mirror {
  /** Sequence of the newest event when the connections were listed: events up to it say nothing new. */
  readonly begun_at: number;
  /** Id of the event up to which the log was read; null while it is empty. Later events that were delivered may be in here too. */
  readonly read_up_to: string | null;
  /** By connection id, with the sequence of the event that said so. One that was removed stays, so that no late event brings it back. */
  readonly connections: Readonly<Record<string, { readonly status: Condition; readonly sequence: number }>>;
}

/**
 * The mirror after an event: the same one when the event is about something else, has been here, or is older than what is known. So
 * events may come twice and in any order.
 */
export function apply(mirror: Mirror, event: WebhookEvent): Mirror {
  const change = changeOf(event);
  const known = change && mirror.connections[change.connection_id];
  if (change === null || event.sequence <= (known?.sequence ?? mirror.begun_at)) return mirror;
  const connection = { status: change.status, sequence: event.sequence };
  return { ...mirror, connections: { ...mirror.connections, [change.connection_id]: connection } };
}

function changeOf(event: WebhookEvent): { readonly connection_id: string; readonly status: Condition } | null {
  switch (event.type) {
    case "connection.created":
    case "connection.refreshed":
    case "connection.needs_relogin":
    case "connection.recovered":
    case "connection.blocked":
    case "connection.removed":
      return event.data;
    default:
      return null;
  }
}
