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

/** Access tokens are checked with this leeway. */
const LEEWAY_MS = 5_000;
const USELESS_MS = 60_000;

/** Judges how far another clock is from this one. @param skewMs at least so many milliseconds, in either direction */
export function skewFinding(check: string, skewMs: number): Finding {
  const seconds = `${(skewMs / 1000).toFixed(1)} s apart from this machine's`;
  const step = "let both machines keep their time by NTP";
  if (skewMs > USELESS_MS) return fail(check, `${seconds}: tokens are refused`, step);
  return skewMs > LEEWAY_MS
    ? warn(check, `${seconds}: tokens may be refused`, step)
    : ok(check, "agrees with this machine's");
}
