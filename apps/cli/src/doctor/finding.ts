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
