import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { clientEras } from "./mcp-clients.js";

const CARD = "application/mcp-server-card+json";

describe("a client that knows only the host", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("nothing here is stored") });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
  });
  const catalog = () => send(`${server.url}/.well-known/ai-catalog.json`);

  it("[C-4.185] finds the servers and their cards without a token, from any page", async () => {
    const found = await catalog();
    expect(found.headers.get("content-type")).toBe("application/ai-catalog+json");
    expect(found.body).toEqual({
      specVersion: "0.9",
      entries: ["wealth-connect", "wealth-connect-analytics"].map((name, index) => ({
        identifier: `urn:air:localhost:${name}:mcp`,
        type: CARD,
        url: `${server.url}${["/mcp", "/mcp/analytics"][index]}/server-card`,
      })),
    });
    for (const { url } of found.body.entries) {
      const answer = await send(url, { headers: { accept: CARD, origin: "https://page.example" } });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": CARD,
        "access-control-allow-origin": "*",
        "access-control-expose-headers": expect.stringContaining("ETag"),
        "cache-control": "public, max-age=3600",
      });
      expect(answer.body.remotes[0].url).toBe(url.replace("/server-card", ""));
    }
  });

  it("[C-4.185] is told when its copy is current, and may ask that from a page", async () => {
    const url = `${server.mcpUrl}/server-card`;
    const etag = (await send(url)).headers.get("etag") ?? "";
    const again = await send(url, { headers: { "if-none-match": etag, "cache-control": "max-age=0" } });
    expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
    const asked = { origin: "https://page.example", "access-control-request-method": "GET" };
    const preflight = await send(url, { method: "OPTIONS", headers: asked });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "Content-Type, If-None-Match",
    ]);
    expect((await send(url, { method: "POST" })).status).toBe(404);
  });

  it.each(clientEras)(
    "[C-4.185] [C-4.186] connects by a card, without a person, and a %s client is told what the card says",
    async (era) => {
      const [{ url }] = (await catalog()).body.entries;
      const { remotes, title, version } = (await send(url)).body;
      const { clientId, clientSecret } = server.demo;
      const client = new Client(
        { name: "job", version: "1" },
        { versionNegotiation: { mode: era === "legacy" ? "legacy" : "auto" } },
      );
      const authProvider = new ClientCredentialsProvider({
        clientId,
        clientSecret,
        expectedIssuer: server.url,
      });
      await client.connect(new StreamableHTTPClientTransport(new URL(remotes[0].url), { authProvider }) as never);
      expect(client.getServerVersion()).toMatchObject({ title, version });
      expect(remotes[0].supportedProtocolVersions).toContain(client.getNegotiatedProtocolVersion());
      expect(client.getServerCapabilities()?.extensions).toHaveProperty(
        "io.modelcontextprotocol/oauth-client-credentials",
      );
      expect((await client.listTools()).tools).toHaveLength(10);
      await client.close();
    },
  );
});
