import { describe, expect, it } from "vitest";
import { relativeTime } from "./relative-time.js";

const now = new Date(2026, 10, 29, 10, 0);
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

describe("relative times", () => {
  it.each([
    [hours(0.01), "now", "jetzt", "maintenant", "ahora"],
    [hours(-0.02), "1 minute ago", "vor 1 Minute", "il y a 1 minute", "hace 1 minuto"],
    [hours(0.99), "in 59 minutes", "in 59 Minuten", "dans 59 minutes", "dentro de 59 minutos"],
    [hours(22.9), "in 23 hours", "in 23 Stunden", "dans 23 heures", "dentro de 23 horas"],
    [hours(-1.6), "2 hours ago", "vor 2 Stunden", "il y a 2 heures", "hace 2 horas"],
    [hours(-30), "yesterday", "gestern", "hier", "ayer"],
    [hours(38.5), "in 2 days", "übermorgen", "après-demain", "pasado mañana"],
    [hours(-72), "3 days ago", "vor 3 Tagen", "il y a 3 jours", "hace 3 días"],
    [hours(24 * 80), "in 3 months", "in 3 Monaten", "dans 3 mois", "dentro de 3 meses"],
    [hours(-24 * 360), "1 year ago", "vor 1 Jahr", "il y a 1 an", "hace 1 año"],
  ])("[C-14.870] %s is said in whole words, rounded, in each language", (at, ...said) => {
    expect(["en", "de", "fr", "es"].map((language) => relativeTime(at, now, language))).toEqual(said);
  });
});
