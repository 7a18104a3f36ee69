// Adds up the results that the steps of a CI run left in their folders. The last line is "N passed, N failed, N skipped"; the exit code is 0 if
// nothing failed. A step that failed without a failed test in its reports counts as one failure. Failures, including those that only the first of
// two runs had, are printed before the sums, because readers look at the end of a long log.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failuresOf, readReports } from "./reports.mjs";

const [folder] = process.argv.slice(2);
const steps = readdirSync(folder).sort((a, b) => Number(a) - Number(b));
const counted = steps.map((step) => count(join(folder, step)));

for (const { name, again } of counted) for (const test of again) console.log(`FAILED ONCE in ${name}: ${test}`);
for (const { name, failures } of counted) for (const failure of failures) console.log(`FAILED in ${name}: ${failure}`);
for (const { name, passed, failed, skipped } of counted)
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
const sum = (key) => counted.reduce((total, each) => total + each[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
process.exitCode = sum("failed") > 0 ? 1 : 0;

/** A step without reports counts as one check. */
function count(path) {
  const [name, status] = readFileSync(join(path, "step"), "utf8").split("\n");
  const { counts, results, again } = readReports(path);
  const tests = results.flatMap(({ assertionResults }) => assertionResults);
  const total = (key, ...statuses) =>
    counts.reduce((all, report) => all + (report[key] ?? 0), 0) +
    tests.filter((test) => statuses.includes(test.status)).length;

  const failed = total("numFailedTests", "failed");
  const broken = status !== "0" && failed === 0 ? 1 : 0;
  const lone = counts.length + results.length === 0 && status === "0" ? 1 : 0;
  return {
    name,
    passed: total("numPassedTests", "passed") + lone,
    failed: failed + broken,
    skipped: total("numPendingTests", "skipped", "pending", "todo", "disabled"),
    failures: failuresOf(results),
    again: failuresOf(again),
  };
}
