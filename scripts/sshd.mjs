// An sshd for tests: Debian's OpenSSH on loopback with its own keys, in a temporary folder that is removed when it is stopped.
//
//   node scripts/sshd.mjs     starts one, prints how to reach it and waits for Ctrl-C
//
// Installs Debian's `openssh-server` if there is none. It serves only SFTP, for one key, and runs as the user that starts it, or as `www-data` if
// that is root.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findCommand, installFromDebian } from "./debian.mjs";
import { refuse } from "./step.mjs";

/**
 * Starts an sshd. Resolves to its `host`, `port`, `user`, `privateKey`, its `hostKey` (`SHA256:…`), the `folder` that it serves files from, the
 * folder `done` next to it, `showAnotherKey()`, which changes the host key, and `stop()`.
 */
export async function startSshd() {
  const program = findProgram();
  const home = mkdtempSync(join(tmpdir(), "sshd-"));
  const folder = join(home, "files");
  for (const name of ["files", "done"]) mkdirSync(join(home, name));
  chmodSync(home, 0o755);
  const path = (name) => join(home, name);
  for (const name of ["client_key", "host_key", "other_host_key"]) makeKey(path(name));
  writeFileSync(path("authorized_keys"), readFileSync(path("client_key.pub")));
  const account = serverAccount();
  if (account.uid !== undefined)
    for (const name of ["files", "done", "host_key", "other_host_key"]) chownSync(path(name), account.uid, account.gid);
  const port = await freePort();
  let server = await start("host_key");

  return {
    host: "127.0.0.1",
    port,
    user: account.name,
    folder,
    done: path("done"),
    privateKey: readFileSync(path("client_key"), "utf8"),
    hostKey: fingerprintOf(path("host_key.pub")),
    async showAnotherKey() {
      await end(server);
      server = await start("other_host_key");
      return fingerprintOf(path("other_host_key.pub"));
    },
    async stop() {
      await end(server);
      rmSync(home, { recursive: true, force: true });
    },
  };

  async function start(hostKey) {
    const settings = {
      ListenAddress: "127.0.0.1",
      Port: port,
      HostKey: path(hostKey),
      AuthorizedKeysFile: path("authorized_keys"),
      PidFile: "none",
      StrictModes: "no",
      UsePAM: "no",
      PasswordAuthentication: "no",
      KbdInteractiveAuthentication: "no",
      Subsystem: "sftp internal-sftp",
      ForceCommand: "internal-sftp",
      LogLevel: "ERROR",
    };
    writeFileSync(
      path("config"),
      Object.entries(settings)
        .map((line) => `${line.join(" ")}\n`)
        .join(""),
    );
    const child = spawn(program, ["-D", "-e", "-f", path("config")], {
      uid: account.uid,
      gid: account.gid,
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-2_000);
    });
    await untilListening(port, child, () => said);
    return child;
  }
}

function findProgram() {
  const found = () => findCommand("sshd", "/usr/sbin/sshd");
  if (found() && findCommand("ssh-keygen")) return found();
  // Prevents Debian's package from starting a server.
  const keep = "/usr/sbin/policy-rc.d";
  installFromDebian(["openssh-server", "openssh-client"], {
    before: `[ -e ${keep} ] || { printf '#!/bin/sh\\nexit 101\\n' > ${keep}; chmod +x ${keep}; touch /tmp/only-for-sshd; }`,
    after: `if [ -e /tmp/only-for-sshd ]; then rm -f ${keep} /tmp/only-for-sshd; fi`,
  });
  return found() ?? refuse("openssh-server was installed, but sshd was not found.");
}

/** The account that sshd runs as and logs in with: never root. */
function serverAccount() {
  if (process.getuid?.() !== 0) return { name: userInfo().username };
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "www-data"], { encoding: "utf8" }).stdout),
  );
  return uid > 0 ? { name: "www-data", uid, gid } : refuse("There is no user `www-data` to run sshd as.");
}

function makeKey(file) {
  const { status, stderr } = spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file], {
    encoding: "utf8",
  });
  if (status !== 0) refuse(`ssh-keygen failed:\n${stderr}`);
}

function fingerprintOf(file) {
  const { stdout } = spawnSync("ssh-keygen", ["-l", "-E", "sha256", "-f", file], { encoding: "utf8" });
  return stdout.split(" ")[1];
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

async function untilListening(port, child, said) {
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) refuse(`sshd did not start:\n${said()}`);
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  refuse(`sshd does not listen:\n${said()}`);
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function end(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
}

async function main() {
  const { privateKey, stop, showAnotherKey: _, ...facts } = await startSshd();
  console.log(JSON.stringify(facts, null, 2));
  console.log(privateKey);
  const keepAlive = setInterval(() => {}, 60_000);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, async () => {
      clearInterval(keepAlive);
      await stop();
    });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
