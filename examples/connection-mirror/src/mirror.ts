import type { WebhookEvent } from "@org/webhook-verifier";

/** The state of a connection, as events report it. */
export type Condition = "pending" | "ready" | "needs_relogin" | "blocked" | "removed";

/** A tenant's connections, as events reported them. This is the content of the file. */
export interface Mirror {
  /** The sequence of the newest event when the connections were listed; earlier events are already included. */
  readonly begun_at: number;
  /** The id of the event up to which the log was read; null while it is empty. Later events that were delivered may be included too. */
  readonly read_up_to: string | null;
  /**
   * By connection id, with the sequence of the event that reported the state. A removed connection stays, so that a late event does not bring it
   * back.
   */
  readonly connections: Readonly<Record<string, { readonly status: Condition; readonly sequence: number }>>;
}

/**
 * The mirror after an event. Unchanged if the event concerns something else, is a repetition, or is older than the known state; events may therefore
 * arrive twice and in any order.
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
