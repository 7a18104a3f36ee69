import { useEffect } from "react";
import { serverNow } from "../api/server-time.js";
import { type Language, localeOf, useLanguage } from "../language/language.js";
import { createStored, useStored } from "../shell/stored.js";
import { relativeTime } from "./relative-time.js";

const TICK_MS = 15_000;
const now = createStored(serverNow());
let watchers = 0;
let ticking: ReturnType<typeof setInterval> | undefined;

/**
 * A time relative to now, with the exact time. `look`: `both` adds the local time, `short` (the default) shows only the relative time. The exact UTC
 * time is in the title. @param at ISO 8601; nothing is drawn for null
 */
export function Moment({
  at,
  look = "short",
}: {
  readonly at: string | null | undefined;
  readonly look?: "short" | "both" | "exact";
}) {
  const language = useLanguage();
  const present = useNow();
  if (!at) return null;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <>{at}</>;
  const relative = relativeTime(moment, new Date(present), language);
  const local = new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short" }).format(moment);
  const clock = local.lastIndexOf(" ");
  const exact = (
    <>
      <span className="day">{local.slice(0, clock)}</span>
      {local.slice(clock)}
    </>
  );
  const utc = `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return (
    <time className="moment" dateTime={moment.toISOString()} title={look === "short" ? `${local} (${utc})` : utc}>
      {look === "exact" ? exact : relative}
      {look === "both" && <span className="quiet"> · {exact}</span>}
    </time>
  );
}

/** A calendar day, with its year. @param at YYYY-MM-DD; nothing is drawn for null */
export function Day({ at }: { readonly at: string | null | undefined }) {
  const language = useLanguage();
  if (!at) return null;
  return (
    <time className="moment" dateTime={at}>
      {dayFormat(at, language, "medium").format(new Date(at))}
    </time>
  );
}

/** How to write days: of a calendar day (YYYY-MM-DD) itself, of a time the day here. */
export function dayFormat(at: string, language: Language, dateStyle: "medium" | "long"): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle, ...(at.length === 10 && { timeZone: "UTC" }) });
}

/** The current time in milliseconds, accurate to a quarter of a minute. All watchers share one timer. */
function useNow(): number {
  useEffect(() => {
    watchers += 1;
    ticking ??= setInterval(() => now.set(serverNow()), TICK_MS);
    return () => {
      watchers -= 1;
      if (watchers > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }, []);
  return useStored(now);
}
