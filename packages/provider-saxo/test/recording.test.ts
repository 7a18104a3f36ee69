import { conformanceCases, readRecording, recordedSetup, recordingCases } from "@org/provider-kit/testing";
import saxo from "@org/provider-saxo";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/saxo.recording.json", import.meta.url));

describe("[C-5.186] Saxo, as a recording says:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: saxo, recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-10.22] [C-5.186] Saxo, by a login of its customer, keeps the rule:", () => {
  const figures = ["23682.9575", "68943.80", "-6320.5"];
  for (const { name, run } of conformanceCases(() => recordedSetup({ definition: saxo, recording }, { figures })))
    it(name, async () => {
      await run();
    });
});
