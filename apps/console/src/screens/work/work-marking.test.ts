import { expect, it } from "vitest";
import { type MarkOutcome, undoOf } from "./work-marking.js";
import type { WorkLine } from "./work-places.js";

it("[C-14.867] what was changed is taken back to what each line had, and what was refused is left alone", () => {
  const line = (id: string, owner: string | null, snoozed: WorkLine["snoozed"] = null) =>
    ({
      kind: "letter_overdue",
      subject: { type: "letter", id },
      owner: owner && { id: owner, name: "" },
      snoozed,
    }) as WorkLine;
  const snooze = { until: "2026-12-24T08:00:00Z", reason: "closed" };
  const lines = [
    line("a", null),
    line("b", "person:p"),
    line("c", null, snooze),
    line("d", null),
    line("e", "a-program"),
  ];
  const outcomes = lines.map(
    ({ subject: { id } }) =>
      ({ kind: "letter_overdue", id, outcome: id === "d" ? "refused" : "done", version: 7 }) as MarkOutcome,
  );
  const brief = (step: Parameters<typeof undoOf>[0]) =>
    undoOf(step, lines, outcomes).map((back) => [
      back.step,
      back.lines.map(({ subject, version }) => `${subject.id}${version}`),
    ]);
  expect(brief({ what: "handOver", personId: "q" })).toEqual([
    [{ what: "handOver", personId: null }, ["a7", "c7"]],
    [{ what: "handOver", personId: "p" }, ["b7"]],
  ]);
  expect(brief({ what: "snooze", ...snooze, reason: "other" })).toEqual([
    [{ what: "wake" }, ["a7", "b7", "e7"]],
    [{ what: "snooze", ...snooze }, ["c7"]],
  ]);
  expect(brief({ what: "wake" })).toEqual([[{ what: "snooze", ...snooze }, ["c7"]]]);
});
