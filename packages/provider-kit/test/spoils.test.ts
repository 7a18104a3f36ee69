import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ProviderDefinition } from "../src/index.js";
import {
  type ConformanceCase,
  conformanceCases,
  type RecordingSetup,
  readRecording,
  recordedSetup,
  recordingCases,
} from "../src/testing/index.js";
import harbour from "./harbour/harbour.js";
import { type Spoil, spoils } from "./harbour/spoils.js";

const recording = readRecording(new URL("./harbour/harbour.recording.json", import.meta.url));
const source = readFileSync(new URL("./harbour/harbour.ts", import.meta.url), "utf8");
const folder = mkdtempSync(join(import.meta.dirname, "spoilt-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The mistakes that the suite does not find. A mistake that it begins to find is taken off. */
const unfound: readonly string[] = [];

/** The provider with one mistake. */
async function spoilt({ name, edits }: Spoil): Promise<ProviderDefinition> {
  const text = edits.reduce((before, [from, to]) => {
    expect(before.split(from), `${name}: ${from}`).toHaveLength(2);
    return before.replace(from, () => to);
  }, source);
  const file = join(folder, `${spoils.findIndex((one) => one.name === name)}.ts`);
  writeFileSync(file, text);
  const module = await import(/* @vite-ignore */ file);
  return module.default;
}

/** All cases, for a customer who types a PIN and one who is redirected. */
function casesFor(setup: RecordingSetup): readonly ConformanceCase[] {
  const stranger = { user: "ada.harbour", pin: "wrong-pin" };
  const byRedirect = { ...recording, customer: { ...recording.customer, fields: {} } };
  return [
    ...recordingCases(() => setup),
    ...conformanceCases(() => recordedSetup(setup, { stranger })),
    ...conformanceCases(() => recordedSetup({ ...setup, recording: byRedirect })),
  ];
}

/** What the suite says about a provider; null = nothing. */
async function verdictOn(cases: readonly ConformanceCase[]): Promise<string | null> {
  for (const { name, run } of cases)
    try {
      await run();
    } catch (error) {
      return `${name}\n    ${String(error).replaceAll("\n", "\n    ")}`;
    }
  return null;
}

it("[C-5.162] the suite has nothing to say about the provider without a mistake", async () => {
  expect(await verdictOn(casesFor({ definition: harbour, recording }))).toBeNull();
});

it("[C-5.162] the suite finds the mistakes that authors of providers make", async () => {
  const verdicts = new Map<string, string | null>();
  for (const spoil of spoils) {
    const setup: RecordingSetup = { definition: await spoilt(spoil), recording, bound_ms: 3_000 };
    verdicts.set(spoil.name, await verdictOn(casesFor(setup)));
  }
  expect(spoils.filter(({ name }) => verdicts.get(name) === null).map(({ name }) => name)).toEqual(unfound);
}, 600_000);
