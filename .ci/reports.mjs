// Reads the reports of a step. They have the fields of vitest's JSON reporter.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../scripts/step.mjs";
import { secondsLeft } from "./time-left.mjs";

/** A race fails in one or two files; more failing files mean that something is broken. */
const MAX_FILES_AGAIN = 5;
/** Minimum time for the rerun and the steps after the tests. */
const RETRY_BUDGET_SECONDS = 420;
const SECOND_RUN = ".again.json";

/** The file name of the report of a first run, or of the rerun (2). */
export function reportOf(name, run) {
  return `${name}-node-${process.version}${run === 2 ? SECOND_RUN : ".json"}`;
}

/** The failed test files, relative to the root; none if too many failed or too little time is left. */
export function filesToTryAgain(folder) {
  if (secondsLeft() < RETRY_BUDGET_SECONDS) return [];
  const failed = readReports(folder).results.filter(({ status }) => status === "failed");
  return failed.length > MAX_FILES_AGAIN ? [] : failed.map(({ name }) => relative(root, name));
}

/**
 * Reads the reports of a step's folder: `counts` come from reports of other checks, `results` from test files. If a file ran again, its second
 * result counts and `again` holds its first.
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

/** File, test and first lines of the error for every failed test, and for every file that failed as a whole. */
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
