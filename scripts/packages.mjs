// Checks that every public package works on its own: it is built, packed and checked by publint and attw. Then its tarball and those of its workspace
// dependencies are installed into a project where nothing else can be found, and the examples of its README that need nothing else run there;
// `wealth-connect` is started. `connector-filter` and `webhook-verifier` are also bundled for a browser and run in Chromium. Without folder
// arguments, the examples of all pages are also compiled in one project with all packages, as strictly as TypeScript allows, and each folder of
// `examples` is copied and built, type-checked and tested on its own.
//
//   node scripts/packages.mjs [--no-browser] [folder…]     e.g. connector-filter core
//   node scripts/packages.mjs --registry=http://…          what was published there, installed by name with plain `npm install`
//                                                          (scripts/rehearse-publishing.mjs)
//
// The last line is "N passed, N failed". With TEST_REPORT_DIR set, the counts are also written there as JSON.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findExamples, writeProject } from "./examples.mjs";
import { lintPackage, lintTypes } from "./package-linters.mjs";
import { browserPackages, runInChromium } from "./packages-in-browser.mjs";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";
import { build, pnpm } from "./pnpm.mjs";
import { tryProgram } from "./program-as-installed.mjs";
import { publicPackages } from "./public-packages.mjs";
import { root } from "./step.mjs";

