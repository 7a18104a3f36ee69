// Builds the program and puts it into a folder as npm would install it, with its dependencies in the versions of pnpm-lock.yaml: npm takes
// the newest that their ranges allow.
//
//   node scripts/install-program.mjs /opt/wealth-connect/<version>
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, pnpm } from "./pnpm.mjs";
import { refuse, root } from "./step.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) refuse("usage: node scripts/install-program.mjs FOLDER");
const modules = join(resolve(folder), "node_modules");

await build("build", "--filter=wealth-connect");
const deploy = ["--filter", "wealth-connect", "deploy", "--prod", "--ignore-scripts"];
// pnpm requires the setting; no package of the workspace is a dependency of the program.
const injected = "--config.inject-workspace-packages=true";
await pnpm("install the program", [...deploy, injected, join(modules, "wealth-connect")]);
cpSync(join(root, "LICENSE"), join(modules, "wealth-connect/LICENSE"));
mkdirSync(join(modules, ".bin"));
symlinkSync("../wealth-connect/dist/main.js", join(modules, ".bin/wealth-connect"));
