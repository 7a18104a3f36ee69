import type { AttemptResult } from "./retry-schedule.js";

/** A delivery as it leaves. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts when the server stops and has waited long enough. */
  readonly signal: AbortSignal;
}

/** Why there was no answer, or one that is not taken. */
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
  /** The server stopped: it counts as no try. */
  | "cut_off";

/** How a receiver answered. */
export interface WebhookAnswer extends AttemptResult {
  /** Null for an answer that is what it should be, whatever its status. */
  readonly error: WebhookError | null;
  /** The beginning of the answer's body: at most 1 kB of UTF-8 without control characters but line breaks and tabs; null = none came. */
  readonly answer: string | null;
  readonly ms: number;
}

/**
 * Posts to a receiver that nobody vouches for. Never rejects, and answers within 15 seconds.
 *
 * The host's addresses are looked up by the implementation, each is checked, and the connection is made to one that was checked.
 * Redirects are not followed, and proxies of the environment not used.
 */
export type PostWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;
