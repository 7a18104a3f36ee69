import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const app = fileURLToPath(new URL("..", import.meta.url));
const root = join(app, "../..");
/** Below the app, so that imports that were not bundled are found. */
const cache = join(app, "node_modules/.cache/built-server");
const WAIT_MS = 180_000;
const KEEP_MS = 60 * 60 * 1000;

/** Hash of the sources when this process first needs it: otherwise each start would read all of them again. */
let hash: string | undefined;

/**
 * The server as it ships: the one in the folder `TEST_SERVER_DIR`, or built from the current sources. Test files that run in parallel, and later
 * runs over the same sources, share one build. Returns the path of its `main.js`.
 */
export async function builtServer(): Promise<string> {
  const given = process.env.TEST_SERVER_DIR;
  if (given) return join(given, "main.js");
  hash ??= sourcesHash();
  const folder = join(cache, hash);
  const lock = `${folder}.lock`;
  mkdirSync(cache, { recursive: true });
  for (const deadline = Date.now() + WAIT_MS; !existsSync(folder); await delay(200)) {
    if (Date.now() > deadline) throw new Error(`the server was not built in time; remove ${lock} if nobody builds it`);
    if (!take(lock)) continue;
    try {
      await build(folder);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  utimesSync(folder, new Date(), new Date());
  return join(folder, "main.js");
}

async function build(folder: string): Promise<void> {
  removeOld();
  const unfinished = `${folder}.${process.pid}`;
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup/package.json")), "dist/cli-default.js");
  const template = `node ${relative(app, join(unfinished, "make-database-template.js"))}`;
  const client = `node node_modules/@org/widget/build-client.mjs ${relative(app, join(unfinished, "widget"))}`;
  const view = `node ../portfolio-view/build-view.mjs ${relative(app, join(unfinished, "portfolio-view"))}`;
  const consoleFiles = `node ../console/build-console.mjs ${relative(app, join(unfinished, "console"))}`;
  // tsup reads the working directory's manifest for what stays an import.
  const options = [
    "--out-dir",
    unfinished,
    "--onSuccess",
    `${template} && ${client} && ${view} && ${consoleFiles}`,
    "--silent",
  ];
  await promisify(execFile)(process.execPath, [tsup, ...options], { cwd: app });
  for (const part of ["embedded-template.tar.gz", "widget/main.js", "portfolio-view/view.js", "console/index.html"])
    if (!existsSync(join(unfinished, part))) throw new Error(`the build left no ${part}`);
  renameSync(unfinished, folder);
}

/** Returns false while another living process holds it. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isRunning(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isRunning(lock: string): boolean {
  try {
    return process.kill(Number(readFileSync(lock, "utf8")), 0);
  } catch {
    return false;
  }
}

/** Removes builds that no run has used for a while. */
function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (statSync(path).mtimeMs < Date.now() - KEEP_MS) rmSync(path, { recursive: true, force: true });
  }
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  for (const file of sources()) hash.update(relative(root, file)).update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function sources(): string[] {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  const homes = [...packages, join(root, "apps/portfolio-view"), join(root, "apps/console"), app];
  const folders = homes
    .flatMap((home) => [join(home, "src"), join(home, "sql"), join(home, "client")])
    .filter((path) => existsSync(path));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const settings = homes.map((home) => join(home, "package.json"));
  return [
    ...files,
    ...settings,
    join(root, "tsup.base.ts"),
    join(app, "tsup.config.ts"),
    join(root, "packages/widget/build-client.mjs"),
    join(root, "apps/portfolio-view/build-view.mjs"),
    join(root, "apps/console/build-console.mjs"),
    join(root, "apps/console/index.html"),
  ].sort();
}
