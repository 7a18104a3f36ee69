import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether this machine has GnuPG and Info-ZIP. */
export function hasArchivePrograms(): boolean {
  return ["gpg", "zip"].every((name) => spawnSync(name, ["--version"]).status === 0);
}

/** A custodian's GnuPG with its own home directory, which `close` removes. `gpg` takes input and arguments and returns the output. */
export function openGnuPg() {
  const home = mkdtempSync(join(tmpdir(), "gnupg-"));
  // Otherwise its agent spends seconds calibrating the passphrase hash.
  writeFileSync(join(home, "gpg-agent.conf"), "s2k-count 65536\n");
  const gpg = (input: Uint8Array | string, ...args: string[]): Buffer =>
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", "--no-tty", "--trust-model", "always", ...args], {
      input,
      stdio: ["pipe", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
  return {
    gpg,
    close() {
      spawnSync("gpgconf", ["--homedir", home, "--kill", "all"]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
