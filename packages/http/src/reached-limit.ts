/** A limit that stands in the way of a request. */
export interface ReachedLimit {
  /** As docs/limits.md and the metric name it, such as `body_bytes_in_flight`. */
  readonly name: string;
  readonly value: number;
  /** Whether it is the caller's own share (429), or the capacity of the server (503). */
  readonly isOwnShare: boolean;
  /** When it may be over. */
  readonly retryAfterSeconds: number;
}
