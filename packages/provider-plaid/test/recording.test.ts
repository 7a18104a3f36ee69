import { conformanceCases, readRecording, recordedSetup, recordingCases } from "@org/provider-kit/testing";
import plaid from "@org/provider-plaid";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/plaid.recording.json", import.meta.url));

describe("[C-5.250] Plaid, as a recording says:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: plaid, recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-10.22] [C-5.250] Plaid, by a login at Plaid, keeps the rule:", () => {
  const figures = ["638.6657", "4437.35905", "-74.1185"];
  for (const { name, run } of conformanceCases(() => recordedSetup({ definition: plaid, recording }, { figures })))
    it(name, async () => {
      await run();
    });
});
