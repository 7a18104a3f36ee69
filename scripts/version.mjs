// Sets the versions of a release: consumes the changesets, gives the apps inside `wealth-connect`, and server.json, that package's version, and notes
// which migrations are released.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pnpm } from "./pnpm.mjs";
import { releaseMigrations } from "./released-migrations.mjs";
import { root } from "./step.mjs";

await pnpm("versions and change logs", ["exec", "changeset", "version"]);
const { version } = JSON.parse(readFileSync(join(root, "apps/wealth-connect/package.json"), "utf8"));
for (const file of ["apps/server/package.json", "apps/cli/package.json", "server.json"]) {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  const versions = text.replace(/^( +"version": )"[^"]*"/gm, `$1"${version}"`);
  // An image in server.json has its version as its tag.
  writeFileSync(path, versions.replace(/^( +"identifier": "[^"]+):[^":/]+"/gm, `$1:${version}"`));
}
releaseMigrations();
console.log(`wealth-connect ${version}`);
