import { describe, it } from "vitest";
import { conformanceCases, readRecording, recordedSetup, recordingCases } from "../src/testing/index.js";
import harbour from "./harbour/harbour.js";

const recording = readRecording(new URL("./harbour/harbour.recording.json", import.meta.url));

describe("[C-5.161] a provider that reads everything rightly", () => {
  for (const { name, run } of recordingCases(() => ({ definition: harbour, recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-5.161] a recording is the stand-in of the rules of the port", () => {
  for (const { name, run } of conformanceCases(() =>
    recordedSetup({ definition: harbour, recording }, { stranger: { user: "ada.harbour", pin: "wrong-pin" } }),
  ))
    it(name, async () => {
      await run();
    });
});
