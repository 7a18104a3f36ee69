import type { AttemptResult } from "./retry-schedule.js";

/** One HTTP request of a delivery. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts when the server stops and its grace period is over. */
  readonly signal: AbortSignal;
}

/** Why there was no answer, or why the answer is a failure. */
export type WebhookError =
  | "timeout"
  | "address_not_allowed"
  | "host_not_found"
  | "connection_refused"
  | "connection_lost"
  | "tls"
  | "invalid_answer"
  | "redirect"
  | "invalid_url"
  /** The server stopped; this does not count as an attempt. */
  | "cut_off";

/** The answer of a receiver. */
export interface WebhookAnswer extends AttemptResult {
  /** Null for a well-formed answer, whatever its status. */
  readonly error: WebhookError | null;
  /** The beginning of the response body: at most 1 kB of UTF-8, without control characters except line breaks and tabs; null = none. */
  readonly answer: string | null;
  readonly ms: number;
}

/**
 * Posts to an untrusted receiver. It never rejects, and returns within 15 seconds.
 *
 * The implementation looks up the host's addresses, checks each, and connects to a checked one. It does not follow redirects or
 * use the environment's proxies.
 */
export type PostWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;
