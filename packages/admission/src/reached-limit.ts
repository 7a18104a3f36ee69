/** The limit that refuses something. */
export interface ReachedLimit {
  /** Its name in docs/reference/limits.md and in metrics, such as `body_bytes_in_flight`. */
  readonly name: string;
  readonly value: number;
  /** Whether the caller's own share is used up (429), or the server's capacity (503). */
  readonly isOwnShare: boolean;
  /** When a retry may succeed. */
  readonly retryAfterSeconds: number;
}
