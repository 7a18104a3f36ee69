import { readRecording, recordingCases } from "@org/provider-kit/testing";
import { describe, it } from "vitest";
import ibkrFlex from "../src/index.js";

const recording = readRecording(new URL("./recording/ibkr-flex.recording.json", import.meta.url));

describe("[C-5.165] a statement of the Flex Web Service", () => {
  for (const { name, run } of recordingCases(() => ({ definition: ibkrFlex, recording })))
    it(name, async () => {
      await run();
    });
});
