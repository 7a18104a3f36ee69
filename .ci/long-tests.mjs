// Every test, and in time: first `npm test` without the test files that take long, then these, in groups, each begun only when it can
// be expected to end before the run has to. On a quiet machine all of them are; what was left out counts as skipped, by file.
//
//   node .ci/long-tests.mjs        TEST_REPORT_DIR: where reports go; CI_STARTED: when the run began, Unix seconds
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/step.mjs";
import { secondsLeft } from "./time-left.mjs";

/** What the steps after this one need, at least. */
const KEPT_SECONDS = 240;
/** How much slower than usual a machine may be that others share. */
const SLOWNESS = 2;

const { TEST_REPORT_DIR: reports } = process.env;
const groups = JSON.parse(readFileSync(new URL("./long-tests.json", import.meta.url), "utf8"));

let status = await run("npm", ["test"], { LONG_TESTS: "apart" });
for (const [index, { seconds, files }] of groups.entries()) {
  const left = secondsLeft() - KEPT_SECONDS;
  const report = reports && join(reports, `long-tests-${index + 1}.json`);
  if (left < SLOWNESS * seconds) {
    console.log(`LEFT OUT, for the time is short (${Math.round(left)} s left): ${files.join(", ")}`);
    if (report)
      writeFileSync(report, JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: files.length }));
    continue;
  }
  const reporters = report ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  status = (await run(join(root, "node_modules/.bin/vitest"), ["run", ...files, ...reporters])) || status;
}
process.exitCode = status;

function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
