import { execFile, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const versions = "/usr/lib/postgresql";

/**
 * A separate PostgreSQL that can be restarted and killed; fsync is off, since the machine itself keeps running. Needs Debian's programs (`node
 * scripts/postgres.mjs run -- true` installs them), or others in the folder `programs`; `more` are settings.
 */
export async function startBreakablePostgres({ maxConnections = 100, programs = newestPrograms(), more = [] } = {}) {
  const program = (name) => join(programs, name);
  const account = process.getuid() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  const folder = mkdtempSync(join(tmpdir(), "breakable-postgres-"));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const port = await freePort();
  await run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder} -c max_connections=${maxConnections} -c fsync=off -c full_page_writes=off${more.map((setting) => ` -c ${setting}`).join("")}`;
  await start();

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    /** `fast` ends sessions properly, `immediate` does not. */
    restart: (mode) => run("pg_ctl", ["-D", data, "-m", mode, "-w", "-l", join(folder, "log"), "restart"]),
    stop: (mode = "immediate") => run("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"]),
    start,
    /** Kills the postmaster; its children then exit. */
    kill() {
      process.kill(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
    },
    remove() {
      spawnSync(program("pg_ctl"), ["-D", data, "-m", "immediate", "stop"], { ...account, cwd: "/" });
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function start() {
    // After a kill the children of the old postmaster need a moment to exit.
    for (let attempt = 1; ; attempt += 1)
      try {
        return await run("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start"]);
      } catch (error) {
        if (attempt === 20) throw error;
        await delay(200);
      }
  }

  // Asynchronous, so that the load continues meanwhile.
  function run(name, options) {
    // A separate HOME: a server that is a client of another one looks there for certificates.
    return promisify(execFile)(program(name), options, { ...account, cwd: "/", env: { ...process.env, HOME: folder } });
  }
}

function newestPrograms() {
  const version = existsSync(versions)
    ? readdirSync(versions)
        .map(Number)
        .sort((a, b) => b - a)[0]
    : undefined;
  if (version === undefined) throw new Error(`no PostgreSQL in ${versions}`);
  return join(versions, String(version), "bin");
}

function idOf(flag) {
  return Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
