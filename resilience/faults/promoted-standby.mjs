// `node resilience/faults/promoted-standby.mjs`: a primary dies whose standby lacks its last transactions, and the standby is promoted. Checks that
// readers of the feed of ended grants learn of a revocation made after the promotion, although the old primary had already used its transaction id.
// Needs Debian's PostgreSQL; exits with 1 if the revocation is missed.

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";

/** The number of transactions that the standby never receives. */
const LOST = 5_000;

const folders = readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`);
const programs = folders.findLast((folder) => existsSync(join(folder, "pg_basebackup")));
const isRoot = process.getuid?.() === 0;
const home = mkdtempSync(join(tmpdir(), "standby-"));
const system = (program, given) => spawnSync(program, given, { cwd: home, encoding: "utf8" });
if (isRoot) system("chown", ["postgres:postgres", home]);
const ports = { primary: await freePort(), standby: await freePort() };
const folderOf = (name) => join(home, name);
const urlOf = (name) => `postgres://postgres@127.0.0.1:${ports[name]}/postgres`;
let isMissed = true;
try {
  run("initdb", "-D", folderOf("primary"), "-U", "postgres", "-A", "trust", "--no-sync");
  start("primary");
  await withStorage("primary", ({ pool }) => migrate(pool));
  run(
    "pg_basebackup",
    "-h",
    "127.0.0.1",
    "-p",
    String(ports.primary),
    "-U",
    "postgres",
    "-D",
    folderOf("standby"),
    "-R",
  );
  start("standby");
  run("pg_ctl", "-D", folderOf("standby"), "-w", "stop");

  await ask("primary", `do $$ begin for i in 1..${LOST} loop perform pg_current_xact_id(); commit; end loop; end $$`);
  const { cursor } = await withStorage("primary", ({ oauthStore }) => oauthStore.grants.endedGrants(null, new Date(0)));
  run("pg_ctl", "-D", folderOf("primary"), "-m", "immediate", "-w", "stop");
  start("standby");
  run("pg_ctl", "-D", folderOf("standby"), "-w", "promote");
  for (; (await ask("standby", "select pg_is_in_recovery() as waits"))[0].waits; ) await delay(100);

  const grant = randomUUID();
  await ask(
    "standby",
    `insert into grants (grant_id, application_id, secret_id, client_id, flow, scopes, audience, created_at, refresh_seconds,
       refresh_expires_at, last_issued_at, token_hash, ended_at, ended_by)
     values ($1, $1, $1, 'c', 'machine', '{}', '{}', now(), 60, now(), now(), 'h', now(), pg_current_xact_id())`,
    [grant],
  );
  const [{ ended_by }] = await ask("standby", "select ended_by::text from grants where grant_id = $1", [grant]);
  const { ended } = await withStorage("standby", ({ oauthStore }) =>
    oauthStore.grants.endedGrants(cursor, new Date(0)),
  );
  isMissed = !ended.some(({ grant_id }) => grant_id === grant);
  console.log(`read on the primary up to ${cursor.split("/").at(-1)}; ended on the promoted standby by ${ended_by}`);
  console.log(isMissed ? "FAIL  the revocation is missed" : "ok    the revocation is not missed");
} finally {
  for (const name of ["primary", "standby"])
    if (existsSync(join(folderOf(name), "postmaster.pid")))
      run("pg_ctl", "-D", folderOf(name), "-m", "immediate", "stop");
  rmSync(home, { recursive: true, force: true });
}
process.exit(isMissed ? 1 : 0);

function start(name) {
  const options = `-p ${ports[name]} -k ${home} -c listen_addresses=127.0.0.1`;
  run("pg_ctl", "-D", folderOf(name), "-l", join(home, `${name}.log`), "-o", options, "-w", "start");
}

/** PostgreSQL refuses to run as root. */
function run(program, ...given) {
  const command = [join(programs, program), ...given];
  const [first, ...rest] = isRoot
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command]
    : command;
  const { status, stdout, stderr } = spawnSync(first, rest, { cwd: home, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${stdout}${stderr}`);
}

async function ask(name, text, parameters = []) {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return (await client.query(text, parameters)).rows;
  } finally {
    await client.end();
  }
}

async function withStorage(name, work) {
  const opened = await openStorage({ databaseUrl: urlOf(name) }, () => new Date());
  return work(opened).finally(() => opened.close());
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
