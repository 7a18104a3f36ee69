import { isTerminal } from "./next-status.js";
import { letterEvents, letterStatuses } from "./statuses.js";
import { type Transition, transitions } from "./transitions.js";

/** Returns the table as a Mermaid state diagram, which the README shows. */
export function diagram(): string {
  const lines = letterStatuses.flatMap((status) =>
    letterEvents.flatMap((event) =>
      targetsOf(transitions[status][event]).map((target) => `  ${status} --> ${target}: ${event}`),
    ),
  );
  return [
    "stateDiagram-v2",
    "  [*] --> NewRequest",
    "  [*] --> Signed: submitted signed",
    ...lines,
    ...letterStatuses.filter(isTerminal).map((status) => `  ${status} --> [*]`),
  ].join("\n");
}

function targetsOf(transition: Transition): readonly string[] {
  if ("to" in transition) return [transition.to];
  if ("end" in transition) return transition.end;
  return "resume" in transition ? transition.resume : [];
}
