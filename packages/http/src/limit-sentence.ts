import type { ReachedLimit } from "@org/admission";

/** Returns a sentence with the limit's name, value and retry time. @param what what was too much, such as `too many bytes` */
export function limitSentence(
  what: string,
  { name, value, retryAfterSeconds }: Pick<ReachedLimit, "name" | "value" | "retryAfterSeconds">,
): string {
  return `${what} (${name}: ${value}); try again in ${retryAfterSeconds} s`;
}
