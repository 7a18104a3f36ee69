import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { freePort } from "../../http/test/free-port.js";
import { createSigner, event, otherSecret, secret } from "./deliveries.js";

const page = readFileSync(new URL("../../../docs/how-to/webhooks.md", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "receivers-"));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Compilers take seconds of CPU time, so receivers that need one, and PHP, run only when `scripts/receivers.mjs` requests them. */
const isAsked = process.env.RECEIVERS === "all";

/** Each receiver of docs/how-to/webhooks.md, and its start command; a compiler's files stay in its folder. */
const receivers = [
  { file: "receiver.mjs", command: "node", args: () => ["receiver.mjs"] },
  { file: "receiver.py", command: "python3", args: () => ["receiver.py"] },
  { file: "receiver.go", command: "go", args: () => ["run", "receiver.go"], onDemand: true },
  { file: "Receiver.java", command: "java", args: () => ["Receiver.java"], onDemand: true },
  {
    file: "receiver.php",
    command: "php",
    args: (port: string) => ["-S", `127.0.0.1:${port}`, "receiver.php"],
    onDemand: true,
  },
].map((each) => ({ ...each, missing: !isInstalled(each.command) || (each.onDemand === true && !isAsked) }));

for (const { file, command, args, missing } of receivers)
  it.skipIf(missing)(
    `[C-11.84] ${file} of docs/how-to/webhooks.md takes what is signed, once, and nothing else`,
    async () => {
      const home = join(folder, file.replace(".", "-"));
      mkdirSync(home);
      writeFileSync(join(home, file), blockOf(file));
      const port = await freePort();
      const child = spawn(command, args(port), {
        cwd: home,
        env: environmentOf(home, port),
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.push(child);
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      const post = (headers: Record<string, string>, text = body) =>
        fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body: text }).then(
          ({ status }) => status,
        );
      await listening(port, child, () => output);

      const good = delivery({});
      expect(await post(delivery({ key: Buffer.alloc(32) }))).toBe(400);
      expect(await post(good, body.replace('"sequence":42', '"sequence":43'))).toBe(400);
      expect(await post(delivery({ age: 301 }))).toBe(400);
      expect(await post(delivery({ age: -302 }))).toBe(400);
      expect(await post({ "content-type": "application/json" })).toBe(400);
      expect(await post({ ...good, "webhook-signature": good["webhook-signature"].replace("v1,", "v2,") })).toBe(400);
      expect(existsSync(join(home, "events")) ? readdirSync(join(home, "events")) : []).toEqual([]);
      expect(await post({ ...good, "webhook-signature": `v1,AAAA v1a,AAAA ${good["webhook-signature"]}` })).toBe(204);
      expect(await post(delivery({ key: keyOf(otherSecret) }))).toBe(204);
      expect(readdirSync(join(home, "events"))).toEqual([`${event.id}.json`]);
      expect(readFileSync(join(home, "events", `${event.id}.json`), "utf8")).toBe(body);
      await expect.poll(() => output.split("\n").filter((line) => line === event.id)).toHaveLength(1);
      child.kill("SIGKILL");
    },
  );

it.skipIf(!["curl", "openssl", "sh", "od"].every(isInstalled))(
  "[C-11.84] openssl of docs/how-to/webhooks.md finds which signatures fit",
  async () => {
    const [ours, old] = [await createSigner(), await createSigner()];
    const keys = {
      keys: [old, ours].map(({ publicKey }, n) => ({
        kid: `${n}`,
        public_key: publicKey,
        since: "2026-11-01T00:00:00Z",
        until: null,
      })),
    };
    const server = createServer((_, response) => response.end(JSON.stringify(keys))).listen(0, "127.0.0.1");
    await expect.poll(() => server.listening).toBe(true);
    const home = join(folder, "shell");
    mkdirSync(home);
    writeFileSync(join(home, "verify.sh"), blockOf("verify.sh"));
    const headers = delivery({});
    const asymmetric = await ours.sign(body, event.id, headers["webhook-timestamp"]);
    const verify = async (text: string) => {
      writeFileSync(join(home, "body"), text);
      const env = {
        PATH: process.env.PATH ?? "",
        WEBHOOK_SECRET: secret,
        SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        id: event.id,
        timestamp: headers["webhook-timestamp"],
        signatures: `${headers["webhook-signature"]} ${asymmetric}`,
      };
      return outputOf("sh", ["verify.sh"], home, env);
    };
    expect(await verify(body)).toBe("v1 fits\nv1a fits\n");
    expect(await verify(`${body} `)).toBe("v1 does not fit\n");
    server.close();
  },
);

const body = JSON.stringify(event);
const keyOf = (text: string) => Buffer.from(text.replace("whsec_", ""), "base64");

/** Headers of a delivery of the event that was made this many seconds ago. */
function delivery({ key = keyOf(secret), age = 0 }) {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

function blockOf(file: string): string {
  const begin = page.indexOf(`<!-- receiver: ${file} -->`);
  const [, code] = /^```\w+\n([\s\S]*?)^```$/m.exec(page.slice(begin)) ?? [];
  if (begin < 0 || !code) throw new Error(`docs/how-to/webhooks.md has no ${file}`);
  return code;
}

function environmentOf(home: string, port: string) {
  const { PATH = "", HOME = home } = process.env;
  return {
    PATH,
    HOME,
    PORT: port,
    WEBHOOK_SECRET: `${otherSecret} ${secret}`,
    GOCACHE: join(home, "cache"),
    GO111MODULE: "off",
  };
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((place) => existsSync(join(place, command)));
}

/** Reports the output of a process that fails to start, such as a pyenv shim without a version or a compiler error. */
async function listening(port: string, child: ChildProcess, output: () => string): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline && child.exitCode === null; await delay(50))
    if (
      await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" }).then(
        () => true,
        () => false,
      )
    )
      return;
  throw new Error(`It does not listen:\n${output()}`);
}

function outputOf(command: string, args: string[], cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    child.once("error", reject);
    child.once("close", () => resolve(text));
  });
}
