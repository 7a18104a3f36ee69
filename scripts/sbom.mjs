// Writes a software bill of materials (CycloneDX 1.6, JSON) for each public package, with the versions and hashes of pnpm-lock.yaml: what the package
// contains or needs at run time. `publish.mjs` does so for what it publishes; `wealth-connect` also contains its own.
//
//   node scripts/sbom.mjs        into artifacts/sbom; needs installed dependencies, and no network
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { artifactFolder } from "./artifacts.mjs";
import { publicPackages } from "./public-packages.mjs";
import { lockedPackages, runtimeDependencies } from "./runtime-dependencies.mjs";
import { root } from "./step.mjs";

/** The packages that `wealth-connect` is assembled from. */
export const assembledFrom = ["server", "cli", "console", "portfolio-view"].map((app) => join(root, "apps", app));

/**
 * The document for one package, the same whenever it is made from the same sources. Unpublished packages of the workspace are part of the package
 * that contains them. @param subject manifest of the published package @param folders what it is made of
 * @throws Error naming a package that pnpm-lock.yaml does not pin
 */
export function sbomOf(subject, folders, locked = lockedPackages()) {
  const found = runtimeDependencies(folders);
  const own = `${subject.name}@${subject.version}`;
  const isPart = (key) => key === own || found.get(key)?.manifest.private === true;
  const listed = [...found].filter(([key]) => !isPart(key)).sort(([one], [other]) => (one < other ? -1 : 1));
  const needsOf = (keys) => [...new Set(keys)].filter((key) => !isPart(key)).sort();
  const ofParts = [...found].filter(([key]) => isPart(key)).flatMap(([, { needs }]) => needs);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: componentOf(subject, subject.bin ? "application" : "library"),
    },
    components: listed.map(([key, { manifest, folder }]) => {
      // Only what is not in node_modules is the workspace's own.
      const integrity = folder.includes("node_modules") ? integrityOf(key, locked) : null;
      return { ...componentOf(manifest, "library"), ...(integrity && { hashes: [sha512Of(integrity)] }) };
    }),
    dependencies: [
      { ref: own, dependsOn: needsOf(ofParts) },
      ...listed.map(([key, { needs }]) => ({ ref: key, dependsOn: needsOf(needs) })),
    ],
  };
}

function componentOf({ name, version, license, licenses }, type) {
  const declared = license?.type ?? license ?? licenses?.[0]?.type;
  const [scope, short] = name.startsWith("@") ? name.split("/") : [null, name];
  const path = [...(scope ? [scope.replace("@", "%40")] : []), short].join("/");
  return {
    type,
    "bom-ref": `${name}@${version}`,
    ...(scope && { group: scope }),
    name: short,
    version,
    ...(declared && { licenses: [licenceOf(declared)] }),
    purl: `pkg:npm/${path}@${version}`,
  };
}

/** An identifier of SPDX, an expression of several, or something else. */
function licenceOf(license) {
  if (/^[\w.+-]+$/.test(license)) return { license: { id: license } };
  const isExpression = / (?:AND|OR|WITH) /.test(license) && !license.startsWith("SEE LICENSE");
  return isExpression ? { expression: license } : { license: { name: license } };
}

function integrityOf(key, locked) {
  const integrity = locked.get(key);
  if (integrity === undefined) throw new Error(`${key} is installed, and pnpm-lock.yaml does not pin it: pnpm install`);
  return integrity;
}

function sha512Of(integrity) {
  return { alg: "SHA-512", content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex") };
}

/** Writes a document for each public package. @returns the files */
export function writeSboms(folder = artifactFolder("sbom")) {
  const locked = lockedPackages();
  return publicPackages().map(({ folder: path, manifest }) => {
    const folders = manifest.name === "wealth-connect" ? [join(root, path), ...assembledFrom] : [join(root, path)];
    const file = join(folder, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(sbomOf(manifest, folders, locked), null, 2)}\n`);
    return file;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = writeSboms();
  console.log(`${files.length} documents: artifacts/sbom/${basename(files.at(-1))} and others`);
}
