import type { AuditEntry, EventType, Labels, ListOrder, Uuid, VersionPrecondition } from "@org/core";

/** Why an endpoint is disabled: on request of its tenant, because it answered 410, or because every attempt failed for days. */
export const disabledReasons = ["request", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** The settings of an endpoint that its tenant chooses. */
export interface EndpointSettings {
  readonly url: string;
  /** `*`, types, and type families such as `letter.*`; never empty. */
  readonly types: readonly string[];
  /** An event's object must have all of them. */
  readonly labels: Labels;
  readonly description: string | null;
}

/** A failed attempt. */
export interface EndpointFailure {
  readonly at: Date;
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  /** A code such as `timeout`; `status` when the status is the reason. */
  readonly error: string;
}

/** An endpoint of a tenant, without its secrets. */
export interface EndpointRecord extends EndpointSettings {
  readonly endpoint_id: Uuid;
  readonly is_enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at: Date | null;
  /** The time since which every attempt has failed; null when the last one succeeded. */
  readonly failing_since: Date | null;
  /** When the last delivery succeeded. */
  readonly delivered_at: Date | null;
  /** The last failed attempt, even if later ones succeeded. */
  readonly last_failure: EndpointFailure | null;
  /** When the previous secret stops signing. */
  readonly previous_until: Date | null;
  readonly created_at: Date;
  readonly changed_at: Date;
}

/** An endpoint with its tenant. */
export interface OwnedEndpoint extends EndpointRecord {
  readonly tenant_id: string;
}

/** enabled: it accepts deliveries. failing: its last attempt failed. disabled: nothing is sent to it. */
export type EndpointState = "enabled" | "failing" | "disabled";

/** An endpoint to be created. */
export type NewEndpoint = EndpointSettings &
  Pick<EndpointRecord, "endpoint_id" | "is_enabled" | "created_at"> & {
    /** Sealed under {@link secretContext}. */
    readonly sealed_secret: string;
  };

/** Omitted fields stay unchanged. */
export type EndpointChange = {
  readonly [Field in keyof EndpointSettings | "is_enabled"]?: EndpointRecord[Field] | undefined;
};

/**
 * State of a delivery: pending until its next attempt, delivered, failed for good, or withdrawn because its endpoint was
 * disabled first.
 */
export const deliveryStates = ["pending", "delivered", "failed", "withdrawn"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** An event to be delivered to an endpoint. There is one for each pair, however often it is attempted or replayed. */
export interface DeliveryRecord {
  readonly delivery_id: Uuid;
  readonly event_id: Uuid;
  /** Sequence of the event. */
  readonly sequence: number;
  readonly type: string;
  /** When the event happened. */
  readonly created_at: Date;
  readonly state: DeliveryState;
  /** Attempts since it was queued, or queued again. */
  readonly attempts: number;
  /** Time of the last attempt; null before the first. */
  readonly attempted_at: Date | null;
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  readonly ms: number | null;
  readonly error: string | null;
  /** The receiver's answer, at most 1 kB. */
  readonly answer: string | null;
  /** When the next attempt is due; null when there is none. */
  readonly due_at: Date | null;
}

/** Selects events to send to an endpoint again, among those that match its types and labels. All conditions must hold. */
export interface Replay {
  readonly since: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly event_ids: readonly Uuid[] | null;
  /** As {@link EndpointSettings.types}; null = any. */
  readonly types: readonly string[] | null;
  /** Continues behind this sequence in the log; 0 = from the beginning. */
  readonly after: number;
  /** Maximum number of events to send again. */
  readonly limit: number;
}

/** The result of a replay. */
export interface Replayed {
  /** Deliveries that were queued; those already waiting do not count and do not change. */
  readonly queued: number;
  /** The last of `limit` events when there are more; null when these were all. */
  readonly next_after: Uuid | null;
}

/** Endpoints of tenants and their deliveries. Each method is one transaction of its tenant, which also stores the audit entry. */
export interface EndpointStore {
  /** Oldest first. */
  list(tenantId: string): Promise<readonly EndpointRecord[]>;
  find(tenantId: string, endpointId: Uuid): Promise<EndpointRecord | null>;
  /** Endpoints of one tenant or of all, ordered by tenant id and endpoint id. */
  listOfAll(query: {
    readonly tenant_id: string | null;
    readonly state_in: readonly EndpointState[] | null;
    readonly after: Pick<OwnedEndpoint, "tenant_id" | "endpoint_id"> | null;
    readonly limit: number;
  }): Promise<readonly OwnedEndpoint[]>;
  /** The tenant of an endpoint; null when there is no such endpoint. */
  tenantOf(endpointId: Uuid): Promise<string | null>;
  /** Returns `no_room`, storing nothing, when the tenant already has `most`, even under concurrency. */
  create(tenantId: string, endpoint: NewEndpoint, most: number, entry: AuditEntry): Promise<"created" | "no_room">;
  /**
   * Returns the changed endpoint; null when there is none, `overtaken` when the precondition fails. Disabling withdraws waiting
   * deliveries. Enabling resets failures but restores no deliveries; a replay does. A new URL ends the lease, so that only
   * running attempts still go to the old one.
   */
  change(
    tenantId: string,
    endpointId: Uuid,
    change: EndpointChange,
    now: Date,
    entry: AuditEntry,
    precondition?: VersionPrecondition<EndpointRecord>,
  ): Promise<EndpointRecord | "overtaken" | null>;
  /**
   * Replaces the secret. The previous one signs too until `previous_until`, and the one before it until its own time. Returns false
   * when there is no such endpoint; when two replaced secrets still sign, changes nothing and returns when the first of them ends.
   */
  rotate(
    tenantId: string,
    endpointId: Uuid,
    rotation: { readonly sealed_secret: string; readonly previous_until: Date },
    entry: AuditEntry,
  ): Promise<boolean | Date>;
  /** Removes it with all its deliveries; afterwards nothing more is sent, except for running attempts. */
  remove(tenantId: string, endpointId: Uuid, now: Date, entry: AuditEntry): Promise<boolean>;
  /** Appends a `webhook.test` with this id, which goes only to this endpoint. */
  test(
    tenantId: string,
    endpointId: Uuid,
    eventId: Uuid,
    entry: AuditEntry,
  ): Promise<"appended" | "disabled" | "unknown">;
  /** By the sequence of the event, starting behind the sequence `after` if given. */
  deliveries(
    tenantId: string,
    query: {
      readonly endpoint_id: Uuid;
      readonly event_id: Uuid | null;
      readonly state_in: readonly DeliveryState[] | null;
      readonly type_in: readonly EventType[] | null;
      readonly order: ListOrder;
      readonly after: number | null;
      readonly limit: number;
    },
  ): Promise<readonly DeliveryRecord[]>;
  /** The sequences of these events, by id; events that are no longer stored are omitted. */
  placesOf(tenantId: string, eventIds: readonly Uuid[]): Promise<ReadonlyMap<string, number>>;
  /** @param entryOf makes the audit entry from the result */
  replay(
    tenantId: string,
    endpointId: Uuid,
    replay: Replay,
    now: Date,
    entryOf: (done: Replayed) => AuditEntry,
  ): Promise<Replayed | "disabled" | "unknown">;
  /**
   * Deletes at most `limit` deliveries of each kind: those whose event is no longer stored, and those of removed endpoints,
   * which are deleted with their last delivery. Also deletes expired secrets.
   */
  reap(now: Date, limit: number): Promise<{ readonly deliveries: number; readonly endpoints: number }>;
}

/** The seal context of an endpoint's secret. */
export function secretContext(endpointId: string): { readonly purpose: string; readonly row: string } {
  return { purpose: "webhook-secret", row: endpointId };
}
