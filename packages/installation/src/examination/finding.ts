/** What one check of an installation found. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  /** What to do about it; absent when nothing is to be done. */
  readonly next_step?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, state: "ok", message };
}

/** Works, but should not stay so. */
export function warn(check: string, message: string, nextStep: string): Finding {
  return { check, state: "warn", message, next_step: nextStep };
}

/** Does not work. */
export function fail(check: string, message: string, nextStep: string): Finding {
  return { check, state: "fail", message, next_step: nextStep };
}

/** Less is the time that asking takes, and nobody minds. */
const CLOCK_TOLERANCE_MS = 5_000;
const CLOCK_ERROR_MS = 60_000;

/**
 * Judges how far a machine's clock is from another one.
 * @param aheadMs at least so many milliseconds; negative = behind
 * @param one whose clock it is, as a sentence begins with it: `this machine`
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
