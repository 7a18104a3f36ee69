// Names, versions and licences of all direct and indirect runtime dependencies of these packages.
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text to ship with a bundle. @param folders packages of the workspace */
export function noticesOf(folders) {
  const found = new Map();
  for (const folder of folders) collect(folder, found);
  const ours = (name) => name.startsWith("@org/");
  const notices = [...found.values()].filter(({ name }) => !ours(name)).sort((a, b) => (a.title < b.title ? -1 : 1));
  const unlicensed = notices.filter(({ license, text }) => !license && !text).map(({ title }) => title);
  if (unlicensed.length > 0) throw new Error(`no licence is known of ${unlicensed.join(", ")}`);
  const line = "-".repeat(80);
  return `Wealth Connect contains or needs the following packages.\n\n${notices
    .map(({ title, license, text }) => `${line}\n${title} (${license ?? "see below"})\n\n${text ?? ""}`.trimEnd())
    .join("\n\n")}\n`;
}

function collect(folder, found) {
  const { name, version, license, author, dependencies = {}, optionalDependencies = {} } = read(folder);
  const title = `${name} ${version}`;
  if (found.has(title)) return;
  const holder = typeof author === "string" ? author : author?.name;
  found.set(title, { name, title, license: license?.type ?? license, text: licenceText(folder) ?? holder });
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const target = find(each, folder);
    if (target) collect(target, found);
    else if (!(each in optionalDependencies)) throw new Error(`${title} depends on ${each}, which is not installed`);
  }
}

function read(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file && readFileSync(join(folder, file), "utf8").trim();
}

/** Resolves a package as Node would from a folder. */
function find(name, folder) {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
  }
  return null;
}
