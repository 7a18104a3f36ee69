// Prometheus' checker of alert rules, for their test: extracted from Debian's package into the user's cache folder, without installing it.
//
//   node scripts/promtool.mjs   prints its path; nothing if this is not Debian
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { findCommand } from "./debian.mjs";

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "wealth-connect", "prometheus");
const program = join(folder, "usr/bin/promtool");
const found = findCommand("promtool") ?? (existsSync(program) ? program : unpack());
if (found) console.log(found);

function unpack() {
  if (!findCommand("apt-get")) return null;
  const scratch = mkdtempSync(join(tmpdir(), "promtool-"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const script =
    'apt-get -q download prometheus && dpkg --fsys-tarfile prometheus_*.deb | tar -xC "$1" ./usr/bin/promtool';
  const { status, stderr } = spawnSync("sh", ["-c", script, "sh", folder], { cwd: scratch, encoding: "utf8" });
  rmSync(scratch, { recursive: true, force: true });
  if (status !== 0) console.error(`no promtool: ${stderr}`);
  return status === 0 ? program : null;
}
