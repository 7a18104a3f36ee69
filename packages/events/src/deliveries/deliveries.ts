import { setMaxListeners } from "node:events";
import { auditEntry, createPendingWork, type NewEvent, type Runtime, systemActor } from "@org/core";
import type { DeliveryOutcome, DeliveryQueue, DueDelivery, EndpointLease } from "../ports/delivery-queue.js";
import { secretContext } from "../ports/endpoint-store.js";
import { createDeliveryStats, type DeliveryStats } from "./delivery-stats.js";
import type { PostWebhook, WebhookAnswer } from "./post-webhook.js";
import { nextAttempt } from "./retry-schedule.js";
import { signatureOf } from "./signature.js";
import type { WebhookSigningKeys } from "./signing-keys.js";

/** What a server did with one endpoint, for logs and metrics. */
export interface SliceReport
  extends Pick<EndpointLease, "tenant_id" | "endpoint_id">,
    Omit<DeliveryStats, "add" | "isOver" | "disabled"> {
  /** Whether every try before had failed already. */
  readonly wasFailing: boolean;
}

/** An endpoint that was disabled because of how it answers. */
export interface DisabledEndpoint extends Pick<EndpointLease, "tenant_id" | "endpoint_id"> {
  /** Host and port of its address: paths may hold secrets. */
  readonly host: string;
  readonly reason: NonNullable<DeliveryStats["disabled"]>;
  readonly failing_since: Date;
}

/** Sends what is due to the endpoints of all tenants. */
export interface Deliveries {
  /** Leases at most `limit` endpoints that are due; each has to be {@link work}ed on. */
  claim(limit: number): Promise<readonly EndpointLease[]>;
  /** Sends to a leased endpoint for a slice of time. Never throws. */
  work(lease: EndpointLease): Promise<void>;
  /** Begins nothing more, and waits `graceMs` at most for tries under way; what is cut off then is sent again, by whoever comes next. */
  close(graceMs: number): Promise<void>;
}

/** Deliveries to one endpoint at once, over all servers: it has one lease. */
const MAX_CONCURRENT = 4;
/** A slice ends after so many deliveries or so long, so that others have their turn. */
const SLICE = { deliveries: 200, milliseconds: 20_000 };
/** Outcomes are written when there are so many, or when the last were written so long ago: a killed server repeats no more than these. */
const WRITE = { outcomes: 50, milliseconds: 1_000 };
/** Of the places of a server, endpoints that take nothing have a quarter: each may hang for the whole time that a try has. */
const FAILING_SHARE = 4;
/** A quarter stays free of any one tenant: endpoints that answer slowly, but answer, hold their places for a whole slice. */
const FAIR_SHARE_DIVISOR = 4;

