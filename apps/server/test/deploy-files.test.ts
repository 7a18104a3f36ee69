import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generate } from "selfsigned";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { eventually } from "./eventually.js";
import { proxyPrograms } from "./proxy.js";

/** Debian's programs, if installed: systemd has one, prometheus the other. */
const isThere = (program: string) => spawnSync(program, ["--version"]).status === 0;
const promtool = process.env.PROMTOOL_PATH || "promtool";
const deploy = (file: string) => fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));
const read = (file: string) => readFileSync(deploy(file), "utf8");
const nginx = proxyPrograms?.nginx;
const scratch = mkdtempSync(join(tmpdir(), "deploy-files-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("deploy/", () => {
  it.runIf(isThere("systemd-analyze"))("the unit leaves the server little of the machine: at most 2 of 10", () => {
    const unit = deploy("systemd/wealth-connect.service");
    const answer = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], {
      encoding: "utf8",
    });
    expect(answer.stderr).toBe("");
    expect([answer.status, /Overall exposure level[^:]*: ([\d.]+)/.exec(answer.stdout)?.[1]]).toEqual([0, "1.3"]);
  });

  it.runIf(isThere(promtool))("the alerts are Prometheus' own, and say what they shall", () => {
    for (const args of [
      ["check", "rules", "alerts.yml"],
      ["test", "rules", "alerts.test.yml"],
    ])
      expect(execFileSync(promtool, args, { cwd: deploy("monitoring"), encoding: "utf8" })).toContain("SUCCESS");
  });

  it.runIf(isThere(promtool))("Prometheus understands every question of the dashboard", () => {
    const questions = [...read("monitoring/dashboard.json").matchAll(/^ *"expr": (".*"),$/gm)].map(([, text = ""]) =>
      (JSON.parse(text) as string).replaceAll("$__rate_interval", "5m"),
    );
    const rules = questions.map((expr, place) => ({ record: `dashboard:${place}`, expr }));
    // JSON is YAML.
    const file = join(scratch, "dashboard.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    expect(questions.length).toBeGreaterThan(20);
    expect(execFileSync(promtool, ["check", "rules", file], { encoding: "utf8" })).toContain(
      `SUCCESS: ${questions.length} rules found`,
    );
  });

  it("every alert is one that a test of promtool's raises", () => {
    const names = (text: string, key: string) =>
      [...text.matchAll(new RegExp(`${key}: (\\w+)`, "g"))].map(([, name]) => name);
    const raised = [...read("monitoring/alerts.test.yml").matchAll(/alertname: (\w+)\n +exp_alerts:\n/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(raised)].sort()).toEqual(names(read("monitoring/alerts.yml"), "alert").sort());
  });

  describe("the command line of deploy/systemd", () => {
    const said = join(scratch, "said.mjs");
    writeFileSync(said, 'process.stdout.write(JSON.stringify({ ...process.env, "": process.argv.slice(2) }));');
    /** Runs with its folders here, as the testing user. */
    const run = (settings: string) => {
      const file = join(scratch, "environment");
      writeFileSync(file, settings);
      const program = read("systemd/wealth-connect")
        .replaceAll("/var/lib/wealth-connect", scratch)
        .replace(/^exec setpriv .* -- "\$program"/m, `exec "${process.execPath}" "${said}"`);
      return spawnSync("sh", ["-c", program, "wealth-connect", "doctor", "--json"], {
        env: { ...process.env, WEALTH_CONNECT_ENVIRONMENT: file },
        encoding: "utf8",
      });
    };

    it("has the service's settings as systemd reads them, and a shell would not", () => {
      const settings = `# a comment
; another

MAIL_FROM=Letters <letters@example.com>
DATABASE_URL=postgres://u:p@h/db?x=1&y=2;z
HARMLESS=$(exit 3) \`exit 3\` $HOME # no comment
OIDC_ROLES=[{"claims":{"a":"it's"}}]
SINGLE='back\\slash "x" $y'
DOUBLE="it's"
EMPTY=
LAST=without an end of line`;
      const answer = run(settings);
      expect(answer.stderr).toBe("");
      expect(JSON.parse(answer.stdout)).toMatchObject({
        MAIL_FROM: "Letters <letters@example.com>",
        DATABASE_URL: "postgres://u:p@h/db?x=1&y=2;z",
        HARMLESS: "$(exit 3) `exit 3` $HOME # no comment",
        OIDC_ROLES: '[{"claims":{"a":"it\'s"}}]',
        SINGLE: 'back\\slash "x" $y',
        DOUBLE: "it's",
        EMPTY: "",
        LAST: "without an end of line",
        DATA_DIR: scratch,
        HOME: scratch,
        "": ["doctor", "--json"],
      });
    });

    it.each([
      ["A=back\\slash", "the value of A into single quotes"],
      ["A='a'b", "the value of A into single quotes"],
      [`A="a"b"`, "the value of A into single quotes"],
      ["A= a", "the value of A into single quotes"],
      ["A=a\r", "the value of A into single quotes"],
      ["A='two\nlines'", "the value of A into single quotes"],
      ["export A=a", "this is no NAME=value: export A"],
      ["A", "this is no NAME=value: A"],
    ])("refuses what systemd reads in another way, or not at all: %j", (line, reason) => {
      const answer = run(`${line}\n`);
      expect([answer.status, answer.stdout]).toEqual([1, ""]);
      expect(answer.stderr).toContain(reason);
    });
  });

  it.runIf(nginx)("nginx takes the site, leaves certbot its challenges, and tells the server who asks", async () => {
    const server = createServer(({ headers }, answer) => answer.end(JSON.stringify(headers))).listen(0, "127.0.0.1");
    await once(server, "listening");
    const [plain, tls] = [await freePort(), await freePort()];
    const challenges = join(scratch, ".well-known/acme-challenge");
    mkdirSync(challenges, { recursive: true });
    // If root runs the tests, nginx's workers run as another user.
    chmodSync(scratch, 0o755);
    writeFileSync(join(challenges, "token"), "proof");
    const pair = await generate([{ name: "commonName", value: "wealth.example.com" }]);
    writeFileSync(join(scratch, "wealth-connect.pem"), pair.cert);
    writeFileSync(join(scratch, "wealth-connect.key"), pair.private);
    const site = read("systemd/nginx-site.conf")
      .replace(/^ *listen \[::\].*$/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ", `listen 127.0.0.1:${tls} `)
      .replace("127.0.0.1:3000", `127.0.0.1:${(server.address() as AddressInfo).port}`)
      .replaceAll("/etc/nginx/certs", scratch)
      .replace("/var/www/wealth-connect-acme", scratch);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const paths = temporary.map((kind) => `${kind}_temp_path ${scratch}/${kind};`).join("\n");
    writeFileSync(join(scratch, "nginx.conf"), `pid ${scratch}/pid;\nevents {}\nhttp {\n${paths}\n${site}}\n`);
    const args = ["-p", scratch, "-c", join(scratch, "nginx.conf"), "-e", "stderr"];
    expect(spawnSync(nginx ?? "", [...args, "-t"], { encoding: "utf8" }).stderr).toContain("test is successful");
    const child = spawn(nginx ?? "", [...args, "-g", "daemon off;"], { stdio: "ignore" });
    const ended = once(child, "close");
    try {
      const challenge = `http://127.0.0.1:${plain}/.well-known/acme-challenge/token`;
      const answer = await eventually(() => fetch(challenge).catch(() => null), "nginx listens");
      expect([answer.status, await answer.text()]).toEqual([200, "proof"]);
      const other = await fetch(`http://127.0.0.1:${plain}/readyz`, { redirect: "manual" });
      expect([other.status, other.headers.get("location")]).toEqual([301, "https://127.0.0.1/readyz"]);
      const headers = await new Promise<string>((resolve, reject) => {
        const options = { rejectUnauthorized: false, headers: { "X-Forwarded-For": "192.0.2.1" } };
        request(`https://127.0.0.1:${tls}/`, options, async (received) => resolve((await received.toArray()).join("")))
          .on("error", reject)
          .end();
      });
      expect(JSON.parse(headers)).toMatchObject({ "x-forwarded-for": "127.0.0.1", host: "127.0.0.1" });
    } finally {
      child.kill("SIGTERM");
      await ended;
      server.close();
    }
  });

  it("[C-1.84] the image is of locked versions, runs as nobody in particular, and starts what the package starts", () => {
    const text = read("containers/Dockerfile");
    const [build = "", image = ""] = text.split(/^(?=FROM )/m).slice(1);
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    for (const [, tag] of read("containers/compose.yaml").matchAll(/image: (?!wealth-connect)(\S+)/g))
      expect(tag).toMatch(/^[a-z]+:\d+\.\d+-[a-z]+$/);
    expect(build).toContain("--frozen-lockfile");
    // npm would take the newest that the ranges allow; pnpm's `deploy` in that script takes what pnpm-lock.yaml has.
    for (const page of [text, readFileSync(new URL("../../../docs/how-to/deploy.md", import.meta.url), "utf8")]) {
      expect(page).toContain("node scripts/install-program.mjs ");
      expect(page).not.toMatch(/npm (?:install|i|ci) /);
    }
    expect(image).toMatch(/^USER 10001:10001$/m);
    expect(image).toMatch(/^HEALTHCHECK .*\/healthz/m);
    expect(image.match(/^(?:COPY|ADD) .*$/gm)).toEqual(["COPY --from=build /opt/wealth-connect /opt/wealth-connect"]);
    expect(image).toContain('ENTRYPOINT ["/opt/wealth-connect/node_modules/.bin/wealth-connect"]\nCMD ["serve"]');
    const started = "/opt/wealth-connect/current/node_modules/wealth-connect/dist/main.js";
    expect(read("systemd/wealth-connect.service")).toContain(`ExecStart=/usr/bin/node ${started} serve`);
    const manifest = JSON.parse(
      readFileSync(new URL("../../../apps/wealth-connect/package.json", import.meta.url), "utf8"),
    );
    expect(manifest.bin).toEqual({ "wealth-connect": "./dist/main.js" });
  });

  it("pages and Compose file name files that are there", () => {
    for (const page of ["deploy.md", "deploy-containers.md", "deploy-kubernetes.md", "deploy-patroni.md"]) {
      const text = readFileSync(new URL(`../../../docs/how-to/${page}`, import.meta.url), "utf8");
      for (const [, file = ""] of text.matchAll(
        /\bdeploy\/((?:systemd|monitoring|containers|kubernetes|patroni|helm)\/[\w.-]+)/g,
      ))
        expect([page, file, existsSync(deploy(file))]).toEqual([page, file, true]);
    }
    const addresses = (text: string) => new Set([...text.matchAll(/10\.0\.0\.1\d/g)].map(([address]) => address));
    expect(addresses(read("containers/compose.yaml"))).toEqual(addresses(read("haproxy.cfg")));
  });
});
