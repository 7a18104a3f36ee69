// The proxies with settings in deploy/, for tests that use them: Debian's haproxy and nginx, and openssl, which creates their certificate.
//
//   node scripts/proxies.mjs   prints their paths; installs them if they are missing
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { installFromDebian } from "./debian.mjs";

/** Debian starts services on installation; this file prevents it. */
const REFUSE_START = "/usr/sbin/policy-rc.d";
/** The addresses of both replicas in the shipped settings. */
const SHIPPED_REPLICAS = ["10.0.0.11:3000", "10.0.0.12:3000"];

/** The paths of all three; null if one is missing. */
export function findProxies() {
  const [haproxy, nginx, openssl] = ["haproxy", "nginx", "openssl"].map(pathOf);
  return haproxy && nginx && openssl ? { haproxy, nginx, openssl } : null;
}

/** Like {@link findProxies}, but installs what is missing first. Ends the process if that fails. */
export function installProxies() {
  const found = findProxies();
  if (found) return found;
  installFromDebian(["haproxy", "nginx", "openssl"], {
    before: `[ -e ${REFUSE_START} ] || { printf '#!/bin/sh\\nexit 101\\n' > ${REFUSE_START}; chmod +x ${REFUSE_START}; touch ${REFUSE_START}.tests; }`,
    after: `if [ -e ${REFUSE_START}.tests ]; then rm -f ${REFUSE_START} ${REFUSE_START}.tests; fi`,
  });
  return findProxies();
}

/**
 * Starts a proxy with the settings in deploy/, including TLS and HTTP/2; only addresses, the certificate and nginx's own folders differ. Returns its
 * `url`, its self-signed certificate (`ca`), its `pid`, its output (`output()`) and `stop()`. The caller checks when it serves.
 * @param name `haproxy` or `nginx`
 * @param port on 127.0.0.1; its certificate is for localhost
 * @param replicas the ports of both replicas
 */
export function startProxy(name, port, replicas) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  // nginx runs as a user other than root and buffers data for slow clients there.
  chmodSync(folder, 0o755);
  const ca = makeCertificate(folder);
  const { settings, options } = proxies[name];
  const file = join(folder, "settings");
  writeFileSync(file, settings(`127.0.0.1:${port}`, replicas, folder));
  return { url: `https://localhost:${port}`, ca, ...startProgram(name, options(file, folder), folder) };
}

export function startHaproxy(settings) {
  const folder = mkdtempSync(join(tmpdir(), "haproxy-"));
  const file = join(folder, "settings");
  writeFileSync(file, asItsOwnUser(settings));
  return startProgram("haproxy", proxies.haproxy.options(file), folder);
}

/** @throws if the text no longer contains what is to be replaced */
export function replaced(text, changes) {
  return changes.reduce((settings, [what, by]) => {
    const isText = typeof what === "string";
    if (isText ? !settings.includes(what) : !what.test(settings))
      throw new Error(`the shipped settings have no ${what}`);
    return isText ? settings.replaceAll(what, by) : settings.replace(what, by);
  }, text);
}

const proxies = {
  haproxy: {
    settings: (listens, replicas, folder) =>
      replaced(asItsOwnUser(shipped("haproxy.cfg")), [
        ["bind :443 ", `bind ${listens} `],
        ["/etc/haproxy/certs", join(folder, "certs")],
        ...addresses(replicas),
      ]),
    options: (file) => ["-db", "-f", file],
  },
  nginx: {
    settings: (listens, replicas, folder) =>
      replaced(shipped("nginx.conf"), [
        ["listen 443 ", `listen ${listens} `],
        ["/etc/nginx/certs/server.pem", join(folder, "certs/server.pem")],
        // haproxy wants certificate and key in one file.
        ["/etc/nginx/certs/server.key", join(folder, "certs/server.pem")],
        // A folder that every user may write to, not only root.
        ["http {", `pid ${folder}/pid;\nhttp {\n${temporaryFolders(folder)}`],
        ...addresses(replicas),
      ]),
    options: (file, folder) => ["-p", folder, "-c", file, "-g", "daemon off;"],
  },
};

/** Removes the change of user, which only root can make. */
function asItsOwnUser(settings) {
  return process.getuid() === 0 ? settings : settings.replace(/^ +(?:user|group) haproxy\n/gm, "");
}

/** The PATH of other users may lack /usr/sbin, where proxies are installed. */
function pathOf(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

function shipped(name) {
  return readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8");
}

function addresses(replicas) {
  return SHIPPED_REPLICAS.map((address, index) => [address, `127.0.0.1:${replicas[index]}`]);
}

function temporaryFolders(folder) {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n");
}

/** Creates a self-signed certificate with its key in `certs/server.pem`, and returns the certificate. */
function makeCertificate(folder) {
  mkdirSync(join(folder, "certs"));
  const wanted = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const { status, stdout, stderr } = spawnSync(pathOf("openssl"), [...wanted, ...named, "-keyout", "-"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
  writeFileSync(join(folder, "certs/server.pem"), stdout, { mode: 0o600 });
  return /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n/.exec(stdout)[0];
}

function startProgram(name, options, folder) {
  const child = spawn(pathOf(name), options, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      // haproxy prints a line for each request.
      output = (output + text).slice(-10_000);
    });
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    pid: child.pid,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      process.off("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(JSON.stringify(installProxies()));
