/** The result of one check of an installation. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  /** What to do about it; absent when nothing needs to be done. */
  readonly next_step?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, state: "ok", message };
}

/** Works, but should be changed. */
export function warn(check: string, message: string, nextStep: string): Finding {
  return { check, state: "warn", message, next_step: nextStep };
}

/** Does not work. */
export function fail(check: string, message: string, nextStep: string): Finding {
  return { check, state: "fail", message, next_step: nextStep };
}

/** A smaller difference may be the duration of the request, and does not matter. */
const CLOCK_TOLERANCE_MS = 5_000;
const CLOCK_ERROR_MS = 60_000;

/**
 * Judges the difference between a machine's clock and another one.
 * @param aheadMs minimum difference in milliseconds; negative = behind
 * @param one the owner of the clock, as a sentence begins with it: `this machine`
 * @param other what it is compared with: `the database`
 */
export function clockFinding(check: string, aheadMs: number, one: string, other: string): Finding {
  const apart = Math.abs(aheadMs);
  if (apart <= CLOCK_TOLERANCE_MS) return ok(check, `${one} and ${other} agree, to ${CLOCK_TOLERANCE_MS / 1000} s`);
  const difference = `${one} is ${inWords(apart)} ${aheadMs > 0 ? "ahead of" : "behind"} ${other}`;
  const step = "look which of the two is wrong (date -u), and let it keep its time by NTP";
  const unharmed = "tokens go by the database's clock and are good";
  return apart > CLOCK_ERROR_MS
    ? fail(
        check,
        `${difference}: TLS and signed requests (private_key_jwt) may fail, log times are wrong; ${unharmed}`,
        step,
      )
    : warn(check, `${difference}: times in logs do not match; ${unharmed}`, step);
}

function inWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
