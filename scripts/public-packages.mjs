// The packages that are published (those not marked `private`), and what prevents publishing them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Each package with its folder, such as `packages/core`, and its manifest. */
export function publicPackages(from = root) {
  return ["packages", "apps"]
    .flatMap((group) => readdirSync(join(from, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(from, folder, "package.json")))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(from, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => !manifest.private);
}

/** Written so that the command in docs/how-to/publish.md that renames the scope does not change it. */
const STAND_IN = /^@org$/;

/** What must be fixed before packages are published; for npm, they need their own scope and repository. */
export function faultsBeforePublishing(packages, { scope, pending, toNpm }) {
  const fields = ["license", "engines", "files", "publishConfig", ...(toNpm ? ["repository"] : [])];
  const lacking = (field) => packages.filter(({ manifest }) => manifest[field] === undefined);
  const list = (some) => some.map(({ manifest }) => manifest.name).join(", ");
  return [
    ...(toNpm && STAND_IN.test(scope)
      ? ["the scope is still the stand-in: docs/how-to/publish.md says how it is renamed"]
      : []),
    ...(pending > 0 ? [`${pending} changesets are not used up: pnpm version:packages`] : []),
    ...fields.filter((field) => lacking(field).length > 0).map((field) => `no "${field}" in ${list(lacking(field))}`),
  ];
}
