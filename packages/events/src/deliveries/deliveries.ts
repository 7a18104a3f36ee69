import { setMaxListeners } from "node:events";
import {
  auditEntry,
  createPendingWork,
  type NewEvent,
  type Runtime,
  sleep,
  systemActor,
  toCoreError,
  withRenewedLease,
} from "@org/core";
import type { DeliveryOutcome, DeliveryQueue, DueDelivery, EndpointLease } from "../ports/delivery-queue.js";
import { secretContext } from "../ports/endpoint-store.js";
import { createDeliveryStats, type DeliveryStats, QUICK_MS } from "./delivery-stats.js";
import { createPlaceUse } from "./place-use.js";
import type { PostWebhook, WebhookAnswer } from "./post-webhook.js";
import { nextAttempt } from "./retry-schedule.js";
import { signatureOf } from "./signature.js";
import type { WebhookSigningKeys } from "./signing-keys.js";

/** The results of one slice of deliveries to one endpoint, for logs and metrics. */
export interface SliceReport
  extends Pick<EndpointLease, "tenant_id" | "endpoint_id">,
    Omit<DeliveryStats, "add" | "isOver" | "isProven" | "disabled"> {
  /** Whether every attempt had failed before the slice. */
  readonly wasFailing: boolean;
}

/** An endpoint that was disabled because of its answers. */
export interface DisabledEndpoint extends Pick<EndpointLease, "tenant_id" | "endpoint_id"> {
  /** Host and port of its URL; the path may contain a secret. */
  readonly host: string;
  readonly reason: NonNullable<DeliveryStats["disabled"]>;
  readonly failing_since: Date;
}

/** Sends due deliveries to the endpoints of all tenants. */
export interface Deliveries {
  /** Leases at most `limit` due endpoints; each must be passed to {@link work}. */
  claim(limit: number): Promise<readonly EndpointLease[]>;
  /** Sends to a leased endpoint for one slice. Never throws. */
  work(lease: EndpointLease): Promise<void>;
  /**
   * Starts nothing more, and waits at most `graceMs` for running attempts. An aborted attempt is repeated by the next server
   * that leases the endpoint.
   */
  close(graceMs: number): Promise<void>;
}

/** How soon a lease is given up after an outage. */
const RELEASE_PAUSE_MS = 250;

/** Concurrent deliveries to one endpoint across all servers, because only one server has its lease. */
const MAX_CONCURRENT = 4;
/** A slice ends after this many deliveries or this long, so that other endpoints get their turn. */
const SLICE = { deliveries: 200, milliseconds: 20_000 };
/** Outcomes are written after this many, or this long after the last write, so that a killed server repeats no more than these. */
const WRITE = { outcomes: 50, milliseconds: 1_000 };
/** Unproven endpoints together get at most half of a server's places, because each may hang until the timeout of an attempt. */
const UNPROVEN_DIVISOR = 2;

