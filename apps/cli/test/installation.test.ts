import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { openStorage } from "@org/storage-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { startStub } from "./stub-server.js";

/** Opens a real embedded database, which takes some seconds the first time. */
const TIMEOUT = 300_000;

const cli = commandLine();
const env = { DATA_DIR: "data", PUBLIC_URL: "http://localhost:9" };
afterAll(() => cli.remove());

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly next_step?: string;
}
const doctor = async (extra: Record<string, string> = {}, args: readonly string[] = []) => {
  const { code, document, stderr } = await cli.json(["doctor", ...args], { env: { ...env, ...extra } });
  const findings = new Map<string, Finding>(document.findings.map((finding: Finding) => [finding.check, finding]));
  return { code, stderr, findings, state: (check: string) => findings.get(check)?.state };
};

describe("an installation without a server", () => {
  it("[C-8.8] doctor makes no database, and says that there is none", async () => {
    const { code, findings } = await doctor();
    expect([code, findings.get("database")?.message]).toEqual([0, expect.stringContaining("no embedded database")]);
    expect(await cli.run(["doctor"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/warn {2}database: .*\n {6}-> wealth-connect serve makes it/),
    });
  });

  it("[C-8.8] [C-8.14] [C-14.10] migrate, bootstrap and doctor open the database themselves", {
    timeout: TIMEOUT,
  }, async () => {
    const migrated = await cli.json(["migrate"], { env });
    expect([migrated.code, migrated.document.applied.length]).toEqual([0, migrated.document.current]);
    expect(migrated.document.applied.length).toBeGreaterThan(0);
    const { current } = migrated.document;
    expect((await cli.json(["migrate"], { env })).document).toMatchObject({ applied: [], current });
    // [C-8.85] There is no cluster.
    expect(await cli.run(["cluster", "distribute", "--dry-run"], { env })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no extension citus"),
    });

    const first = await cli.json(["bootstrap", "--email", "ada@example.com"], { env });
    expect([first.code, first.document]).toEqual([
      0,
      {
        client_id: expect.stringMatching(/^wca_/),
        client_secret: expect.stringMatching(/^wcs_/),
        first_operator: {
          link: expect.stringMatching(/^http:\/\/localhost:9\/console\/join#wci_/),
          expires_at: expect.any(String),
        },
      },
    ]);
    expect(first.stderr).toMatch(/shown this once/);
    const refused = await cli.run(["bootstrap"], { env });
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(first.document.client_id) });
    const second = await cli.json(["bootstrap", "--another", "--name", "Second"], { env });
    expect(second.document.first_operator).toBeNull();
    expect(second.document.client_id).not.toBe(first.document.client_id);
    expect(await auditedActions()).toEqual(["person.invite", "application.created", "application.created"]);
    expect(await operators()).toEqual([first, second].map(({ document }) => document.client_id).sort());

    const { code, findings } = await doctor();
    expect(code).toBe(0);
    const troubles = [...findings.values()].filter((finding) => finding.state !== "ok");
    // The Node that runs the tests may be past its end of life.
    expect(troubles.map(({ check }) => check).filter((check) => check !== "Node")).toEqual(["server"]);
    for (const finding of findings.values()) expect(finding.state === "ok").toBe(finding.next_step === undefined);
  });
});

/** Client ids of the applications that may only operate, in alphabetical order. */
async function operators(): Promise<string[]> {
  const opened = await openStorage({ dataDir: join(cli.folder, env.DATA_DIR) }, () => new Date());
  const { rows } = await opened.pool
    .query<{ client_id: string }>(
      "select client_id from applications where tenant_id is null and scopes = '{operator}' order by client_id",
    )
    .finally(() => opened.close());
  return rows.map(({ client_id }) => client_id);
}

/** Actions in the installation's own audit trail. */
async function auditedActions(): Promise<string[]> {
  const opened = await openStorage({ dataDir: join(cli.folder, env.DATA_DIR) }, () => new Date());
  const conditions = { action: null, actor: null, object_id: null, trace_id: null };
  const everything = { from: null, before: null, ...conditions, after: null };
  const lines = await opened.storage.auditTrail
    .list({ ...everything, tenant_id: null, order: "oldest", limit: 9 })
    .finally(() => opened.close());
  return lines.map(({ action }) => action);
}

describe("commands in a folder that they cannot use", () => {
  /** Where Linux has no folder and makes none, even for root. */
  const nowhere = process.platform === "linux" ? "/proc/nothing" : "a-file";
  beforeAll(() => {
    cli.file("a-file", "");
    for (const name of ["pg-is-a-file", "keys-cannot-change"]) mkdirSync(join(cli.folder, name));
    cli.file("pg-is-a-file/pg", "");
    cli.file("keys-cannot-change/encryption-keys", `k1:${Buffer.alloc(32).toString("base64")}\n`);
    mkdirSync(join(cli.folder, "keys-cannot-change/encryption-keys.new"));
  });

  it.each([
    ["migrate", nowhere],
    ["bootstrap", nowhere],
    ["documents move", nowhere],
    ["migrate", "a-file/data"],
    ["token issue", "a-file/data"],
    ["keys rotate --encryption", "keys-cannot-change"],
    ["doctor", "pg-is-a-file"],
  ])("[C-8.87] %s with DATA_DIR=%s says what to do", async (command, DATA_DIR) => {
    const { code, stdout, stderr } = await cli.run(command.split(" "), { env: { ...env, DATA_DIR } });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("set DATA_DIR to a folder of your own");
    expect(stdout + stderr).not.toContain("defect");
  });
});

