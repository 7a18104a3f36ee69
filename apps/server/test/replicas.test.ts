import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "@org/pages/testing";
import { migrate, openStorage } from "@org/storage-postgres";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { startReplica } from "./replica.js";
import { type ServerProcess, startProcess } from "./server-process.js";
import { rowCounts } from "./stored-rows.js";

describe.skipIf(!testDatabaseUrl)("two replicas on one PostgreSQL", () => {
  let server: TestServer;
  let replica: ServerProcess;
  /** Address of the replica; its PUBLIC_URL is that of the first server. */
  let there: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres" });
    ({ url: there, process: replica } = await startReplica(server));
  }, START_TIMEOUT);
  afterAll(async () => {
    await replica?.end("SIGKILL");
    await server?.remove();
  });

  const rpc = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, ...(params && { params }) });
  const mcp = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const accept = "application/json, text/event-stream";
    return post(`${url}/mcp`, body, { token: server.demo.token, headers: { accept, ...headers } });
  };

  it("[C-4.2] [C-4.4] [C-4.5] a token and an MCP session of one are good at the other, until the session is ended at either", async () => {
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const opened = await mcp(server.url, rpc("initialize", params));
    const session = { "mcp-session-id": String(opened.headers.get("mcp-session-id")) };
    expect((await mcp(there, rpc("tools/list"), session)).body.result.tools).toHaveLength(10);
    const authorization = `Bearer ${server.demo.token}`;
    await send(`${there}/mcp`, { method: "DELETE", headers: { authorization, ...session } });
    expect((await mcp(there, rpc("tools/list"), session)).status).toBe(404);
    await eventually(
      async () => (await mcp(server.url, rpc("tools/list"), session)).status === 404,
      "the session has ended at both",
    );
  });

  it("[S1-5.7] [S1-8.4] of refreshes that race at both, one gets the new pair", async () => {
    const { clientId, clientSecret } = server.demo;
    const { refresh_token } = (await server.token(clientId, clientSecret)).body;
    const form = { grant_type: "refresh_token", refresh_token, client_id: clientId, client_secret: clientSecret };
    const answers = await Promise.all(
      [server.url, there, server.url, there, server.url, there].map((url) =>
        post(`${url}/token`, new URLSearchParams(form)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it("[S1-3.1] [C-5.10] a customer whose requests reach now one, now the other is connected once", async () => {
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    const elsewhere = widgetUrl.replace(server.url, there);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await browser.open(elsewhere);
    await browser.submit("credentials", { username: "somebody", password: "SCA_CODE" });
    await waitForAnswer(browser, widgetUrl);
    await browser.submit("answer", { answer: "123456" });
    await waitForAnswer(browser, elsewhere);
    expect(browser.page?.text).toContain("Your bank is connected");
    expect(await server.demo.tools.call("svc-session-status", { session_id: id })).toMatchObject({
      status: "Finished:OK",
    });
    const listed = await mcp(there, rpc("tools/call", { name: "svc-credentials", arguments: {} }));
    expect(listed.body.result.structuredContent.total).toBe(1);
  });

  it("[C-9.27] what is imported at one is soon found at the other", async () => {
    const headers = { "content-type": "application/x-ndjson" };
    const line = '{"id":"esp:replicated","name":"Replicated bank","country":"esp"}\n';
    expect((await server.operator.post("/operator/v1/connectors/import", line, { headers })).status).toBe(200);
    const search = rpc("tools/call", { name: "svc-connectors", arguments: { name: "replicated" } });
    await eventually(
      async () => (await mcp(there, search)).body.result.structuredContent.total === 1,
      "the other finds it",
    );
  });

  it("[C-2.2] an application that is switched off at one is soon refused at the other", async () => {
    const tenant = await server.createTenant("Switched off");
    const list = () => post(`${there}/connect/v2/sessions/list-sessions`, {}, { token: tenant.token });
    expect((await list()).status).toBe(200);
    await server.operate("/operator/v1/applications/disable", { client_id: tenant.clientId });
    expect((await server.token(tenant.clientId, tenant.clientSecret)).status).toBe(401);
    await eventually(async () => (await list()).status === 401, "the other refuses it");
    expect([...server.faults(), ...replica.log().filter(({ level }) => level === "error")]).toEqual([]);
  });
});

describe.skipIf(!testDatabaseUrl)("a server on a PostgreSQL that nobody has migrated", () => {
  const name = `wealth_connect_test_${randomUUID().replaceAll("-", "")}`;
  const dataDir = mkdtempSync(join(tmpdir(), "wealth-connect-"));
  const clock = () => new Date();
  let admin: Awaited<ReturnType<typeof openStorage>>;
  let process: ServerProcess;
  beforeAll(async () => {
    admin = await openStorage({ databaseUrl: String(testDatabaseUrl) }, clock);
    await admin.pool.query(`create database ${name}`);
  });
  afterAll(async () => {
    await process?.end("SIGKILL");
    await admin?.pool.query(`drop database if exists ${name} with (force)`);
    await admin?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("[C-9.17] [C-1.9] [C-1.13] [C-1.16] [C-1.30] is alive and not ready until somebody has, and seeds nothing", {
    timeout: START_TIMEOUT,
  }, async () => {
    const location = new URL(String(testDatabaseUrl));
    location.pathname = `/${name}`;
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const keys = `k1:${randomBytes(32).toString("base64")}`;
    const environment = { DATA_DIR: dataDir, DATABASE_URL: location.href, ENCRYPTION_KEYS: keys, PORT: port };
    process = await startProcess(environment);
    await eventually(
      async () => (await send(`${url}/healthz`).catch(() => null))?.status === 200,
      "the server is alive",
    );
    expect((await send(`${url}/readyz`)).status).toBe(503);
    expect((await post(`${url}/token`, new URLSearchParams({ grant_type: "client_credentials" }))).status).toBe(503);
    expect((await post(`${url}/mcp`, {})).status).toBe(503);
    const database = await openStorage({ databaseUrl: location.href }, clock);
    await migrate(database.pool);
    expect(await process.ready()).toBe(url);
    expect(process.log().find(({ msg }) => msg === "ready")).toMatchObject({ database: "postgres" });
    expect((await send(`${url}/readyz`)).status).toBe(200);
    expect(await rowCounts(database.pool)).toMatchObject({ tenants: 0, applications: 0, connectors: 0 });
    await database.close();
  });
});
