// Publishes everything to a registry on this machine, as docs/how-to/publish.md does for npm, and uses it from there:
//
//   node scripts/rehearse-publishing.mjs [--keep]
//
// In a scratch copy of the project: sets versions from the changesets, builds, and publishes to a Verdaccio on loopback. Then installs each package
// by name into an empty project and runs its README's examples, and runs `npx wealth-connect` in an empty folder. Takes some minutes. The registry
// forwards requests for other packages to the registry that npm is configured with. The bills of materials are checked against CycloneDX' schema; what
// npm would sign is printed, since it signs only in the CI of a public repository.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";
import { tryProgram } from "./program-as-installed.mjs";
import { publicPackages } from "./public-packages.mjs";
import { refuse, root, step } from "./step.mjs";
import { copyWorkingTree } from "./working-tree.mjs";

const { scope: SCOPE } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** The last version that runs on Node 20. npm's own names a `node-fetch` by a tag that not every mirror has. */
const VERDACCIO = { dependencies: { verdaccio: "6.8.0" }, overrides: { "node-fetch": "2.7.0" } };
/** The schema of the bills of materials, with what validates it. */
const CYCLONEDX = {
  "@cyclonedx/cyclonedx-library": "10.3.0",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  "ajv-formats-draft2019": "1.6.1",
};
const NPM_QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
const UNTIL_SERVING_MS = 60_000;

