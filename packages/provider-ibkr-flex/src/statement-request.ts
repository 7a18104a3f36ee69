import { z } from "zod";
import type { FlexError } from "./error-codes.js";
import { FlexFailure } from "./flex-failure.js";
import type { FlexService } from "./flex-service.js";

/** The state of a statement request, kept between two looks, on whichever replica. Times are ISO 8601. */
export const statementRequest = z.object({
  /** The institution's reference for the statement; null if it has not accepted the request. */
  reference: z.string().nullable(),
  /** When it accepted the request. */
  asked_at: z.iso.datetime().nullable(),
  /** When we started to ask. */
  since: z.iso.datetime(),
  /** Since when it has answered only `1003`. */
  unavailable_since: z.iso.datetime().nullable(),
  /** Whether a reference was lost before (`1017`). */
  renewed: z.boolean(),
});
export type StatementRequest = z.infer<typeof statementRequest>;

/** The result of a statement request. */
export type StatementOutcome =
  | { readonly kind: "statement"; readonly body: Uint8Array; readonly request: StatementRequest }
  | { readonly kind: "pending"; readonly retry_after: number; readonly request: StatementRequest }
  | { readonly kind: "throttled"; readonly retry_after: number }
  | Extract<FlexError, { kind: "refused" }>;

/** A reference without a statement after this time is replaced by a new one: some never finish. */
const REFERENCE_MS = 60 * 60_000;
const UNAVAILABLE_MS = 60 * 60_000;
const PENDING_MS = 24 * 60 * 60_000;
/** Pauses between looks within one call. Most statements are ready after some seconds. */
const pauses = [2_000, 4_000, 8_000, 10_000];
/** The minimum time before a statement is requested again: that costs the institution work, and too many failures lock the token (`1025`). */
const SEND_AGAIN_MS = 15_000;

/** Requests a statement, or continues the request of `earlier`, for at most `wait_ms`. @throws FlexFailure, HttpFailure */
export async function requestStatement(
  deps: {
    service: FlexService;
    clock: () => Date;
    sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  },
  asked: {
    token: string;
    queryId: string;
    earlier: StatementRequest | null;
    wait_ms: number;
    /** Whether somebody waits for the result; if not, a request that would have to wait for its turn is not sent. */
    awaited: boolean;
    signal: AbortSignal;
  },
): Promise<StatementOutcome> {
  const { token, queryId, awaited, signal } = asked;
  const now = () => deps.clock().getTime();
  const deadline = now() + asked.wait_ms;
  let request = asked.earlier ?? begun(deps.clock());
  for (let look = 0; ; ) {
    if (since(request.since, now()) >= PENDING_MS)
      throw new FlexFailure("the institution has not made the statement for a day");
    if (request.reference !== null && since(request.asked_at, now()) >= REFERENCE_MS)
      request = { ...request, reference: null, asked_at: null };
    const { reference } = request;
    const answer =
      reference === null
        ? await deps.service.send(token, queryId, { awaited, signal })
        : await deps.service.get(token, reference, { awaited, signal });
    if (answer.kind === "statement") return { kind: "statement", body: answer.body, request };
    if (answer.kind === "reference") {
      request = { ...request, reference: answer.reference, asked_at: deps.clock().toISOString() };
    } else {
      const { error, code } = answer;
      if (error.kind === "refused") return error;
      if (error.kind === "failure")
        throw new FlexFailure(`the institution answered error ${code ?? "without a code"}: ${error.words}`);
      if (error.kind === "throttled") return waiting(request, error.retry_after);
      if (error.kind === "reference_lost") {
        if (reference === null || request.renewed)
          throw new FlexFailure("the institution has lost the statement that it made (error 1017), twice");
        request = { ...request, reference: null, asked_at: null, renewed: true };
        continue;
      }
      request = afterDelay(request, error.kind === "unavailable", deps.clock());
    }
    const pause = request.reference === null ? SEND_AGAIN_MS : (pauses[look] ?? Number.POSITIVE_INFINITY);
    if (now() + pause > deadline) return { kind: "pending", retry_after: retryAfter(request, now()), request };
    look += 1;
    await deps.sleep(pause, signal);
  }
}

function begun(at: Date): StatementRequest {
  return { reference: null, asked_at: null, since: at.toISOString(), unavailable_since: null, renewed: false };
}

function since(moment: string | null, now: number): number {
  return moment === null ? 0 : now - Date.parse(moment);
}

/** @throws FlexFailure after an hour without a statement (`1003`) */
function afterDelay(request: StatementRequest, isUnavailable: boolean, at: Date): StatementRequest {
  if (!isUnavailable) return { ...request, unavailable_since: null };
  if (since(request.unavailable_since, at.getTime()) >= UNAVAILABLE_MS)
    throw new FlexFailure("the institution has said for an hour that there is no statement (error 1003)");
  return { ...request, unavailable_since: request.unavailable_since ?? at.toISOString() };
}

/** Keeps the reference while waiting, so that a statement in preparation is not requested twice. Also keeps whether a reference was lost. */
function waiting(request: StatementRequest, retry_after: number): StatementOutcome {
  return request.reference === null && !request.renewed
    ? { kind: "throttled", retry_after }
    : { kind: "pending", retry_after, request };
}

/** Seconds until the next look: half of the time so far (all of it before there is a reference), at most a quarter of an hour. */
function retryAfter(request: StatementRequest, now: number): number {
  const [seconds, least] =
    request.reference === null ? [since(request.since, now) / 1_000, 60] : [since(request.asked_at, now) / 2_000, 15];
  return Math.min(Math.max(Math.round(seconds), least), 15 * 60);
}
