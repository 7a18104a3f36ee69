import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMoment } from "./moment.js";

const fromOf = (text: string) => parseMoment(text)?.from.toISOString() ?? null;

describe("[S2-4.22] [S2-4.23] [C-7.61] dates of ISO 8601", () => {
  it.each([
    ["calendar, extended", "2026-11-22"],
    ["calendar, basic", "20261122"],
    ["ordinal, extended", "2026-326"],
    ["ordinal, basic", "2026326"],
    ["week, extended", "2026-W47-7"],
    ["week, basic", "2026W477"],
    ["week, lower case", "2026-w47-7"],
  ])("%s: %s is 22 November 2026, the whole day", (_, text) => {
    expect(parseMoment(text)).toEqual({
      from: new Date("2026-11-22T00:00:00Z"),
      before: new Date("2026-11-23T00:00:00Z"),
    });
  });

  it.each([
    ["2020-W53-7", "2021-01-03"],
    ["2021-W01-1", "2021-01-04"],
    ["2024-W01-1", "2024-01-01"],
    ["2025-W01-1", "2024-12-30"],
    ["2024-366", "2024-12-31"],
    ["2024-02-29", "2024-02-29"],
    ["0099-01-01", "0099-01-01"],
  ])("%s is %s", (text, day) => {
    expect(fromOf(text)).toBe(`${day}T00:00:00.000Z`);
  });

  it.each(
    [
      ["", "2026", "2026-11", "202611", "2026-W47", "26-11-22", "+002026-11-22", "22.11.2026", "2026/11/22"],
      ["2026-02-29", "20260230", "2026-13-01", "2026-00-10", "2026-11-31", "2026-000", "2025-366", "2026-367"],
      ["2026-W00-1", "2026-W54-1", "2021-W53-1", "2026-W47-0", "2026-W47-8", "2026-1122", "202611-22", "2026W47-7"],
      ["2026-11-22T", "2026-11-22T25", "2026-11-22T10:60", "2026-11-22T10:00:61", "2026-11-22T1000:00", "T10:00"],
      [
        "2026-11-22T24:00:01",
        "2026-11-22T10:00+24",
        "2026-11-22T10:00+01:60",
        "2026-11-22T10:00 +01:00",
        "2026-11-22Z",
      ],
      ["2026-11-22T10:00:60Z", "2026-11-22T23:59:60+01:00", "2026-11-22T10:00:00.Z", "2026-11-22T10:00:00Z\n"],
    ].flat(),
  )("%j is no date or datetime that exists", (text) => {
    expect(parseMoment(text)).toBeNull();
  });

  it("every day is the same in all its forms", () => {
    const days = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9998-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10);
        const from = fromOf(day);
        const year = day.slice(0, 4);
        const ordinal = String(
          (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / 86_400_000 + 1,
        ).padStart(3, "0");
        const weekday = ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
        // A day belongs to the ISO week of its Thursday, in that Thursday's year.
        const thursday = new Date(Date.parse(`${day}T00:00:00Z`) + (4 - weekday) * 86_400_000).toISOString();
        const weekYear = thursday.slice(0, 4);
        const sinceNewYear = Date.parse(thursday) - Date.parse(`${weekYear}-01-01T00:00:00Z`);
        const week = String(Math.floor(sinceNewYear / 86_400_000 / 7) + 1).padStart(2, "0");
        expect(from).toBe(`${day}T00:00:00.000Z`);
        for (const text of [day.replaceAll("-", ""), `${year}-${ordinal}`, `${year}${ordinal}`])
          expect(fromOf(text), text).toBe(from);
        for (const text of [`${weekYear}-W${week}-${weekday}`, `${weekYear}W${week}${weekday}`])
          expect(fromOf(text), text).toBe(from);
      }),
    );
  });
});

describe("[S2-4.22] [C-7.61] datetimes of ISO 8601", () => {
  it.each([
    ["2026-11-22T10:15:30Z", "10:15:30.000"],
    ["2026-11-22t10:15:30z", "10:15:30.000"],
    ["2026-11-22 10:15:30Z", "10:15:30.000"],
    ["20261122T101530Z", "10:15:30.000"],
    ["2026-W47-7T10:15:30", "10:15:30.000"],
    ["2026326T1015", "10:15:00.000"],
    ["2026-11-22T10", "10:00:00.000"],
    ["2026-11-22T10:15:30.123456789Z", "10:15:30.123"],
    ["2026-11-22T10:15:30,5Z", "10:15:30.500"],
    ["2026-11-22T10:15,5Z", "10:15:30.000"],
    ["2026-11-22T10.25Z", "10:15:00.000"],
    ["2026-11-22T10:15+01:00", "09:15:00.000"],
    ["2026-11-22T10:15+0100", "09:15:00.000"],
    ["2026-11-22T10:15+01", "09:15:00.000"],
    ["2026-11-22T10:15-05:30", "15:45:00.000"],
    ["2026-11-22T10:15\u221205:30", "15:45:00.000"],
    ["2026-11-21T24:00", "00:00:00.000"],
    ["2026-11-21T23:59:60Z", "00:00:00.000"],
    ["2026-11-22T00:59:60+01:00", "00:00:00.000"],
  ])("%s is %s UTC", (text, time) => {
    expect(fromOf(text)).toBe(`2026-11-22T${time}Z`);
  });

  it("every instant is itself, and lasts a millisecond", () => {
    const instants = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9998-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (at) => {
        expect(parseMoment(at.toISOString())).toEqual({ from: at, before: new Date(at.getTime() + 1) });
        expect(parseMoment(at.toISOString().replaceAll(/[-:]/g, ""))?.from).toEqual(at);
      }),
    );
  });
});
