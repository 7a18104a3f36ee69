// What packages of the workspace need at run time, as installed here, and what pnpm-lock.yaml pins.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./step.mjs";

/**
 * These packages and all their direct and indirect runtime dependencies, by `name@version`: each with its folder, its manifest, and the keys of
 * those that it needs itself. @param folders packages of the workspace
 */
export function runtimeDependencies(folders) {
  const found = new Map();
  for (const folder of folders) collect(realpathSync(folder), found);
  return found;
}

function collect(folder, found) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, dependencies = {}, optionalDependencies = {} } = manifest;
  const key = `${name}@${version}`;
  if (found.has(key)) return key;
  const needs = [];
  found.set(key, { folder, manifest, needs });
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const target = find(each, folder);
    if (target) needs.push(collect(target, found));
    else if (!(each in optionalDependencies)) throw new Error(`${key} depends on ${each}, which is not installed`);
  }
  return key;
}

/** Resolves a package as Node would from a folder. */
function find(name, folder) {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
  }
  return null;
}

/** The packages that pnpm-lock.yaml pins, by `name@version`, with the hash of their tarballs (`sha512-…` in Base64). */
export function lockedPackages() {
  const text = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  const [packages] = /^packages:\n[\s\S]*?(?=^\S|(?![\s\S]))/m.exec(text) ?? [""];
  const entries = packages.matchAll(/^ {2}'?([^\s':]+@[^\s'(:]+)'?:\n {4}resolution: \{integrity: (sha512-[^\s},]+)/gm);
  return new Map([...entries].map(([, key, integrity]) => [key, integrity]));
}
