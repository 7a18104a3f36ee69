import type { AuditEntry, EventView, NewEvent, Uuid } from "@org/core";
import type { DisabledReason } from "./endpoint-store.js";

/** An endpoint leased to one server. No other server sends to it until the lease ends. */
export interface EndpointLease {
  readonly tenant_id: string;
  readonly endpoint_id: Uuid;
  readonly lease: string;
  readonly url: string;
  /** The valid secrets when it was leased, newest first; each is a `whsec_…` sealed under `secretContext`. */
  readonly sealed_secrets: readonly string[];
  /** The time since which every attempt has failed; null when the last one succeeded. */
  readonly failing_since: Date | null;
  /**
   * Whether its last slice of attempts was quick and ended with a delivery. An endpoint that is new, slow or failing is unproven,
   * and so is one whose URL was changed.
   */
  readonly is_proven: boolean;
}

/** A due delivery. */
export interface DueDelivery {
  readonly delivery_id: Uuid;
  /** Attempts since it was queued: 0 before the first. */
  readonly attempts: number;
  /** The body. Its sequence identifies the delivery within its endpoint. */
  readonly event: EventView;
}

/** How one attempt ended. */
export interface DeliveryOutcome {
  /** Sequence of the event. */
  readonly sequence: number;
  /** `pending`: it is attempted again at `due_at`; `failed`: it was the last attempt. */
  readonly state: "delivered" | "pending" | "failed";
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** When this attempt started. */
  readonly at: Date;
  /** Its duration in milliseconds. */
  readonly ms: number;
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  /** A code such as `timeout`; null when it was delivered. */
  readonly error: string | null;
  /** The first kilobyte of the receiver's answer, without control characters. */
  readonly answer: string | null;
  /** Null unless the state is `pending`. */
  readonly due_at: Date | null;
}

/** Pending work over all tenants. */
export interface DeliveryBacklog {
  /** Deliveries that wait for an attempt, counted up to 100,000. */
  readonly pending: number;
  /** Due time of the endpoint that has waited longest; null when none is due. */
  readonly oldest_due_at: Date | null;
  /** Enabled endpoints whose last attempt failed. */
  readonly failing: number;
  /** Endpoints that were disabled because of a 410 or failures. */
  readonly disabled: number;
}

/**
 * Deliveries of all tenants for the servers that send them. A server leases an endpoint, which is due when one of its
 * deliveries is. A lease is lost when it has expired and another server has taken the endpoint, and when the endpoint is
 * disabled or removed.
 */
export interface DeliveryQueue {
  /**
   * Leases due endpoints; never one that another server leases at the same time. The next place goes to the tenant that uses the
   * fewest, and of its endpoints to the one that has waited longest since its last lease, failing ones last. A tenant that already
   * uses as many places as are free gets none, proven and unproven endpoints each for themselves. Of the tenants that use less
   * than one place, those whose endpoints have been due longest are considered, enough for every free place.
   */
  claim(claim: {
    readonly lease: string;
    readonly now: Date;
    readonly until: Date;
    /** The places that are free. */
    readonly limit: number;
    /** Those of them that unproven endpoints may have. */
    readonly unproven: number;
    /** How many places tenants use already, for endpoints of each kind; 0 for tenants that are not in it. */
    readonly used: Readonly<Record<"proven" | "unproven", Readonly<Record<string, number>>>>;
    /** The disabled tenants; their deliveries wait. */
    readonly except_tenants: readonly string[];
  }): Promise<readonly EndpointLease[]>;
  /**
   * Returns due deliveries, longest due first; those with the same due time in the order of sequences. A returned delivery that
   * is not settled is returned again. Returns none when the lease is lost.
   */
  due(lease: EndpointLease, query: { readonly now: Date; readonly limit: number }): Promise<readonly DueDelivery[]>;
  /**
   * Stores the outcomes of attempts and the resulting state of the endpoint. Returns false, storing nothing, when the lease is
   * lost.
   */
  settle(
    lease: EndpointLease,
    settlement: { readonly outcomes: readonly DeliveryOutcome[] } & Pick<EndpointLease, "failing_since" | "is_proven">,
  ): Promise<boolean>;
  /** Extends a lease. False when it is lost. */
  renew(lease: EndpointLease, until: Date): Promise<boolean>;
  /**
   * Returns the endpoint to the queue. It is due with its next delivery, but not before `not_before` if given, whatever is
   * queued in the meantime.
   */
  release(lease: EndpointLease, next: { readonly now: Date; readonly not_before: Date | null }): Promise<void>;
  /** Returns all endpoints that a claim leased whose answer was lost, by the `lease` of that claim. */
  withdraw(lease: string): Promise<void>;
  /**
   * Disables the endpoint, withdraws its waiting deliveries, appends `event` and stores `entry`, all or nothing. False when the
   * lease is lost.
   */
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
