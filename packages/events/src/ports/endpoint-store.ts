import type { AuditEntry, Labels, Uuid, VersionPrecondition } from "@org/core";

/** Why nothing is sent to an endpoint: its tenant said so, it answered 410, or nothing but failures came for days. */
export const disabledReasons = ["request", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** What an integrator sets of an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  /** `*`, types, and families such as `letter.*`; never empty. */
  readonly types: readonly string[];
  /** An event's object has to have all of them. */
  readonly labels: Labels;
  readonly description: string | null;
}

/** A try that failed. */
export interface EndpointFailure {
  readonly at: Date;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  /** Code words such as `timeout`; `status` where the status is what was wrong. */
  readonly error: string;
}

/** An endpoint of a tenant, without its secrets. */
export interface EndpointRecord extends EndpointSettings {
  readonly endpoint_id: Uuid;
  readonly is_enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at: Date | null;
  /** Since when every try has failed; null while the last one went well. */
  readonly failing_since: Date | null;
  /** When something was delivered last. */
  readonly delivered_at: Date | null;
  /** Of all tries the last one that failed, though others went well since. */
  readonly last_failure: EndpointFailure | null;
  /** Until when the secret before the last one signs too. */
  readonly previous_until: Date | null;
  readonly created_at: Date;
  readonly changed_at: Date;
}

/** An endpoint, and whose it is. */
export interface OwnedEndpoint extends EndpointRecord {
  readonly tenant_id: string;
}

/** How an endpoint stands: it takes what it is sent, its last try failed, or nothing is sent to it. */
export type EndpointState = "enabled" | "failing" | "disabled";

/** An endpoint that is made now. */
export type NewEndpoint = EndpointSettings &
  Pick<EndpointRecord, "endpoint_id" | "is_enabled" | "created_at"> & {
    /** Sealed under {@link secretContext}. */
    readonly sealed_secret: string;
  };

/** What a change leaves out stays as it is. */
export type EndpointChange = {
  readonly [Field in keyof EndpointSettings | "is_enabled"]?: EndpointRecord[Field] | undefined;
};

/** What became of a delivery: it waits for its next try, arrived, was given up, or its endpoint was disabled before it arrived. */
export const deliveryStates = ["pending", "delivered", "failed", "withdrawn"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** An event on its way to an endpoint. There is one for each pair of them, however often it is tried or replayed. */
export interface DeliveryRecord {
  readonly delivery_id: Uuid;
  readonly event_id: Uuid;
  /** Of the event. */
  readonly sequence: number;
  readonly type: string;
  readonly state: DeliveryState;
  /** Tries since it was queued, or queued again. */
  readonly attempts: number;
  /** Of the last try; null before the first. */
  readonly attempted_at: Date | null;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  readonly ms: number | null;
  readonly error: string | null;
  /** What the receiver answered, at most 1 kB. */
  readonly answer: string | null;
  /** When it is tried next; null once it is not. */
  readonly due_at: Date | null;
}

/** Which events are sent to an endpoint again, of those that its types and labels ask for. All conditions hold together. */
export interface Replay {
  readonly since: Date | null;
  /** Earlier than this. */
  readonly until: Date | null;
  readonly event_ids: readonly Uuid[] | null;
  /** As {@link EndpointSettings.types}; null = any. */
  readonly types: readonly string[] | null;
  /** Goes on behind this place in the log; 0 = from the beginning. */
  readonly after: number;
  /** Events that are sent again at most. */
  readonly limit: number;
}

/** What a replay did. */
export interface Replayed {
  /** Deliveries that wait now and did not before: one that waits already is left as it is. */
  readonly queued: number;
  /** The last of `limit` events, behind which there are more; null when these were all. */
  readonly next_after: Uuid | null;
}

/** Endpoints of tenants, and what is on its way to them. Each method is one transaction of its tenant; audit lines are kept in it. */
export interface EndpointStore {
  /** Oldest first. */
  list(tenantId: string): Promise<readonly EndpointRecord[]>;
  find(tenantId: string, endpointId: Uuid): Promise<EndpointRecord | null>;
  /** Endpoints of one tenant, or of all, in the order of both ids. */
  listOfAll(query: {
    readonly tenant_id: string | null;
    readonly state_in: readonly EndpointState[] | null;
    readonly after: Pick<OwnedEndpoint, "tenant_id" | "endpoint_id"> | null;
    readonly limit: number;
  }): Promise<readonly OwnedEndpoint[]>;
  /** Whose an endpoint is; null when there is none. */
  tenantOf(endpointId: Uuid): Promise<string | null>;
  /** `no_room`, keeping nothing, where the tenant has `most` already, however many are made at the same moment. */
  create(tenantId: string, endpoint: NewEndpoint, most: number, entry: AuditEntry): Promise<"created" | "no_room">;
  /**
   * Answers the endpoint as it is then; null when there is none, `overtaken` where it is not as it was seen. Disabling withdraws what waits. Enabling forgets failures, and
   * brings back nothing: a replay does. Another address ends the lease, so that nothing more goes to the one before than is under way.
   */
  change(
    tenantId: string,
    endpointId: Uuid,
    change: EndpointChange,
    now: Date,
    entry: AuditEntry,
    precondition?: VersionPrecondition<EndpointRecord>,
  ): Promise<EndpointRecord | "overtaken" | null>;
  /** Puts another secret in place. The one before signs too until `previousUntil`, and the one before that no more. */
  rotate(
    tenantId: string,
    endpointId: Uuid,
    rotation: { readonly sealed_secret: string; readonly previous_until: Date },
    entry: AuditEntry,
  ): Promise<boolean>;
  /** Removes it with all its deliveries; nothing more is sent once this is over, except for tries under way. */
  remove(tenantId: string, endpointId: Uuid, now: Date, entry: AuditEntry): Promise<boolean>;
  /** Appends a `webhook.test` of this id, which goes to this endpoint only. */
  test(
    tenantId: string,
    endpointId: Uuid,
    eventId: Uuid,
    entry: AuditEntry,
  ): Promise<"appended" | "disabled" | "unknown">;
  /** Newest event first, behind the place `after` where it is given. */
  deliveries(
    tenantId: string,
    query: {
      readonly endpoint_id: Uuid;
      readonly event_id: Uuid | null;
      readonly state_in: readonly DeliveryState[] | null;
      readonly after: number | null;
      readonly limit: number;
    },
  ): Promise<readonly DeliveryRecord[]>;
  /** The places in the log of those of these events that are kept, by id. */
  placesOf(tenantId: string, eventIds: readonly Uuid[]): Promise<ReadonlyMap<string, number>>;
  /** @param entryOf makes the line of the trail from what was done */
  replay(
    tenantId: string,
    endpointId: Uuid,
    replay: Replay,
    now: Date,
    entryOf: (done: Replayed) => AuditEntry,
  ): Promise<Replayed | "disabled" | "unknown">;
  /**
   * Deletes at most `limit` deliveries of each kind: those whose event is kept no more, and those of removed endpoints, which go
   * with the last of them; forgets secrets whose time is over.
   */
  reap(now: Date, limit: number): Promise<{ readonly deliveries: number; readonly endpoints: number }>;
}

/** How the secret of an endpoint is sealed. */
export function secretContext(endpointId: string): { readonly purpose: string; readonly row: string } {
  return { purpose: "webhook-secret", row: endpointId };
}
