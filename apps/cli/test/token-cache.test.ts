import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { demo, operator, startStub } from "./stub-server.js";

const tenants = { body: { items: [] } };
const cli = commandLine();
const { file } = cli;
let stub: Awaited<ReturnType<typeof startStub>>;
let env: Record<string, string>;

afterAll(() => cli.remove());
beforeEach(async () => {
  stub = await startStub({ "/operator/v1/tenants/list": tenants });
  env = cli.dataFolder(stub.url, "t");
});
afterEach(() => stub.stop());

describe("[C-8.22] commands share a token", () => {
  const keptIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
  const kept = () => keptIn(join(env.DATA_DIR ?? "", "cli-tokens"));
  const asked = () => stub.sent.filter(({ path }) => path === "/token").length;
  const change = (changed: object) => {
    const [path = ""] = kept();
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...changed }));
  };
  const tenantsList = () => cli.run(["tenants", "list"], { env });

  it("one is asked for, by however many commands, and left in a file for its owner only", async () => {
    for (let count = 0; count < 3; count++) expect((await tenantsList()).code).toBe(0);
    expect(asked()).toBe(1);
    expect(kept()).toHaveLength(1);
    expect(statSync(kept()[0] ?? "").mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    const text = readFileSync(kept()[0] ?? "", "utf8");
    expect(JSON.parse(text)).toMatchObject({ url: stub.url, client_id: operator.client_id });
    expect(text).not.toMatch(/wcr_|wcs_/);
  });

  it.runIf(process.platform === "linux")("a home that cannot be written costs a token for each command", async () => {
    const given = {
      WEALTH_CONNECT_CLIENT_ID: operator.client_id,
      WEALTH_CONNECT_CLIENT_SECRET: operator.client_secret,
    };
    const withoutHome = { ...given, WEALTH_CONNECT_URL: stub.url, DATA_DIR: "none", HOME: "/proc/nothing" };
    for (let count = 0; count < 2; count++)
      expect(await cli.run(["tenants", "list"], { env: withoutHome })).toMatchObject({ code: 0, stderr: "" });
    expect(asked()).toBe(2);
  });

  it("processes that run at once do not get in each other's way", async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, tenantsList));
    expect(runs.map(({ code }) => code)).toEqual(Array(8).fill(0));
    expect(kept()).toHaveLength(1);
    const before = asked();
    expect((await tenantsList()).code).toBe(0);
    expect(asked()).toBe(before);
  });

  it("another address, application or secret has another one", async () => {
    const elsewhere = await startStub({ "/operator/v1/tenants/list": tenants });
    const as = ({ client_id, client_secret }: typeof operator) => [
      "--client-id",
      client_id,
      "--client-secret",
      client_secret,
    ];
    try {
      expect((await tenantsList()).code).toBe(0);
      expect((await cli.run(["tenants", "list", "--url", elsewhere.url, ...as(operator)], { env })).code).toBe(0);
      expect(elsewhere.sent.map(({ path }) => path)).toEqual(["/token", "/operator/v1/tenants/list"]);
      expect((await cli.run(["tenants", "list", ...as(demo)], { env })).code).toBe(1);
      const wrong = await cli.run(["tenants", "list", ...as({ ...operator, client_secret: "wcs_x" })], { env });
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("invalid_client")]);
      expect(kept()).toHaveLength(3);
    } finally {
      await elsewhere.stop();
    }
  });

  it("one that nears its end, was written or could be read by others, or is damaged, is asked for anew", async () => {
    await tenantsList();
    change({ expires_at: new Date(Date.now() + 60_000).toISOString(), access_token: "old" });
    await tenantsList();
    expect(asked()).toBe(2);
    writeFileSync(kept()[0] ?? "", "{");
    await tenantsList();
    expect(asked()).toBe(3);
    if (process.platform === "win32") return;
    chmodSync(kept()[0] ?? "", 0o644);
    await tenantsList();
    expect([asked(), statSync(kept()[0] ?? "").mode & 0o777]).toEqual([4, 0o600]);
  });

  it("one that is refused is deleted and another one asked for, also when a file was sent with it", async () => {
    stub.answers["/operator/v1/connectors/import"] = {
      body: { inserted: 1, updated: 0, unchanged: 0, unserved_total: 0, unserved: [] },
    };
    await tenantsList();
    change({ access_token: "ended" });
    expect((await cli.run(["connectors", "import", file("rows.ndjson", `{"id":"a:b"}`)], { env })).code).toBe(0);
    expect([asked(), stub.calls().at(-1)?.body.toString()]).toEqual([2, `{"id":"a:b"}`]);
    // Its scopes may have changed.
    change({ access_token: "at-wca_demo" });
    expect((await tenantsList()).code).toBe(0);
    expect(asked()).toBe(3);
  });

  it("is kept in the user's cache where there is no data folder, and nowhere where there is no home", async () => {
    const home = join(cli.folder, "home");
    const asOperator = {
      DATA_DIR: join(cli.folder, "none"),
      WEALTH_CONNECT_URL: stub.url,
      WEALTH_CONNECT_CLIENT_ID: operator.client_id,
      WEALTH_CONNECT_CLIENT_SECRET: operator.client_secret,
    };
    for (let count = 0; count < 2; count++)
      expect((await cli.run(["tenants", "list"], { env: { ...asOperator, HOME: home } })).code).toBe(0);
    expect([asked(), keptIn(join(home, ".cache", "wealth-connect")).length]).toEqual([1, 1]);
    expect((await cli.run(["tenants", "list"], { env: asOperator })).code).toBe(0);
    expect([asked(), existsSync(asOperator.DATA_DIR)]).toEqual([2, false]);
  });
});
