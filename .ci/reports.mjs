// What the reports of a step say. They have the fields of vitest's JSON reporter.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../scripts/step.mjs";
import { secondsLeft } from "./time-left.mjs";

/** A race fails in one file or in two; what fails in more is broken. */
const MAX_FILES_AGAIN = 5;
/** What the files that run again, and the steps after the tests, need at least. */
const RETRY_BUDGET_SECONDS = 420;
const SECOND_RUN = ".again.json";

/** The file name of the report of a first run, or of the second of what failed in it (2). */
export function reportOf(name, run) {
  return `${name}-node-${process.version}${run === 2 ? SECOND_RUN : ".json"}`;
}

/** The test files, from the root, of which something failed; none where it was too much, or where the time is short. */
export function filesToTryAgain(folder) {
  if (secondsLeft() < RETRY_BUDGET_SECONDS) return [];
  const failed = readReports(folder).results.filter(({ status }) => status === "failed");
  return failed.length > MAX_FILES_AGAIN ? [] : failed.map(({ name }) => relative(root, name));
}

/**
 * What the reports of a step's folder say: `counts` as they stand in reports of no test files, `results` of test files. Of a file that ran
 * again the second result counts; `again` are the first ones of those.
 */
export function readReports(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  const read = (isSecond) =>
    files
      .filter((file) => file.endsWith(SECOND_RUN) === isSecond)
      .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const [first, second] = [read(false), read(true).flatMap(({ testResults }) => testResults)];
  const replaced = new Set(second.map(({ name }) => name));
  const results = first.flatMap(({ testResults = [] }) => testResults);
  return {
    counts: first.filter(({ testResults }) => testResults === undefined),
    results: [...results.filter(({ name }) => !replaced.has(name)), ...second],
    again: results.filter(({ name }) => replaced.has(name)),
  };
}

/** File, test and the first lines of why, of every test that failed, and of every file that failed as a whole. */
export function failuresOf(results) {
  return results.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length > 0) return tests.map((test) => told(name, test.fullName, test.failureMessages.join("\n")));
    return status === "failed" ? [told(name, "all of it", message)] : [];
  });
}

function told(file, test, why) {
  const beginning = why.split("\n", 6).map((line) => `  ${line.slice(0, 300)}`);
  return [`${relative(root, file)} > ${test}`, ...beginning].join("\n");
}
