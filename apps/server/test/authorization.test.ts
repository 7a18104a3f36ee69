import { createHash, randomBytes } from "node:crypto";
import {
  DpopSession,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createBrowser } from "@org/pages/testing";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approve, obtainCode, register } from "./authorize.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { rawCaller, toolCall } from "./mcp-clients.js";

/** Answer of the token endpoint. */
interface Issued {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe("the authorization server, through the started server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend(
        "clients ask for the protocol; the stores below have a conformance suite and authorization-races",
      ),
      environment: { TRUST_PROXY: "1" },
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
  });

  it("[C-4.81] `/mcp/` answers like `/mcp`: the challenge names the same metadata, and a token is served", async () => {
    const address = `${server.mcpUrl}/`;
    const challenges = await Promise.all([server.mcpUrl, address].map((url) => fetch(url, { method: "POST" })));
    expect(challenges.map(({ status }) => status)).toEqual([401, 401]);
    const [plain, slash] = challenges.map(({ headers }) => headers.get("www-authenticate"));
    expect(slash).toBe(plain);
    const client = new ModernClient({ name: "pasted", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${server.demo.token}` } };
    await client.connect(new ModernTransport(new URL(address), { requestInit }) as never);
    expect((await client.listTools()).tools).toHaveLength(10);
    await client.close();
    const got = await fetch(address, { headers: requestInit.headers });
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, DELETE"]);
  });

  it.each([
    ["legacy", "bearer"],
    ["modern", "bearer"],
    // The legacy SDK knows no DPoP.
    ["modern", "DPoP"],
  ] as const)(
    "[S1-1.9] [S1-5.1] [S1-5.2] [C-3.57] the %s SDK client needs only the server's URL: 401, registration, page, %s tokens, a tool call",
    async (era, tokenType) => {
      const memory = oauthMemory();
      const session = tokenType === "DPoP" && (await DpopSession.create());
      if (session) memory.provider = { ...memory.provider, dpop: () => session };
      const connect = async () => {
        const who = { name: "newcomer", version: "1" };
        const client = era === "legacy" ? new LegacyClient(who) : new ModernClient(who);
        const options = { authProvider: memory.provider } as never;
        const transport =
          era === "legacy"
            ? new LegacyTransport(new URL(server.mcpUrl), options)
            : new ModernTransport(new URL(server.mcpUrl), options);
        return { client, transport, connected: client.connect(transport as never) };
      };
      const first = await connect();
      await expect(first.connected).rejects.toThrow();
      expect(memory.registered).toMatchObject({ client_id: expect.stringMatching(/^wcd_/) });
      const back = await approve(String(memory.authorizationUrl), server.demo);
      expect(back.searchParams.get("iss")).toBe(server.url);
      const code = back.searchParams.get("code") ?? "";
      if (first.transport instanceof ModernTransport) await first.transport.finishAuth(back.searchParams);
      else await first.transport.finishAuth(code);

      const { client, connected } = await connect();
      await connected;
      const result = await client.callTool({ name: "svc-credentials", arguments: {} });
      expect(result.structuredContent).toMatchObject({ items: [], total: 0 });
      await client.close();
      // [S1-5.12] The access token has expired; the client gets another one without a page.
      const spent = memory.tokens;
      expect(spent).toMatchObject({ token_type: tokenType });
      if (!spent) throw new Error("no tokens were kept");
      memory.tokens = { ...spent, access_token: "expired" };
      memory.authorizationUrl = undefined;
      const again = await connect();
      await again.connected;
      await again.client.callTool({ name: "svc-credentials", arguments: {} });
      expect(memory.authorizationUrl).toBeUndefined();
      expect(memory.tokens?.refresh_token).not.toBe(spent.refresh_token);
      await again.client.close();
    },
  );

  /** Their registration metadata and redirect URIs (design notes on clients; redirect URIs as in their sources). */
  const clients: [string, { redirect_uris: string[]; [field: string]: unknown }, string?][] = [
    [
      "Claude",
      {
        client_name: "Claude",
        redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: "connections:read connections:write connections:delete investments:read letters:read letters:write",
      },
    ],
    ["ChatGPT", { client_name: "ChatGPT", redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"] }],
    [
      "VS Code",
      {
        client_name: "Visual Studio Code",
        client_uri: "https://code.visualstudio.com",
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        response_types: ["code"],
        redirect_uris: ["https://vscode.dev/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
      "http://127.0.0.1:49321/",
    ],
    [
      "Cursor",
      {
        client_name: "Cursor",
        redirect_uris: [
          "cursor://anysphere.cursor-mcp/oauth/callback",
          "https://www.cursor.com/agents/mcp/oauth/callback",
          "http://localhost:8787/callback",
        ],
      },
    ],
    [
      "Codex",
      { client_name: "Codex", redirect_uris: ["http://127.0.0.1:1455/callback/2f1c"] },
      "http://127.0.0.1:40123/callback/2f1c",
    ],
    ["Inspector", { client_name: "MCP Inspector", redirect_uris: ["http://localhost:6274/oauth/callback"] }],
  ];
  it.each(clients)("%s registers, returns where it said, and calls a tool", async (_, metadata, returnsTo) => {
    const redirectUri = returnsTo ?? (metadata.redirect_uris[0] as string);
    const { redemption } = await obtainCode(server.url, server.demo, { metadata, redirectUri });
    const { status, body } = await post(`${server.url}/token`, redemption);
    expect(status).toBe(200);
    const tools = rawCaller(server.mcpUrl, body.access_token);
    expect(await tools.call("svc-connectors", { page_size: 1 })).toMatchObject({ page_size: 1 });
  });

  it.each(clients)("%s registers once, and may return to each of its addresses", async (_, metadata) => {
    for (const redirectUri of metadata.redirect_uris) {
      const { redemption } = await obtainCode(server.url, server.demo, { metadata, redirectUri });
      expect((await post(`${server.url}/token`, redemption)).status).toBe(200);
    }
  });

  it("[S1-7.1] without a token, /mcp answers 401 with where to go and what for, and no error", async () => {
    const answer = await post(server.mcpUrl, {}, {});
    const challenge = answer.headers.get("www-authenticate") ?? "";
    expect(answer.status).toBe(401);
    expect(challenge).toContain(`resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).toContain('scope="');
    expect(challenge).not.toContain("error");
    const document = (await send(`${server.url}/.well-known/oauth-protected-resource/mcp`)).body;
    expect(document).toMatchObject({ resource: server.mcpUrl, authorization_servers: [server.url] });
  });

  it("[C-3.4] metadata, /token and /register may be called from any origin, the pages from none", async () => {
    const origin = { origin: "https://inspector.example" };
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"])
      expect((await send(server.url + path, { headers: origin })).headers.get("access-control-allow-origin")).toBe("*");
    for (const path of ["/token", "/register"]) {
      const headers = { ...origin, "access-control-request-method": "POST" };
      const preflight = await send(server.url + path, { method: "OPTIONS", headers });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
      expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    }
    for (const path of ["/authorize", "/authorize/decision", "/grants"]) {
      const answer = await send(server.url + path, { headers: origin });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("[C-9.60] a person narrows what a client may do: deletion, unticked at first, is refused at the tool", async () => {
    const { body } = await register(server.url, { redirect_uris: ["https://client.example/cb"] });
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const query = {
      response_type: "code",
      client_id: body.client_id,
      redirect_uri: "https://client.example/cb",
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    const browser = createBrowser();
    await browser.open(`${server.url}/authorize?${new URLSearchParams(query)}`);
    const { clientId, clientSecret } = server.demo;
    await browser.submit("sign-in", { client_id: clientId, client_secret: clientSecret });
    const back = new URL((await browser.submit("decision", {}, "approve")).url);
    const form = {
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      client_id: body.client_id,
      redirect_uri: "https://client.example/cb",
    };
    const tokens = (await post(`${server.url}/token`, new URLSearchParams(form))).body;
    expect(tokens.scope).not.toContain("connections:delete");
    const call = { name: "svc-delete-credentials", arguments: { credentials_token: "x", confirm: true } };
    const refused = await post(
      server.mcpUrl,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: call },
      { token: tokens.access_token, headers: { accept: "application/json, text/event-stream" } },
    );
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
  });

  it("[C-9.61] errors of a client that nobody has verified are shown until somebody has signed in, then sent", async () => {
    const { body } = await register(server.url, { redirect_uris: ["https://client.example/cb"] });
    const query = { response_type: "token", client_id: body.client_id, redirect_uri: "https://client.example/cb" };
    const address = `${server.url}/authorize?${new URLSearchParams(query)}`;
    const browser = createBrowser();
    const page = await browser.open(address);
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(page.text).toContain("unsupported_response_type");
    await browser.open(`${server.url}/grants`);
    await browser.submit("sign-in", { client_id: server.demo.clientId, client_secret: server.demo.clientSecret });
    const sent = await browser.open(address);
    expect(sent.url.startsWith("https://client.example/cb?error=unsupported_response_type&")).toBe(true);
  });

  it("[C-9.63] a private-use scheme of somebody else is refused at registration", async () => {
    for (const redirect_uri of ["zoommtg://zoom.us/join", "ms-word:/x", "myapp:/callback"]) {
      const { status, body } = await post(`${server.url}/register`, { redirect_uris: [redirect_uri] });
      expect([status, body.error]).toEqual([400, "invalid_redirect_uri"]);
    }
    await register(server.url, { redirect_uris: ["com.example.app:/callback"] });
  });

  it("[C-7.20] every answer has a trace id, the one of the page, the log and the audit trail", async () => {
    const page = await send(`${server.url}/authorize?client_id=nobody`);
    const trace = page.headers.get("x-trace-id") ?? "";
    expect(trace).toMatch(/^[0-9a-f]{32}$/);
    expect(page.text).toContain(trace);
    // A process's output arrives through a pipe, perhaps after the response.
    await eventually(() => server.output().includes(trace), "the trace id is logged");
    for (const path of ["/token", "/register", "/revoke", "/.well-known/jwks.json", "/grants"])
      expect((await send(server.url + path)).headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  });

  /** A request as forwarded by the proxy in front, from a network that the test chooses. */
  const postFrom = (address: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    post(server.url + path, body, { headers: { "x-forwarded-for": address, ...headers } });
  const formFrom = (address: string, path: string, form: Readonly<Record<string, string>>) =>
    postFrom(address, path, new URLSearchParams(form));
  const own = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
    client_id: clientId,
    client_secret: clientSecret,
  });

  it("[C-2.20] [C-2.21] the grants API lists and ends an application's own; with grants:manage all of its tenant's", async () => {
    const { tenantId, clientId, clientSecret } = await server.createTenant("Of two applications");
    const request = { tenant_id: tenantId, name: "Administration", scopes: ["grants:manage"] };
    const made = await server.operate("/operator/v1/applications/create", request);
    const manager = { client_id: made.application.client_id, client_secret: made.client_secret };
    const [first, stranger] = [own({ clientId, clientSecret }), own(server.demo)];
    const { body: managers } = await server.token(manager.client_id, manager.client_secret);
    const { body: second } = await server.token(clientId, clientSecret);
    const grants = async (who: object, more: object = {}) =>
      (await formFrom("203.0.113.1", "/grants/list", { ...who, ...more })).body.items;
    const end = (who: object, more: object) => formFrom("203.0.113.1", "/grants/revoke", { ...who, ...more });
    expect(await grants(first)).toHaveLength(2);
    expect(await grants(manager)).toHaveLength(3);
    const held = { client_id: clientId, flow: "machine", grants: 2, client_name: "Application of Of two applications" };
    expect(await grants(first, { group: "client" })).toMatchObject([held]);
    const [{ grant_id }] = await grants(manager, { application: manager.client_id });
    for (const [who, more] of [
      [first, { grant_id }],
      [first, { client: manager.client_id }],
      [stranger, { grant_id }],
      [stranger, { client: clientId }],
    ] as const)
      expect((await end(who, more)).status).toBe(400);
    expect((await end(manager, { client: clientId })).body).toMatchObject({ client_id: clientId, ended: 2 });
    const refreshed = (token: string) =>
      formFrom("203.0.113.1", "/token", { grant_type: "refresh_token", refresh_token: token });
    expect((await refreshed(second.refresh_token)).body.error).toBe("invalid_grant");
    expect((await refreshed(managers.refresh_token)).status).toBe(200);
    await eventually(
      async () =>
        (await post(`${server.url}/letters/v1/search-letters`, {}, { token: second.access_token })).status === 401,
      "the access token of an ended grant is refused",
    );
    const search = { tenant_id: tenantId, action: "client.grants_ended" };
    const trail = async () => (await server.operate("/operator/v1/audit/list", search)).items;
    await eventually(async () => (await trail()).length > 0, "what was ended is in the audit trail");
    expect(await trail()).toMatchObject([{ tenant_id: tenantId, facts: { client_id: clientId, detail: "2 grants" } }]);
  });

  it("[C-3.90] an access token is refused at once where its grant was ended, in whichever way", async () => {
    const ways: Readonly<
      Record<string, (who: { client_id: string; client_secret: string }, token: Issued) => Promise<unknown>>
    > = {
      "its refresh token revoked": (who, { refresh_token: token }) =>
        formFrom("203.0.113.1", "/revoke", { ...who, token }),
      "itself revoked": (who, { access_token: token }) => formFrom("203.0.113.1", "/revoke", { ...who, token }),
      "its client's grants ended": (who) =>
        formFrom("203.0.113.1", "/grants/revoke", { ...who, client: who.client_id }),
      "a refresh token used again": async (_who, { refresh_token }) => {
        for (let times = 0; times < 2; times += 1)
          await formFrom("203.0.113.1", "/token", { grant_type: "refresh_token", refresh_token });
      },
      "its application disabled": ({ client_id }) => server.operate("/operator/v1/applications/disable", { client_id }),
    };
    const use = async ({ access_token: token }: Issued) =>
      (await post(`${server.url}/letters/v1/search-letters`, { query: {} }, { token })).status;
    for (const [way, end] of Object.entries(ways)) {
      const who = own(await server.createTenant(`Ends by ${way}`));
      const { body: issued } = await server.token(who.client_id, who.client_secret);
      expect([way, await use(issued)]).toEqual([way, 200]);
      await end(who, issued);
      expect([way, await use(issued)]).toEqual([way, 401]);
    }
    const { tenantId, clientId, clientSecret } = await server.createTenant("Ends with its tenant");
    const { body: issued } = await server.token(clientId, clientSecret);
    expect(await use(issued)).toBe(200);
    await server.operate("/operator/v1/tenants/disable", { tenant_id: tenantId });
    expect(await use(issued)).toBe(401);
  });

  it("[C-3.20] the grant of a client that authenticates is refreshed with its authentication only", async () => {
    const metadata = { redirect_uris: ["https://client.example/cb"], token_endpoint_auth_method: "client_secret_post" };
    const { client_id, client_secret } = (await register(server.url, metadata)).body;
    const redirectUri = "https://client.example/cb";
    const { redemption } = await obtainCode(server.url, server.demo, { client_id, redirectUri });
    redemption.set("client_secret", client_secret);
    const { refresh_token } = (await post(`${server.url}/token`, redemption)).body;
    const refreshed = (more: object) =>
      formFrom("203.0.113.1", "/token", { grant_type: "refresh_token", refresh_token, ...more });
    for (const more of [{}, { client_id }, { client_id, client_secret: "wcs_wrong" }, own(server.demo)]) {
      const { status, body } = await refreshed(more);
      expect([400, 401]).toContain(status);
      expect(["invalid_client", "invalid_grant"]).toContain(body.error);
    }
    expect((await refreshed({ client_id, client_secret })).status).toBe(200);
  });

  it("[C-9.62] [C-9.13] guesses are limited for each network; a right secret gets in from there all the same", async () => {
    const { clientId, clientSecret } = await server.createTenant("Whose secret is guessed");
    const token = (address: string, client_secret: string) =>
      formFrom(address, "/token", { grant_type: "client_credentials", client_id: clientId, client_secret });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await token("198.51.100.7", "wcs_wrong")).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await token("198.51.100.8", clientSecret)).status).toBe(200);
    expect((await token("203.0.113.9", "wcs_wrong")).status).toBe(401);
  });

  it("[C-9.66] a network registers sixty clients a minute, and others go on", async () => {
    const register = (address: string) =>
      postFrom(address, "/register", { redirect_uris: ["https://client.example/cb"] });
    const answers = await Promise.all(Array.from({ length: 62 }, () => register("192.0.2.7")));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([60, 2]);
    expect(refused[0]?.body.error).toBe("temporarily_unavailable");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await register("192.0.3.7")).status).toBe(201);
  });

  it("[C-3.30] [C-3.35] [C-3.37] [C-3.38] a company's identity provider signs an assistant in without a page, until it is withdrawn", async () => {
    const issuer = "https://idp.example";
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const { clientId, clientSecret } = server.demo;
    const assistant = (
      await server.operate("/operator/v1/applications/create", { tenant_id: server.demo.tenantId, name: "A" })
    ).application;
    const rules = [{ claims: { groups: "Desk" }, client_id: clientId, scopes: ["connections:read"] }];
    const wish = { issuer, tenant_id: server.demo.tenantId, jwks: { keys: [await exportJWK(publicKey)] }, rules };
    const trusted = await server.operate("/operator/v1/trusted-issuers/trust", { ...wish, client_ids: [clientId] });
    const exchange = async (change: object = {}) => {
      const facts = {
        iss: issuer,
        sub: "00u1",
        aud: server.url,
        client_id: clientId,
        jti: randomBytes(8).toString("hex"),
      };
      const assertion = await new SignJWT({ ...facts, groups: ["Desk"], ...change })
        .setProtectedHeader({ alg: "ES256", typ: "oauth-id-jag+jwt" })
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey);
      const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
      const form = { grant_type, assertion, client_id: clientId, client_secret: clientSecret };
      return post(`${server.url}/token`, new URLSearchParams(form));
    };
    // Servers reload the trusted issuers every two seconds.
    await expect.poll(async () => (await exchange()).status).toBe(200);
    const { body } = await exchange();
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: "bearer",
      expires_in: 900,
      scope: "connections:read",
      resource: server.mcpUrl,
    });
    const tools = rawCaller(server.mcpUrl, body.access_token);
    expect(await tools.call("svc-credentials")).toMatchObject({ items: expect.any(Array) });
    expect((await exchange({ groups: ["Guests"] })).body.error).toBe("invalid_grant");
    expect((await exchange({ client_id: assistant.client_id })).body.error).toBe("invalid_grant");
    const metadata = (await send(`${server.url}/.well-known/oauth-authorization-server`)).body;
    expect(metadata.authorization_grant_profiles_supported).toHaveLength(1);

    expect((await server.operate("/operator/v1/trusted-issuers/withdraw", { issuer })).grants_ended).toBeGreaterThan(1);
    await expect.poll(async () => (await tools.request(toolCall("svc-credentials", {}))).status).toBe(401);
    await expect.poll(async () => (await exchange()).body.error).toBe("unsupported_grant_type");
    const factsOf = async (action: string) =>
      (await server.operate("/operator/v1/audit/list", { action })).items.map(({ facts }: { facts: object }) => facts);
    await expect
      .poll(() => factsOf("grant.issued"))
      .toContainEqual({
        client_id: clientId,
        detail: trusted.trusted_issuer.trust_id,
        person_issuer: issuer,
        person_subject: "00u1",
      });
    const withdrawn = () => server.operate("/operator/v1/audit/list", { action: "trusted_issuer.withdrawn" });
    await expect
      .poll(async () => (await withdrawn()).items)
      .toMatchObject([{ object_type: "trusted_issuer", object_id: issuer }]);
  });

  it("nothing went wrong on the way", () => {
    expect(server.faults()).toEqual([]);
  });

  it("[C-1.41] REGISTRATION=token takes registrations with an initial access token, off none; clients stay", {
    timeout: START_TIMEOUT,
  }, async () => {
    const metadata = { redirect_uris: ["https://client.example/cb"] };
    const { token, registration_token } = await server.operate("/operator/v1/registration-tokens/create", {
      name: "Laptops",
    });
    const holder = await obtainCode(server.url, server.demo);
    await server.start({ REGISTRATION: "token" });
    const registered = (headers = {}) => postFrom("203.0.113.1", "/register", metadata, headers);
    expect((await registered()).status).toBe(401);
    expect((await registered({ authorization: "Bearer wci_wrong" })).status).toBe(401);
    expect((await registered({ authorization: `Bearer ${token}` })).status).toBe(201);
    const { token_id } = registration_token;
    await server.operate("/operator/v1/registration-tokens/revoke", { token_id });
    expect((await registered({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await post(`${server.url}/token`, holder.redemption)).status).toBe(200);

    await server.start({ REGISTRATION: "off" });
    expect(await registered({ authorization: `Bearer ${token}` })).toMatchObject({ status: 403 });
    const document = (await send(`${server.url}/.well-known/oauth-authorization-server`)).body;
    expect(document).not.toHaveProperty("registration_endpoint");
    expect(server.faults()).toEqual([]);
  });
});

/** What an MCP host stores for one server, in the shape that both SDKs expect. */
interface OAuthMemory {
  registered?: { client_id: string } | undefined;
  tokens?: { access_token: string; refresh_token?: string } | undefined;
  authorizationUrl?: URL | undefined;
  provider: object;
}

function oauthMemory(): OAuthMemory {
  const memory: OAuthMemory = { provider: {} };
  let verifier = "";
  let discovery: unknown;
  memory.provider = {
    redirectUrl: "http://127.0.0.1:33418/callback",
    clientMetadata: {
      client_name: "Newcomer",
      redirect_uris: ["http://127.0.0.1:33418/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => memory.registered,
    saveClientInformation: (information: { client_id: string }) => {
      memory.registered = information;
    },
    tokens: () => memory.tokens,
    saveTokens: (tokens: { access_token: string }) => {
      memory.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      memory.authorizationUrl = url;
    },
    saveCodeVerifier: (value: string) => {
      verifier = value;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state: unknown) => {
      discovery = state;
    },
    discoveryState: () => discovery,
  };
  return memory;
}
