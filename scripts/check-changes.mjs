// Runs `changeset version` in a scratch copy of the manifests, as a release would, and checks that every package named by a changeset gets a
// version and a change log, that every public package has a change log or a changeset, that every changeset is used up, and that the links of the
// change logs resolve.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./step.mjs";

const groups = ["packages", "apps", "examples"];
const workspaces = groups.flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)));
const manifests = ["", "bench", "resilience", ...workspaces].map((folder) => join(folder, "package.json"));
const changesets = pendingIn(root);

const scratch = mkdtempSync(join(tmpdir(), "check-changes-"));
const faults = [];
try {
  copy();
  release();
  if (pendingIn(scratch).length > 0) faults.push(`not used up: ${pendingIn(scratch).join(", ")}`);
  const named = new Set(changesets.flatMap(packagesOf));
  for (const folder of workspaces) checkPackage(folder, named);
  for (const fault of faults) console.error(fault);
  console.log(
    `${changesets.length} changesets make the change logs of ${named.size} packages; ${faults.length} faults`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function copy() {
  for (const file of [...manifests, "pnpm-workspace.yaml", ".changeset"].filter((path) =>
    existsSync(join(root, path)),
  )) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    cpSync(join(root, file), join(scratch, file), { recursive: true });
  }
  for (const folder of workspaces) {
    const written = join(folder, "CHANGELOG.md");
    if (existsSync(join(root, written))) cpSync(join(root, written), join(scratch, written));
  }
  symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"), "junction");
}

function release() {
  const changeset = join(root, "node_modules/@changesets/cli/bin.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [changeset, "version"], {
    cwd: scratch,
    encoding: "utf8",
  });
  if (status !== 0) faults.push(`changeset version failed:\n${stdout}${stderr}`);
}

function checkPackage(folder, named) {
  if (!existsSync(join(root, folder, "package.json"))) return;
  const before = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  if (before.private) {
    if (named.has(before.name)) faults.push(`${before.name} is private: no changeset can release it`);
    return;
  }
  if (!before.files?.includes("CHANGELOG.md")) faults.push(`${folder}/package.json: "files" leaves CHANGELOG.md out`);
  const after = JSON.parse(readFileSync(join(scratch, folder, "package.json"), "utf8"));
  if (!named.has(before.name)) {
    if (!existsSync(join(root, folder, "CHANGELOG.md")))
      faults.push(`${before.name} is new, and no changeset names it`);
    return;
  }
  const log = join(scratch, folder, "CHANGELOG.md");
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  if (after.version === before.version) faults.push(`${before.name} keeps its version ${before.version}`);
  if (!text.includes(`\n## ${after.version}\n`)) faults.push(`${before.name}: no change log for ${after.version}`);
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g))
    if (!/^https:\/\//.test(target)) faults.push(`${before.name}: a link of the change log leads nowhere: ${target}`);
}

function pendingIn(folder) {
  return readdirSync(join(folder, ".changeset")).filter((file) => file.endsWith(".md") && file !== "README.md");
}

/** The names in a changeset's front matter. */
function packagesOf(file) {
  const [, head = ""] = /^---\n([\s\S]*?)\n---/.exec(readFileSync(join(root, ".changeset", file), "utf8")) ?? [];
  return [...head.matchAll(/^"?([^":\n]+)"?: *(?:major|minor|patch)/gm)].map(([, name]) => name);
}
