import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  hasEnded,
  isTerminal,
  type LetterEvent,
  type LetterState,
  type LetterStatus,
  LetterTransitionError,
  letterEvents,
  letterStatuses,
  mainLineEvent,
  nextStatus,
  type Transition,
  transitions,
} from "./index.js";

const mainLine: [LetterStatus, LetterEvent, LetterStatus, rule: string][] = [
  ["NewRequest", "collect_details", "UsersDetail", "[S2-3.1] [S2-3.2]"],
  ["UsersDetail", "generate", "Generated", "[S2-3.3]"],
  ["Generated", "send_to_user", "SentToUser", "[S2-3.4]"],
  ["SentToUser", "sign", "Signed", "[S2-3.5]"],
  ["Signed", "send_to_custodian", "SentToCustodian", "[S2-3.6]"],
  ["SentToCustodian", "accept", "AcceptedByCustodian", "[S2-3.7]"],
  ["AcceptedByCustodian", "start_setup", "ConnectionSetup", "[S2-3.8]"],
  ["ConnectionSetup", "await_data", "WaitingForData", "[S2-3.9]"],
  ["WaitingForData", "connect", "Connected", "[S2-3.10]"],
  ["Discontinued", "revoke", "Revoked", "[S2-3.14] [S2-3.18]"],
];
const letter = (status: LetterStatus, more: Partial<LetterState> = {}): LetterState => ({
  status,
  previous_status: null,
  ever_connected: false,
  ...more,
});

/** The sentences of S2 §3 and contract §7 one by one, without the table. */
function model({ status, previous_status, ever_connected }: LetterState, event: LetterEvent): LetterStatus | "refused" {
  const step = mainLine.find(([from, by]) => from === status && by === event);
  if (step) return step[2];
  if (event === "block" && ["WaitingForData", "Connected"].includes(status)) return "Blocked";
  if (
    event === "resolve" &&
    status === "Blocked" &&
    (previous_status === "WaitingForData" || previous_status === "Connected")
  )
    return previous_status;
  if (event === "discontinue" && !["Cancelled", "Discontinued", "Revoked"].includes(status))
    return status === "Connected" || (status === "Blocked" && ever_connected) ? "Discontinued" : "Cancelled";
  return "refused";
}

const outcome = (state: LetterState, event: LetterEvent) => {
  try {
    return nextStatus(state, event);
  } catch (error) {
    if (error instanceof LetterTransitionError && error.status === state.status && error.event === event)
      return "refused";
    throw error;
  }
};

