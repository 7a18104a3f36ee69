import { randomUUID } from "node:crypto";

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace id (32 hex digits) in a W3C `traceparent`, or null when there is none. */
export function traceIdIn(traceparent: unknown): string | null {
  return typeof traceparent === "string" ? (TRACEPARENT.exec(traceparent)?.[1] ?? null) : null;
}

/** A new trace id: the 32 hex digits of a random UUID, which Node makes from a reserve and so ten times as fast as fresh bytes. */
export function newTraceId(): string {
  return randomUUID().replaceAll("-", "");
}
