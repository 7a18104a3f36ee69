import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { eventually } from "./eventually.js";
import { freePort } from "./free-port.js";

/** The proxies whose settings deploy/ ships. */
export type ProxyName = "haproxy" | "nginx";

/** A real proxy with the settings that are shipped, in front of two replicas. */
export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where it is installed; undefined where it is not. Root's folders are not on everybody's PATH. */
export function findProxy(name: ProxyName): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts it.
 * @param program its path
 * @param replicas origins of both
 */
export async function startProxy(name: ProxyName, program: string, replicas: readonly string[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const file = join(folder, "settings");
  const shipped = readFileSync(new URL(`../../../deploy/${settingsFile[name]}`, import.meta.url), "utf8");
  const addresses = replicas.map((origin) => `127.0.0.1:${new URL(origin).port}`);
  writeFileSync(file, localSettings[name](shipped, { listens: `127.0.0.1:${port}`, addresses, folder }));
  const child = spawn(program, options[name](file, folder), { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve())).finally(() =>
    running.delete(child),
  );
  const proxy = {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${output}`);
    return fetch(`${proxy.url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }, `${name} serves`);
  return proxy;
}

const settingsFile = { haproxy: "haproxy.cfg", nginx: "nginx.conf" } as const;

interface Place {
  readonly listens: string;
  readonly addresses: readonly string[];
  readonly folder: string;
}

/** The shipped settings with other addresses and without the certificate; nothing else changes. */
const localSettings: Readonly<Record<ProxyName, (shipped: string, place: Place) => string>> = {
  haproxy: (shipped, { listens, addresses }) =>
    replaced(shipped, [
      [/bind :443 .*/, `bind ${listens}`],
      ["10.0.0.11:3000", addresses[0]],
      ["10.0.0.12:3000", addresses[1]],
    ]),
  nginx: (shipped, { listens, addresses, folder }) =>
    replaced(shipped, [
      [/listen 443 .*/, `listen ${listens};`],
      [/ssl_certificate .*/, ""],
      [/ssl_certificate_key .*/, ""],
      ["10.0.0.11:3000", addresses[0]],
      ["10.0.0.12:3000", addresses[1]],
      // Where anybody may write, not only root.
      [
        "http {",
        `pid ${folder}/pid;\nhttp {\n${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n")}`,
      ],
    ]),
};

const options: Readonly<Record<ProxyName, (file: string, folder: string) => readonly string[]>> = {
  haproxy: (file) => ["-db", "-f", file],
  nginx: (file, folder) => ["-p", folder, "-c", file, "-g", "daemon off;"],
};

function replaced(text: string, changes: readonly (readonly [string | RegExp, string | undefined])[]): string {
  return changes.reduce((settings, [what, by]) => {
    if (!(typeof what === "string" ? settings.includes(what) : what.test(settings)))
      throw new Error(`the shipped settings have no ${what}`);
    return typeof what === "string" ? settings.replaceAll(what, by ?? "") : settings.replace(what, by ?? "");
  }, text);
}
