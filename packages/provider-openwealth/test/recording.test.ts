import { readRecording, recordingCases } from "@org/provider-kit/testing";
import openWealth from "@org/provider-openwealth";
import { describe, it } from "vitest";

describe.each([
  ["[C-5.164] the examples of OpenWealth Custody Services 3.2", "openwealth"],
  ["[C-5.261] answers of OpenWealth Custody Services 1.1", "openwealth-1.1"],
  ["[C-5.261] [C-5.262] answers of OpenWealth Custody Services 1.2, with a consent of each customer", "openwealth-1.2"],
  ["[C-5.261] answers of OpenWealth Custody Services 2.0", "openwealth-2.0"],
])("%s", (_, name) => {
  const recording = readRecording(new URL(`./recording/${name}.recording.json`, import.meta.url));
  for (const { name, run } of recordingCases(() => ({ definition: openWealth, recording })))
    it(name, async () => {
      await run();
    });
});
