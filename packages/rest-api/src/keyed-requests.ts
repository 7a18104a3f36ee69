import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import {
  CoreError,
  conflict,
  idempotencyKey,
  invalidValue,
  type KeyedRequest,
  type KeyedRequests,
  parseOrRefuse,
  type Runtime,
  retryWhileUnavailable,
  sleep,
  toCoreError,
  withRenewedLease,
} from "@org/core";
import { z } from "zod";
import { hashOfBody } from "./body/body-limit.js";
import { type EndpointFacts, JsonText } from "./endpoint.js";

/** What makes a change with an `Idempotency-Key` be made once. */
export interface Idempotency {
  readonly store: KeyedRequests;
  readonly runtime: Pick<Runtime, "clock" | "newId" | "vault">;
}

const DAY_MS = 24 * 60 * 60_000;
/** How long a key stays with a server that has stopped. */
const LEASE_MS = 60_000;
/** How long a retry waits for the first request. */
const WAIT_MS = 10_000;
/** How soon it looks for an answer of another server, and, ever more rarely, at least how often. */
const FIRST_LOOK_MS = 100;
const MAX_LOOK_MS = 1_600;
/** How long a request waits until it is known what became of its change. */
const DOUBT_MS = 2_000;

/** Header of every endpoint that changes something. */
export const keyHeaders = z.object({
  "Idempotency-Key": idempotencyKey
    .optional()
    .describe(
      "A retry with the same key and body within 24 hours gets the first answer, and changes nothing. A refusal is no answer: it may be tried again.",
    ),
});

/** Whether an endpoint keeps its answers by key here: one that changes, and does not keep them itself, in the transaction of its change. */
export function keepsAnswers({ reads, headers }: Pick<EndpointFacts, "reads" | "headers">): boolean {
  return !reads && headers === undefined;
}

/** The key of a request as its header has it; null without one. @throws CoreError VALIDATION_ERROR */
export function requestKey({ headers }: IncomingMessage): string | null {
  const key = headers["idempotency-key"];
  return key === undefined ? null : parseOrRefuse(idempotencyKey, String(key), "Idempotency-Key");
}

/**
 * What a request asks for: its endpoint, query and body. Of a body that streams only the length. An answer from before its caller was limited to
 * other clients is not repeated.
 */
export function requestHash(path: string, request: IncomingMessage, clientRefs?: readonly string[]): string {
  const body = hashOfBody(request) ?? `of ${request.headers["content-length"] ?? "?"} bytes`;
  return createHash("sha256")
    .update(JSON.stringify([path, request.url?.split("?")[1] ?? "", body, clientRefs]))
    .digest("hex");
}

/**
 * Does the work of a keyed request once: another request with its key gets the first answer, and waits for it. A refusal is no answer.
 * @throws CoreError IDEMPOTENCY_MISMATCH; CONFLICT when the change was made and its answer is lost; UNAVAILABLE while the first is at work
 */
export type AnswerOnce = (request: KeyedRequest, work: () => Promise<unknown>) => Promise<unknown>;

/** Of the requests that ask this process for the same, one at a time asks the store; the others wait for its answer. */
export function createAnswerOnce(idempotency: Idempotency): AnswerOnce {
  const underWay = new Map<string, Promise<unknown>>();
  return async (request, work) => {
    const name = JSON.stringify([request.owner, request.key, request.request_hash]);
    const waitEnd = performance.now() + WAIT_MS;
    for (let first = underWay.get(name); first !== undefined; first = underWay.get(name)) {
      const answer = first.then(
        (outcome) => ({ outcome }),
        () => null,
      );
      const answered = await within(waitEnd - performance.now(), answer);
      if (answered) return answered.outcome;
    }
    const own = answerStored(idempotency, request, work).finally(() => underWay.delete(name));
    underWay.set(name, own);
    return own;
  };
}

