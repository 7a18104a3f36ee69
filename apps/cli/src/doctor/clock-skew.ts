import { type Finding, fail, ok, warn } from "./finding.js";

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
