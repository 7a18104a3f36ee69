// What the reports of a step say. They have the fields of vitest's JSON reporter.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../scripts/step.mjs";

/** The reports that a step left in its folder. */
export function readReports(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
}

/** File, test and the first lines of why, of every test that failed, and of every file that failed as a whole. */
export function failuresOf(reports) {
  return reports.flatMap(({ testResults = [] }) => testResults.flatMap(ofFile));
}

function ofFile({ name, status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (tests.length === 0) return status === "failed" ? [`${relative(root, name)}\n${beginning(message)}`] : [];
  return tests.map((test) => told(name, test));
}

/** File, test and the first lines of why, of every test that failed once and passed when it was tried again. */
export function triedAgain(reports) {
  return reports.flatMap(({ testResults = [] }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
        .map((test) => told(name, test)),
    ),
  );
}

function told(file, { fullName, failureMessages }) {
  return `${relative(root, file)} > ${fullName}\n${beginning(failureMessages.join("\n"))}`;
}

function beginning(text) {
  return text
    .split("\n", 6)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join("\n");
}
