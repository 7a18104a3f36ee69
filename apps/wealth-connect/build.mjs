// Assembles the package from the server and the command line as they were built and tested, without source maps, which are four times as large.
// THIRD-PARTY-NOTICES.txt lists everything that they bundle or include, with licences; sbom.cdx.json says the same to programs.
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assembledFrom, sbomOf } from "../../scripts/sbom.mjs";
import { noticesOf } from "./notices.mjs";

const here = fileURLToPath(new URL("./", import.meta.url));
const apps = join(here, "..");
const dist = join(here, "dist");
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

rmSync(dist, { recursive: true, force: true });
for (const app of ["server", "cli"])
  cpSync(join(apps, app, "dist"), join(dist, app, "dist"), {
    recursive: true,
    filter: (path) => !/\.map$|make-database-template\.js$/.test(path),
  });
cpSync(join(here, "src/main.js"), join(dist, "main.js"));
chmodSync(join(dist, "main.js"), 0o755);
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), noticesOf(assembledFrom));
writeFileSync(join(dist, "sbom.cdx.json"), `${JSON.stringify(sbomOf(manifest, [here, ...assembledFrom]))}\n`);
checkImports();

/** Checks that the package depends on exactly what its files import. */
function checkImports() {
  const imported = new Set();
  for (const file of readdirSync(dist, { recursive: true }).filter((name) => /^(server|cli).*\.js$/.test(name))) {
    if (/widget|console|portfolio-view/.test(file)) continue;
    const code = readFileSync(join(dist, file), "utf8");
    const imports =
      /(?<=^|[;}])(?:import|export)(?:[\w$\s{},*]*from)?\s*"([^"./][^"]*)"|\bimport\("([^"./][^"]*)"\)|require\d*\.resolve\("([^"./][^"]*)"\)/gm;
    for (const [, one, two, three] of code.matchAll(imports)) imported.add(packageOf(one ?? two ?? three));
  }
  for (const name of builtinModules) imported.delete(name);
  const [found, declared] = [[...imported].sort(), Object.keys(manifest.dependencies).sort()];
  if (found.join() !== declared.join())
    throw new Error(`the files import ${found.join(", ")}, and package.json depends on ${declared.join(", ")}`);
}

function packageOf(specifier) {
  const [scope, name] = specifier.replace(/^node:/, "").split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
