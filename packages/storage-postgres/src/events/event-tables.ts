import type { EventType } from "@org/core";
import type { Generated } from "kysely";

interface Events {
  tenant_id: string;
  event_id: Generated<string>;
  /** Null until it is numbered. */
  sequence: string | null;
  type: EventType;
  created_at: Generated<Date>;
  object_id: string;
  /** `key=value` each; none once the connection that it is about is deleted. */
  labels: Generated<string[]>;
  /** The endpoints whose labels the object had when they were deleted. */
  endpoint_ids: Generated<string[]>;
  data: Readonly<Record<string, unknown>>;
  written: Generated<string>;
}

interface EventCounters {
  tenant_id: string;
  last_sequence: Generated<string>;
}

/** The event log. */
export interface EventTables {
  events: Events;
  event_counters: EventCounters;
}
