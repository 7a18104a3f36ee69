import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installProxies } from "../../scripts/proxies.mjs";

/** What deploy/haproxy.cfg says, but for addresses and the certificate. */
export function settingsForReplicas(listens, replicas) {
  const shipped = readFileSync(new URL("../../deploy/haproxy.cfg", import.meta.url), "utf8");
  return replaced(shipped, [
    [/bind :443 .*/, `bind 127.0.0.1:${listens}`],
    ["10.0.0.11:3000", `127.0.0.1:${replicas[0]}`],
    ["10.0.0.12:3000", `127.0.0.1:${replicas[1]}`],
  ]);
}

/** haproxy with these settings; answers its process id and how to end it. */
export function startHaproxy(settings) {
  const { haproxy } = installProxies();
  const folder = mkdtempSync(join(tmpdir(), "haproxy-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, settings);
  const child = spawn(haproxy, ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  process.on("exit", () => child.kill("SIGKILL"));
  return {
    pid: child.pid,
    stop() {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @throws when the text no longer has what is to be replaced */
export function replaced(text, changes) {
  return changes.reduce((settings, [what, by]) => {
    if (!(typeof what === "string" ? settings.includes(what) : what.test(settings)))
      throw new Error(`the shipped settings have no ${what}`);
    return typeof what === "string" ? settings.replaceAll(what, by) : settings.replace(what, by);
  }, text);
}