/** One more than the processors, since some checks wait for the disk. */
const parallel = 3;
/** A receiver's secret, as in the READMEs. */
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24).toString("base64")}`;
/** Ends hanging checks, also on a slow machine. An installation by name goes through a registry that has to fetch most packages first. */
const checkSeconds = 180;
const installSeconds = 600;

const registry = process.argv.find((argument) => argument.startsWith("--registry="))?.slice("--registry=".length);
const withBrowser = registry === undefined && !process.argv.includes("--no-browser");
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const scratch = mkdtempSync(join(tmpdir(), "packages-"));
/** Where the examples of all pages are compiled. */
const examplesFolder = join(scratch, "examples");
const packages = readPackages();
const results = { passed: 0, failed: 0 };

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const chosen = [...packages.values()].filter(({ folder }) => asked.length === 0 || asked.includes(folder));
const names = new Set(chosen.flatMap((each) => toInstall(each)).flatMap((name) => [...closure(name)]));
const filters = [...names].map((name) => `--filter=${name}`);
if (registry === undefined) {
  await build("build", "build:types", ...filters);
  await pnpm("pack", ["--recursive", ...filters, "pack", "--pack-destination", scratch], {
    env: { PACKAGES_ARE_BUILT: "true" },
  });
}
const withExamples = asked.length === 0 && registry === undefined;
if (registry === undefined) await installTarballs();
const work = chosen.map((each) => () => checkPackage(each));
// First, since it takes the longest, mostly in a compiler that uses one processor.
if (withExamples) work.unshift(checkExamples, ...copiedExamples().map((folder) => () => checkCopy(folder)));
await inParallel(work);
report();

function readPackages() {
  return new Map(
    publicPackages().map(({ folder: path, manifest }) => {
      const { name, version } = manifest;
      const tarball = join(scratch, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
      return [name, { path, folder: path.split("/")[1], name, manifest, tarball }];
    }),
  );
}

async function checkPackage(each) {
  const { path, folder, name, manifest, tarball } = each;
  if (registry === undefined) {
    await check(`${name}: contents`, () => checkContents(tarball, manifest));
    await check(`${name}: publint`, () => lintPackage(tarball));
    if (manifest.exports) await check(`${name}: types (attw)`, () => lintTypes(tarball));
  }

  const project = projectOf(folder);
  if (registry !== undefined && !(await check(`${name}: npm install`, () => installByName(project, each)))) return;
  if (manifest.bin) {
    await check(`${name}: started`, () => tryProgram(project, [join("node_modules/.bin", name)], manifest.version));
    return;
  }
  await check(`${name}: README examples`, () => runExamples(project, path));
  if (folder === "provider-kit") await check(`${name}: the guide, as it is printed`, () => runGuide(project));
  if (browserPackages.includes(name) && withBrowser)
    await check(`${name}: in Chromium`, () => runInChromium(project, name));
}

/** Checks for problems that would break a package manager, and for files that a reader of the published package would miss. */
async function checkContents(tarball, source) {
  if (source.scripts?.prepack !== "node ../../scripts/prepack.mjs")
    throw new Error("package.json has no prepack: packed without a build it would be an empty shell");
  const list = (await run("tar", ["-tzf", tarball])).split("\n");
  for (const file of ["package/README.md", "package/LICENSE", "package/package.json"])
    if (!list.includes(file)) throw new Error(`${file} is not in the tarball`);
  const stray = list.filter((file) => /\.test\.|\.tsbuildinfo$|^package\/src\//.test(file));
  if (stray.length > 0) throw new Error(`not for publishing: ${stray.join(", ")}`);
  const manifest = await run("tar", ["-xzOf", tarball, "package/package.json"]);
  for (const text of ["workspace:", "catalog:", "@org/source"])
    if (manifest.includes(text)) throw new Error(`package.json still says ${text}`);
}

function projectOf(folder) {
  return join(scratch, `project-${folder}`);
}

/**
 * Creates a project for each package, with what its README says to install, and one with everything, all installed together. With pnpm a project sees
 * only its dependencies, and a package only what it declares, so that an undeclared dependency is not found.
 */
async function installTarballs() {
  const tarballs = new Map([...packages.values()].map(({ name, tarball }) => [name, `file:${tarball}`]));
  const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  // Third-party packages have the versions that we test with.
  const [catalog] = /^catalog:\n(?:(?: .*)?\n)+/m.exec(workspace);
  const overrides = [...tarballs].map(([name, tarball]) => `  "${name}": "${tarball}"\n`).join("");
  writeFileSync(
    join(scratch, "pnpm-workspace.yaml"),
    `packages: ["*"]\nhoist: false\noverrides:\n${overrides}${catalog}`,
  );
  const isTested = (name) => new RegExp(`^ {2}"?${name}"?: `, "m").test(catalog);
  const versionOf = (name) => tarballs.get(name) ?? (isTested(name) ? "catalog:" : "*");
  const wanted = (names) => Object.fromEntries(names.map((name) => [name, versionOf(name)]));
  for (const each of chosen) writeManifest(projectOf(each.folder), wanted(toInstall(each)));
  if (withExamples) {
    const imported = findExamples().flatMap(({ code }) => [...code.matchAll(/ from "([a-z][^/":]*)[/"]/g)]);
    const others = imported.flatMap(([, name]) => [name, `@types/${name}`]).filter(isTested);
    writeManifest(examplesFolder, wanted([...packages.keys(), ...others]));
    for (const name of copiedExamples()) copyExample(name);
  }
  const title = `every package is installed, ${chosen.length} projects`;
  if (!(await check(title, () => run("pnpm", ["install", "--prefer-offline", "--ignore-scripts"], scratch)))) {
    report();
    process.exit();
  }
}

/** What the README says to install; the package alone if it says nothing. */
function toInstall({ name, path }) {
  const readme = readFileSync(join(root, path, "README.md"), "utf8");
  return /^npm install (@\S+(?: \S+)*)$/m.exec(readme)?.[1].split(" ") ?? [name];
}

async function installByName(project, each) {
  writeManifest(project, {});
  const versioned = (name) => (packages.has(name) ? `${name}@${packages.get(name).manifest.version}` : name);
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
  const args = ["install", ...quietly, "--registry", registry, ...toInstall(each).map(versioned)];
  await run("npm", args, project, {}, installSeconds);
}

function writeManifest(project, dependencies) {
  mkdirSync(project);
  const name = project.slice(scratch.length + 1);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, type: "module", dependencies }));
}

/** The package and every workspace package that it depends on, directly or not. */
function closure(name, found = new Set()) {
  if (found.has(name) || !packages.has(name)) return found;
  found.add(name);
  const { dependencies = {}, peerDependencies = {} } = packages.get(name).manifest;
  for (const each of Object.keys({ ...dependencies, ...peerDependencies })) closure(each, found);
  return found;
}

/** Examples of unpublished packages are compiled against sources, since there is no tarball. */
async function checkExamples() {
  const examples = findExamples();
  const folderOf = ({ page }) => /^packages\/([^/]+)\//.exec(page)?.[1];
  const unpublished = (example) => {
    const folder = folderOf(example);
    return folder !== undefined && ![...packages.values()].some((each) => each.folder === folder);
  };
  await check(`every example: ${examples.length} blocks in strict TypeScript`, async () => {
    const published = examples.filter((example) => !unpublished(example));
    writeProject(examplesFolder, [...published, { page: "every entry", code: everyEntry(), line: 1 }]);
    // TypeScript 5.9 instead of the native compiler of our own checks, since most users have it.
    await run(process.execPath, [join(root, "scripts/compile-examples.mjs"), examplesFolder]);
    for (const example of examples.filter(unpublished)) {
      const inside = join(root, "packages", folderOf(example), "node_modules/.cache/examples");
      writeProject(inside, [example], {
        customConditions: ["@org/source"],
        lib: ["ES2023", "ES2024.String"],
        resolveJsonModule: true,
      });
      await run(bin("tsc"), ["-p", inside]);
    }
  });
}

function copiedExamples() {
  return readdirSync(join(root, "examples")).filter((name) => existsSync(join(root, "examples", name, "package.json")));
}

/** Copies an example as a user would, without dependencies and builds. */
function copyExample(name) {
  const filter = (path) => !/\/(?:node_modules|dist)$/.test(path);
  cpSync(join(root, "examples", name), join(scratch, `copy-of-${name}`), { recursive: true, filter });
}

async function checkCopy(name) {
  const folder = join(scratch, `copy-of-${name}`);
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const script of Object.keys(scripts))
    await check(`examples/${name}, copied out: ${script}`, () => run("npm", ["run", script], folder));
}

/** Imports every entry point, so that all declarations are compiled. */
function everyEntry() {
  const entries = [...packages.values()].flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([path, { types }]) => (types ? [join(name, path)] : [])),
  );
  return entries.map((entry, number) => `import type * as entry${number} from "${entry}";\n`).join("");
}

/**
 * Runs a README's examples. Those that need other packages, or vitest (as every `testing` entry does), are only compiled here; tests of the workspace
 * run them.
 */
async function runExamples(project, path) {
  const readme = join(root, path, "README.md");
  if (!existsSync(readme)) throw new Error("there is no README.md");
  const blocks = [...readFileSync(readme, "utf8").matchAll(/^```(js|mjs|ts)\n([\s\S]*?)^```$/gm)];
  const isThere = (name) =>
    name.startsWith("node:") || existsSync(join(project, "node_modules", /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]));
  const runnable = blocks.filter(([, , code]) => {
    const imported = [...code.matchAll(/ from "([^"]+)";$/gm)].map(([, name]) => name);
    const needed = imported.flatMap((name) => (name.endsWith("/testing") ? [name, "vitest"] : [name]));
    return needed.every((name) => isThere(name)) && !/\bdescribe\w+Store\b/.test(code);
  });
  if (runnable.length === 0) throw new Error("README.md has no ```js or ```ts example that runs by itself");
  const { default: ts } = await import("typescript");
  const compilerOptions = { target: "ES2022", module: "ESNext" };
  for (const [, language, code] of runnable) {
    const { outputText } = language === "ts" ? ts.transpileModule(code, { compilerOptions }) : { outputText: code };
    writeFileSync(join(project, "example.js"), outputText);
    await run(process.execPath, ["example.js"], project, { WEBHOOK_SECRET });
  }
}

/**
 * Checks that the provider in docs/tutorials/first-provider.md passes its suite and its recording, in a project with the packed kit and no other package
 * of ours.
 */
async function runGuide(project) {
  const pages = ["docs/tutorials/first-provider.md", "docs/how-to/test-a-provider.md"];
  const text = pages.map((page) => readFileSync(join(root, page), "utf8")).join("");
  const files = [...text.matchAll(/<!-- example: (\S+) -->\n```js(?:on)?\n(.*?)```/gs)];
  if (files.length < 5) throw new Error(`${pages.join(" and ")} have no provider with its suite and its recording`);
  for (const [, file, code] of files) writeFileSync(join(project, file), code);
  await run(process.execPath, ["--test", "my-bank.test.mjs", "my-bank.recording.test.mjs"], project);
}

async function check(title, work) {
  try {
    await work();
    results.passed += 1;
    console.log(`ok      ${title}`);
    return true;
  } catch (error) {
    results.failed += 1;
    console.log(`FAILED  ${title}\n${String(error.message).trim().replace(/^/gm, "        ")}`);
    return false;
  }
}

function bin(name) {
  return join(root, "node_modules/.bin", name);
}

/** Resolves to the standard output; rejects with all output if the command fails or times out. */
function run(command, args, cwd = root, more = {}, seconds = checkSeconds) {
  return new Promise((resolve, reject) => {
    const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("npm_")));
    const env = withPinnedPnpm({ ...own, ...more });
    const timeout = seconds * 1000;
    const child = spawn(command, args, { cwd, env, timeout, killSignal: "SIGKILL", stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let all = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      all += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      all += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve(stdout) : reject(new Error(`${all}\n${command} ended with ${signal ?? code}`)),
    );
  });
}

async function inParallel(work) {
  const worker = async () => {
    for (let next = work.shift(); next; next = work.shift()) await next();
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

function report() {
  const { passed, failed } = results;
  if (process.env.TEST_REPORT_DIR) {
    const counts = { numPassedTests: passed, numFailedTests: failed, numPendingTests: 0 };
    writeFileSync(join(process.env.TEST_REPORT_DIR, "packages.json"), JSON.stringify(counts));
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
