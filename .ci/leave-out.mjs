// The test runner of `.ci/run`. It starts a long test file only if it can be expected to finish in time; on an idle machine all of them run. It names
// each file that it skips and counts it as a skipped test.
import { relative } from "node:path";
import { it, TestRunner } from "vitest";
import { root } from "../scripts/step.mjs";
import longTests from "./long-tests.json" with { type: "json" };
import { secondsLeft } from "./time-left.mjs";

/** Minimum time to reserve for the steps after the tests. */
const KEPT_SECONDS = 300;
/** How much slower than usual a shared machine may be. */
const SLOWNESS = 1.5;

/** Vitest requires a default export. */
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
