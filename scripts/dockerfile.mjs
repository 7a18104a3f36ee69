// Executes deploy/containers/Dockerfile without Docker: runs its commands one after another in a folder that stands for the image's root, on the
// files that Git would have, and then its ENTRYPOINT, CMD and HEALTHCHECK. Takes a minute or two; runs nightly.
//
//   node scripts/dockerfile.mjs [--keep]
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryProgram } from "./program-as-installed.mjs";
import { lockedPackages } from "./runtime-dependencies.mjs";
import { refuse, root, step } from "./step.mjs";
import { copyWorkingTree } from "./working-tree.mjs";

const scratch = mkdtempSync(join(tmpdir(), "dockerfile-"));
process.on("exit", () => {
  if (process.argv.includes("--keep")) console.log(`kept: ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
});

const stages = readStages();
for (const stage of stages) await carryOut(stage);
const { folder, instructions } = stages.at(-1);
await checkVersions();
const words = JSON.parse(instructions.find(({ name }) => name === "ENTRYPOINT").value);
const { version } = JSON.parse(readFileSync(join(root, "apps/wealth-connect/package.json"), "utf8"));
// The image contains nothing of the repository or of earlier stages.
for (const other of stages.slice(0, -1)) rmSync(other.folder, { recursive: true });
await tryProgram(
  folder,
  words.map((word) => inside(folder, word)),
  version,
  (url) => checkHealth(new URL(url).port, 0),
);
checkHealth("1", 1);
console.log("the image's server serves, and its command line talks to it");

/** Every package in the image is one that pnpm-lock.yaml names, in that version. */
async function checkVersions() {
  const locked = lockedPackages();
  const installed = readdirSync(join(folder, "opt"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "package.json")
    .filter(({ parentPath }) => /node_modules\/(?:@[^/]+\/)?[^/]+$/.test(parentPath))
    .map(({ parentPath }) => JSON.parse(readFileSync(join(parentPath, "package.json"), "utf8")))
    .filter(({ name }) => name !== "wealth-connect")
    .map(({ name, version }) => `${name}@${version}`);
  const others = installed.filter((key) => !locked.has(key));
  if (installed.length === 0 || others.length > 0)
    refuse(`of the image's ${installed.length} packages pnpm-lock.yaml does not name: ${others.join(", ")}`);
  console.log(`${installed.length} packages, all of pnpm-lock.yaml`);
}

/** Runs HEALTHCHECK's command against the server at the port and expects exit code 0 or 1. */
function checkHealth(port, wanted) {
  const [, command] = / CMD (.*)$/.exec(instructions.find(({ name }) => name === "HEALTHCHECK").value);
  const { status, stderr } = spawnSync("sh", ["-c", command], {
    env: { ...process.env, PORT: port },
    encoding: "utf8",
  });
  if (status !== wanted) refuse(`the health check of port ${port} ended with ${status}: ${stderr}`);
}

/** `FROM` starts a stage; a trailing backslash continues a line. */
function readStages() {
  const text = readFileSync(join(root, "deploy/containers/Dockerfile"), "utf8").replace(/\\\n\s*/g, " ");
  const found = [];
  for (const line of text.split("\n").filter((each) => /^[A-Z]/.test(each))) {
    const [, name, value] = /^([A-Z]+) (.*)$/.exec(line);
    if (name === "FROM") {
      const title = / AS (\S+)$/.exec(value)?.[1] ?? "image";
      found.push({ title, folder: join(scratch, title), instructions: [] });
    } else found.at(-1).instructions.push({ name, value });
  }
  return found;
}

async function carryOut({ title, folder, instructions }) {
  mkdirSync(folder);
  let at = folder;
  for (const { name, value } of instructions) {
    if (name === "WORKDIR") {
      at = join(folder, value);
      mkdirSync(at, { recursive: true });
    }
    if (name === "COPY") copy(value.split(" "), folder, at);
    else if (name === "RUN" && !isForRoot(value))
      await step(`${title}: ${value.slice(0, 60)}`, "sh", ["-ec", inside(folder, value)], { cwd: at });
  }
}

/** Whether a command needs root. File owners exist only in the image, so commands with `chown` are skipped. */
function isForRoot(command) {
  return command.includes("chown");
}

function copy([first, ...rest], folder, at) {
  const [, stage] = /^--from=(\S+)$/.exec(first) ?? [];
  const [source, target] = stage ? rest : [first, ...rest];
  const to = target.startsWith("/") ? join(folder, target) : join(at, target);
  if (stage) return cpSync(join(scratch, stage, source), to, { recursive: true, verbatimSymlinks: true });
  // .dockerignore admits the files that Git tracks.
  copyWorkingTree(to);
}

/** Rewrites absolute paths of the image to its folder. */
function inside(folder, command) {
  return command.replace(/(?<=^|[\s=])\/(?=(?:opt|packed|build|data)\b)/g, `${folder}/`);
}
