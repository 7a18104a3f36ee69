// Two servers on PostgreSQL behind pgbouncer in transaction mode, with fewer connections than the servers have. All kinds of work run before and
// after pgbouncer is killed and restarted; nothing may fail, and nothing acknowledged may be lost:
//
//   node resilience/faults/pgbouncer.mjs [seconds] [--no-build]
//
// The default is ten seconds each. Needs Debian's pgbouncer and PostgreSQL.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findCommand, installFromDebian } from "../../scripts/debian.mjs";
import { build } from "../../scripts/pnpm.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { beginMixedUse, ENDED_WITHIN_MS, useDuring } from "./mixed-use.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-build": { type: "boolean", default: false } },
});
const [seconds = 10] = positionals.map(Number);
/** Connections from pgbouncer to PostgreSQL; each server has 16 and more to pgbouncer. */
const CONNECTIONS = 8;

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/resilience...");
// Imported after the build, since they import packages as built.
const { installOnPostgres } = await import("@org/bench/product/installation.mjs");
const { migrate, openStorage } = await import("@org/storage-postgres");
process.env.PATH = `${process.env.PATH}:/usr/sbin`;
if (!findCommand("pgbouncer")) installFromDebian(["pgbouncer"]);
const version = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" }).stdout.split("\n")[0];
const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
let bouncer;
let faults = 0;
try {
  const product = await installOnPostgres(postgres.url);
  const url = new URL(product.databaseUrl);
  const port = await freePort();
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${url.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
max_client_conn = 200
`,
  );
  await startBouncer();
  url.port = port;
  const environment = { DATABASE_URL: url.href, DATABASE_PREPARED_STATEMENTS: "false" };
  await migrateThrough(url.href);
  const servers = [];
  for (let n = 0; n < 2; n += 1) servers.push(await product.start({ env: { SANDBOX: "true", ...environment } }));
  const use = await beginMixedUse(servers[0], product.credentials);
  await watch("behind pgbouncer");
  bouncer.kill("SIGKILL");
  await delay(1_000);
  await startBouncer();
  for (const server of servers) await untilReady(server);
  await watch("after pgbouncer was killed and started again");
  await delay(ENDED_WITHIN_MS);
  for (const server of servers) {
    const found = await use.check(server);
    faults += found.length;
    for (const fault of new Set(found)) console.log(`FAIL  ${fault}`);
  }
  for (const server of servers) await server.stop();
  console.log(faults === 0 ? `ok    ${version}: nothing failed, and nothing is lost` : `FAIL  ${faults}`);

  async function watch(name) {
    const failures = new Map();
    const done = await useDuring(
      use,
      servers,
      () => delay(seconds * 1_000),
      (kind, { message }) => failures.set(`${kind}: ${message}`, (failures.get(`${kind}: ${message}`) ?? 0) + 1),
    );
    for (const [message, count] of failures) console.log(`FAIL  ${name}: ${count} times ${message}`);
    faults += failures.size;
    console.log(`${failures.size === 0 ? "ok  " : "FAIL"}  ${name}: ${JSON.stringify(done)}`);
  }
} finally {
  bouncer?.kill("SIGKILL");
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);

/** pgbouncer refuses to run as root. */
async function startBouncer() {
  const isRoot = process.getuid() === 0;
  if (isRoot) spawnSync("chown", ["-R", "postgres:postgres", folder]);
  const command = ["pgbouncer", "-q", join(folder, "pgbouncer.ini")];
  const [program, ...given] = isRoot
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command]
    : command;
  bouncer = spawn(program, given, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  await delay(500);
}

async function migrateThrough(databaseUrl) {
  const opened = await openStorage({ databaseUrl, preparedStatements: false }, () => new Date());
  await migrate(opened.pool).finally(() => opened.close());
}

async function untilReady({ port }) {
  for (const end = Date.now() + 15_000; Date.now() < end; await delay(50))
    if ((await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200) return;
  throw new Error("a server is not ready again");
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
