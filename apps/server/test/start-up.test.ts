import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import packageJson from "../package.json" with { type: "json" };
import { builtServer } from "./built-server.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { createInstallation, type Installation, type Pool } from "./installation.js";
import { startProcess } from "./server-process.js";

let main: string;
let installation: Installation;
/** Another program on a port that servers here are told to use. */
let other: Server;
let port: string;
/** A file where a folder should be. */
let file: string;
const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
beforeAll(async () => {
  main = await builtServer();
  installation = await createInstallation("embedded");
  other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  port = String((other.address() as { port: number }).port);
  file = join(installation.dataDir, "a-file");
  writeFileSync(file, "");
}, START_TIMEOUT);
afterAll(async () => {
  other?.close();
  await installation?.remove();
});

/** The faults that a server which does not start writes to stderr, without the prefix of each. */
async function faultsOf(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const failed = await startProcess({ ...installation.environment, ...environment });
  expect((await failed.exited).code).toBe(1);
  expect(failed.log().filter(({ msg }) => msg !== "ready" && !/security fixes/.test(msg))).toEqual([]);
  const [title, ...lines] = failed
    .output()
    .slice(failed.output().indexOf("the server cannot start"))
    .trimEnd()
    .split("\n");
  expect(title).toBe("the server cannot start:");
  for (const line of lines) expect(line).toMatch(/^ {2}[A-Z_]+: \S/);
  return lines.map((line) => line.slice(2));
}

describe("[C-1.43] what keeps a server from starting is said at once, a line each, and never with a stack", () => {
  it("settings, folders, keys and addresses together", async () => {
    writeFileSync(join(installation.dataDir, "encryption-keys"), "k1:c2hvcnQ=\n");
    const faults = await faultsOf({
      HOST: "127.0.0.1",
      PORT: port,
      TRUST_PROXY: "everything",
      ALLOWED_ORIGINS: "https://app.example, tauri://localhost",
      DROP_DIR: join(file, "drop"),
      LETTER_TEMPLATES: join(installation.dataDir, "none"),
      OPERATOR_LISTEN: `127.0.0.1:${port}`,
      METRICS_LISTEN: "nonsense",
      LOG_LEVEL: "loud",
      PROVIDERS: "ibkr-flex, ./no-bank.mjs,no-such-package",
      HTTPS_PROXY: "proxy.example:3128",
    });
    const wanted = [
      /^TRUST_PROXY: "everything" is neither/,
      /^METRICS_LISTEN: must be host:port/,
      /^ALLOWED_ORIGINS: tauri:\/\/localhost is not/,
      /^LOG_LEVEL: /,
      /^PROVIDERS: \.\/no-bank\.mjs: there is no such file$/,
      /^PROVIDERS: no-such-package: there is no package of this name/,
      /^HTTPS_PROXY: must be http/,
      /^METRICS_LISTEN: needs METRICS=true/,
      /^ENCRYPTION_KEYS: .*encryption-keys: key k1 is not 32 bytes in Base64$/,
      /^DROP_DIR: .*: it, or what it lies in, is no folder$/,
      /^LETTER_TEMPLATES: .*none is not a folder that can be read$/,
      /^PORT: port \d+ on 127\.0\.0\.1 is in use by another program: stop that one, or set PORT to a free port$/,
      /^OPERATOR_LISTEN: the address is in use by another program$/,
    ];
    for (const line of wanted) expect(faults).toContainEqual(expect.stringMatching(line));
    expect(faults).toHaveLength(wanted.length);
  });

  it("a database that is away, with the address that is taken", async () => {
    const DATABASE_URL = `postgres://wealth:s3cret@127.0.0.1:${await freePort()}/wealth`;
    const faults = await faultsOf({ DATABASE_URL, ENCRYPTION_KEYS, PORT: port });
    expect(faults).toEqual([
      expect.stringMatching(/^DATABASE_URL: the database cannot be reached: .*ECONNREFUSED/),
      expect.stringMatching(/^PORT: /),
    ]);
    expect(faults.join()).not.toContain("s3cret");
  });

  it("an address that is not this machine's, and a folder that is a file", async () => {
    expect(await faultsOf({ ENCRYPTION_KEYS, HOST: "192.0.2.1", PORT: "0", DATA_DIR: file })).toEqual([
      `DATA_DIR: ${file}: it is no folder`,
      "HOST: 192.0.2.1 cannot be listened on: the address is none of this machine's",
    ]);
  });
});

