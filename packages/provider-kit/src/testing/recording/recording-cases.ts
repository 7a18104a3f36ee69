import type { ConformanceCase } from "../conformance.js";
import { type ConformanceSetup, explained, type InstitutionMode } from "../conformance-world.js";
import { dataRules } from "./data-rules.js";
import { noFaults } from "./expected-rows.js";
import { failureRules } from "./failure-rules.js";
import { oddRowRules } from "./odd-row-rules.js";
import type { RecordedAnswer, Recording } from "./recording.js";
import { customerOf, openRecording, type RecordingSetup, type RecordingWorld } from "./recording-world.js";
import type { ReplayOptions } from "./replay.js";

/**
 * The rules about data and failures, as cases for any test runner: the provider reads a recording of its institution, with a hand-written expectation
 * of every field, as it is and changed in many ways.
 */
export function recordingCases(setup: () => RecordingSetup | Promise<RecordingSetup>): readonly ConformanceCase[] {
  return Object.entries({ ...dataRules, ...failureRules, ...oddRowRules }).map(([name, rule]) => ({
    name,
    async run() {
      const given = await setup();
      const worlds: RecordingWorld[] = [];
      const open = async (recordings: readonly Recording[] = [given.recording]) => {
        const world = await openRecording(given, recordings);
        worlds.push(world);
        return world;
      };
      try {
        const idle = await rule({ recording: given.recording, open });
        noFaults(faultsOf(worlds));
        return idle ?? null;
      } catch (error) {
        throw explained(error, faultsOf(worlds));
      } finally {
        for (const world of worlds) await world.close();
      }
    },
  }));
}

function faultsOf(worlds: readonly RecordingWorld[]): readonly string[] {
  return worlds.flatMap(({ replay, leaks }) => [...replay.faults, ...leaks.found]);
}

/**
 * A recording as the stand-in of {@link conformanceCases}. It knows all modes ({@link InstitutionMode}); `withdrawn` is the variation of that name, or
 * a 401 to every request.
 * @param more what the recording cannot say: `stranger` (fields that the institution refuses), `wrong_answer`, `figures`, `secrets`, `forged`; it may
 * replace any other member
 */
export async function recordedSetup(
  given: RecordingSetup,
  more: Partial<ConformanceSetup> = {},
): Promise<ConformanceSetup> {
  const world = await openRecording(given);
  const { recording, replay, time, services } = world;
  const refused = recording.calls.map((of) => ({ of, answer: answerOf(401, "{}") }));
  const withdrawn = recording.variations.find(({ name }) => name === "withdrawn")?.instead ?? refused;
  return {
    definition: given.definition,
    settings: given.settings ?? recording.settings,
    connector: recording.connector,
    clock: time.clock,
    customer: {
      ...customerOf(recording),
      wait: () => time.advance(60_000),
      async redirect() {
        // The institution gives everybody who comes a code of their own.
        replay.begin();
        return recording.customer.params ?? {};
      },
    },
    services: { http: services.http, random: services.random, sleep: time.sleep, pace: services.pace },
    institution: {
      modes: ["well", "hangs", "down", "nonsense", "throttles", "withdrawn"],
      asked: () => replay.asked.length,
      set(wanted) {
        replay.options.instead = wanted === "withdrawn" ? withdrawn : [];
        replay.options.fault = faults[wanted] ?? null;
      },
    },
    faults: () => replay.faults,
    close: () => world.close(),
    ...more,
  };
}

/** How the institution behaves towards every request, by mode. It repeats what it was sent, if it can. */
const faults: Readonly<Partial<Record<InstitutionMode, ReplayOptions["fault"]>>> = {
  hangs: () => "hang",
  down: ({ body }) => answerOf(503, body ?? ""),
  nonsense: ({ body }) => answerOf(200, JSON.stringify({ you_sent: body })),
  throttles: ({ body }) => answerOf(429, body ?? "", { "retry-after": "30" }),
};

function answerOf(status: number, text: string, headers: Readonly<Record<string, string>> = {}): RecordedAnswer {
  return { status, text, headers: { "content-type": "application/json", ...headers } };
}
