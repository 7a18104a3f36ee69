// `pnpm dev`: builds the server and runs it, again after every change to a source of it or of a package. The next
// server starts when the last one has ended, because the embedded database belongs to one process at a time.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { install } from "./pnpm.mjs";
import { root } from "./step.mjs";

const quietMilliseconds = 150; // an editor saves a file in several steps
const folder = join(root, "apps/server");
let server;
let timer;
let work = Promise.resolve();

await install();
for (const source of sourceFolders()) watch(source, { recursive: true }, changed);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
changed();

function sourceFolders() {
  const packages = readdirSync(join(root, "packages")).flatMap((name) => [
    `packages/${name}/src`,
    `packages/${name}/sql`,
  ]);
  return [
    ...packages,
    "apps/server/src",
    "packages/widget/client",
    "apps/portfolio-view/src",
    "apps/portfolio-view/client",
    "apps/console/src",
  ]
    .map((path) => join(root, path))
    .filter(existsSync);
}

function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    work = work.then(rebuild);
  }, quietMilliseconds);
}

/** A source that does not build leaves the running server as it is. */
async function rebuild() {
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  const bundler = spawn(process.execPath, [tsup, "--silent"], { cwd: folder, stdio: "inherit" });
  if ((await ended(bundler)) !== 0) return;
  await stop();
  server = spawn(process.execPath, ["--enable-source-maps", "apps/server/dist/main.js"], {
    cwd: root,
    stdio: "inherit",
  });
}

async function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGINT");
  await ended(server);
}

function ended(child) {
  return new Promise((resolve) => child.once("exit", resolve));
}

async function end() {
  clearTimeout(timer);
  await work;
  await stop();
  process.exit(0);
}
