// Checks that every regular expression in shipped code takes linear time: with quadratic time a small file or header could stop the server (ReDoS).
// `recheck` proves it or finds a counterexample. Since checking all of them takes half a minute, those that passed are stored by hash in
// `linear-patterns.json`. Expressions built at run time (`new RegExp`) are not checked.
//
//   node scripts/check-patterns.mjs           checks those that are not stored
//   node scripts/check-patterns.mjs --all     checks all
//   node scripts/check-patterns.mjs --renew   stores those that pass, and removes obsolete ones
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import ts from "typescript";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

const ANSWER_WITHIN_MS = 60_000;
const rememberedFile = new URL("./linear-patterns.json", import.meta.url);
const [option] = process.argv.slice(2);
if (![undefined, "--all", "--renew"].includes(option)) {
  console.error("usage: node scripts/check-patterns.mjs [--all | --renew]");
  process.exit(2);
}

const remembered = new Set(existsSync(rememberedFile) ? JSON.parse(readFileSync(rememberedFile, "utf8")) : []);
/** Where each expression occurs, by hash. */
const patterns = new Map(patternsOf(shippedFiles()).map((pattern) => [hashOf(pattern), pattern]));
const faults = [];
for (const [hash, { source, flags, place }] of patterns) {
  if (option !== "--all" && remembered.has(hash)) continue;
  const fault = await faultOf(source, flags);
  if (fault !== null) faults.push(`${place}: /${source}/${flags} ${fault}`);
  else if (option !== "--renew" && !remembered.has(hash))
    faults.push(`${place}: /${source}/${flags} is new: run node scripts/check-patterns.mjs --renew`);
}
const leftOver = [...remembered].filter((hash) => !patterns.has(hash));
if (option === "--renew" && faults.length === 0)
  writeFileSync(rememberedFile, `${JSON.stringify([...patterns.keys()].sort(), null, 2)}\n`);
else if (leftOver.length > 0)
  faults.push(`${leftOver.length} remembered that are gone: run node scripts/check-patterns.mjs --renew`);
for (const fault of faults) console.error(fault);
console.log(`${patterns.size} regular expressions, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);

/** Sources of the packages and apps, without tests. */
function shippedFiles() {
  return listFiles().filter(
    (file) =>
      /^(?:packages|apps|examples)\/.*\/(?:src|client)\/.*\.tsx?$/.test(file) &&
      !/\.test\.tsx?$|\/testing\//.test(file),
  );
}

function patternsOf(files) {
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
    const found = [];
    const visit = (node) => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
        const end = node.text.lastIndexOf("/");
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), place: `${file}:${line + 1}` });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function hashOf({ source, flags }) {
  return createHash("sha256").update(`/${source}/${flags}`).digest("hex").slice(0, 16);
}

/** What is wrong with an expression, or null. */
async function faultOf(source, flags) {
  // recheck does not know the flags `d` and `v`: `d` changes nothing here, and `u` is the nearest to `v`.
  const known = flags.replace("d", "").replace("v", "u");
  const { status, complexity, attack, error } = await check(source, known, { timeout: ANSWER_WITHIN_MS });
  if (status === "safe") return null;
  if (status === "unknown") return `could not be judged (${error.kind})`;
  return `takes time of ${complexity.summary}, as with ${attack.pattern}`;
}
