import { useRef, useState } from "react";
import { forget } from "../../api/answers.js";
import { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { type Audience, usePerson } from "../../api/session.js";
import { keyOfLine, QUEUE, type WorkLine } from "./work-places.js";

/** What is done to the owner or the snooze of lines. */
export type MarkStep =
  | { readonly what: "take" }
  | { readonly what: "handOver"; readonly personId: string | null }
  | { readonly what: "snooze"; readonly until: string; readonly reason: string }
  | { readonly what: "wake" };

export type MarkOutcome = AnswerOf<"/operator/v1/work/take">["items"][number];

/** A step that was made, and how to take it back. */
export interface MadeStep {
  readonly what: MarkStep["what"] | "undo";
  readonly lines: readonly WorkLine[];
  readonly outcomes: readonly MarkOutcome[];
  readonly undo: (() => Promise<void>) | null;
}

/** The most lines of one request. */
const CHUNK = 200;

/** Makes steps, and remembers the last one for its results and for undoing it. */
export function useMarking() {
  const { audience } = usePerson();
  const [made, setMade] = useState<MadeStep | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);

  async function run(steps: readonly Pair[], what: MadeStep["what"]): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setProblem(null);
    const outcomes: MarkOutcome[] = [];
    try {
      for (const { step, lines } of steps)
        for (let from = 0; from < lines.length; from += CHUNK)
          outcomes.push(...(await send(audience, step, lines.slice(from, from + CHUNK))).items);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
    } finally {
      busy.current = false;
      setBusy(false);
      const lines = steps.flatMap((pair) => pair.lines);
      const back = what === "undo" ? [] : steps.flatMap(({ step }) => undoOf(step, lines, outcomes));
      if (outcomes.length > 0)
        setMade({ what, lines, outcomes, undo: back.length === 0 ? null : () => run(back, "undo") });
      await forget(QUEUE);
    }
  }

  return {
    made,
    problem,
    isBusy,
    clear: () => setMade(null),
    make: (step: MarkStep, lines: readonly WorkLine[]) => run([{ step, lines }], step.what),
  };
}

interface Pair {
  readonly step: MarkStep;
  readonly lines: readonly WorkLine[];
}

async function send(audience: Audience, step: MarkStep, of: readonly WorkLine[]) {
  const isOperator = audience === "operator";
  // Whoever takes a line that somebody else took meanwhile is told so; anything else is based on what is shown.
  const lines = of.map(({ kind, subject: { id }, version }) => ({
    kind,
    id,
    ...(step.what !== "take" && { version }),
  }));
  switch (step.what) {
    case "take":
      return call(isOperator ? "/operator/v1/work/take" : "/events/v1/take-work", { lines });
    case "handOver":
      return call(isOperator ? "/operator/v1/work/hand-over" : "/events/v1/hand-over-work", {
        lines,
        person_id: step.personId,
      });
    case "snooze": {
      const { until, reason } = step;
      return call(isOperator ? "/operator/v1/work/snooze" : "/events/v1/snooze-work", { lines, until, reason });
    }
    case "wake":
      return call(isOperator ? "/operator/v1/work/wake" : "/events/v1/wake-work", { lines });
  }
}

/** The steps that lead back, for the lines that were changed. */
export function undoOf(step: MarkStep, lines: readonly WorkLine[], outcomes: readonly MarkOutcome[]): readonly Pair[] {
  const groups = new Map<string, { readonly step: MarkStep; readonly lines: WorkLine[] }>();
  const before = new Map(lines.map((line) => [keyOfLine(line), line]));
  for (const { kind, id, outcome, version } of outcomes) {
    const line = before.get(`${kind} ${id}`);
    const back = line && outcome === "done" ? stepBack(step, line) : null;
    if (!line || !back) continue;
    const key = JSON.stringify(back);
    const group = groups.get(key) ?? { step: back, lines: [] };
    group.lines.push({ ...line, version });
    groups.set(key, group);
  }
  return [...groups.values()];
}

function stepBack(step: MarkStep, { owner, snoozed }: WorkLine): MarkStep | null {
  if (step.what === "snooze") return snoozed ? { what: "snooze", ...snoozed } : { what: "wake" };
  if (step.what === "wake") return snoozed && { what: "snooze", ...snoozed };
  const personId = owner === null ? null : personIdOf(owner.id);
  return owner !== null && personId === null ? null : { what: "handOver", personId };
}

/** The person's id in an actor's; null for a program. */
function personIdOf(actorId: string): string | null {
  return actorId.startsWith("person:") ? actorId.slice("person:".length) : null;
}
