// Publishes every public package whose version is not yet in the registry.
//
//   node scripts/publish.mjs --registry http://127.0.0.1:4873     a registry on this machine (scripts/rehearse-publishing.mjs)
//   node scripts/publish.mjs --to-npm                             the public npm registry
//
// docs/how-to/publish.md describes what the first real publication needs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, pnpm } from "./pnpm.mjs";
import { faultsBeforePublishing, publicPackages } from "./public-packages.mjs";
import { unreleasedMigrations } from "./released-migrations.mjs";
import { writeSboms } from "./sbom.mjs";
import { refuse, root, step } from "./step.mjs";

const NPM = "https://registry.npmjs.org/";
const { values } = parseArgs({ options: { registry: { type: "string" }, "to-npm": { type: "boolean" } } });
const toNpm = values["to-npm"] === true;
const registry = toNpm ? NPM : values.registry;
if (registry === undefined || (toNpm && values.registry !== undefined))
  refuse("give --registry with an address of this machine, or --to-npm");
if (!toNpm && !["127.0.0.1", "localhost", "[::1]"].includes(new URL(registry).hostname))
  refuse(`${registry} is not on this machine; --to-npm publishes for the world`);

const packages = publicPackages();
const { scope } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pending = readdirSync(join(root, ".changeset")).filter(
  (file) => file.endsWith(".md") && file !== "README.md",
).length;
const faults = faultsBeforePublishing(packages, { scope, pending, unreleased: unreleasedMigrations(), toNpm });
if (faults.length > 0) refuse(`nothing is published:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
await step("advisories", process.execPath, ["scripts/check-advisories.mjs", `--registry=${NPM}`], { show: true });
const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
await build("build", "build:types", ...filters);
console.log(`bills of materials: ${writeSboms().length} in artifacts/sbom`);
// npm attests the commit and workflow that built a package; this works only in a public CI.
const provenance = toNpm ? ["--provenance"] : [];
const args = ["--recursive", ...filters, "publish", "--registry", registry, "--access", "public", ...provenance];
// npm would list every file of every package, and hide what is wrong among them.
await pnpm("publish", args, { show: true, env: { PACKAGES_ARE_BUILT: "true", npm_config_loglevel: "warn" } });
