// Installs Debian packages for checks that need other programs than Node.
import { spawnSync } from "node:child_process";
import { refuse } from "./step.mjs";

const onPath = (command) =>
  spawnSync("sh", ["-c", 'command -v "$1"', "sh", command], { encoding: "utf8" }).stdout.trim();

/** The path of the first of these commands on PATH, or undefined. */
export function findCommand(...names) {
  return names.map(onPath).find(Boolean);
}

/**
 * Installs packages as root; `before` and `after` are shell commands to run around it. Output goes to stderr, so that stdout contains only what the
 * caller prints. Without apt-get, or without the right to use it, this ends the process with instructions; `optional` packages are skipped instead.
 */
export function installFromDebian(packages, { before = "", after = "", optional = false } = {}) {
  const wanted = packages.join(" ");
  const fail = optional ? (reason) => console.error(reason) : refuse;
  if (!findCommand("apt-get"))
    return fail(`Install ${wanted} with this system's package manager; only Debian's is known here.`);
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (sudo.length > 0 && spawnSync("sudo", ["-n", "true"]).status !== 0)
    return fail(`Install it as root first: apt-get install ${wanted}`);

  console.error(`installing ${wanted} …`);
  const script = [
    "set -e",
    before,
    "apt-get -q -o DPkg::Lock::Timeout=300 update",
    `apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ${wanted}`,
    after,
  ].join("\n");
  const [command, ...args] = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "sh", "-c", script];
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  if (status !== 0) fail(`${stdout}\nInstalling ${wanted} failed.`);
}
