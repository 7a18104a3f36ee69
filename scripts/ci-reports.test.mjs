import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { filesToTryAgain, reportOf } from "../.ci/reports.mjs";
import { root } from "./step.mjs";

const scratch = [];
afterEach(() => {
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates the folder of one step with its exit code and the reports of its runs: per test file, the states of its tests. */
function stepOf(status, ...runs) {
  const folder = mkdtempSync(join(tmpdir(), "reports-"));
  scratch.push(folder);
  const path = join(folder, "1");
  mkdirSync(path);
  writeFileSync(join(path, "step"), `tests\n${status}\n`);
  for (const [index, files] of runs.entries()) {
    const testResults = Object.entries(files).map(([name, states]) => ({
      name: join(root, name),
      status: states.includes("failed") || states.length === 0 ? "failed" : "passed",
      message: states.length === 0 ? "it does not load" : "",
      assertionResults: states.map((state, place) => ({
        status: state,
        fullName: `test ${place}`,
        failureMessages: state === "failed" ? ["a reason\n  at a place"] : [],
      })),
    }));
    writeFileSync(join(path, reportOf("npm-test", index + 1)), JSON.stringify({ testResults }));
  }
  return { folder, path };
}

function sums(folder) {
  const { stdout, status } = spawnSync(process.execPath, [".ci/sums.mjs", folder], { cwd: root, encoding: "utf8" });
  return { lines: stdout.trimEnd().split("\n"), status };
}

it("what failed and passed when its file ran again counts once, and is named", () => {
  const first = { "a.test.ts": ["passed", "failed", "skipped"], "b.test.ts": ["passed"] };
  const { folder } = stepOf(0, first, { "a.test.ts": ["passed", "passed", "skipped"] });
  const { lines, status } = sums(folder);
  expect([status, lines.at(-1)]).toEqual([0, "3 passed, 0 failed, 1 skipped"]);
  expect(lines[0]).toBe("FAILED ONCE in tests: a.test.ts > test 1");
  expect(lines.filter((line) => line.startsWith("FAILED in"))).toEqual([]);
});

it("what fails both times has failed", () => {
  const { folder } = stepOf(1, { "a.test.ts": ["passed", "failed"] }, { "a.test.ts": ["passed", "failed"] });
  const { lines, status } = sums(folder);
  expect([status, lines.at(-1)]).toEqual([1, "1 passed, 1 failed, 0 skipped"]);
  expect(lines).toContain("FAILED in tests: a.test.ts > test 1");
});

it("a file that does not load, and a step that fails by itself, have failed", () => {
  expect(sums(stepOf(1, { "a.test.ts": [], "b.test.ts": ["passed"] }).folder)).toMatchObject({ status: 1 });
  expect(sums(stepOf(1, { "b.test.ts": ["passed"] }).folder).lines.at(-1)).toBe("1 passed, 1 failed, 0 skipped");
});

it("files run again when they are few", () => {
  const files = (count) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.test.ts`, ["failed"]]));
  expect(filesToTryAgain(stepOf(1, { ...files(2), "sound.test.ts": ["passed"] }).path)).toEqual([
    "0.test.ts",
    "1.test.ts",
  ]);
  expect(filesToTryAgain(stepOf(1, files(6)).path)).toEqual([]);
  expect(filesToTryAgain(stepOf(1, { "sound.test.ts": ["passed"] }).path)).toEqual([]);
});