describe("migrate without a database that it can use", () => {
  /** Answers like PostgreSQL without TLS. */
  const withoutTls = createServer((socket) => socket.on("error", () => undefined).once("data", () => socket.end("N")));
  afterAll(() => withoutTls.close());

  it("[C-8.87] says what to do", async () => {
    withoutTls.listen(0, "127.0.0.1");
    await once(withoutTls, "listening");
    const { port } = withoutTls.address() as AddressInfo;
    writeFileSync(join(cli.folder, "no-folder"), "");
    const keys = { ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}` };
    const migrate = (settings: Record<string, string>) =>
      cli.run(["migrate"], { env: { ...env, ...keys, ...settings } });
    for (const [settings, advice] of [
      [{ DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d?sslmode=require` }, "turn TLS on at the server"],
      [{ DATABASE_URL: `postgres://u:p@s/s@127.0.0.1:${port}/d` }, "DATABASE_URL: has an @ behind its host"],
      [{ DATA_DIR: "no-folder/data" }, "set DATA_DIR to a folder of your own"],
    ] as const) {
      const { code, stderr } = await migrate(settings);
      expect([code, stderr]).toEqual([1, expect.stringContaining(advice)]);
      expect(stderr).not.toContain("defect");
    }
  });
});

describe("doctor on settings and files", () => {
  it("[C-1.10] lists every variable that cannot be used", async () => {
    const { code, document } = await cli.json(["doctor"], {
      env: { PORT: "x", PUBLIC_URL: "http://a.example", SANDBOX: "maybe" },
    });
    expect(code).toBe(1);
    expect(document.ok).toBe(false);
    const faults = document.findings.filter(({ check }: Finding) => check !== "Node");
    expect(faults.map(({ message }: Finding) => message.split(":")[0])).toEqual(["PORT", "PUBLIC_URL", "SANDBOX"]);
  });

  it("warns of what a production should not have", async () => {
    const production = {
      DATABASE_URL: "postgres://127.0.0.1:9/none",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
      SANDBOX: "true",
    };
    const { code, findings, state } = await doctor(production);
    expect(["public address", "sandbox banks", "mail"].map(state)).toEqual(["warn", "warn", "warn"]);
    expect(findings.get("database")).toMatchObject({
      state: "fail",
      message: expect.stringContaining("cannot be reached"),
    });
    expect(code).toBe(1);
    const proxied = { ...production, PUBLIC_URL: "https://wealth.example", TRUST_PROXY: "1" };
    expect((await doctor(proxied, ["--url", "http://127.0.0.1:9"])).state("public address")).toBe("ok");
  });

  it.runIf(process.platform !== "win32")("refuses credentials that others can read", async () => {
    mkdirSync(join(cli.folder, "open"));
    const file = join(cli.folder, "open", "credentials.json");
    writeFileSync(
      file,
      JSON.stringify({ url: "http://localhost:9", operator: { client_id: "a", client_secret: "b" } }),
    );
    chmodSync(file, 0o644);
    const { findings } = await doctor({ DATA_DIR: "open" });
    expect(findings.get("credentials.json")).toMatchObject({
      state: "fail",
      next_step: expect.stringContaining("chmod 600"),
    });
    chmodSync(file, 0o600);
    expect((await doctor({ DATA_DIR: "open" })).state("credentials.json")).toBe("ok");
  });
});

describe("doctor on a server", () => {
  it("finds one whose issuer is another address, that is not ready, or whose clock is off", async () => {
    const stub = await startStub();
    try {
      stub.gets["/readyz"] = {
        status: 503,
        body: { status: "unavailable", reason: "the database is not migrated" },
        date: "Fri, 01 Jan 2021 00:00:00 GMT",
      };
      stub.gets["/.well-known/oauth-authorization-server"] = { body: { issuer: "https://other.example" } };
      const { code, findings } = await doctor({}, ["--url", stub.url]);
      expect(code).toBe(1);
      expect(findings.get("server")).toMatchObject({
        state: "fail",
        message: "not ready: the database is not migrated",
      });
      expect(findings.get("issuer")).toMatchObject({
        state: "fail",
        message: expect.stringContaining("https://other.example"),
      });
      expect(findings.get("clock of this machine")).toMatchObject({
        state: "fail",
        next_step: expect.stringContaining("NTP"),
      });
      stub.gets["/readyz"] = { body: { status: "ready" } };
      stub.gets["/.well-known/oauth-authorization-server"] = { body: { issuer: stub.url } };
      const { state } = await doctor({}, ["--url", `${stub.url}/`]);
      expect(["server", "issuer", "clock of this machine"].map(state)).toEqual(["ok", "ok", "ok"]);
    } finally {
      await stub.stop();
    }
  });
});