async function answerStored(
  { store, runtime }: Idempotency,
  request: KeyedRequest,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const claim = { owner: request.owner, key: request.key, claim_id: runtime.newId() };
  const context = { purpose: "keyed_requests.answer", row: JSON.stringify([request.owner, request.key]) };
  const leaseEnd = () => new Date(runtime.clock().getTime() + LEASE_MS);

  for (let waited = 0, wait = FIRST_LOOK_MS; ; waited += wait, wait = Math.min(2 * wait, MAX_LOOK_MS)) {
    const now = runtime.clock();
    const expires_at = new Date(now.getTime() + DAY_MS);
    const held = await store.claim({ ...request, ...claim }, { now, leased_until: leaseEnd(), expires_at });
    if (held === null) return carryOut();
    if (held.request_hash !== request.request_hash) throw mismatch();
    if (held.answer !== null) return new JsonText(await runtime.vault.open(held.answer, context).catch(lost));
    if (held.isAbandoned) lost();
    if (waited >= WAIT_MS) throw stillUnderWay();
    await delay(wait);
  }

  /** Goes on in the background when it is in doubt what became of the change: a retry gets the answer. */
  async function carryOut(): Promise<unknown> {
    let onDoubt = () => {};
    const doubt = new Promise<void>((resolve) => {
      onDoubt = resolve;
    });
    const renew = () => store.renew(claim, leaseEnd()).then(() => true);
    const { result, hasChanged } = store.run(claim, work, onDoubt);
    const told = result.then(keep, async (error: unknown) => {
      const released = retryWhileUnavailable(sleep, () => store.release(claim)).catch(() => undefined);
      const isOutage = toCoreError(error)?.code === "UNAVAILABLE";
      if (!isOutage) await released;
      throw isOutage && hasChanged() ? partlyDone(error) : error;
    });
    const answered = withRenewedLease(LEASE_MS, renew, () => told);
    void answered.catch(() => undefined);
    const late = doubt.then(async () => {
      await delay(DOUBT_MS, undefined, { ref: false });
      throw inDoubt("database lost while the change was being committed: it may or may not have been made");
    });
    return Promise.race([answered, late]);
  }

  async function keep(outcome: unknown): Promise<unknown> {
    const text = outcome instanceof JsonText ? Buffer.from(outcome.text).toString() : JSON.stringify(outcome);
    const sealed = await runtime.vault.seal(text, context);
    const answer = () => store.answer(claim, sealed);
    // The change is made: whoever waits for its answer gets it, also where it cannot be kept at the moment.
    await answer().catch(() => void retryWhileUnavailable(sleep, answer).catch(() => undefined));
    return outcome;
  }
}

/** @throws CoreError UNAVAILABLE when the answer takes longer */
async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const isThere = new AbortController();
  const isLate = delay(milliseconds, undefined, { signal: isThere.signal }).then(() => Promise.reject(stillUnderWay()));
  try {
    return await Promise.race([answer, isLate]);
  } finally {
    isLate.catch(() => undefined);
    isThere.abort();
  }
}

function stillUnderWay(): CoreError {
  return inDoubt("the first request with this Idempotency-Key is still being carried out");
}

function mismatch(): CoreError {
  return new CoreError("IDEMPOTENCY_MISMATCH", "this Idempotency-Key was used with another request", {
    details: [invalidValue("Idempotency-Key", "must not be used again with another request")],
  });
}

function lost(): never {
  throw conflict(
    "answer_lost",
    "the request with this Idempotency-Key has changed something, and its answer is lost: look at what it was to change",
  );
}

function inDoubt(message: string): CoreError {
  return new CoreError("UNAVAILABLE", message, { retryAfterSeconds: 1, outcome: "unknown" });
}

/** An outage after something was changed leaves that in doubt. */
function partlyDone(error: unknown): unknown {
  const refusal = toCoreError(error);
  if (refusal?.code !== "UNAVAILABLE" || refusal.outcome !== undefined) return error;
  const { message, retryAfterSeconds = 5 } = refusal;
  return new CoreError("UNAVAILABLE", message, { retryAfterSeconds, outcome: "unknown", cause: error });
}
