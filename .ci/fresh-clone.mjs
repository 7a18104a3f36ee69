// What a newcomer does, in a copy of the tracked files without repository, dependencies, builds or data, on the given version of Node: `npm start`,
// `pnpm pack` in a package that has not been built and as the tutorial has it, `npm test`. This also shows that another version of Node works.
//
//   node .ci/fresh-clone.mjs 24 [-- <arguments of vitest>]
//
// With TEST_REPORT_DIR set, the counts are written there as JSON, next to the report of the tests.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { root } from "../scripts/step.mjs";
import { secondsLeft } from "./time-left.mjs";

const startMilliseconds = 300_000;
const stopMilliseconds = 30_000;
/** Upper bound for the tests on a shared machine. */
const TEST_SECONDS = 330;

const [version = "24", dashes, ...vitestArguments] = process.argv.slice(2);
if (dashes !== undefined && dashes !== "--")
  throw new Error("usage: node .ci/fresh-clone.mjs 24 [-- <arguments of vitest>]");
const clone = mkdtempSync(join(tmpdir(), "fresh-clone-"));
const results = { passed: 0, failed: 0, skipped: 0 };
process.on("exit", () => rmSync(clone, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

copyTrackedFiles();
const node = nodeOf(version);
const env = environment();
await check("npm run cli in a clone that is not built says how to build it", unbuilt);
await check("[C-1.1] npm start installs, builds and starts the server on the embedded database in ./.data", start);
await check("pnpm pack in a package that nobody has built packs its build", pack);
if (secondsLeft() > TEST_SECONDS)
  await check(vitestArguments.length > 0 ? "part of npm test passes" : "[C-1.2] npm test passes", test);
else {
  results.skipped += 1;
  console.log("LEFT OUT, for the time is short: the tests on this Node");
}
report();

function copyTrackedFiles() {
  const { stdout, status } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error("git ls-files failed: a fresh clone needs a repository");
  for (const file of stdout.split("\0").filter((name) => name !== "" && existsSync(join(root, name))))
    cpSync(join(root, file), join(clone, file));
}

/** The path of that Node, fetched by npx. */
function nodeOf(wanted) {
  const own = { ...process.env };
  delete own.npm_config_package; // an outer npx would otherwise replace the version asked for here
  const asked = ["--yes", "-p", `node@${wanted}`, "--", "node", "-p", 'process.version + " " + process.execPath'];
  const [found, path] = spawnSync("npx", asked, { cwd: root, env: own, encoding: "utf8" }).stdout.trim().split(" ");
  if (!found?.startsWith(`v${wanted}.`)) throw new Error(`npx gave Node ${found} where ${wanted} was asked for`);
  console.log(`Node ${found}`);
  return path;
}

/** This process's environment without test and server settings, and with the other Node first in PATH. */
function environment() {
  const settings = readFileSync(join(root, "docs/reference/configuration.md"), "utf8").matchAll(/^\| `([A-Z_]+)`/gm);
  const configured = new Set([
    "TEST_DATABASE_URL",
    "TEST_BACKENDS",
    "CONFORMANCE",
    "CHROMIUM_PATH",
    "CHROMIUM_SHELL_PATH",
    "CI_STARTED", // without it no test is skipped
  ]);
  for (const [, name] of settings) configured.add(name);
  const kept = Object.entries(process.env).filter(([key]) => !configured.has(key) && key !== "npm_config_package");
  return { ...Object.fromEntries(kept), PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

async function unbuilt() {
  const said = await run("npm", ["run", "--silent", "cli"], clone).catch(({ message }) => message);
  if (!said.includes("run `npm run build`")) throw new Error(said);
}

async function start() {
  const server = spawn("npm", ["start"], {
    cwd: clone,
    env: { ...env, PORT: "0" },
    detached: true, // a separate process group, which can be ended as Ctrl-C would
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise((resolve) => server.once("close", resolve));
  try {
    const ready = await until(startMilliseconds, () => {
      if (server.exitCode !== null) throw new Error(`npm start ended with ${server.exitCode}:\n${output}`);
      const line = output.split("\n").find((text) => text.startsWith("{") && text.includes('"msg":"ready"'));
      return line && JSON.parse(line);
    });
    if (ready.database !== "embedded") throw new Error(`the database is ${ready.database}`);
    const { url, demo } = JSON.parse(readFileSync(join(clone, ".data/credentials.json"), "utf8"));
    if (url !== ready.url || !/^http:\/\/localhost:\d+$/.test(url)) throw new Error(`it listens on ${url}`);
    const form = { grant_type: "client_credentials", client_id: demo.client_id, client_secret: demo.client_secret };
    const granted = await fetch(`${url}/token`, { method: "POST", body: new URLSearchParams(form) });
    const headers = {
      authorization: `Bearer ${(await granted.json()).access_token}`,
      "content-type": "application/json",
    };
    const listed = await fetch(`${url}/letters/v1/list-connectors`, { method: "POST", headers, body: "{}" });
    const { items } = await listed.json();
    if (!(items?.length >= 60)) throw new Error(`the sandbox banks are not there: ${items?.length} connectors`);
  } finally {
    end(server, "SIGTERM");
    const late = setTimeout(() => end(server, "SIGKILL"), stopMilliseconds);
    await ended;
    clearTimeout(late);
  }
}

async function pack() {
  const folder = join(clone, "packages/relogin-rule");
  if (existsSync(join(folder, "dist"))) throw new Error("it has been built already: choose another package");
  await run("node", [join(clone, "scripts/pinned-pnpm.mjs"), "pack", "--pack-destination", clone], folder);
  const { version: own } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const list = (await run("tar", ["-tzf", join(clone, `org-relogin-rule-${own}.tgz`)], clone)).split("\n");
  for (const file of ["package/dist/index.js", "package/dist/index.d.ts"])
    if (!list.includes(file)) throw new Error(`${file} is not in the tarball:\n${list.join("\n")}`);
  rmSync(join(clone, `org-relogin-rule-${own}.tgz`));
  // The tutorial's command, into the clone instead of a folder beside it.
  const page = readFileSync(join(clone, "docs/tutorials/first-provider.md"), "utf8");
  const command = /^node scripts\/pinned-pnpm\.mjs .*$/m.exec(page)?.[0];
  if (!command?.includes("/../my-bank")) throw new Error(`docs/tutorials/first-provider.md packs with ${command}`);
  await run("sh", ["-c", command.replace("/../my-bank", "")], clone);
  rmSync(join(clone, `org-provider-kit-${own}.tgz`));
}

async function test() {
  // The template that `npm start` created on this Node.
  env.TEST_TEMPLATE_FILE = join(clone, "apps/server/dist/embedded-template.tar.gz");
  await run("npm", ["test", ...(vitestArguments.length > 0 ? ["--", ...vitestArguments] : [])], clone, "inherit");
}

function end(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // it has ended already
  }
}

async function check(title, work) {
  const began = performance.now();
  try {
    await work();
    results.passed += 1;
    console.log(`ok      ${title} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
  } catch (error) {
    results.failed += 1;
    console.log(`FAILED  ${title}\n${String(error.stack).replace(/^/gm, "        ")}`);
  }
}

/** Resolves to the standard output; rejects with all output if the command fails. */
function run(command, args, cwd, stdio = "pipe") {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", stdio, stdio] });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve(stdout) : reject(new Error(`${stdout}${stderr}\n${command} ended with ${signal ?? code}`)),
    );
  });
}

async function until(milliseconds, look) {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; ) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it did not happen in time");
}

function report() {
  const { passed, failed, skipped } = results;
  if (process.env.TEST_REPORT_DIR) {
    const counts = { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped };
    writeFileSync(join(process.env.TEST_REPORT_DIR, "fresh-clone.json"), JSON.stringify(counts));
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
