// Checks that each dependency has a line in docs/decisions/dependencies.md, and that the page lists no unused one. A line is a first table cell
// with a name in backticks, or a name in backticks in a paragraph.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

const page = readFileSync(join(root, "docs/decisions/dependencies.md"), "utf8");
const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

const used = new Set(manifests().flatMap((manifest) => kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))));
const thirdParty = [...used].filter((name) => !name.startsWith("@org/"));
const described = namesOn(page);

const missing = thirdParty.filter((name) => !described.has(name)).sort();
const leftOver = [...described].filter((name) => !used.has(name)).sort();
for (const name of missing) console.error(`${name} has no line in docs/decisions/dependencies.md`);
for (const name of leftOver)
  console.error(`docs/decisions/dependencies.md describes ${name}, which nothing depends on`);
console.log(`${thirdParty.length} dependencies, ${missing.length} not described, ${leftOver.length} left over`);
process.exitCode = missing.length + leftOver.length > 0 ? 1 : 0;

function manifests() {
  const workspaces = ["packages", "apps", "examples"].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(group, name)),
  );
  return [".", "bench", "resilience", ...workspaces].map((folder) =>
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
  );
}

/** Names in first cells of tables, and in the two paragraphs that describe several dependencies at once. */
function namesOn(text) {
  const rows = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  const paragraphs = [...text.matchAll(/^## (?:Types only|Only in `bench\/`)\n([^#]*)/gm)].flatMap(([, paragraph]) =>
    [...paragraph.matchAll(/`([@a-z][\w@/.-]*)`/g)].map(([, name]) => name),
  );
  return new Set([...rows, ...paragraphs]);
}
