// Checks the documentation: the tables in docs/explanation/architecture.md match the lint rules and the manifests, every relative link leads to an existing
// file and heading, docs/screenshots contains only pictures that a page shows, and what is pasted into a shell of one's own works in zsh too.
//
//   node scripts/check-docs.mjs            fails if a page is out of date
//   node scripts/check-docs.mjs --write    writes the tables again
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorOf, picturesOnPages } from "./pages.mjs";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

const page = "docs/explanation/architecture.md";
const begin = "<!-- written by scripts/check-docs.mjs --write -->";
const end = "<!-- end -->";
/** All other pictures go to artifacts/screenshots. */
const MAX_PICTURES = 40;
const faults = [];

const members = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group))
    .filter((folder) => existsSync(join(root, group, folder, "package.json")))
    .map((folder) => memberAt(`${group}/${folder}`)),
);
for (const member of members) checkAllowed(member);
checkTables(tablesOf(members));
const files = listFiles();
checkPictures(files.filter((file) => file.startsWith("docs/screenshots/")));
const pages = files.filter((file) => file.endsWith(".md"));
const links = pages.flatMap((file) => linksOf(file));
for (const link of links) checkLink(link);
for (const file of pastedPages()) checkPasted(file);

for (const fault of faults) console.error(fault);
console.log(
  `${members.length} packages and apps, ${links.length} links on ${pages.length} pages; ${faults.length} faults`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

function memberAt(folder) {
  const { name, description, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return {
    folder,
    name,
    description,
    imports: Object.keys(dependencies)
      .filter((each) => each.startsWith("@org/"))
      .sort(),
  };
}

/** The workspace imports that lint allows a package's source; null if it sets no rule. */
function allowedBy(folder) {
  const { overrides } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  const groups = overrides
    .filter(({ includes }) => includes.includes(`${folder}/src/**`))
    .flatMap(({ linter }) => linter?.rules?.style?.noRestrictedImports?.options?.patterns ?? [])
    .map(({ group }) => group)
    .filter((group) => group.includes("**") || group.includes("@org/**"));
  if (groups.length === 0) return null;
  return new Set(groups.flat().flatMap((pattern) => /^!(@org\/[\w-]+)/.exec(pattern)?.[1] ?? []));
}

function checkAllowed({ folder, imports }) {
  const allowed = allowedBy(folder);
  if (allowed === null) {
    if (folder.startsWith("packages/")) faults.push(`biome.json has no direction for ${folder}`);
    return;
  }
  for (const name of imports)
    if (!allowed.has(name)) faults.push(`${folder}/package.json depends on ${name}, which lint forbids it to import`);
}

/** Packages from the bottom up, then the apps. Omits implied imports: A → C is left out if A → B → C exists. */
function tablesOf(all) {
  const importsOf = new Map(all.map(({ name, imports }) => [name, imports]));
  const reaches = (from, to) => importsOf.get(from)?.some((next) => next === to || reaches(next, to)) ?? false;
  const heightOf = (name) => 1 + Math.max(0, ...(importsOf.get(name) ?? []).map(heightOf));
  const short = (name) => name.replace("@org/", "");
  const rowOf = ({ folder, name, description, imports }) => {
    const direct = imports.filter((target) => !imports.some((other) => other !== target && reaches(other, target)));
    return `| [${short(name)}](../../${folder}) | ${description} | ${direct.map(short).join(", ")} |`;
  };
  const tableOf = (title, prefix) => [
    `| ${title} | what it is | imports |`,
    "|---|---|---|",
    ...all
      .filter(({ folder }) => folder.startsWith(prefix))
      .sort((one, other) => heightOf(one.name) - heightOf(other.name) || one.name.localeCompare(other.name))
      .map(rowOf),
  ];
  return [...tableOf("package", "packages/"), "", ...tableOf("app", "apps/")];
}

function checkTables(lines) {
  const text = readFileSync(join(root, page), "utf8");
  const [head, rest = ""] = text.split(begin);
  const [, tail] = rest.split(end);
  if (tail === undefined) {
    faults.push(`${page} has no place for the tables`);
    return;
  }
  const written = `${head}${begin}\n\n${lines.join("\n")}\n\n${end}${tail}`;
  if (written === text) return;
  if (process.argv.includes("--write")) writeFileSync(join(root, page), written);
  else faults.push(`${page}: the tables are out of date; write them with \`node scripts/check-docs.mjs --write\``);
}

function checkPictures(pictures) {
  const shown = picturesOnPages();
  for (const picture of pictures) if (!shown.has(picture)) faults.push(`${picture}: no page of docs/ shows it`);
  if (pictures.length > MAX_PICTURES)
    faults.push(`docs/screenshots has ${pictures.length} pictures; ${MAX_PICTURES} are enough`);
}

function linksOf(file) {
  const text = readFileSync(join(root, file), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
    .map((target) => ({ file, target }));
}

function checkLink({ file, target }) {
  const [path, anchor] = target.split("#");
  const found = path === "" ? file : normalize(join(dirname(file), path));
  if (!existsSync(join(root, found))) faults.push(`${file}: ${target} leads nowhere`);
  else if (anchor !== undefined && found.endsWith(".md") && !anchorsOf(found).has(anchor))
    faults.push(`${file}: ${target} names no heading`);
}

/** The pages whose commands are pasted on laptops: the READMEs that come first, those of people with assistants and of integrators, the tutorials. */
function pastedPages() {
  const readers = JSON.parse(readFileSync(join(root, "docs/.vitepress/pages.json"), "utf8"));
  const listed = [readers.Assistants, readers.Integrate].flatMap((kinds) => Object.values(kinds).flat());
  const tutorials = pages.filter((file) => file.startsWith("docs/tutorials/"));
  return new Set([
    "README.md",
    "apps/wealth-connect/README.md",
    ...listed.map((name) => `docs/${name}.md`),
    ...tutorials,
  ]);
}

/** In zsh, the shell of macOS, a pasted comment is arguments, and a pattern that matches no file ends the command. A block with a name is a file. */
function checkPasted(file) {
  const text = readFileSync(join(root, file), "utf8").replace(/^<!-- receiver: .+ -->\n```[\s\S]*?^```/gm, "");
  for (const [, block] of text.matchAll(/^```sh\n([\s\S]*?)^```/gm))
    for (const line of block.split("\n")) {
      if (/(^|\s)#\s/.test(line)) faults.push(`${file}: a comment among commands: ${line}`);
      if (/\s[\w./-]*\*/.test(line.replace(/'[^']*'|"[^"]*"/g, ""))) faults.push(`${file}: a file pattern: ${line}`);
    }
}

function anchorsOf(file) {
  const headings = readFileSync(join(root, file), "utf8").matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading]) => anchorOf(heading)));
}
