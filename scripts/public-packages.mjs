// The packages of the workspace that are published: those that do not say `private`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Each with its folder, as `packages/core`, and its manifest. */
export function publicPackages(from = root) {
  return ["packages", "apps"]
    .flatMap((group) => readdirSync(join(from, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(from, folder, "package.json")))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(from, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => !manifest.private);
}
