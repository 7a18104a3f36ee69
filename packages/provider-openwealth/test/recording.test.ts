import { readRecording, recordingCases } from "@org/provider-kit/testing";
import openWealth from "@org/provider-openwealth";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/openwealth.recording.json", import.meta.url));

describe("[C-5.164] the examples of OpenWealth Custody Services", () => {
  for (const { name, run } of recordingCases(() => ({ definition: openWealth, recording })))
    it(name, async () => {
      await run();
    });
});
