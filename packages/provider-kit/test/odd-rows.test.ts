import { describe, expect, it } from "vitest";
import { type Recording, readRecording, recordingCases } from "../src/testing/index.js";
import { type QuayMistakes, quay } from "./quay/quay.js";

const recording = readRecording(new URL("./quay/quay.recording.json", import.meta.url));
const rule = "a row that is odd loses no other row, and is not left out in silence";

function casesOf(mistakes: QuayMistakes = {}, given: Recording = recording) {
  return recordingCases(() => ({ definition: quay(mistakes), recording: given }));
}

function runOdd(mistakes: QuayMistakes, given?: Recording) {
  return casesOf(mistakes, given)
    .find(({ name }) => name === rule)
    ?.run();
}

describe("[C-5.218] a provider with a list for each kind of entry, whose keys are a part of the ids, keeps the rule:", () => {
  for (const { name, run } of casesOf())
    it(name, async () => {
      await run();
    });
});

it("[C-5.218] an odd row of each shape is tried, in whichever answer and at whichever place it is", async () => {
  const skips: QuayMistakes["skips"] = ({ cash }) => !cash;
  const message = "has a row with no cash, leaves it out of transactions without a line in the log";
  await expect(runOdd({ skips })).rejects.toThrow(message);
  const reversed = { ...recording, exchanges: recording.exchanges.toReversed() };
  await expect(runOdd({ skips }, reversed)).rejects.toThrow(message);
});

it("[C-5.218] a row that is lost with an odd one is found, whatever its key is made of", async () => {
  let isOdd = false;
  const skips: QuayMistakes["skips"] = ({ id, cash }) => {
    if (id.endsWith("8001")) isOdd = !cash;
    return isOdd && id.endsWith("8002");
  };
  await expect(runOdd({ skips })).rejects.toThrow(
    /no cash, loses another: .*the row account-7001 dividend-8002 is missing/,
  );
});
