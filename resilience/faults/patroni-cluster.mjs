import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { findCommand, installFromDebian } from "../../scripts/debian.mjs";
import { replaced, startHaproxy } from "../../scripts/proxies.mjs";

const READY_MS = 120_000;
const POLL_MS = 100;
/** With this many connections, haproxy would route at least one to the standby, if it still used it. */
const IN_TURN = 4;

/**
 * Two PostgreSQL servers under Patroni with a synchronous standby, one etcd, and haproxy in front, with the settings of deploy/patroni. All run on
 * one machine, with one etcd instead of three: this tests the database and its clients, not the loss of etcd.
 */
export async function startPatroni() {
  if (!findCommand("patroni") || !findCommand("etcd"))
    installFromDebian(["patroni", "etcd-server", "python3-etcd", "haproxy", "postgresql"]);
  const home = mkdtempSync(join(tmpdir(), "patroni-"));
  chmodSync(home, 0o755);
  const isRoot = process.getuid() === 0;
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const nodes = {};
  for (const name of ["one", "two"]) nodes[name] = { name, port: await freePort(), rest: await freePort() };
  const processes = new Set();
  process.on("exit", () => {
    for (const child of processes) child.kill("SIGKILL");
  });

  const etcd = start("etcd", [
    ...["--data-dir", join(home, "etcd"), "--listen-client-urls", `http://127.0.0.1:${etcdPort}`],
    ...[
      "--advertise-client-urls",
      `http://127.0.0.1:${etcdPort}`,
      "--listen-peer-urls",
      `http://127.0.0.1:${peerPort}`,
    ],
    ...["--initial-advertise-peer-urls", `http://127.0.0.1:${peerPort}`],
    ...["--initial-cluster", `default=http://127.0.0.1:${peerPort}`, "--unsafe-no-fsync"],
  ]);
  for (const node of Object.values(nodes)) {
    writeSettings(node);
    startNode(node);
    await until(`${node.name} runs`, () => answers(node, "/readiness"));
  }
  await untilSafe();
  const proxy = startHaproxy(proxySettings());
  const url = `postgres://postgres:superuser@127.0.0.1:${proxyPort}/postgres`;
  await until("haproxy leads to the primary alone", () => takesChanges(url));
  return {
    url,
    primary,
    untilSafe,
    /** Waits until a server other than this one is the primary. */
    untilReplaced: (former) => until("another is the primary", async () => ![null, former].includes(await primary())),
    /** Asks Patroni to promote the standby. */
    async switchover() {
      const leader = await primary();
      const answer = await fetch(`http://127.0.0.1:${nodes[leader].rest}/switchover`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ leader }),
      });
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
      return leader;
    },
    /** The primary's machine dies: PostgreSQL and Patroni together. */
    async die() {
      const leader = await primary();
      const { child, name } = nodes[leader];
      process.kill(child.pid, "SIGKILL");
      process.kill(postmasterOf(name), "SIGKILL");
      return leader;
    },
    /** PostgreSQL dies; Patroni stays. */
    async crash() {
      const leader = await primary();
      process.kill(postmasterOf(leader), "SIGKILL");
      return leader;
    },
    /** Restarts Patroni where it died. */
    async resumeCallback(name) {
      if (nodes[name].child.exitCode === null && nodes[name].child.signalCode === null) return;
      startNode(nodes[name]);
    },
    async remove() {
      await proxy.stop();
      for (const { child } of Object.values(nodes)) child.kill("SIGKILL");
      for (const name of Object.keys(nodes))
        try {
          process.kill(postmasterOf(name), "SIGQUIT");
        } catch {
          // It is not running.
        }
      etcd.kill("SIGKILL");
      await delay(1_000);
      rmSync(home, { recursive: true, force: true });
    },
  };

  /** The server that holds the leader key and accepts changes. */
  async function primary() {
    for (const node of Object.values(nodes)) if (await answers(node, "/primary")) return node.name;
    return null;
  }

  /** Whether Patroni answers 200, which means that the condition in the path holds. */
  function answers({ rest }, path) {
    return fetch(`http://127.0.0.1:${rest}${path}`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** Waits until there is a primary and a synchronous standby that may be promoted. */
  function untilSafe() {
    return until("there is a synchronous standby", async () => {
      const leader = await primary();
      if (leader === null) return false;
      const other = Object.values(nodes).find(({ name }) => name !== leader);
      return answers(other, "/sync");
    });
  }

  function writeSettings({ name, port, rest }) {
    const shipped = readFileSync(new URL("../../deploy/patroni/patroni.yml", import.meta.url), "utf8");
    const folder = join(home, name);
    mkdirSync(folder);
    const settings = replaced(shipped, [
      [/^name: one$/m, `name: ${name}`],
      ["10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379", `127.0.0.1:${etcdPort}`],
      ["10.0.0.21:8008", `127.0.0.1:${rest}`],
      ["10.0.0.21:5432", `127.0.0.1:${port}`],
      ["10.0.0.0/24", "127.0.0.1/32"],
      ["/var/lib/postgresql/15/wealth-connect", join(folder, "data")],
      ["/usr/lib/postgresql/15/bin", programs()],
      ["CHANGE-ME-1", "superuser"],
      ["CHANGE-ME-2", "replication"],
      ["CHANGE-ME-3", "rewind"],
    ]);
    // fsync is off, since the machine itself keeps running; Debian's socket folder is not accessible to every user.
    writeFileSync(
      join(home, `${name}.yml`),
      settings.replace(
        "  pg_hba:",
        `  parameters:\n    unix_socket_directories: ${folder}\n    fsync: "off"\n  pg_hba:`,
      ),
    );
    if (isRoot) spawnSync("chown", ["-R", "postgres:postgres", folder, join(home, `${name}.yml`)]);
  }

  function proxySettings() {
    const shipped = readFileSync(new URL("../../deploy/patroni/haproxy.cfg", import.meta.url), "utf8");
    return replaced(shipped, [
      ["127.0.0.1:5432", `127.0.0.1:${proxyPort}`],
      ["10.0.0.21:5432 check port 8008", `127.0.0.1:${nodes.one.port} check port ${nodes.one.rest}`],
      ["10.0.0.22:5432 check port 8008", `127.0.0.1:${nodes.two.port} check port ${nodes.two.rest}`],
    ]);
  }

  function startNode(node) {
    const command = ["patroni", join(home, `${node.name}.yml`)];
    const [program, ...given] = isRoot
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command]
      : command;
    node.child = start(program, given, node.name, join(home, node.name));
  }

  function start(program, given, name = program, folder = home) {
    const log = openSync(join(home, `${name}.log`), "a");
    const child = spawn(program, given, {
      cwd: home,
      stdio: ["ignore", log, log],
      env: { ...process.env, HOME: folder },
    });
    processes.add(child);
    child.once("exit", () => processes.delete(child));
    return child;
  }

  function postmasterOf(name) {
    return Number(readFileSync(join(home, name, "data/postmaster.pid"), "utf8").split("\n")[0]);
  }

  async function until(what, holds) {
    for (const end = Date.now() + READY_MS; Date.now() < end && etcd.exitCode === null; await delay(POLL_MS))
      if (await holds()) return;
    const logs = ["one", "two", "etcd"].map((name) => {
      try {
        return readFileSync(join(home, `${name}.log`), "utf8").slice(-1_500);
      } catch {
        return "";
      }
    });
    throw new Error(`not within ${READY_MS / 1_000} s: ${what}\n${logs.join("\n")}`);
  }
}

/** haproxy starts by using both servers in turn, until its checks show which one is the primary. */
async function takesChanges(connectionString) {
  for (let time = 0; time < IN_TURN; time += 1) {
    const client = new pg.Client({ connectionString });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query("show transaction_read_only");
      await client.end();
      if (rows[0].transaction_read_only !== "off") return false;
    } catch {
      return false;
    }
  }
  return true;
}

function programs() {
  const found = spawnSync("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | tail -1"], { encoding: "utf8" });
  return found.stdout.trim();
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