it.runIf(process.platform === "linux")("[C-8.87] a server whose folder cannot be made says so and ends", async () => {
  expect(await faultsOf({ ENCRYPTION_KEYS, PORT: "0", DATA_DIR: "/proc/nothing/data" })).toEqual([
    "DATA_DIR: /proc/nothing: there is no such file or folder",
  ]);
});

describe("a server on an embedded database that is started again", () => {
  let own: Installation;
  beforeAll(async () => {
    own = await createInstallation("embedded");
  });
  afterAll(() => own?.remove());
  const credentials = "credentials.json";
  const stored = () => JSON.parse(readFileSync(join(own.dataDir, credentials), "utf8"));

  /** What a start printed, once it served; it is then ended. */
  async function started(environment: Readonly<Record<string, string>>): Promise<string> {
    const server = await startProcess({ ...own.environment, ...environment });
    try {
      await eventually(() => server.log().some(({ msg }) => msg === "ready"), "the server is ready");
      // Written after the record of readiness.
      if (!environment.PUBLIC_URL)
        await eventually(
          () => server.output().includes("What there is") || server.output().includes("Try a filter"),
          "the welcome",
        );
      return server.output();
    } finally {
      await server.end("SIGINT");
    }
  }

  it("[C-1.61] where the port of its first start is taken, it creates nothing: the next start shows what to do", async () => {
    const refused = await startProcess({ ...own.environment, HOST: "127.0.0.1", PORT: port });
    expect((await refused.exited).code).toBe(1);
    expect(refused.output()).toContain(`PORT: port ${port} on 127.0.0.1 is in use by another program`);
    expect(existsSync(join(own.dataDir, credentials))).toBe(false);
    const free = String(await freePort());
    expect(await started({ PORT: free })).toContain(`Wealth Connect is running at http://localhost:${free}\n`);
    expect(stored().url).toBe(`http://localhost:${free}`);
  });

  it("[C-1.60] at another address it stores that one for the commands, with the first operator's link", async () => {
    const before = stored();
    const url = `http://127.0.0.1:${await freePort()}`;
    const output = await started({ PUBLIC_URL: url, PORT: String(await freePort()) });
    expect(output).toContain("the server has another address than before");
    const { link } = before.first_operator;
    const first_operator = { ...before.first_operator, link: url + link.slice(before.url.length) };
    expect(stored()).toEqual({ ...before, url, first_operator });
  });

  it("[C-8.237] once a newer version has migrated it, is refused", async () => {
    await own.withDatabase(setAhead);
    const [line] = await faultsOf({ ...own.environment, PORT: "0" });
    expect(line).toMatch(/^DATA_DIR: the database has migration 9999, this version knows \d+: use the newer version$/);
  });
});

/** Makes a database look as if a later version had migrated it. */
async function setAhead(pool: Pool): Promise<void> {
  await pool.query("insert into schema_migrations (number, name, sha256) values (9999, 'later', '')");
}

it.skipIf(!testDatabaseUrl)(
  "[C-8.237] PostgreSQL that a newer version has migrated is served, as in a rolling update, with a warning",
  async () => {
    const newer = await createInstallation("postgres");
    await newer.withDatabase(setAhead);
    const server = await startProcess({ ...newer.environment, PORT: "0" });
    try {
      await eventually(() => server.log().some(({ msg }) => msg === "ready"), "the server is ready");
      expect(server.log()).toContainEqual(
        expect.objectContaining({ level: "warn", current: 9999, msg: expect.stringMatching(/^a newer version has/) }),
      );
    } finally {
      await server.end("SIGINT");
      await newer.remove();
    }
  },
);

describe("[C-1.44] the server's command line", () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
    return { status, stdout, stderr };
  };

  it("--help says how it is used, where settings are and what exit codes mean; --version the version", () => {
    const help = run("--help");
    expect([help.status, help.stderr]).toEqual([0, ""]);
    for (const part of ["Usage: node apps/server/dist/main.js", "docs/reference/configuration.md", "Exit codes:"])
      expect(help.stdout).toContain(part);
    expect(run("-h")).toEqual(help);
    for (const flag of ["--version", "-v"])
      expect(run(flag)).toEqual({ status: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  it.each(["--port=80", "-x", "start"])("refuses %s with exit code 2", (argument) => {
    expect(run(argument)).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^\S.*; --help shows what there is\n$/),
    });
  });
});
