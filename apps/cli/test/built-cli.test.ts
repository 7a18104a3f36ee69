import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo, operator, startStub } from "./stub-server.js";

/** The command line as it ships: bundled from its sources, each run in a separate process. */
const app = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cli-"));
let bundle: string;

beforeAll(async () => {
  // Below the app, so that imports that were not bundled are found.
  const cache = join(app, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  bundle = mkdtempSync(join(cache, "cli-"));
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup/package.json")), "dist/cli-default.js");
  // tsup reads the working directory's manifest for what stays an import.
  await promisify(execFile)(process.execPath, [tsup, "--out-dir", bundle, "--silent"], { cwd: app });
}, 120_000);
afterAll(() => {
  rmSync(bundle, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

/** Silences Node's warnings. */
const quiet = { NODE_NO_WARNINGS: "1" };

function run(args: readonly string[], env: Record<string, string> = quiet, stdin = "") {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [join(bundle, "main.js"), ...args], { cwd: folder, env });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(stdin);
  });
}

describe("[C-8.12] the process", () => {
  it("exits with 0 when done, the document on stdout and nothing else", async () => {
    writeFileSync(join(folder, "rows.ndjson"), `{"id":"esp:sol","name":"Banco Sol","country":"es"}\n`);
    const args = ["filter", "preview", "--connectors", "rows.ndjson", "--filter", "-", "--json"];
    const { code, stdout, stderr } = await run(args, quiet, `{"rules":[]}`);
    expect([code, stderr, JSON.parse(stdout).total]).toEqual([0, "", 1]);
  });

  it("exits with 1 when refused and with 2 on wrong usage, the reason on stderr", async () => {
    const missing = await run(["filter", "preview", "--connectors", "rows.ndjson", "--filter", "none.json"]);
    expect(missing).toEqual({ code: 1, stdout: "", stderr: "error: cannot read none.json: no such file\n" });
    expect(await run(["nonsense"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/unknown command/),
    });
  });

  it("[C-8.15] says in doctor alone that its Node is past its end", async () => {
    expect(await run(["--version"], {})).toMatchObject({ code: 0, stderr: "" });
    const isOutdated = Number.parseInt(process.versions.node, 10) < 22;
    const { stdout } = await run(["doctor", "--json"]);
    const node = JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === "Node");
    expect(node).toMatchObject({ source: "local", state: isOutdated ? "warn" : "ok" });
    expect(node.message.includes("has had no security fixes")).toBe(isOutdated);
  });

  it("[C-8.34] serve says what to do where the server is not built", async () => {
    expect(await run(["serve", "--help"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: the server is not built: pnpm build, or npm start, which builds and starts it\n",
    });
  });

  it("prints its version", async () => {
    expect(await run(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it("[C-8.14] talks to the server over HTTP and ends with it", async () => {
    const stub = await startStub({ "/operator/v1/tenants/list": { body: { items: [] } } });
    const data = join(folder, "data");
    mkdirSync(data);
    writeFileSync(
      join(data, "credentials.json"),
      JSON.stringify({ url: stub.url, operator, demo: { tenant: "t", ...demo } }),
    );
    expect(await run(["tenants", "list", "--json"], { ...quiet, DATA_DIR: "data" })).toMatchObject({
      code: 0,
      stderr: "",
    });
    await stub.stop();
    expect(await run(["tenants", "list"], { ...quiet, DATA_DIR: "data" })).toMatchObject({
      code: 1,
      stderr: `error: no server at ${stub.url}: start it with npm start\n`,
    });
  });

  it("[C-11.9] events follow ends by SIGINT with 0, whole lines and none lost: --after goes on behind the last", async () => {
    const idOf = (sequence: number) => `01900000-0000-7000-8000-${String(sequence).padStart(12, "0")}`;
    const event = (sequence: number) => ({
      id: idOf(sequence),
      type: "letter.moved",
      created_at: "2026-03-02T09:00:00.000Z",
      tenant_id: idOf(0),
      sequence,
      data: { letter_id: idOf(0) },
    });
    const stub = await startStub({
      "/events/v1/list-events": ({ body }) => {
        const from = Number(JSON.parse(body.toString()).query.after.slice(-12));
        const items = Array.from({ length: 500 }, (_, index) => event(from + index + 1));
        return { body: { items, next_page_token: null } };
      },
    });
    const follow = async (after: string, lines: number) => {
      const [url, id, secret] = [stub.url, demo.client_id, demo.client_secret];
      const child = spawn(
        process.execPath,
        [join(bundle, "main.js"), "events", "follow", "--json", "--after", after, "--url", url, "--client-id", id],
        { cwd: folder, env: { ...quiet, WEALTH_CONNECT_CLIENT_SECRET: secret, HOME: folder } },
      );
      let [stdout, stderr] = ["", ""];
      let isInterrupted = false;
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
        // Only once: a second signal ends a process immediately.
        if (!isInterrupted && stdout.split("\n").length > lines) isInterrupted = child.kill("SIGINT");
      });
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      const [code, signal] = await new Promise<unknown[]>((resolve) => child.on("close", (...end) => resolve(end)));
      expect([code, signal, stderr, stdout.endsWith("}\n")]).toEqual([0, null, "", true]);
      return stdout
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text).sequence as number);
    };
    const first = await follow(idOf(0), 700);
    const second = await follow(idOf(first.at(-1) ?? 0), 10);
    await stub.stop();
    expect(first.length).toBeGreaterThanOrEqual(700);
    expect([...first, ...second]).toEqual(
      Array.from({ length: first.length + second.length }, (_, index) => index + 1),
    );
  });

  it("survives a reader that stops early", async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, index) => `{"id":"esp:bank-${index}","name":"Bank ${index}","country":"es"}`,
    );
    writeFileSync(join(folder, "many.ndjson"), rows.join("\n"));
    writeFileSync(join(folder, "all.json"), `{"rules":[]}`);
    const child = spawn(
      process.execPath,
      [join(bundle, "main.js"), "filter", "preview", "--connectors", "many.ndjson", "--filter", "all.json"],
      { cwd: folder, env: quiet },
    );
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, stderr]).toEqual([0, ""]);
  });
});
