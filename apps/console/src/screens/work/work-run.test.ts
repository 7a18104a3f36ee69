import { expect, it } from "vitest";
import { type LineOutcome, type MarkStep, type RunLine, undoOf } from "./work-run.js";

it("[C-14.867] what was changed is taken back to what each line had, and what was refused is left alone", () => {
  const line = (id: string, owner: string | null, snoozed: RunLine["snoozed"] = null) =>
    ({
      kind: "letter_overdue",
      subject: { type: "letter", id },
      owner: owner && { id: owner, name: "" },
      snoozed,
      step: 0,
    }) as RunLine;
  const snooze = { until: "2026-12-24T08:00:00Z", reason: "closed" };
  const lines = [
    line("a", null),
    line("b", "person:p"),
    line("c", null, snooze),
    line("d", null),
    line("e", "a-program"),
  ];
  const outcomes = lines.map(
    ({ subject: { id } }): LineOutcome => ({ refusal: id === "d" ? { why: "gone" } : null, version: 7 }),
  );
  const brief = (step: MarkStep) => {
    const back = undoOf({ what: step.what, audience: "operator", steps: [step] }, lines, outcomes);
    return back?.plan.steps.map((made, index) => [
      made,
      back.items.filter((item) => item.step === index).map(({ subject, version }) => `${subject.id}${version}`),
    ]);
  };
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
