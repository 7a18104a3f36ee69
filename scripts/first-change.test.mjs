// Carries out docs/tutorials/first-change.md on a copy of its package.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "./step.mjs";

const page = readFileSync(join(root, "docs/tutorials/first-change.md"), "utf8");
const [rule, test, code] = changesOf(page);
const [passed, failed] = [...page.matchAll(/```text\n(.*)\n```/g)].map(([, line]) => line.trim());

it("the rule of docs/tutorials/first-change.md is a rule, and its id is free", () => {
  const rules = readFileSync(join(root, rule.file), "utf8");
  const [, id] = /^- (C-4\.\d+) — \S.+$/.exec(rule.hunks[0].after.trim()) ?? [];
  expect(id).toBeDefined();
  expect(rules).not.toContain(id);
});

it("the test of docs/tutorials/first-change.md fails before the change of the code and passes after it", () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const copy = mkdtempSync(join(cache, "first-change-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const source = join("packages/relogin-rule", "src");
  cpSync(join(root, source), join(copy, source), { recursive: true });
  // Its own, or vitest would take the repository's, whose setup files are not in the copy.
  writeFileSync(join(copy, "vitest.config.mjs"), "export default {};");

  expect(runTests(copy)).toMatchObject({ status: 0, stdout: expect.stringContaining(passed) });
  change(copy, test);
  expect(runTests(copy)).toMatchObject({ status: 1, stdout: expect.stringContaining(failed) });
  change(copy, code);
  expect(runTests(copy)).toMatchObject({ status: 0, stdout: expect.stringContaining(passed) });
});

/** The changes that the page shows, each with the file that the text before it names. */
function changesOf(text) {
  return [...text.matchAll(/```diff\n([\s\S]*?)```/g)].map(({ index, 1: block }) => ({
    file: [...text.slice(0, index).matchAll(/In\s+`([^`]+)`/gi)].at(-1)[1],
    hunks: block.split("@@\n").map((hunk) => ({ before: sideOf(hunk, "-"), after: sideOf(hunk, "+") })),
  }));
}

function sideOf(hunk, sign) {
  const lines = hunk.split("\n").filter((line) => line.startsWith(sign) || line.startsWith(" "));
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

function change(folder, { file, hunks }) {
  const path = join(folder, file);
  let text = readFileSync(path, "utf8");
  for (const { before, after } of hunks) {
    expect(text.split(before), `${file} has once: ${before}`).toHaveLength(2);
    text = text.replace(before, () => after);
  }
  writeFileSync(path, text);
}

function runTests(folder) {
  const { VITEST: _, ...env } = process.env;
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return spawnSync(process.execPath, [vitest, "run", "--root", folder], {
    encoding: "utf8",
    env: { ...env, NO_COLOR: "1" },
  });
}