export function createDeliveries(deps: {
  readonly queue: DeliveryQueue;
  readonly runtime: Pick<Runtime, "clock" | "newId" | "vault">;
  readonly keys: Pick<WebhookSigningKeys, "signing">;
  readonly post: PostWebhook;
  /** The disabled tenants; their deliveries wait. */
  readonly exceptTenants: () => Promise<Iterable<string>>;
  /** How many endpoints this server sends to concurrently. */
  readonly places: number;
  /** How long a server leases an endpoint; renewed while it sends. */
  readonly leaseMs: number;
  /** The User-Agent of every request. */
  readonly userAgent: string;
  /** Returns a number between 0 and 1, like `Math.random`. */
  readonly chance: () => number;
  readonly onTry?: (answer: Pick<WebhookAnswer, "status" | "error" | "ms">) => void;
  readonly onSlice?: (report: SliceReport) => void;
  readonly onDisabled?: (endpoint: DisabledEndpoint) => void;
  /** Called with the error that ended a slice early, such as a database outage. */
  readonly onError?: (error: unknown, lease: EndpointLease) => void;
}): Deliveries {
  const { queue, runtime, post } = deps;
  const { clock } = runtime;
  const use = { proven: createPlaceUse(clock), unproven: createPlaceUse(clock) };
  const unprovenPlaces = Math.ceil(deps.places / UNPROVEN_DIVISOR);
  /** Slices of proven endpoints that turned out to be slow, and hold an unproven place by now. */
  const turned = new WeakSet<EndpointLease>();
  const useOf = (lease: EndpointLease) => (lease.is_proven && !turned.has(lease) ? use.proven : use.unproven);
  const underWay = createPendingWork();
  // Each running delivery adds a listener.
  setMaxListeners(0, underWay.signal);
  let isStopping = false;

  return {
    async claim(limit) {
      const except_tenants = [...(await deps.exceptTenants())];
      const now = clock();
      const lease = runtime.newId();
      const claimed = queue.claim({
        lease,
        now,
        until: new Date(now.getTime() + deps.leaseMs),
        limit,
        unproven: Math.min(limit, unprovenPlaces - use.unproven.held),
        used: { proven: use.proven.byTenant(), unproven: use.unproven.byTenant() },
        except_tenants,
      });
      // What it has leased all the same nobody knows of.
      claimed.catch((error: unknown) => void letGo(error, () => queue.withdraw(lease)));
      const leases = await claimed;
      for (const leased of leases) useOf(leased).take(leased.tenant_id);
      return leases;
    },
    work: (lease) => underWay.add(runSlice(lease).finally(() => useOf(lease).leave(lease.tenant_id))),
    close(graceMs) {
      isStopping = true;
      return underWay.close(graceMs);
    },
  };

  async function runSlice(lease: EndpointLease): Promise<void> {
    let isLost = false;
    const renew = async () => {
      isLost = !(await queue.renew(lease, new Date(clock().getTime() + deps.leaseMs)));
      return !isLost;
    };
    await withRenewedLease(deps.leaseMs, renew, async () => {
      try {
        const tally = await sendDue(lease, () => isLost);
        if (tally === null) return;
        const { delivered, failed, lastFailure, failingSince, pausedUntil, disabled } = tally;
        const wasFailing = lease.failing_since !== null;
        deps.onSlice?.({ ...idsOf(lease), delivered, failed, lastFailure, failingSince, pausedUntil, wasFailing });
        if (disabled !== null) await disable(lease, disabled, failingSince ?? clock());
        else await queue.release(lease, { now: clock(), not_before: pausedUntil });
      } catch (error) {
        // The outcomes that were not written are sent again.
        deps.onError?.(error, lease);
        await letGo(error, () => queue.release(lease, { now: clock(), not_before: null }));
      }
    });
  }

  /** Moves a slice to an unproven place. If there is none, its attempts are over: they count as not answered, and are repeated. */
  function leaveProven(lease: EndpointLease, overdue: AbortController): void {
    if (turned.has(lease)) return;
    if (use.unproven.held >= unprovenPlaces) {
      overdue.abort();
      return;
    }
    use.proven.leave(lease.tenant_id);
    turned.add(lease);
    use.unproven.take(lease.tenant_id);
  }

  /** Gives up leases as soon as the storage is back after an outage, and while they last; after anything else they expire. */
  async function letGo(error: unknown, giveUp: () => Promise<void>): Promise<void> {
    let cause = error;
    for (let waited = 0; waited < deps.leaseMs && isOutage(cause); waited += RELEASE_PAUSE_MS)
      try {
        await sleep(RELEASE_PAUSE_MS, underWay.signal);
        return await giveUp();
      } catch (failure) {
        cause = failure;
      }
  }

  /** Sends until nothing is due, the slice is over or the endpoint fails too often. Null when the lease was lost. */
  async function sendDue(lease: EndpointLease, isLost: () => boolean): Promise<DeliveryStats | null> {
    const endsAt = clock().getTime() + SLICE.milliseconds;
    const tally = createDeliveryStats(lease, clock);
    const context = secretContext(lease.endpoint_id);
    const signers = {
      secrets: await Promise.all(lease.sealed_secrets.map((sealed) => runtime.vault.open(sealed, context))),
      keys: deps.keys.signing(),
    };
    const writing = createWriting(lease, tally);
    const overdue = new AbortController();
    const signal = AbortSignal.any([underWay.signal, overdue.signal]);
    const mayGoOn = () => !(isStopping || isLost() || writing.isLost() || tally.isOver) && clock().getTime() < endsAt;

    // A failing endpoint first gets a single delivery, and the others once that one succeeds.
    if (lease.failing_since !== null) await sendSome(1);
    if (mayGoOn() && tally.failingSince === null) await sendSome(SLICE.deliveries);
    return isLost() || writing.isLost() ? null : tally;

    async function sendSome(limit: number): Promise<void> {
      const waiting = (await queue.due(lease, { now: clock(), limit })).values();
      const place = async () => {
        for (const delivery of waiting) {
          if (!mayGoOn()) return;
          await deliver(delivery);
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT }, place));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
      await writing.flush();
    }

    async function deliver({ attempts: before, event }: DueDelivery): Promise<void> {
      const at = clock();
      const attempts = before + 1;
      const message = { id: event.id, timestamp: Math.floor(at.getTime() / 1_000), body: JSON.stringify(event) };
      const slow = lease.is_proven ? setTimeout(leaveProven, QUICK_MS, lease, overdue) : undefined;
      const posted = await post({
        url: lease.url,
        headers: {
          "content-type": "application/json",
          "user-agent": deps.userAgent,
          "webhook-id": message.id,
          "webhook-timestamp": String(message.timestamp),
          "webhook-signature": signatureOf(message, signers),
        },
        body: message.body,
        signal,
      });
      clearTimeout(slow);
      const isOverdue = overdue.signal.aborted && posted.error === "cut_off";
      const answer: WebhookAnswer = isOverdue ? { ...posted, error: "timeout", ms: QUICK_MS + 1 } : posted;
      if (answer.error === "cut_off") return;
      deps.onTry?.(answer);
      const isDelivered = tally.add(answer);
      const due_at = isDelivered ? null : nextAttempt(attempts, answer, clock(), deps.chance());
      await writing.add({
        sequence: event.sequence,
        state: isDelivered ? "delivered" : due_at === null ? "failed" : "pending",
        attempts,
        at,
        ms: answer.ms,
        status: answer.status,
        error: isDelivered ? null : (answer.error ?? "status"),
        answer: answer.answer,
        due_at,
      });
    }
  }

  /** Writes outcomes in batches, in order. */
  function createWriting(lease: EndpointLease, tally: DeliveryStats) {
    let waiting: DeliveryOutcome[] = [];
    let writtenAt = clock().getTime();
    let last: Promise<void> = Promise.resolve();
    let isLost = false;
    const flush = (): Promise<void> => {
      const outcomes = waiting;
      waiting = [];
      writtenAt = clock().getTime();
      if (outcomes.length > 0)
        last = last.then(async () => {
          try {
            const standing = { failing_since: tally.failingSince, is_proven: tally.isProven };
            isLost ||= !(await queue.settle(lease, { outcomes, ...standing }));
          } catch (error) {
            // Nothing more is sent when an outcome cannot be written.
            isLost = true;
            throw error;
          }
        });
      return last;
    };
    return {
      isLost: () => isLost,
      flush,
      async add(outcome: DeliveryOutcome): Promise<void> {
        waiting.push(outcome);
        const isTime = clock().getTime() - writtenAt >= WRITE.milliseconds;
        // Waits for a write under way, so that little more is sent before it is known whether outcomes can be written.
        await (waiting.length >= WRITE.outcomes || isTime ? flush() : last);
      },
    };
  }

  async function disable(lease: EndpointLease, reason: DisabledEndpoint["reason"], failingSince: Date): Promise<void> {
    const { endpoint_id } = lease;
    const event: NewEvent = {
      type: "webhook.endpoint_disabled",
      object_id: endpoint_id,
      data: { endpoint_id, reason },
    };
    const facts = { reason };
    const entry = auditEntry(runtime, systemActor, "webhook.disable", "webhook_endpoint", endpoint_id, facts);
    if (await queue.disable(lease, { reason, now: clock(), event, entry }))
      deps.onDisabled?.({ ...idsOf(lease), host: new URL(lease.url).host, reason, failing_since: failingSince });
  }
}

function isOutage(error: unknown): boolean {
  return toCoreError(error)?.code === "UNAVAILABLE";
}

function idsOf({ tenant_id, endpoint_id }: EndpointLease) {
  return { tenant_id, endpoint_id };
}
