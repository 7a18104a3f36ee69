import { conformanceCases, readRecording, recordedSetup, recordingCases } from "@org/provider-kit/testing";
import trading212 from "@org/provider-trading212";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/trading212.recording.json", import.meta.url));
const stranger = { api_key: "key-that-is-not-known", api_secret: "secret-of-larkspur-0815" };

describe("[C-5.175] [C-5.178] Trading 212, as a recording says:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: trading212, recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-10.22] [C-5.175] Trading 212, by a key of its customer, keeps the rule:", () => {
  const figures = ["5799.055", "232.14", "-1902.915"];
  for (const { name, run } of conformanceCases(() =>
    recordedSetup({ definition: trading212, recording }, { stranger, figures }),
  ))
    it(name, async () => {
      await run();
    });
});
