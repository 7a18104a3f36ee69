import { conformanceCases, readRecording, recordedSetup, recordingCases } from "@org/provider-kit/testing";
import openWealth from "@org/provider-openwealth";
import { describe, it } from "vitest";

const before3 = [
  ["1.1", {}],
  // Here each customer has a consent, as at bLink.
  ["1.2", { stranger: { consent_id: "00000000-3c1d-4e8e-9f0b-000000000000" } }],
  ["2.0", {}],
] as const;

const recordingOf = (name: string) => readRecording(new URL(`./recording/${name}.recording.json`, import.meta.url));

describe.each([
  ["[C-5.164] the examples of OpenWealth Custody Services 3.2", "openwealth"],
  ...before3.map(([version]) => [
    `[C-5.261] answers of OpenWealth Custody Services ${version}`,
    `openwealth-${version}`,
  ]),
])("%s", (_, name) => {
  const recording = recordingOf(name);
  for (const { name, run } of recordingCases(() => ({ definition: openWealth, recording })))
    it(name, async () => {
      await run();
    });
});

describe.each(before3)("[C-10.22] a bank with OpenWealth Custody Services %s", (version, more) => {
  const setup = { definition: openWealth, recording: recordingOf(`openwealth-${version}`) };
  for (const { name, run } of conformanceCases(() =>
    recordedSetup(setup, { ...more, figures: ["123.456789", "9956.192", "5559.25"] }),
  ))
    it(name, async () => {
      await run();
    });
});
