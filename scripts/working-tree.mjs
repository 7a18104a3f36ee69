// Lists the project's files: the working tree without what its .gitignore files exclude. Does not call Git, so that the checks also run in an
// unpacked archive.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./step.mjs";

/** Paths of all files of a folder, relative to it, with `/` between names. */
export function listFiles(folder = root, under = "", ignoredAbove = []) {
  const ignored = [...ignoredAbove, ...ignoredIn(folder, under)];
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = `${under}${entry.name}`;
    const named = entry.isDirectory() ? `${path}/` : path;
    if (entry.name === ".git" || ignored.some((pattern) => pattern.test(named))) return [];
    return entry.isDirectory() ? listFiles(folder, named, ignored) : [path];
  });
}

/** Copies the project's files. */
export function copyWorkingTree(to) {
  for (const file of listFiles()) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file), { verbatimSymlinks: true });
  }
}

function ignoredIn(folder, under) {
  const file = join(folder, under, ".gitignore");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => patternOf(line, under));
}

/** The pattern of a .gitignore line; supports names, paths and `*`. A folder's path ends with a slash here. */
function patternOf(line, under) {
  if (/[!?[\]\\]|\*\*/.test(line))
    throw new Error(`scripts/working-tree.mjs does not understand ${line} in .gitignore`);
  const escaped = (text) => text.replace(/[.+^${}()|]/g, "\\$&").replaceAll("*", "[^/]*");
  const isFolder = line.endsWith("/");
  const name = line.replace(/^\/|\/$/g, "");
  const isAnchored = /\/./.test(line);
  return new RegExp(`^${escaped(under)}${isAnchored ? "" : "(?:.*/)?"}${escaped(name)}${isFolder ? "/" : "/?"}$`);
}
