// Checks that a word has one meaning: no two packages declare and export the same name, and the words that docs/reference/glossary.md replaced do not return.
// Skips tests, test helpers, and the two page apps, whose components nobody imports. Starts with planted violations to prove that the check works.
//
//   node scripts/check-words.mjs
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Names that may be exported twice, with the reason. */
const allowed = new Map([["Uuid", "oauth-server knows nothing of core; the brand is the same, so the ids are too"]]);

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)/gm;
/** A name in its declaration, or a member at the start of a line. */
const named =
  /(?:\b(?:function\*?|const|let|class|interface|type|enum|readonly)\s+|^\s+(?:async\s+)?)(\w+)(?=[\s(<:?=])/gm;

const planted = [
  [{ "packages/a/src/x.ts": "export function settle() {}", "packages/b/src/y.ts": "export const settle = 1;" }, 1],
  [{ "packages/a/src/x.ts": "export function settle() {}", "packages/a/src/y.ts": "export const settle = 1;" }, 0],
  [{ "packages/a/src/x.ts": "export interface A {}", "packages/b/src/y.ts": 'export type { A } from "@org/a";' }, 0],
  [{ "packages/a/src/x.ts": "const MOST_ROWS = 1;" }, 1],
  [{ "packages/a/src/x.ts": "interface Gone {\n  lend(): void;\n}" }, 1],
  [{ "packages/a/src/letter-desk.ts": "" }, 1],
  [{ "packages/a/src/x.ts": "// to lend\nconst MAX_ROWS = 1;" }, 0],
];
const plantedWords = replacedIn(
  "| replaced | say |\n|---|---|\n| `lend`, `MOST_…` | `withConnection`, `MAX_…` |\n| `…-desk` | x |\n",
);
const dull = planted.filter(
  ([files, faults]) => faultsOf(new Map(Object.entries(files)), plantedWords).length !== faults,
);
for (const [files] of dull) console.error(`the check does not judge this as it should: ${JSON.stringify(files)}`);

const replaced = replacedIn(readFileSync(join(root, "docs/reference/glossary.md"), "utf8"));
const files = sources();
const faults = faultsOf(files, replaced);
for (const fault of faults) console.error(fault);
console.log(`${files.size} files, ${replaced.length} replaced words; ${faults.length} faults`);
process.exitCode = faults.length + dull.length > 0 ? 1 : 0;

/** The first column of the last table as patterns: `MOST_…` matches the start of a name, `…-desk` the end of a file name. */
function replacedIn(glossary) {
  const table = glossary.trim().split(/\n\n+/).at(-1) ?? "";
  return table
    .split("\n")
    .slice(2)
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word))
    .map((word) => ({ word, isOfFiles: word.includes("-"), pattern: patternOf(word) }));
}

function patternOf(word) {
  return new RegExp(`^${word.replace(/^…/, ".*").replace(/…$/, ".*")}$`);
}

function faultsOf(texts, words) {
  const found = [];
  const homes = new Map();
  for (const [file, text] of texts) {
    const folder = file.split("/").slice(0, 2).join("/");
    for (const [, name] of text.matchAll(declaration)) {
      const before = homes.get(name) ?? { folder, file };
      homes.set(name, before);
      if (before.folder !== folder && !allowed.has(name))
        found.push(`${name}: exported by ${before.file} and by ${file}; one word has one meaning`);
    }
    const base = file.replace(/^.*\//, "").replace(/\..*$/, "");
    const names = new Set([...text.matchAll(named)].map(([, name]) => name));
    for (const { word, isOfFiles, pattern } of words) {
      if (isOfFiles ? pattern.test(base) : [...names].some((name) => pattern.test(name)))
        found.push(`${file}: ${word} was replaced, see the last table of docs/reference/glossary.md`);
    }
  }
  return found;
}

/** Sources by path, read from the folder so that this also runs without git. */
function sources() {
  const texts = new Map();
  for (const group of ["packages", "apps"])
    for (const member of readdirSync(join(root, group))) {
      if (group === "apps" && (member === "console" || member === "portfolio-view")) continue;
      read(`${group}/${member}/src`);
    }
  return texts;

  function read(folder) {
    let entries = [];
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== "testing") read(path);
      } else if (/(?<!\.test|\.d)\.tsx?$/.test(entry.name)) texts.set(path, readFileSync(join(root, path), "utf8"));
    }
  }
}
