import { execFile, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Two PostgreSQL servers, one the synchronous standby of the other: acknowledged data are on both. Needs Debian's programs (`node
 * scripts/postgres.mjs run -- true` installs them).
 */
export async function startReplicatedPostgres() {
  const folders = readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`);
  const programs = folders.findLast((folder) => existsSync(join(folder, "pg_basebackup")));
  if (programs === undefined) throw new Error("no PostgreSQL in /usr/lib/postgresql");
  const isRoot = process.getuid() === 0;
  const home = mkdtempSync(join(tmpdir(), "replicated-postgres-"));
  if (isRoot) spawnSync("chown", ["postgres:postgres", home]);
  const ports = [await freePort(), await freePort()];
  const names = ["one", "two"];
  const folderOf = (name) => join(home, name);
  const portOf = (name) => ports[names.indexOf(name)];

  await run(
    "initdb",
    "-D",
    folderOf("one"),
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  );
  appendFileSync(
    join(folderOf("one"), "postgresql.conf"),
    "fsync = off\nmax_connections = 150\nlisten_addresses = '127.0.0.1'\nwal_keep_size = '256MB'\n",
  );
  await start("one");
  await follow("two", "one");
  return {
    names,
    /** `host:port` of both, as in a connection string. */
    hosts: ports.map((port) => `127.0.0.1:${port}`).join(","),
    urlOf: (name) => `postgres://postgres@127.0.0.1:${portOf(name)}/postgres`,
    follow,
    /** Kills the postmaster; its children then exit. */
    kill: (name) =>
      process.kill(Number(readFileSync(join(folderOf(name), "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL"),
    /** It waits for no standby until `follow` gives it one. */
    async promote(name) {
      await run("pg_ctl", "-D", folderOf(name), "-w", "promote");
      await set(name, "alter system reset synchronous_standby_names");
    },
    remove() {
      for (const name of names)
        if (existsSync(join(folderOf(name), "postmaster.pid")))
          spawnSync(...asPostgres("pg_ctl", "-D", folderOf(name), "-m", "immediate", "stop"));
      rmSync(home, { recursive: true, force: true });
    },
  };

  /** Creates a server anew as a standby of the other, which waits for it at every commit from then on. */
  async function follow(standby, primary) {
    rmSync(folderOf(standby), { recursive: true, force: true });
    await run("pg_basebackup", ...loginOf(primary), "--checkpoint=fast", "-D", folderOf(standby), "-R");
    await start(standby);
    await set(primary, "alter system set synchronous_standby_names = '*'");
  }

  async function set(name, statement) {
    for (const each of [statement, "select pg_reload_conf()"]) await run("psql", ...loginOf(name), "-qtc", each);
  }

  function loginOf(name) {
    return ["-h", "127.0.0.1", "-p", String(portOf(name)), "-U", "postgres"];
  }

  function start(name) {
    const options = `-p ${portOf(name)} -k ${home}`;
    return run("pg_ctl", "-D", folderOf(name), "-l", join(home, `${name}.log`), "-o", options, "-w", "start");
  }

  /** Asynchronous, so that the load continues meanwhile. */
  function run(program, ...given) {
    return promisify(execFile)(...asPostgres(program, ...given));
  }

  /** PostgreSQL refuses to run as root. */
  function asPostgres(program, ...given) {
    const command = [join(programs, program), ...given];
    const whole = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command] : command;
    return [whole[0], whole.slice(1), { cwd: home }];
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
