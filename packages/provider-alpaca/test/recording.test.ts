import alpaca from "@org/provider-alpaca";
import { readRecording, recordingCases } from "@org/provider-kit/testing";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/alpaca.recording.json", import.meta.url));

describe("[C-5.207] Alpaca, as a recording says:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: alpaca, recording })))
    it(name, async () => {
      await run();
    });
});
