import type { AnswerOf } from "./paths.js";
import { serverNow } from "./server-time.js";

/** One fault of a request, as the server lists it. */
export interface ProblemDetail {
  /** The field's path, such as `email` or `labels.0`. */
  readonly field: string;
  /** What is wrong with it, in words; empty if the server only names the kind. */
  readonly message: string;
  readonly kind: string;
  /** Why, as a stable code; only of a custodian's file. */
  readonly cause?: string;
}

/** What a figure lacks, as the server names it: a reason, and the portfolios and days that it is of. */
export type Missing = Gap | Refusal;
type Gap = AnswerOf<"/data/v1/performance">["gaps"][number];
type Refusal =
  | { readonly reason: "rate_missing"; readonly from: string; readonly to: string; readonly date: string }
  | { readonly reason: "return_undefined"; readonly date: string }
  | { readonly reason: "no_root" }
  | { readonly reason: "several_roots"; readonly returns: readonly string[] };

interface ReachedLimit {
  readonly name: string;
  readonly value: number;
  /** Whether it ends by itself. */
  readonly ends: boolean;
}

/** Why a call failed. `code` is the server's (`VALIDATION_ERROR`, `NOT_FOUND`, `CONFIRM_AGAIN`, …), or `AWAY` if no server answered. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  readonly details: readonly ProblemDetail[];
  /** Of a figure that would be a guess: what it lacks. */
  readonly missing: readonly Missing[];
  /** Identifies the request in the server's log. */
  readonly traceId: string | null;
  /** Of a conflict: why, as a code. */
  readonly reason: string | null;
  /** The limit that the request reached. */
  readonly limit: ReachedLimit | null;
  /** When the same call may succeed, if the server said so. */
  readonly retryAfterSeconds: number | null;

  constructor(facts: {
    status: number;
    code: string;
    message: string;
    details?: readonly ProblemDetail[];
    missing?: readonly Missing[];
    traceId?: string | null;
    reason?: string | null;
    limit?: ReachedLimit | null;
    retryAfterSeconds?: number | null;
  }) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.missing = facts.missing ?? [];
    this.traceId = facts.traceId ?? null;
    this.reason = facts.reason ?? null;
    this.limit = facts.limit ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }

  /** Whether the server cannot be reached or is temporarily unavailable, so that the same call may succeed later. One that is at a limit is there. */
  get isUnavailable(): boolean {
    if (this.limit !== null) return false;
    return this.code === "AWAY" || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** The fault of one field, or of a part of its value, or null. */
export function faultOf(problem: ApiProblem | null | undefined, field: string): string | null {
  const found = problem?.details.find((detail) => isAt(field, detail));
  return found === undefined ? null : found.message || found.kind;
}

/** Whether each fault of a refusal is at one of these fields, so that nothing is left to say about the whole. */
export function isAtFields(problem: ApiProblem | null | undefined, fields: readonly string[]): boolean {
  const details = problem?.details ?? [];
  return details.length > 0 && details.every((detail) => fields.some((field) => isAt(field, detail)));
}

/** `field` is the whole path, or its last part where the form leaves out what surrounds it: `connector_id` for `configuration.connector_id`. */
function isAt(field: string, detail: ProblemDetail): boolean {
  return `.${detail.field}.`.includes(`.${field}.`);
}

/** Why a custodian's file was refused, as the server's code; null for anything else. */
export function causeOf(problem: ApiProblem | null | undefined): string | null {
  return problem?.details.find(({ cause }) => cause !== undefined)?.cause ?? null;
}

/** Whether a change was refused because somebody else changed the object meanwhile. */
export function isVersionConflict(problem: ApiProblem | null): boolean {
  return problem?.code === "CONFLICT" && faultOf(problem, "version") !== null;
}

/** Reads an error response in any of the server's envelopes. @param retryAfter its `Retry-After` (RFC 9110 §10.2.3) */
export function readProblem(
  status: number,
  document: unknown,
  traceId: string | null,
  retryAfter: string | null = null,
): ApiProblem {
  const error = isObject(document) && isObject(document.error) ? document.error : document;
  const found = isObject(error) ? error : {};
  const listed = (Array.isArray(found.details) ? found.details : []).filter(isObject);
  const limit = listed.find((detail) => textIn(detail.limit) !== null);
  const lacks = textIn(found.code) === "INSUFFICIENT_DATA";
  const faults = lacks ? [] : listed.filter((detail) => detail !== limit);
  return new ApiProblem({
    status,
    code: textIn(found.code) ?? `HTTP_${status}`,
    message: textIn(found.message) ?? textIn(isObject(document) ? document.error : null) ?? "",
    details: faults.map((detail) => ({
      field: textIn(detail.field) ?? textIn(detail.path) ?? "",
      message: textIn(detail.rule) ?? textIn(detail.message) ?? "",
      kind: textIn(detail.error_type) ?? "",
      ...(textIn(detail.cause) !== null && { cause: textIn(detail.cause) ?? "" }),
    })),
    missing: lacks ? (listed as unknown as readonly Missing[]) : [],
    traceId: (isObject(document) ? textIn(document.trace_id) : null) ?? traceId,
    reason: textIn(found.reason),
    limit:
      limit === undefined
        ? null
        : { name: textIn(limit.limit) ?? "", value: Number(limit.value), ends: textIn(limit.ends_at) !== null },
    // A limit without an end ends only when something is given up.
    retryAfterSeconds: limit !== undefined && textIn(limit.ends_at) === null ? null : secondsIn(retryAfter),
  });
}

/** Seconds, or a date, which proxies send. */
function secondsIn(retryAfter: string | null): number | null {
  if (retryAfter === null || retryAfter.trim() === "") return null;
  const seconds = Number(retryAfter);
  const until = Number.isNaN(seconds) ? (Date.parse(retryAfter) - serverNow()) / 1_000 : seconds;
  return Number.isNaN(until) ? null : Math.max(1, Math.ceil(until));
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
