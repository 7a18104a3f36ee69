// Checks the documentation: the diagram in docs/explanation/architecture.md matches the lint rules and the packages' dependencies, every relative link leads to
// an existing file and heading, and docs/screenshots contains only pictures that a page shows.
//
//   node scripts/check-docs.mjs            fails if a page is out of date
//   node scripts/check-docs.mjs --write    draws the diagram again
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorOf, picturesOnPages } from "./pages.mjs";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

const page = "docs/explanation/architecture.md";
const begin = "<!-- picture: drawn by scripts/check-docs.mjs --write -->";
const end = "<!-- end of picture -->";
/** All other pictures go to artifacts/screenshots. */
const MAX_PICTURES = 40;
const faults = [];

const members = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group))
    .filter((folder) => existsSync(join(root, group, folder, "package.json")))
    .map((folder) => memberAt(`${group}/${folder}`)),
);
for (const member of members) checkAllowed(member);
checkPicture(pictureOf(members));
const files = listFiles();
checkPictures(files.filter((file) => file.startsWith("docs/screenshots/")));
const pages = files.filter((file) => file.endsWith(".md"));
const links = pages.flatMap((file) => linksOf(file));
for (const link of links) checkLink(link);

for (const fault of faults) console.error(fault);
console.log(
  `${members.length} packages and apps drawn, ${links.length} links on ${pages.length} pages; ${faults.length} faults`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

function memberAt(folder) {
  const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return {
    folder,
    name,
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

/** Omits implied arrows: A → C is left out if A → B → C exists. */
function pictureOf(all) {
  const importsOf = new Map(all.map(({ name, imports }) => [name, imports]));
  const reaches = (from, to) => importsOf.get(from)?.some((next) => next === to || reaches(next, to)) ?? false;
  const short = (name) => name.replace("@org/", "");
  const group = (title, prefix) => [
    `  subgraph ${title}`,
    ...all.filter(({ folder }) => folder.startsWith(prefix)).map(({ name }) => `    ${short(name)}`),
    "  end",
  ];
  const arrows = all.flatMap(({ name, imports }) =>
    imports
      .filter((target) => !imports.some((other) => other !== target && reaches(other, target)))
      .map((target) => `  ${short(name)} --> ${short(target)}`),
  );
  return ["```mermaid", "flowchart TB", ...group("apps", "apps/"), ...group("packages", "packages/"), ...arrows, "```"];
}

function checkPicture(lines) {
  const text = readFileSync(join(root, page), "utf8");
  const [head, rest = ""] = text.split(begin);
  const [, tail] = rest.split(end);
  if (tail === undefined) {
    faults.push(`${page} has no place for the picture`);
    return;
  }
  const drawn = `${head}${begin}\n\n${lines.join("\n")}\n\n${end}${tail}`;
  if (drawn === text) return;
  if (process.argv.includes("--write")) writeFileSync(join(root, page), drawn);
  else faults.push(`${page}: the picture is behind; draw it with \`node scripts/check-docs.mjs --write\``);
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

function anchorsOf(file) {
  const headings = readFileSync(join(root, file), "utf8").matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading]) => anchorOf(heading)));
}
