// `pnpm dev`: runs the server from the workspace's sources, and restarts it after every change to one. Dependencies stay imports, so a restart reads
// only sources. A page's script is rebuilt when one of its own sources changes. The next server starts when the previous one has ended, since only
// one process can use the embedded database.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { build, install } from "./pnpm.mjs";
import { root } from "./step.mjs";

const quietMilliseconds = 100; // an editor saves a file in several steps
const folder = join(root, "apps/server");
process.chdir(folder); // where tsup, once loaded, looks for its configuration and entries
const { build: bundle } = await import("tsup");

/** For each page's script: its sources, its builder, and its place in the server's build. */
const pageScripts = {
  "packages/widget/client": ["packages/widget/build-client.mjs", "widget"],
  "apps/portfolio-view/client": ["apps/portfolio-view/build-view.mjs", "portfolio-view"],
  "apps/console/src": ["apps/console/build-console.mjs", "console"],
};
const serverSources = [
  "apps/server/src",
  "apps/portfolio-view/src",
  ...readdirSync(join(root, "packages")).flatMap((name) => [`packages/${name}/src`, `packages/${name}/sql`]),
];

/** Builders of everything that has changed since the running server started. */
const outdated = new Set([bundleSources]);
let server;
let timer;
let work = Promise.resolve();

await install();
// Builds the pages' scripts and the database template in their current state.
await build("build", "--filter=@org/server");
for (const path of serverSources) watchFolder(path, bundleSources);
for (const path of Object.keys(pageScripts)) watchFolder(path, path);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
restartSoon();

function watchFolder(path, builder) {
  if (!existsSync(join(root, path))) return;
  watch(join(root, path), { recursive: true }, () => {
    outdated.add(builder);
    restartSoon();
  });
}

function restartSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    work = work.then(restart);
  }, quietMilliseconds);
}

/** Restarts the server; a build error leaves the running one alone. */
async function restart() {
  const builders = [...outdated];
  outdated.clear();
  const built = await Promise.allSettled(
    builders.map((each) => (each === bundleSources ? each() : buildPageScript(each))),
  );
  if (built.some(({ status }) => status === "rejected")) return;
  await stop();
  server = spawn(process.execPath, ["--enable-source-maps", "apps/server/dist/main.js"], {
    cwd: root,
    stdio: "inherit",
  });
}

function bundleSources() {
  return bundle({ noExternal: [/^@org\//], clean: false, onSuccess: undefined, silent: true });
}

async function buildPageScript(path) {
  const [script, name] = pageScripts[path];
  const child = spawn(process.execPath, [join(root, script), join(folder, "dist", name)], {
    cwd: root,
    stdio: "inherit",
  });
  if ((await ended(child)) !== 0) throw new Error(`${script} failed`);
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
