import { conformanceCases, readRecording, recordedSetup, recordingCases } from "@org/provider-kit/testing";
import snaptrade from "@org/provider-snaptrade";
import { describe, it } from "vitest";

const recording = readRecording(new URL("./recording/snaptrade.recording.json", import.meta.url));

describe("[C-5.240] SnapTrade, as a recording says:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: snaptrade, recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-10.22] [C-5.240] SnapTrade, by its portal, keeps the rule:", () => {
  const figures = ["15363.23", "10.5", "64000.55", "-55.58", "-1242.05"];
  const forged = {
    headers: { signature: "c2lnbmF0dXJl" },
    body: new TextEncoder().encode('{"eventType":"CONNECTION_BROKEN","eventTimestamp":"2026-03-10T18:00:00Z"}'),
  };
  const setup = () => recordedSetup({ definition: snaptrade, recording }, { figures, forged });
  for (const { name, run } of conformanceCases(setup))
    it(name, async () => {
      await run();
    });
});
