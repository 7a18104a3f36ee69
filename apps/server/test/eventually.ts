import { setTimeout as delay } from "node:timers/promises";

const DEADLINE_MS = 60_000;
const MAX_PAUSE_MS = 100;

/**
 * Waits until a condition holds, and returns what `look` found. The deadline is no time limit to be tested: it only ends a test whose condition
 * never comes true.
 * @param look returns something falsy as long as the condition does not hold
 * @param what is awaited, for the error
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  what: string,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let pause = 5; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline) throw new Error(`This did not happen within a minute: ${what}`);
    await delay(pause);
  }
}
