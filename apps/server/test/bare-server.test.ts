import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { register } from "./authorize.js";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { createInstallation, type Installation } from "./installation.js";
import { rawCaller } from "./mcp-clients.js";
import { type ServerProcess, startProcess } from "./server-process.js";

const CALLBACK = "https://client.example/callback";

describe("a server that is told nothing but where its data lie", () => {
  let server: TestServer;
  /** A client that registered itself. */
  let clientId: string;
  beforeAll(async () => {
    server = await startTestServer({ backend: "embedded" });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[C-1.3] [C-1.25] stays in the foreground and writes one JSON record a line on stdout, of level info and above", () => {
    expect(() => process.kill(server.process.pid, 0)).not.toThrow();
    const records = server.process.log(); // throws at a line that is not JSON
    expect(records.find(({ msg }) => msg === "ready")).toMatchObject({ level: "info", url: server.url });
    for (const record of records) {
      expect(record).toMatchObject({ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), msg: expect.any(String) });
      expect(["info", "warn", "error", "fatal"]).toContain(record.level);
    }
  });

  it("[C-1.7] says at its first start where the credentials are, the MCP address, a curl for a token and the commands", async () => {
    const file = join(server.installation.dataDir, "credentials.json");
    const output = server.process.output();
    expect(output).toContain(`Credentials of the demo tenant and of the operator: ${file}\n`);
    expect(output).toContain(`MCP server      ${server.url}/mcp\n`);
    const [, program = "", address = ""] = /node -e '(.*)' \| curl -s (\S+) -d @-\n/.exec(output) ?? [];
    const form = execFileSync(process.execPath, ["-e", program], { encoding: "utf8" });
    const { status, body } = await post(address, new URLSearchParams(form.trim()));
    expect([status, body.token_type]).toEqual([200, "bearer"]);
    const { scripts } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    expect(scripts.cli).toBe("node scripts/cli.mjs");
    // apps/cli/test/real-server.test.ts runs them.
    for (const command of ["token issue", "filter preview --filter examples/filter.json"])
      expect(output).toContain(`  DATA_DIR='${server.installation.dataDir}' npm run cli -- ${command}\n`);
  });

  it.each([
    ["breaks off", "Content-Length: 99\r\n\r\ngrant_type="],
    ["is no HTTP any more", "Transfer-Encoding: chunked\r\n\r\n1\r\naZZ\r\n"],
    ["is followed by what is none", "Content-Length: 10\r\n\r\ngrant_type\u0001\r\n\r\n"],
  ])("[security.md] lives when a form %s", async (_what, rest) => {
    const socket = connect({ host: "localhost", port: Number(new URL(server.url).port), allowHalfOpen: true });
    const form = "Content-Type: application/x-www-form-urlencoded";
    socket.end(`POST /token HTTP/1.1\r\nHost: localhost\r\n${form}\r\n${rest}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.faults()).toEqual([]);
  });

  it("[C-1.80] shows people at its address what it is, with the MCP address that it told", async () => {
    const page = await fetch(server.url, { headers: { accept: "text/html", "accept-language": "fr" } });
    expect([page.status, page.headers.get("x-trace-id")]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await page.text()).toContain(`<code>${server.url}/mcp</code>`);
    expect((await fetch(`${server.url}/reference`)).status).toBe(200);
    expect((await fetch(server.url, { headers: { accept: "application/json" } })).status).toBe(404);
    await eventually(
      () => server.process.log().some(({ msg, route, status }) => msg === "request" && route === "/" && status === 200),
      "the page's record in the access log",
    );
  });

  it("[C-1.13] [C-1.14] has its own database, keys and credentials in DATA_DIR", () => {
    expect(server.process.log().find(({ msg }) => msg === "ready")).toMatchObject({ database: "embedded" });
    for (const name of ["pg", "encryption-keys", "credentials.json"])
      expect(existsSync(join(server.installation.dataDir, name)), name).toBe(true);
  });

  it("[C-1.16] offers the sandbox banks, and they connect", async () => {
    expect((await server.demo.tools.call("svc-connectors")).total).toBeGreaterThanOrEqual(60);
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "ordinary" });
    expect((await server.demo.tools.call("svc-session-status", { session_id: id })).status).toBe("Finished:OK");
  });

  it("[C-1.27] gives a widget_url half an hour", async () => {
    const { body } = await server.demo.post("/v2/connect/sessions", { configuration: {} });
    const { expires_at, updated_at } = body.session;
    expect(Date.parse(expires_at) - Date.parse(updated_at)).toBe(1_800_000);
  });

  it("[C-9.12] registers sixty clients of one address within a minute", async () => {
    const metadata = { redirect_uris: [CALLBACK] };
    const answers = await Promise.all(Array.from({ length: 60 }, () => register(server.url, metadata)));
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(201));
    clientId = answers[0]?.body.client_id;
  });

  describe("[C-9.2] a form is in the first answer of its page, with what it needs, and no script makes it:", () => {
    const pages: readonly (readonly [page: string, step: string, fields: readonly string[], address: () => unknown])[] =
      [
        [
          "the widget",
          "continue",
          [],
          async () => (await server.demo.openSession({ connector_id: sandboxBanks.psd2 })).widgetUrl,
        ],
        [
          "the authorization page",
          "sign-in",
          ["client_id", "client_secret"],
          () => authorizationUrl(server.url, clientId),
        ],
        ["the grants page", "sign-in", ["client_id", "client_secret"], () => `${server.url}/grants`],
      ];

    it.each(pages)("%s", async (_page, step, fields, address) => {
      const url = String(await address());
      const { status, headers, text } = await send(url);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(text).toMatch(new RegExp(`<form[^>]* method="post"[^>]*/${step}"|<form[^>]*/${step}"[^>]* method="post"`));
      const browser = createBrowser();
      await browser.open(url);
      expect(browser.form(step)?.fields).toEqual(expect.arrayContaining([...fields]));
    });

    it("the consent step, after the sign-in and where a person comes back from one", async () => {
      const { clientId: client_id, clientSecret: client_secret } = server.demo;
      const browser = createBrowser();
      await browser.open(authorizationUrl(server.url, clientId));
      await browser.submit("sign-in", { client_id, client_secret });
      const form = browser.form("decision");
      expect(form?.buttons.map(({ value }) => value)).toContain("approve");
      const [, request = ""] = form?.preset.find(([name]) => name === "request") ?? [];
      await browser.open(`${server.url}/authorize/continue?${new URLSearchParams({ request })}`);
      expect(browser.form("decision")?.fields).toEqual(form?.fields);
    });

    it("the page of a sandbox bank that stands for the bank's own", async () => {
      const { widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.redirect });
      const browser = createBrowser();
      await browser.open(widgetUrl);
      await browser.submit("continue");
      await eventually(async () => {
        await browser.open(widgetUrl);
        return browser.form("redirect") !== undefined;
      }, "the bank has answered");
      await browser.open((await browser.submit("redirect")).url);
      expect(browser.page?.url).toContain("/sandbox/login?");
      expect(browser.form("login")?.fields).toEqual(expect.arrayContaining(["username", "password"]));
    });

    it("the bank's form, one step on", async () => {
      const browser = createBrowser();
      await browser.open((await server.demo.openSession({ connector_id: sandboxBanks.psd2 })).widgetUrl);
      await browser.submit("continue");
      expect(browser.form("credentials")?.fields).toEqual(expect.arrayContaining(["username", "password"]));
    });
  });

  it("[C-1.3] [C-1.7] on a terminal its records are for people; a second start repeats no instructions", {
    timeout: START_TIMEOUT,
  }, async () => {
    await server.stop("SIGKILL");
    await expect(send(`${server.url}/healthz`)).rejects.toThrow();
    const terminal = ["--import", "data:text/javascript,process.stdout.isTTY = true"];
    const again = await startProcess({ ...server.installation.environment, PORT: "0", NO_COLOR: "1" }, terminal);
    try {
      await eventually(() => again.output().includes("ready"), "the server is ready again");
      expect(() => again.log()).toThrow(SyntaxError);
      expect(again.output()).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: ready\n(.*\n)* {4}url: "http:/m);
      expect(again.output()).not.toContain("curl");
    } finally {
      await again.end("SIGKILL");
    }
  });
});

describe("a server whose settings differ from the defaults", () => {
  let installation: Installation;
  let running: ServerProcess;
  let url: string;
  beforeAll(async () => {
    installation = await createInstallation("embedded");
    const port = await freePort();
    url = `http://localhost:${port}`;
    const settings = { PORT: port, SANDBOX: "false", LOG_LEVEL: "warn", WIDGET_TTL_SECONDS: "60" };
    running = await startProcess({ ...installation.environment, ...settings });
    await eventually(
      async () => (await send(`${url}/readyz`).catch(() => null))?.status === 200,
      "the server is ready",
    );
  }, START_TIMEOUT);
  afterAll(async () => {
    await running?.end("SIGKILL");
    await installation?.remove();
  });

  const token = async () => {
    const { demo } = JSON.parse(readFileSync(join(installation.dataDir, "credentials.json"), "utf8"));
    const { client_id, client_secret } = demo;
    const form = { grant_type: "client_credentials", client_id, client_secret };
    return (await post(`${url}/token`, new URLSearchParams(form))).body.access_token;
  };

  it("[C-1.16] without SANDBOX has no sandbox banks", async () => {
    expect((await rawCaller(`${url}/mcp`, await token()).call("svc-connectors")).total).toBe(0);
  });

  it("[C-1.27] gives a widget_url WIDGET_TTL_SECONDS", async () => {
    const { body } = await post(`${url}/v2/connect/sessions`, { configuration: {} }, { token: await token() });
    expect(Date.parse(body.session.expires_at) - Date.parse(body.session.updated_at)).toBe(60_000);
  });

  it("[C-1.25] logs nothing below LOG_LEVEL", () => {
    expect(running.log().filter(({ level }) => ["info", "debug", "trace"].includes(level))).toEqual([]);
  });
});

/** The address to which a client sends a person. */
function authorizationUrl(url: string, clientId: string): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  return `${url}/authorize?${query}`;
}
