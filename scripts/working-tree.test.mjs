import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

const scratch = mkdtempSync(join(tmpdir(), "working-tree-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function write(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, folder, file)), { recursive: true });
    writeFileSync(join(scratch, folder, file), text);
  }
  return join(scratch, folder);
}

it("lists what no .gitignore names, in a folder without a repository", () => {
  const folder = write("one", {
    ".gitignore": "# made by the build\ndist/\n*.tgz\npackages/a/made.d.ts\n/top\n",
    "packages/a/.gitignore": "*.env\n",
    ...Object.fromEntries(
      ["kept.ts", "dist/a.js", "packages/a/dist/b.js", "packages/a/x.tgz", "packages/a/made.d.ts", "top"].map(
        (file) => [file, ""],
      ),
    ),
    "packages/b/made.d.ts": "",
    "packages/b/top": "",
    "packages/a/x.env": "",
    "packages/b/x.env": "",
    "packages/b/dist": "a file",
    ".git/HEAD": "",
    "packages/c/.git": "",
  });
  expect(listFiles(folder).sort()).toEqual([
    ".gitignore",
    "kept.ts",
    "packages/a/.gitignore",
    "packages/b/dist",
    "packages/b/made.d.ts",
    "packages/b/top",
    "packages/b/x.env",
  ]);
});

it("refuses a line of a .gitignore that it does not understand", () => {
  expect(() => listFiles(write("two", { ".gitignore": "!kept\n" }))).toThrow("does not understand !kept");
});

it.skipIf(!existsSync(join(root, ".git")))("lists what Git knows of the project, and nothing that it ignores", () => {
  const git = (...args) =>
    execFileSync("git", args, { cwd: root, maxBuffer: 2 ** 26 })
      .toString()
      .split("\0");
  const listed = listFiles();
  const tracked = git("ls-files", "-z").filter((file) => file !== "" && existsSync(join(root, file)));
  const ignored = new Set(git("ls-files", "-z", "--others", "--ignored", "--exclude-standard"));
  expect(tracked.filter((file) => !listed.includes(file))).toEqual([]);
  expect(listed.filter((file) => ignored.has(file))).toEqual([]);
});
