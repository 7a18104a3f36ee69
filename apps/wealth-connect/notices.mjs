// Names, versions and licences of all direct and indirect runtime dependencies of these packages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runtimeDependencies } from "../../scripts/runtime-dependencies.mjs";

/** The text to ship with a bundle. @param folders packages of the workspace */
export function noticesOf(folders) {
  const notices = [...runtimeDependencies(folders).values()]
    .filter(({ manifest }) => !manifest.name.startsWith("@org/"))
    .map(({ folder, manifest: { name, version, license, author } }) => ({
      title: `${name} ${version}`,
      license: license?.type ?? license,
      text: licenceText(folder) ?? (typeof author === "string" ? author : author?.name),
    }))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
  const unlicensed = notices.filter(({ license, text }) => !license && !text).map(({ title }) => title);
  if (unlicensed.length > 0) throw new Error(`no licence is known of ${unlicensed.join(", ")}`);
  const line = "-".repeat(80);
  return `Wealth Connect contains or needs the following packages.\n\n${notices
    .map(({ title, license, text }) => `${line}\n${title} (${license ?? "see below"})\n\n${text ?? ""}`.trimEnd())
    .join("\n\n")}\n`;
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file && readFileSync(join(folder, file), "utf8").trim();
}