export function createDeliveries(deps: {
  readonly queue: DeliveryQueue;
  readonly runtime: Pick<Runtime, "clock" | "newId" | "vault">;
  readonly keys: Pick<WebhookSigningKeys, "signing">;
  readonly post: PostWebhook;
  /** Tenants that are switched off: theirs wait. */
  readonly exceptTenants: () => Promise<Iterable<string>>;
  /** Endpoints that this server sends to at once. */
  readonly places: number;
  /** For how long a server has an endpoint; renewed while it sends. */
  readonly leaseMs: number;
  /** Of every request. */
  readonly userAgent: string;
  /** Between 0 and 1; `Math.random` is one. */
  readonly chance: () => number;
  readonly onTry?: (answer: Pick<WebhookAnswer, "status" | "error" | "ms">) => void;
  readonly onSlice?: (report: SliceReport) => void;
  readonly onDisabled?: (endpoint: DisabledEndpoint) => void;
  /** Told of what ended a slice early, such as a database that is away. */
  readonly onError?: (error: unknown, lease: EndpointLease) => void;
}): Deliveries {
  const { queue, runtime, post } = deps;
  const { clock } = runtime;
  const held = new Set<EndpointLease>();
  const underWay = createPendingWork();
  // As many as there are deliveries under way.
  setMaxListeners(0, underWay.signal);
  let isStopping = false;

  return {
    async claim(limit) {
      const now = clock();
      const failing = [...held].filter(({ failing_since }) => failing_since !== null).length;
      const leases = await queue.claim({
        lease: runtime.newId(),
        now,
        until: new Date(now.getTime() + deps.leaseMs),
        limit,
        failing: Math.max(0, Math.ceil(deps.places / FAILING_SHARE) - failing),
        per_tenant: Math.max(1, deps.places - Math.ceil(deps.places / FAIR_SHARE_DIVISOR)),
        held_tenants: [...held].map(({ tenant_id }) => tenant_id),
        except_tenants: [...(await deps.exceptTenants())],
      });
      for (const lease of leases) held.add(lease);
      return leases;
    },
    work: (lease) => underWay.add(runSlice(lease).finally(() => held.delete(lease))),
    close(graceMs) {
      isStopping = true;
      return underWay.close(graceMs);
    },
  };

  async function runSlice(lease: EndpointLease): Promise<void> {
    let isLost = false;
    const renewing = setInterval(() => {
      queue.renew(lease, new Date(clock().getTime() + deps.leaseMs)).then(
        (isOurs) => {
          isLost ||= !isOurs;
        },
        () => undefined,
      );
    }, deps.leaseMs / 3);
    try {
      const tally = await sendDue(lease, () => isLost);
      if (tally === null) return;
      const { delivered, failed, lastFailure, failingSince, pausedUntil, disabled } = tally;
      const wasFailing = lease.failing_since !== null;
      deps.onSlice?.({ ...idsOf(lease), delivered, failed, lastFailure, failingSince, pausedUntil, wasFailing });
      if (disabled !== null) await disable(lease, disabled, failingSince ?? clock());
      else await queue.release(lease, { not_before: pausedUntil });
    } catch (error) {
      // The lease runs out by itself, and what was not written is sent again.
      deps.onError?.(error, lease);
    } finally {
      clearInterval(renewing);
    }
  }

  /** Sends until nothing is due, the slice is over or the endpoint fails too often. Null when the lease was lost. */
  async function sendDue(lease: EndpointLease, isLost: () => boolean): Promise<DeliveryStats | null> {
    const endsAt = clock().getTime() + SLICE.milliseconds;
    const tally = createDeliveryStats(lease.failing_since, clock);
    const context = secretContext(lease.endpoint_id);
    const signers = {
      secrets: await Promise.all(lease.sealed_secrets.map((sealed) => runtime.vault.open(sealed, context))),
      keys: deps.keys.signing(),
    };
    const writing = createWriting(lease, tally);
    const mayGoOn = () => !(isStopping || isLost() || writing.isLost() || tally.isOver) && clock().getTime() < endsAt;

    // One that takes nothing is asked with a single delivery, and has the others once it took that.
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
      const answer = await post({
        url: lease.url,
        headers: {
          "content-type": "application/json",
          "user-agent": deps.userAgent,
          "webhook-id": message.id,
          "webhook-timestamp": String(message.timestamp),
          "webhook-signature": signatureOf(message, signers),
        },
        body: message.body,
        signal: underWay.signal,
      });
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

  /** Writes outcomes many at a time, in their order. */
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
          // Also where it throws: nothing more is sent that could not be written.
          const wasLost = isLost;
          isLost = true;
          isLost = wasLost || !(await queue.settle(lease, { outcomes, failing_since: tally.failingSince }));
        });
      return last;
    };
    return {
      isLost: () => isLost,
      flush,
      async add(outcome: DeliveryOutcome): Promise<void> {
        waiting.push(outcome);
        const isTime = clock().getTime() - writtenAt >= WRITE.milliseconds;
        if (waiting.length >= WRITE.outcomes || isTime) await flush();
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

function idsOf({ tenant_id, endpoint_id }: EndpointLease) {
  return { tenant_id, endpoint_id };
}
