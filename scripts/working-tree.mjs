// What Git would have of the working tree, committed or not.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./step.mjs";

/** Names of files as Git knows them, of a folder in which it is at work. */
export function knownFiles(folder = root, patterns = []) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...patterns];
  const names = execFileSync("git", args, { cwd: folder }).toString().split("\0");
  return names.filter((name) => name !== "" && existsSync(join(folder, name)));
}

/** Copies those of the repository; those that fit `patterns`, where there are some. */
export function copyWorkingTree(to, patterns = []) {
  for (const file of knownFiles(root, patterns)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file), { verbatimSymlinks: true });
  }
}
