import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.js";
import { freePort } from "./free-port.js";

/** Where Debian puts it (package openssh-server), outside of most people's PATH. */
const SSHD = "/usr/sbin/sshd";
const KEYGEN = "/usr/bin/ssh-keygen";

/** OpenSSH's server is there, so that a custodian can be played by it. */
export const isSshdThere = existsSync(SSHD);

/** A custodian's SFTP server with one folder. */
export interface SftpServer {
  /** Settings of a source that looks into it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Leaves a file as it was written a minute ago. */
  put(name: string, bytes: Uint8Array): void;
  /** Names in the folder, and in that which files are moved to. */
  names(folder?: "outbox" | "done"): string[];
  end(): Promise<void>;
}

/** Starts OpenSSH's server on loopback, with keys of its own and SFTP alone, as the user who runs the tests. */
export async function startSftpServer(): Promise<SftpServer> {
  const home = mkdtempSync(join(tmpdir(), "custodian-"));
  for (const folder of ["outbox", "done"]) mkdirSync(join(home, folder));
  // sshd wants its empty folder when root starts it.
  if (userInfo().uid === 0) mkdirSync("/run/sshd", { recursive: true });
  const key = (name: string) => {
    execFileSync(KEYGEN, ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(home, name)]);
    return join(home, name);
  };
  const hostKey = key("host");
  const clientKey = key("client");
  const port = Number(await freePort());
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${clientKey}.pub`,
    "PasswordAuthentication no",
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
    "PidFile none",
    "Subsystem sftp internal-sftp",
    `ForceCommand internal-sftp -d ${home}`,
  ];
  writeFileSync(join(home, "sshd_config"), `${lines.join("\n")}\n`);
  const child = spawn(SSHD, ["-D", "-e", "-f", join(home, "sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    words += text;
  });
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`sshd did not start:\n${words}`);
    return words.includes("Server listening");
  }, "sshd listens");
  const shown = execFileSync(KEYGEN, ["-l", "-E", "sha256", "-f", `${hostKey}.pub`], { encoding: "utf8" });
  const [, fingerprint] = shown.split(" ");
  return {
    settings: {
      ...{ kind: "sftp", host: "127.0.0.1", port, user: userInfo().username, host_keys: [fingerprint] },
      private_key: readFileSync(clientKey, "utf8"),
      ...{ folder: join(home, "outbox"), after: "move", move_to: join(home, "done"), min_age_seconds: 0 },
    },
    put(name, bytes) {
      const half = join(home, `${name}.part`);
      writeFileSync(half, bytes);
      utimesSync(half, new Date(), new Date(Date.now() - 60_000));
      renameSync(half, join(home, "outbox", name));
    },
    names: (folder = "outbox") => readdirSync(join(home, folder)).sort(),
    async end() {
      await ended(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.kill("SIGKILL")) await exited;
}