const scratch = mkdtempSync(join(tmpdir(), "publishing-"));
const copy = join(scratch, "repository");
let verdaccio = null;
process.on("exit", () => {
  verdaccio?.kill();
  if (process.argv.includes("--keep")) console.log(`kept: ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

copyWorkingTree(copy);
git("init", "--quiet", "--initial-branch=main");
await inCopy("dependencies", ["scripts/pinned-pnpm.mjs", "install", "--frozen-lockfile", "--prefer-offline"]);
nameImage();
commitAndPush();
await inCopy("versions", ["scripts/version.mjs"], { show: true });
checkVersions();
release();
const registry = await startRegistry();
const env = { ...withPinnedPnpm(), ...npmSettings(registry) };
await inCopy("publish", ["scripts/publish.mjs", "--registry", registry], { show: true, env });
await checkBills();
await showWhatIsSigned();
await inCopy("publish again: nothing is left to do", ["scripts/publish.mjs", "--registry", registry], { env });
await inCopy("installed by name", ["scripts/packages.mjs", `--registry=${registry}`], { show: true, env });
await tryByNpx();
// Its process would keep this one alive.
verdaccio.kill();
console.log(`${publicPackages(copy).length} packages were published to ${registry} and used from there`);

function inCopy(name, args, options = {}) {
  return step(name, process.execPath, args, { cwd: copy, ...options });
}

function git(...args) {
  const who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.com"];
  return execFileSync("git", [...who, ...args], { cwd: copy, encoding: "utf8" });
}

/** Names an image in server.json, as docs/how-to/publish.md proposes. */
function nameImage() {
  const page = readFileSync(join(copy, "docs/how-to/publish.md"), "utf8");
  const [, image] = /`(\{ "registryType": "oci".*)`/.exec(page);
  const file = join(copy, "server.json");
  const server = JSON.parse(readFileSync(file, "utf8"));
  server.packages.push(JSON.parse(image));
  writeFileSync(file, `${JSON.stringify(server, null, 2)}\n`);
}

/** Commits and pushes the copy, the state before a release. */
function commitAndPush() {
  git("init", "--quiet", "--bare", join(scratch, "remote"));
  git("remote", "add", "origin", join(scratch, "remote"));
  git("add", "--all");
  git("commit", "--quiet", "--message", "Everything");
  git("push", "--quiet", "--set-upstream", "origin", "main");
}

/** Runs the commands in docs/how-to/publish.md: pnpm publishes only if nothing is uncommitted or unpushed. */
function release() {
  const page = readFileSync(join(copy, "docs/how-to/publish.md"), "utf8");
  const commands = [...page.matchAll(/^git (.*?)(?: {2,}#.*)?$/gm)].map(([, words]) => words);
  for (const words of commands) git(...[...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word));
  if (!/\trefs\/tags\/v/.test(git("ls-remote", "--tags", "origin"))) refuse("the release's tag was not pushed");
}

function checkVersions() {
  const read = (file) => JSON.parse(readFileSync(join(copy, file), "utf8"));
  const found = [
    "apps/wealth-connect/package.json",
    "apps/server/package.json",
    "apps/cli/package.json",
    "server.json",
  ].map((file) => read(file).version);
  const image = read("server.json").packages.at(-1).identifier;
  found.push(image.slice(image.lastIndexOf(":") + 1));
  if (new Set(found).size > 1) refuse(`the product has several versions: ${found.join(", ")}`);
}

/** Starts a registry with one user, who may publish; requests for other packages go to the registry that npm is configured with. */
async function startRegistry() {
  const folder = join(scratch, "registry");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...VERDACCIO }));
  await step("the registry's program", "npm", ["install", ...NPM_QUIET], { cwd: folder });
  const upstream = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
  const theirs = { access: "$all", proxy: "upstream" };
  const ours = { access: "$all", publish: "$authenticated" };
  const config = {
    storage: "./storage",
    auth: { htpasswd: { file: "./htpasswd", max_users: 1 } },
    uplinks: { upstream: { url: upstream, maxage: "60m" } },
    packages: { [`${SCOPE}/*`]: ours, "wealth-connect": ours, "**": theirs },
    max_body_size: "100mb",
    log: { type: "stdout", level: "warn" },
  };
  // JSON is valid YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const port = await freePort();
  const program = join(folder, "node_modules/verdaccio/bin/verdaccio");
  const args = [program, "--config", "config.yaml", "--listen", `127.0.0.1:${port}`];
  verdaccio = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const address = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + UNTIL_SERVING_MS; ; await delay(200)) {
    const answer = await fetch(`${address}/-/ping`).catch(() => null);
    if (answer?.ok) return address;
    if (Date.now() > deadline || verdaccio.exitCode !== null) refuse("the registry did not start");
  }
}

/** npm settings with the publisher signed in, in a separate file; the user's settings are not touched. */
function npmSettings(address) {
  const name = "publisher";
  const body = JSON.stringify({
    _id: `org.couchdb.user:${name}`,
    name,
    password: "publisher of a rehearsal",
    type: "user",
    roles: [],
  });
  const args = ["-sS", "-X", "PUT", "-H", "Content-Type: application/json", "-d", body];
  const { token } = JSON.parse(
    execFileSync("curl", [...args, `${address}/-/user/org.couchdb.user:${name}`]).toString(),
  );
  const file = join(scratch, "npmrc");
  writeFileSync(file, `registry=${address}/\n${address.replace("http:", "")}/:_authToken=${token}\n`, { mode: 0o600 });
  return { NPM_CONFIG_USERCONFIG: file };
}

/** Every published package has its bill of materials, which the official schema accepts. */
async function checkBills() {
  const folder = join(scratch, "cyclonedx");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: CYCLONEDX }));
  await step("the schema of CycloneDX", "npm", ["install", ...NPM_QUIET], { cwd: folder });
  const { Spec, Validation } = createRequire(join(folder, "package.json"))("@cyclonedx/cyclonedx-library");
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const files = readdirSync(join(copy, "artifacts/sbom"));
  for (const file of files) {
    const fault = await validator.validate(readFileSync(join(copy, "artifacts/sbom", file), "utf8"));
    if (fault !== null) refuse(`${file} is not CycloneDX 1.6: ${JSON.stringify(fault).slice(0, 500)}`);
  }
  if (files.length !== publicPackages(copy).length) refuse(`there are ${files.length} bills of materials`);
  console.log(`${files.length} bills of materials, valid by the schema of CycloneDX 1.6`);
}

/**
 * With `--provenance` npm signs a statement whose subjects are the package's purl and the SHA-512 of its tarball; prints these, and checks that
 * `wealth-connect` contains the bill of materials that was written for it.
 */
async function showWhatIsSigned() {
  console.log("npm --provenance would sign:");
  for (const { manifest } of publicPackages(copy)) {
    const { name, version } = manifest;
    const { dist } = (await (await fetch(`${registry}/${encodeURIComponent(name)}`)).json()).versions[version];
    const tarball = Buffer.from(await (await fetch(dist.tarball)).arrayBuffer());
    const sha512 = createHash("sha512").update(tarball).digest();
    if (dist.integrity !== `sha512-${sha512.toString("base64")}`)
      refuse(`${name}: the registry names another hash than that of its tarball`);
    console.log(`  pkg:npm/${name.replace("@", "%40")}@${version} sha512:${sha512.toString("hex")}`);
    if (name !== "wealth-connect") continue;
    const own = execFileSync("tar", ["-xzO", "package/dist/sbom.cdx.json"], { input: tarball, encoding: "utf8" });
    const written = readFileSync(join(copy, `artifacts/sbom/${name}-${version}.cdx.json`), "utf8");
    if (JSON.stringify(JSON.parse(own)) !== JSON.stringify(JSON.parse(written)))
      refuse(`the bill of materials in ${name} is not the one that was written for it`);
  }
}

/** From an empty folder and with a separate cache, so that everything comes from the registry. */
async function tryByNpx() {
  const folder = join(scratch, "empty");
  mkdirSync(folder);
  const { version } = JSON.parse(readFileSync(join(copy, "apps/wealth-connect/package.json"), "utf8"));
  const started = performance.now();
  const settings = ["--registry", registry, "--cache", join(scratch, "npm-cache")];
  await tryProgram(folder, ["npx", "--yes", ...settings, "wealth-connect"], version);
  console.log(`npx wealth-connect, in an empty folder: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
