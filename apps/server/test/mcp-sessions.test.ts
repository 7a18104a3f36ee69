import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";

describe("sessions of MCP clients before 2026-07-28", () => {
  let server: TestServer;
  let stranger: TestTenant;
  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend(
        "a session is a signed id; the row of an ended one is in the conformance suite of the stores",
      ),
    });
    stranger = await server.createTenant("Stranger");
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
  });

  const ask = (token: string, message: object, session?: string) =>
    post(
      server.mcpUrl,
      { jsonrpc: "2.0", id: 1, ...message },
      { token, headers: session === undefined ? {} : { "mcp-session-id": session } },
    );
  const begin = async (token: string) => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    return String((await ask(token, { method: "initialize", params })).headers.get("mcp-session-id"));
  };
  /** A list, which the SDK answers, and a call, which the server answers directly. */
  const statuses = async (token: string, session: string) => {
    const params = { name: "svc-connectors", arguments: { page_size: 1 } };
    const answers = [
      await ask(token, { method: "tools/list" }, session),
      await ask(token, { method: "tools/call", params }, session),
    ];
    return answers.map(({ status }) => status);
  };

  it("[C-4.4] a refreshed token keeps its session, and so does a new one of the same application", async () => {
    const { clientId, clientSecret } = server.demo;
    const first = (await server.token(clientId, clientSecret)).body;
    const session = await begin(first.access_token);
    const form = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    const refreshed = (await post(`${server.url}/token`, new URLSearchParams(form))).body;
    expect(refreshed.access_token).not.toBe(first.access_token);
    for (const token of [refreshed.access_token, (await server.token(clientId, clientSecret)).body.access_token])
      expect(await statuses(token, session)).toEqual([200, 200]);
  });

  it("[C-4.5] another tenant's, a damaged and an ended one are 404, and a new initialize helps", async () => {
    const { token } = server.demo;
    const session = await begin(token);
    expect(await statuses(token, session)).toEqual([200, 200]);
    expect(await statuses(stranger.token, session)).toEqual([404, 404]);
    // Changes the first character, since the bits of the last one may belong to no byte.
    const damaged = `${session.startsWith("A") ? "B" : "A"}${session.slice(1)}`;
    expect(await statuses(token, damaged)).toEqual([404, 404]);
    const headers = { authorization: `Bearer ${token}`, "mcp-session-id": session };
    expect((await send(server.mcpUrl, { method: "DELETE", headers })).status).toBe(204);
    expect(await statuses(token, session)).toEqual([404, 404]);
    expect(await statuses(token, await begin(token))).toEqual([200, 200]);
  });

  it("[C-8.21] sessions, secrets and refresh tokens outlive a rotation of the server's own keys", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { clientId, clientSecret, token } = server.demo;
    const session = await begin(token);
    const { refresh_token } = (await server.token(clientId, clientSecret)).body;
    for (const name of ["mcp-session", "secret-hash"])
      await server.operate("/operator/v1/keys/rotate-server", { name });
    const activeKeys = async () => {
      const { server_keys } = await server.operate("/operator/v1/keys/list", {});
      const active = server_keys.filter((key: { active: boolean }) => key.active);
      return active.map(({ name, version }: { name: string; version: number }) => `${name} ${version}`);
    };
    // Every server reads it first.
    expect(await activeKeys()).toEqual(["secret-hash 1", "mcp-session 1", "webhook-signature 1"]);
    expect(await statuses(token, session)).toEqual([200, 200]);
    await server.stop();
    await server.installation.withDatabase((pool) =>
      pool.query("update server_keys set active_from = active_from - interval '2 minutes'"),
    );
    await server.start();
    expect(await activeKeys()).toEqual(["secret-hash 2", "mcp-session 2", "webhook-signature 1"]);
    expect(await statuses(token, session)).toEqual([200, 200]);
    const next = await begin(token);
    expect([session, next].map((id) => id.split(".")[1])).toEqual(["s1", "s2"]);
    expect(await statuses(token, next)).toEqual([200, 200]);
    const form = { grant_type: "refresh_token", refresh_token };
    expect((await post(`${server.url}/token`, new URLSearchParams(form))).status).toBe(200);
    for (let count = 0; count < 2; count++) expect((await server.token(clientId, clientSecret)).status).toBe(200);
    expect((await server.token(clientId, "wcs_wrong")).status).toBe(401);
    const { items } = await server.operate("/operator/v1/audit/list", { action: "server_key.rotate" });
    expect(items.map(({ object_id }: { object_id: string }) => object_id).sort()).toEqual([
      "mcp-session",
      "secret-hash",
    ]);
    await server.stop();
    const hashes = await server.installation.withDatabase((pool) =>
      pool.query(
        "select distinct split_part(secret_hash, '.', 1) as version from application_secrets s join applications a using (application_id) where a.client_id = $1",
        [clientId],
      ),
    );
    expect(hashes.rows).toEqual([{ version: "2" }]);
    await server.start();
  });

  it("[C-4.5] a session outlives the process that began it", async () => {
    const session = await begin(server.demo.token);
    await server.stop("SIGKILL");
    await server.start();
    expect(await statuses(server.demo.token, session)).toEqual([200, 200]);
  });
});
