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

/** A sentence about what met a limit, with the limit's name, its value and when it may be over. @param what was too much, such as `too many bytes` */
export function limitSentence(
  what: string,
  { name, value, retryAfterSeconds }: Pick<ReachedLimit, "name" | "value" | "retryAfterSeconds">,
): string {
  return `${what} (${name}: ${value}); try again in ${retryAfterSeconds} s`;
}
