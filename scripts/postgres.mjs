// A PostgreSQL for tests: a fresh cluster in a temporary folder, removed at the end.
//
//   node scripts/postgres.mjs run -- <command…>   runs the command with TEST_DATABASE_URL set (a superuser)
//   node scripts/postgres.mjs                     starts one, prints TEST_DATABASE_URL=… and waits for Ctrl-C
//   --durable before either                       leaves fsync on, for measurements
//
// Installs Debian's `postgresql` if no PostgreSQL is found. fsync is off, so nothing survives a power failure.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { findCommand, installFromDebian } from "./debian.mjs";
import { refuse } from "./step.mjs";

const debianVersions = "/usr/lib/postgresql";

/**
 * Starts a cluster; resolves to its `url`, its `port`, the path of its `log`, `faults()`, which searches the log, and `stop()`, which resolves when
 * everything is removed. `programs` is the folder of another PostgreSQL's programs, `more` are additional settings.
 */
export async function startPostgres({
  durable = false,
  programs = findPrograms() ?? installPostgres(),
  more = {},
} = {}) {
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);

  const data = join(folder, "data");
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  const made = spawnSync(join(programs, "initdb"), options, { ...account, cwd: folder, encoding: "utf8" });
  if (made.status !== 0) refuse(`initdb failed:\n${made.stdout}${made.stderr}`);

  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    timezone: "UTC",
    ...(durable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
    ...more,
  };
  const server = spawnKeeper(folder, [
    join(programs, "postgres"),
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  await untilReady(join(programs, "pg_isready"), folder, port, server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    log: join(folder, "log"),
    /** Errors of the server itself in its log: a panic, a crash, a full disk. */
    faults: () =>
      readFileSync(join(folder, "log"), "utf8").match(/^.*(PANIC|terminated by signal|": No space left).*$/gm) ?? [],
    stop: () => stop(server),
  };

  /**
   * A shell that starts PostgreSQL, waits until its standard input closes, and then removes the cluster. Its input closes when this process ends in
   * any way: even SIGKILL leaves no server and no folder behind. It has its own process group, so that Ctrl-C in the terminal does not reach it
   * first.
   */
  function spawnKeeper(clusterFolder, command) {
    const script =
      '"$@" 2>"$CLUSTER_FOLDER/log" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; rm -rf "$CLUSTER_FOLDER"';
    return spawn("sh", ["-c", script, "sh", ...command], {
      ...account,
      cwd: "/",
      detached: true,
      // A separate HOME: a server that connects to another one looks there for certificates.
      env: { ...process.env, CLUSTER_FOLDER: clusterFolder, HOME: clusterFolder },
      stdio: ["pipe", "ignore", "ignore"],
    });
  }
}

function findPrograms() {
  const versions = existsSync(debianVersions) ? readdirSync(debianVersions).map(Number) : [];
  const folders = versions.sort((a, b) => b - a).map((version) => join(debianVersions, String(version), "bin"));
  const initdb = findCommand("initdb");
  if (initdb) folders.push(dirname(initdb));
  return folders.find((folder) => ["initdb", "postgres", "pg_isready"].every((name) => existsSync(join(folder, name))));
}

/** Debian's package would create and start a cluster; the tests have their own, so this prevents it. */
function installPostgres() {
  const setting = "/etc/postgresql-common/createcluster.d/only-for-tests.conf";
  installFromDebian(["postgresql"], {
    before: `mkdir -p ${dirname(setting)}; echo 'create_main_cluster = false' > ${setting}`,
    after: `rm -f ${setting}`,
  });
  return findPrograms() ?? refuse("PostgreSQL was installed, but its programs were not found.");
}

/** PostgreSQL refuses to run as root, so it runs as the user that its package created. */
function serverAccount() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout),
  );
  return uid > 0 ? { uid, gid } : refuse("There is no user `postgres` to run PostgreSQL as: it refuses root.");
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

async function untilReady(pgIsReady, folder, port, server) {
  for (let tries = 0; tries < 300 && server.exitCode === null; tries += 1) {
    if (spawnSync(pgIsReady, ["-q", "-h", folder, "-p", String(port), "-U", "postgres"]).status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const log = readFileSync(join(folder, "log"), "utf8");
  await stop(server);
  refuse(`PostgreSQL did not start:\n${log}`);
}

function stop(server) {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once("exit", resolve);
    server.stdin.end();
  });
}

async function main(args) {
  const durable = args[0] === "--durable";
  const [verb, dashes, command, ...rest] = durable ? args.slice(1) : args;
  if (verb && !(verb === "run" && dashes === "--" && command))
    refuse("usage: node scripts/postgres.mjs [--durable] [run -- <command…>]");

  const { url, faults, stop: takeAway } = await startPostgres({ durable });
  const env = { TEST_DATABASE_URL: url };
  const exitCode = verb ? await runWith(env, command, rest) : await waitForSignal(env);
  for (const fault of faults()) console.error(`PostgreSQL: ${fault}`);
  await takeAway();
  process.exit(exitCode);
}

/** Runs a command with additional environment variables; resolves to its exit code. */
export function runWith(env, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/** Prints the environment and waits for Ctrl-C. */
export function waitForSignal(env) {
  for (const [name, value] of Object.entries(env)) console.log(`${name}=${value}`);
  return new Promise((resolve) => {
    const keepAlive = setInterval(() => {}, 60_000);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
      process.on(signal, () => {
        clearInterval(keepAlive);
        resolve(0);
      });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
