import { conformanceCases, readRecording, recordedSetup, recordingCases } from "@org/provider-kit/testing";
import kraken from "@org/provider-kraken";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/kraken.recording.json", import.meta.url));

describe("[C-5.160] the examples of Kraken's description", () => {
  for (const { name, run } of recordingCases(() => ({ definition: kraken, recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-10.22] [C-5.160] Kraken, by a key of its customer, keeps the rule:", () => {
  const stranger = { ...recording.customer.fields, api_key: "none" };
  const figures = ["25435.21", "504861.8946", "1.24350000", "198.3970800000", "30303.20"];
  for (const { name, run } of conformanceCases(() =>
    recordedSetup({ definition: kraken, recording }, { stranger, figures }),
  ))
    it(name, async () => {
      await run();
    });
});
