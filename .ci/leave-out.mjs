// What runs tests in `.ci/run`: a test file that takes long is begun only when it can be expected to end before the run has to. On a quiet
// machine all of them are; one that was left out is named, and counts as a skipped test.
import { relative } from "node:path";
import { it, TestRunner } from "vitest";
import { root } from "../scripts/step.mjs";
import longTests from "./long-tests.json" with { type: "json" };
import { secondsLeft } from "./time-left.mjs";

/** What the steps after the tests need, at least. */
const KEPT_SECONDS = 300;
/** How much slower than usual a machine may be that others share. */
const SLOWNESS = 2;

/** Vitest asks for a default export. */
export default class extends TestRunner {
  importFile(path, source) {
    const file = relative(root, path).replaceAll("\\", "/");
    const seconds = longTests[file];
    const left = secondsLeft() - KEPT_SECONDS;
    if (source !== "collect" || seconds === undefined || left >= SLOWNESS * seconds)
      return super.importFile(path, source);
    console.log(`LEFT OUT, for the time is short (${Math.round(left)} s left): ${file}`);
    return it.skip("left out, for the time is short", () => {});
  }
}