describe("the table", () => {
  it("[C-7.12] [C-10.6] defines every status × event pair", () => {
    expect(Object.keys(transitions)).toEqual([...letterStatuses]);
    for (const status of letterStatuses)
      expect(Object.keys(transitions[status]).toSorted()).toEqual([...letterEvents].toSorted());
    expect([letterStatuses.length, letterEvents.length]).toEqual([14, 13]);
  });

  it("[C-10.7] has the thirteen events in order", () => {
    expect(letterEvents).toEqual([
      ...mainLine.slice(0, 9).map(([, event]) => event),
      "block",
      "resolve",
      "discontinue",
      "revoke",
    ]);
  });

  it.each(mainLine)("%s × %s = %s %s", (from, event, to) => {
    expect(nextStatus(letter(from), event)).toBe(to);
    expect(mainLineEvent(from)).toBe(event);
  });

  it.each(letterStatuses.flatMap((status) => letterEvents.map((event) => [status, event] as const)))(
    "[C-7.12] %s × %s is as the sentences say",
    (status, event) => {
      for (const ever_connected of [false, true])
        for (const previous_status of [null, "WaitingForData", "Connected", "Signed"] as const) {
          const state = letter(status, { previous_status, ever_connected });
          expect(outcome(state, event)).toBe(model(state, event));
        }
    },
  );

  it("[C-7.13] [S2-3.11] [S2-3.19] Blocked is entered from WaitingForData or Connected and resumes there", () => {
    expect(letterStatuses.filter((status) => outcome(letter(status), "block") === "Blocked")).toEqual([
      "WaitingForData",
      "Connected",
    ]);
    expect(nextStatus(letter("Blocked", { previous_status: "WaitingForData" }), "resolve")).toBe("WaitingForData");
    expect(() => nextStatus(letter("Blocked"), "resolve")).toThrow("nothing to resume");
  });

  it("[S2-3.12] [S2-3.13] [S2-3.16] [S2-3.17] [C-7.14] discontinuing ends as Discontinued only what was Connected once", () => {
    expect(nextStatus(letter("Signed"), "discontinue")).toBe("Cancelled");
    expect(nextStatus(letter("Connected", { ever_connected: true }), "discontinue")).toBe("Discontinued");
    expect(nextStatus(letter("Blocked", { previous_status: "Connected", ever_connected: true }), "discontinue")).toBe(
      "Discontinued",
    );
    expect(nextStatus(letter("Blocked", { previous_status: "WaitingForData" }), "discontinue")).toBe("Cancelled");
  });

  it("[S2-3.20] Cancelled, Discontinued and Revoked refuse it, saying why", () => {
    for (const status of ["Cancelled", "Discontinued", "Revoked"] as const)
      expect(() => nextStatus(letter(status), "discontinue")).toThrow(
        `a letter in ${status} refuses discontinue: has ended`,
      );
  });

  it("[S2-3.14] only Cancelled and Revoked are terminal; Discontinued has ended as well", () => {
    expect(letterStatuses.filter(isTerminal)).toEqual(["Cancelled", "Revoked"]);
    expect(letterStatuses.filter(hasEnded)).toEqual(["Cancelled", "Discontinued", "Revoked"]);
    for (const unknown of ["Paused", "toString"] as unknown as LetterStatus[])
      expect([hasEnded(unknown), isTerminal(unknown)]).toEqual([false, false]);
  });

  it.each(["Connected", "Blocked", "Cancelled", "Revoked"] as const)("an operator has no next step in %s", (status) => {
    expect(mainLineEvent(status)).toBeNull();
  });

  it("refuses what is no status or event without tripping over prototypes", () => {
    for (const wrong of ["toString", "__proto__", "nonsense"]) {
      expect(() => nextStatus(letter(wrong as LetterStatus), "sign")).toThrow(LetterTransitionError);
      expect(() => nextStatus(letter("Signed"), wrong as LetterEvent)).toThrow();
    }
  });
});

describe("random lives", () => {
  it("follow the sentences of the specification, whatever happens", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...letterEvents), { maxLength: 60 }),
        fc.constantFrom<LetterStatus>("NewRequest", "Signed"),
        (events, start) => {
          let state = letter(start);
          for (const event of events) {
            const expected = model(state, event);
            expect(outcome(state, event)).toBe(expected);
            if (expected === "refused") continue;
            state = {
              status: expected,
              previous_status: event === "block" ? state.status : null,
              ever_connected: state.ever_connected || expected === "Connected",
            };
            if (expected === "Cancelled") expect(state.ever_connected).toBe(false);
            if (expected === "Discontinued") expect(state.ever_connected).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

it("the README says where each event leads", () => {
  const rows = letterStatuses.map((status) => {
    const moves = letterEvents.flatMap((event) => {
      const targets = targetsOf(transitions[status][event]);
      return targets.length > 0 ? [`\`${event}\` → ${targets.join(" or ")}`] : [];
    });
    return `| ${status} | ${moves.length > 0 ? moves.join("; ") : "none"} |`;
  });
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(rows.join("\n"));
});

function targetsOf(transition: Transition): readonly string[] {
  if ("to" in transition) return [transition.to];
  if ("end" in transition) return transition.end;
  return "resume" in transition ? transition.resume : [];
}

it("types name exactly the statuses and events", () => {
  expectTypeOf<LetterStatus>().toEqualTypeOf<(typeof letterStatuses)[number]>();
  expectTypeOf(nextStatus).parameters.toEqualTypeOf<[LetterState, LetterEvent]>();
  expectTypeOf(nextStatus).returns.toEqualTypeOf<LetterStatus>();
  expectTypeOf(transitions.Signed.send_to_custodian).toEqualTypeOf<{ readonly to: "SentToCustodian" }>();
  // @ts-expect-error a status that does not exist
  nextStatus.name satisfies LetterStatus;
});
