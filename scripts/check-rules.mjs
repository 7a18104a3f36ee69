// Checks tests against the specification: every id cited in a test must be in docs/reference/spec-rules.md, and every rule there that is not marked (later)
// must be cited by a test or by a check in `.ci/`. An id counts if it is in a string, such as a test's name or a row of its table, or in the name of
// a step of `.ci/run`, but not in a comment. The tests that docs/reference/oauth-requirements.md and docs/reference/mcp-requirements.md name must exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../", import.meta.url));
const ruleLine = /^- ((?:S1|S2|C)-\d+\.\d+) — .+?( \(later\))?$/;
const anyId = /\b(?:S1|S2|C)-\d+\.\d+\b/g;

const rules = readRules(readFileSync(join(root, "docs/reference/spec-rules.md"), "utf8"));
const citations = readCitations(testFiles());

const unknown = [...citations].filter(([id]) => !rules.has(id));
const uncited = [...rules].filter(([id, rule]) => !rule.later && !citations.has(id));

for (const [id, files] of unknown)
  console.error(`${id} is cited in ${[...files].join(", ")} but is not in docs/reference/spec-rules.md`);
for (const [, rule] of uncited) console.error(`no test cites: ${rule.line}`);
const untested = ["docs/reference/oauth-requirements.md", "docs/reference/mcp-requirements.md"].flatMap((page) =>
  readRequirements(readFileSync(join(root, page), "utf8")).map((line) => `${page}: ${line}`),
);
for (const line of untested) console.error(line);
const cited = [...rules.keys()].filter((id) => citations.has(id)).length;
console.log(`${cited} of ${rules.size} rules cited; ${uncited.length} missing, ${unknown.length} unknown`);
process.exit(unknown.length + uncited.length + untested.length > 0 ? 1 : 0);

/** Table rows without a test, and tests named there that do not exist. */
function readRequirements(page) {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (requirement|client|---)/.test(line));
  return rows.flatMap((row) => {
    const tests = [...row.matchAll(/\]\((?:\.\.\/)+([^)]+)\): “([^”]+)”/g)];
    if (tests.length === 0) return [`no test is named: ${row}`];
    return tests
      .filter(([, file, name]) => {
        const path = join(root, file);
        return !existsSync(path) || !readFileSync(path, "utf8").includes(name.replaceAll("\\|", "|"));
      })
      .map(([, file, name]) => `no test “${name}” in ${file}`);
  });
}

function readRules(page) {
  const found = new Map();
  for (const [index, line] of page.split("\n").entries()) {
    if (!/^- (S1|S2|C)-/.test(line)) continue;
    const [, id, later] = ruleLine.exec(line) ?? [];
    if (!id) throw new Error(`docs/reference/spec-rules.md:${index + 1} is not "- <id> — <rule>": ${line}`);
    if (found.has(id)) throw new Error(`docs/reference/spec-rules.md:${index + 1} gives ${id} a second time`);
    found.set(id, { line, later: Boolean(later) });
  }
  return found;
}

/**
 * Test files, and the conformance suites in the packages' `testing` folders, whose `it(…)` the tests call. Rules that no test can check, because
 * they are about a clone without dependencies, are checked by a script of `.ci/`.
 */
function testFiles() {
  const files = readdirSync(join(root, ".ci")).map((name) => join(".ci", name));
  for (const group of ["packages", "apps", "examples"]) {
    for (const name of readdirSync(join(root, group))) {
      for (const folder of ["src", "test"]) {
        const path = join(group, name, folder);
        if (!existsSync(join(root, path))) continue;
        for (const file of readdirSync(join(root, path), { recursive: true })) files.push(join(path, file));
      }
    }
  }
  return files.filter((file) => /\.test\.tsx?$|[\\/]testing[\\/].*\.tsx?$|^\.ci[\\/](.*\.mjs|run)$/.test(file));
}

function readCitations(files) {
  const found = new Map();
  for (const file of files) {
    if (!/\.(tsx?|mjs)$/.test(file)) {
      // Steps of a shell script: step "[C-1.2] npm test" …
      for (const [, name] of readFileSync(join(root, file), "utf8").matchAll(/^step "([^"]*)"/gm))
        for (const [id] of name.matchAll(anyId)) found.set(id, (found.get(id) ?? new Set()).add(file));
      continue;
    }
    const visit = (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
        for (const [id] of node.text.matchAll(anyId)) found.set(id, (found.get(id) ?? new Set()).add(file));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest));
  }
  return found;
}
