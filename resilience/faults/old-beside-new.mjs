// Runs the server of an earlier commit next to this one, on one database, as in a rolling upgrade: the database is migrated while the old server
// works, then both work, each on data that the other wrote, and finally the new one alone.
//
//   node scripts/postgres.mjs run -- node resilience/faults/old-beside-new.mjs [commit] [--seconds S] [--no-build] [--checkout FOLDER]
//
// The default commit is the one before the newest migration or, while there is only the baseline (0001_installation and what came with it), the one
// before the baseline's last change. It must be in this clone (`git fetch --unshallow` fetches it). `--checkout` names a checkout that is already
// built. Exits with 1 if anything was refused, failed or was lost.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../../scripts/pnpm.mjs";
import { beginMixedUse, ENDED_WITHIN_MS, useDuring } from "./mixed-use.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "no-build": { type: "boolean", default: false },
    checkout: { type: "string" },
    seconds: { type: "string", default: "20" },
  },
});
/** The earlier checkout has these packages under the same names. */
const BUILT = ["build", "--filter=@org/server", "--filter=@org/bench..."];
const env = { SANDBOX: "true", LOG_LEVEL: "warn" };

const databaseUrl = process.env.TEST_DATABASE_URL;
if (!databaseUrl)
  refuse("TEST_DATABASE_URL is not set: node scripts/postgres.mjs run -- node resilience/faults/old-beside-new.mjs");
const before = values.checkout ?? checkOut(positionals[0] ?? commitBeforeNewestMigration());
if (!values["no-build"]) await build(...BUILT);
// Imported after the build, since they import packages as built.
const { copyServer, readyRequest } = await import("@org/bench/product/installation.mjs");
const { migrate, openStorage } = await import("@org/storage-postgres");
const { installOnPostgres } = await import(pathToFileURL(join(before, "bench/src/product/installation.mjs")).href);

const faults = new Map();
const product = await installOnPostgres(databaseUrl);
const old = await product.start({ env });
let fresh = null;
try {
  console.log(`before: ${git(before, "log", "-1", "--format=%h %s")}`);
  const use = await beginMixedUse(old, product.credentials);
  await phase("the old server, while the database is migrated", use, [old], migrateDatabase);
  const copy = copyServer();
  fresh = await product.start({ file: copy.file, logFile: copy.logFile, request: readyRequest, env });
  await phase("both", use, [old, fresh], () => delay(Number(values.seconds) * 1_000));
  await delay(ENDED_WITHIN_MS);
  for (const [name, server] of Object.entries({ old, new: fresh }))
    for (const fault of await use.check(server)) note(`the ${name} server, beside the other: ${fault}`);
  await old.stop();
  await phase("the new server alone", use, [fresh], () => delay(2_000));
  await delay(ENDED_WITHIN_MS);
  for (const fault of await use.check(fresh)) note(`at the end: ${fault}`);
} finally {
  await old.stop();
  await fresh?.stop();
  await product.remove();
}
for (const [fault, times] of faults) console.log(`${times} × ${fault}`);
console.log(faults.size === 0 ? "nothing was refused, failed or lost" : `${faults.size} kinds of faults`);
process.exitCode = faults.size === 0 ? 0 : 1;

async function phase(name, use, servers, during) {
  const done = await useDuring(use, servers, during, (kind, error) => note(`${name}: ${kind}: ${error.message}`));
  console.log(`${name}: ${JSON.stringify(done)}`);
}

async function migrateDatabase() {
  await delay(1_000);
  const opened = await openStorage({ databaseUrl: product.databaseUrl }, () => new Date());
  await migrate(opened.pool);
  await opened.close();
  await delay(2_000);
}

function note(fault) {
  const kind = fault.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/g, "…").slice(0, 300);
  faults.set(kind, (faults.get(kind) ?? 0) + 1);
}

function commitBeforeNewestMigration() {
  const last = (files, ...more) =>
    git(root, "log", "-1", "--no-renames", ...more, "--format=%H", "--", `packages/storage-postgres/sql/${files}`);
  const [newest, baseline] = ["0*.sql", "0001_installation.sql"].map((files) => last(files, "--diff-filter=A"));
  try {
    // Until the first release the baseline itself is changed.
    return git(root, "rev-parse", "--verify", "--quiet", newest === baseline ? last("0*.sql") : `${newest}^`);
  } catch {
    return refuse(
      "The commit before the newest migration is not in this clone: git fetch --unshallow, or name another.",
    );
  }
}

/** A built checkout of a commit, removed when this process exits. */
function checkOut(commit) {
  const folder = mkdtempSync(join(tmpdir(), "old-server-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  git(root, "clone", "--quiet", "--shared", "--no-checkout", root, folder);
  git(folder, "checkout", "--quiet", commit);
  const script = `import { build, install } from "./scripts/pnpm.mjs"; await install(); await build(...${JSON.stringify(BUILT)});`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, stdio: "inherit" });
  return folder;
}

function git(folder, ...args) {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
}

function refuse(why) {
  console.error(why);
  process.exit(2);
}
