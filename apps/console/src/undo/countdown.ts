import { useEffect, useState } from "react";
import { serverNow } from "../api/server-time.js";
import { localeOf, useLanguage } from "../language/language.js";
import { secondsUntil } from "./waiting-moves.js";

/** The whole seconds until a moment, counted down; 0 without one, and afterwards. */
export function useCountdown(until: string | null): number {
  const [now, setNow] = useState(() => serverNow());
  const seconds = until === null ? 0 : secondsUntil(until, now);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(serverNow()), 250);
    return () => clearInterval(timer);
  }, [isOver]);
  // A new moment starts from the present.
  useEffect(() => {
    if (until !== null) setNow(serverNow());
  }, [until]);
  return seconds;
}

/** Writes a number of seconds in whole words, as "27 seconds". */
export function useSecondsFormat(): (seconds: number) => string {
  const locale = localeOf(useLanguage());
  const format = new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "long" });
  return (seconds) => format.format(seconds);
}
