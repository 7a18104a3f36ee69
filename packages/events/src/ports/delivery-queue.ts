import type { AuditEntry, EventView, NewEvent, Uuid } from "@org/core";
import type { DisabledReason } from "./endpoint-store.js";

/** An endpoint that one server sends to, until the lease ends. Nobody else sends to it meanwhile. */
export interface EndpointLease {
  readonly tenant_id: string;
  readonly endpoint_id: Uuid;
  readonly lease: string;
  readonly url: string;
  /** In force when it was leased, newest first; each is a `whsec_…` that was sealed under `secretContext`. */
  readonly sealed_secrets: readonly string[];
  /** Since when every try has failed; null while the last one went well. */
  readonly failing_since: Date | null;
}

/** A delivery that is due. */
export interface DueDelivery {
  readonly delivery_id: Uuid;
  /** Tries that were made since it was queued: 0 before the first. */
  readonly attempts: number;
  /** The body. Its sequence names the delivery among those of its endpoint. */
  readonly event: EventView;
}

/** How one try ended. */
export interface DeliveryOutcome {
  /** Of the event. */
  readonly sequence: number;
  /** `pending`: it is tried again at `due_at`; `failed`: it was the last try. */
  readonly state: "delivered" | "pending" | "failed";
  /** Tries with this one. */
  readonly attempts: number;
  /** When this one began. */
  readonly at: Date;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  /** Code words such as `timeout`; null when it was delivered. */
  readonly error: string | null;
  /** The first kilobyte of what the receiver answered, without control characters. */
  readonly answer: string | null;
  /** Null unless the state is `pending`. */
  readonly due_at: Date | null;
}

/** What there is to send, over all tenants. */
export interface DeliveryBacklog {
  /** Deliveries that wait for a try, counted up to 100,000. */
  readonly pending: number;
  /** Since when the longest waiting endpoint is due; null when none is. */
  readonly oldest_due_at: Date | null;
  /** Endpoints whose last try failed, of those that are enabled. */
  readonly failing: number;
  /** Endpoints that were disabled because of 410 or of failures. */
  readonly disabled: number;
}

/**
 * Deliveries of all tenants, for whoever sends them. What is leased is an endpoint, which is due when one of its deliveries is. A lease
 * is lost when its time is over and another server has taken the endpoint, and when the endpoint is disabled or removed.
 */
export interface DeliveryQueue {
  /** Leases endpoints that are due, at most `limit`; never what another server leases at the same moment. */
  claim(claim: {
    readonly lease: string;
    readonly now: Date;
    readonly until: Date;
    readonly limit: number;
    /** Of them, at most so many that are failing. */
    readonly failing: number;
    /** A tenant has at most so many, with those that this server has leased already. */
    readonly per_tenant: number;
    /** The tenant of each endpoint that this server has leased already: whoever has fewest comes first. */
    readonly held_tenants: readonly string[];
    /** Tenants that are switched off: theirs wait. */
    readonly except_tenants: readonly string[];
  }): Promise<readonly EndpointLease[]>;
  /**
   * What is due, longest due first, of one moment in the order of sequences. What was handed out and is not settled comes again.
   * Nothing when the lease is lost.
   */
  due(lease: EndpointLease, query: { readonly now: Date; readonly limit: number }): Promise<readonly DueDelivery[]>;
  /** Writes how tries ended and how the endpoint stands then. False, writing nothing, when the lease is lost. */
  settle(
    lease: EndpointLease,
    settlement: { readonly outcomes: readonly DeliveryOutcome[]; readonly failing_since: Date | null },
  ): Promise<boolean>;
  /** Holds a lease for longer. False when it is lost. */
  renew(lease: EndpointLease, until: Date): Promise<boolean>;
  /**
   * Gives the endpoint back. It is due with the next of its deliveries, and not before `not_before` where that is given, whatever is
   * queued for it meanwhile.
   */
  release(lease: EndpointLease, next: { readonly not_before: Date | null }): Promise<void>;
  /** Disables the endpoint, withdraws what waits, appends `event` and keeps `entry`: all or nothing. False when the lease is lost. */
  disable(
    lease: EndpointLease,
    disabling: {
      readonly reason: Exclude<DisabledReason, "request">;
      readonly now: Date;
      readonly event: NewEvent;
      readonly entry: AuditEntry;
    },
  ): Promise<boolean>;
  backlog(now: Date): Promise<DeliveryBacklog>;
}
