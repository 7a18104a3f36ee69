/** The limit that a request exceeded. */
export interface ReachedLimit {
  /** Its name in docs/limits.md and in metrics, such as `body_bytes_in_flight`. */
  readonly name: string;
  readonly value: number;
  /** Whether the caller's own share is used up (429), or the server's capacity (503). */
  readonly isOwnShare: boolean;
  /** When a retry may succeed. */
  readonly retryAfterSeconds: number;
}

/** Returns a sentence with the limit's name, value and retry time. @param what what was too much, such as `too many bytes` */
export function limitSentence(
  what: string,
  { name, value, retryAfterSeconds }: Pick<ReachedLimit, "name" | "value" | "retryAfterSeconds">,
): string {
  return `${what} (${name}: ${value}); try again in ${retryAfterSeconds} s`;
}
