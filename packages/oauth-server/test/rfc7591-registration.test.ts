import { describe, expect, it } from "vitest";
import { TENANT_SCOPES } from "../src/scopes.js";
import { authorization } from "./authorization.js";
import { basic, countingStore, install, noon } from "./harness.js";

const REDIRECT = "https://client.example/callback";
const BOTH = ["authorization_code", "refresh_token"];

/** The registration requests of real hosted and local clients. */
const clients = {
  Claude: {
    client_name: "Claude",
    grant_types: BOTH,
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: TENANT_SCOPES.join(" "),
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
  },
  ChatGPT: {
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    token_endpoint_auth_method: "client_secret_post",
    grant_types: BOTH,
    response_types: ["code"],
    client_name: "ChatGPT",
  },
  "VS Code": {
    client_name: "Visual Studio Code",
    client_uri: "https://code.visualstudio.com",
    grant_types: [...BOTH, "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    redirect_uris: [
      "https://insiders.vscode.dev/redirect",
      "https://vscode.dev/redirect",
      "http://127.0.0.1/",
      "http://127.0.0.1:33418/",
    ],
    token_endpoint_auth_method: "none",
    application_type: "native",
  },
  Cursor: {
    client_name: "Cursor",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
    ],
    grant_types: BOTH,
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  Codex: {
    client_name: "Codex",
    redirect_uris: ["http://127.0.0.1:49152/callback/5d1f8a"],
    grant_types: BOTH,
    token_endpoint_auth_method: "none",
    response_types: ["code"],
  },
  Inspector: {
    redirect_uris: ["http://localhost:6274/oauth/callback"],
    token_endpoint_auth_method: "none",
    grant_types: BOTH,
    response_types: ["code"],
    client_name: "MCP Inspector",
    client_uri: "https://github.com/modelcontextprotocol/inspector",
    scope: "",
  },
};

describe("[security.md] RFC 7591 §3.2.1: registration answers 201 with the values in effect", () => {
  it.each(Object.entries(clients))("%s", async (_, metadata) => {
    const at = await install();
    const { status, body, headers } = await at.register(metadata);
    expect(status).toBe(201);
    const { scope: _asked, application_type: _ignored, ...sent } = { scope: "", application_type: "", ...metadata };
    const hasSecret = metadata.token_endpoint_auth_method !== "none";
    expect(body).toEqual({
      ...sent,
      ...("scope" in metadata && metadata.scope !== "" ? { scope: metadata.scope } : {}),
      ...(hasSecret ? { client_secret: expect.stringMatching(/^wcs_[\w-]{43}$/), client_secret_expires_at: 0 } : {}),
      grant_types: BOTH,
      client_id: expect.stringMatching(/^wcd_[\w-]{22}$/),
      client_id_issued_at: noon.getTime() / 1000,
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("pragma")).toBe("no-cache");
    expect(headers.get("content-type")).toBe("application/json");
  });

  it("fills in the defaults of RFC 7591 §2: a secret by Basic, code and refresh", async () => {
    const at = await install();
    expect((await at.register({ redirect_uris: [REDIRECT] })).body).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: BOTH,
      response_types: ["code"],
    });
  });

  it("leaves out what is unknown, null or empty, unknown scopes and repeated redirect URIs", async () => {
    const at = await install();
    const { body } = await at.register({
      redirect_uris: [REDIRECT, REDIRECT],
      client_name: " Name ",
      "client_name#de": "Name",
      client_uri: null,
      logo_uri: "",
      scope: "openid investments:read  operator connections:read",
      grant_types: ["authorization_code", "implicit"],
      id_token_signed_response_alg: "RS256",
      client_id: "wca_mine",
      client_secret: "mine",
    });
    expect(body).toMatchObject({
      client_name: "Name",
      redirect_uris: [REDIRECT],
      scope: "connections:read investments:read",
      grant_types: ["authorization_code"],
    });
    for (const name of ["client_name#de", "client_uri", "logo_uri", "id_token_signed_response_alg"])
      expect(body).not.toHaveProperty(name);
    expect(body.client_id).toMatch(/^wcd_/);
    expect(body.client_secret).toMatch(/^wcs_/);
  });

  it("gives every client its own id and secret, and keeps no more than a hash of the secret", async () => {
    const at = await install();
    const [first, second] = [
      (await at.register({ redirect_uris: [REDIRECT] })).body,
      (await at.register({ redirect_uris: [REDIRECT] })).body,
    ];
    expect(first.client_id).not.toBe(second.client_id);
    expect(first.client_secret).not.toBe(second.client_secret);
    const stored = await at.store.clients.findClient(first.client_id);
    expect(stored?.secret_hash).toMatch(/^1\.[\w-]{43}$/);
    const written = JSON.stringify([stored, at.events, at.log]);
    expect(written).not.toContain(first.client_secret);
    expect(at.events).toMatchObject([
      { action: "client.registered", client_id: first.client_id, address: "203.0.113.7" },
      { action: "client.registered", client_id: second.client_id },
    ]);
  });

  it("takes a charset, and scripts of any origin", async () => {
    const at = await install();
    const headers = { "content-type": "Application/JSON; charset=UTF-8", origin: "https://app.example" };
    const answer = await at.register(clients.Inspector, { headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    const preflight = await fetch(`${at.issuer}/register`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/content-type/i);
    const get = await fetch(`${at.issuer}/register`);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });
});

describe("[security.md] RFC 7591 §3.2.2: what is refused, and which member is named", () => {
  const jwk = { kty: "EC", crv: "P-256", x: "a", y: "b", kid: "1" };
  const long = "a".repeat(201);
  const redirects: [string, unknown, string][] = [
    ["none", undefined, "redirect_uris"],
    ["an empty list", [], "redirect_uris"],
    ["a text", REDIRECT, "redirect_uris"],
    ["21 of them", Array.from({ length: 21 }, (_, index) => `${REDIRECT}/${index}`), "redirect_uris"],
    ["a number", [1], "redirect_uris.0"],
    ["a fragment", [REDIRECT, `${REDIRECT}#x`], "redirect_uris.1"],
    ["http elsewhere", ["http://client.example/cb"], "redirect_uris.0"],
    ["a script", [REDIRECT, REDIRECT, "javascript:alert(1)"], "redirect_uris.2"],
    ["a data URI", ["data:text/html,x"], "redirect_uris.0"],
    ["a file", ["file:///etc/passwd"], "redirect_uris.0"],
  ];
  it.each(redirects)("[C-7.60] invalid_redirect_uri: %s", async (_, redirect_uris, field) => {
    const at = await install();
    const { status, body } = await at.register({ ...clients.Claude, redirect_uris });
    expect([status, body.error]).toEqual([400, "invalid_redirect_uri"]);
    expect(body.error_description).toMatch(new RegExp(`^${field}: [\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]+$`));
    expect(body.error_description).not.toMatch(/Invalid|Too (small|big)|expected|received/);
    expect(at.events).toEqual([]);
  });

  const metadata: [Record<string, unknown>, string][] = [
    [{ client_name: 1 }, "client_name"],
    [{ client_name: long }, "client_name"],
    [{ client_name: "a\nb" }, "client_name"],
    [{ client_name: "a\u202eb" }, "client_name"],
    [{ client_uri: "javascript:alert(1)" }, "client_uri"],
    [{ logo_uri: "data:image/png;base64,AAAA" }, "logo_uri"],
    [{ tos_uri: "nonsense" }, "tos_uri"],
    [{ policy_uri: "https://user:pw@client.example/" }, "policy_uri"],
    [{ contacts: "a@client.example" }, "contacts"],
    [{ contacts: [long] }, "contacts.0"],
    [{ software_id: long }, "software_id"],
    [{ software_version: {} }, "software_version"],
    [{ scope: ["connections:read"] }, "scope"],
    [{ token_endpoint_auth_method: "client_secret_jwt" }, "token_endpoint_auth_method"],
    [{ token_endpoint_auth_method: "tls_client_auth" }, "token_endpoint_auth_method"],
    [{ grant_types: ["client_credentials"] }, "grant_types"],
    [{ grant_types: ["implicit", "password"] }, "grant_types"],
    [{ grant_types: "authorization_code" }, "grant_types"],
    [{ response_types: ["token"] }, "response_types"],
    [{ token_endpoint_auth_method: "private_key_jwt" }, "jwks"],
    [{ jwks: { keys: [jwk] }, jwks_uri: "https://client.example/keys" }, "jwks"],
    [{ jwks: { keys: [] } }, "jwks.keys"],
    [{ jwks: [jwk] }, "jwks"],
    [{ jwks: { keys: [{ ...jwk, d: "secret" }] } }, "jwks.keys.0"],
    [{ jwks: { keys: [jwk, { kty: "oct", k: "secret" }] } }, "jwks.keys.1"],
    [{ jwks: { keys: [{ kty: "RSA", n: "a", e: "AQAB", p: "secret" }] } }, "jwks.keys.0"],
    [{ jwks_uri: "http://client.example/keys" }, "jwks_uri"],
    [{ jwks_uri: "https://client.example/keys#1" }, "jwks_uri"],
  ];
  it.each(metadata)("[C-7.60] invalid_client_metadata: %j", async (change, field) => {
    const at = await install();
    const { status, body, text } = await at.register({ ...clients.Claude, ...change });
    expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
    expect(body.error_description).toMatch(new RegExp(`^${field}: [\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]+$`));
    expect(body.error_description).not.toMatch(/Invalid|Too (small|big)|expected|received/);
    expect(text).not.toContain('secret"');
  });

  it("refuses jwks_uri where nothing is fetched", async () => {
    const at = await install({ clientDocuments: null });
    const { body } = await at.register({ ...clients.Claude, jwks_uri: "https://client.example/keys" });
    expect(body.error_description).toMatch(/^jwks_uri: /);
  });

  const redirect = `"redirect_uris":["${REDIRECT}"]`;
  const deep = (levels: number) => `{${redirect},"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["an array", "[]"],
    ["null", "null"],
    ["a text", '"x"'],
    ["__proto__", `{${redirect},"__proto__":{"client_name":"x"}}`],
    ["__proto__ further down", `{${redirect},"jwks":{"keys":[{"kty":"EC","__proto__":{}}]}}`],
    ["deep nesting", deep(33)],
    ["very deep nesting", deep(2_000)],
    ["a NUL character", `{${redirect},"client_name":"a\\u0000"}`],
    ["a NUL character in a name", `{${redirect},"a\\u0000":1}`],
    ["a lone surrogate", `{${redirect},"client_name":"\\ud800"}`],
    ["an infinite number", `{${redirect},"x":1e999}`],
    ["a number that changes when it is read", `{${redirect},"y":${"9".repeat(400)}}`],
  ])("[security.md] a body that is %s is a clear 400", async (_, text) => {
    const at = await install();
    const { status, body } = await at.register(text);
    expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
    expect(body.error_description).toMatch(/JSON/);
    expect(at.log).toEqual([]);
  });

  it("takes what stays within those bounds", async () => {
    const at = await install();
    expect((await at.register(deep(32))).status).toBe(201);
    expect((await at.register(`{${redirect},"x":9007199254740991,"y":0.1}`)).status).toBe(201);
  });

  it.each([
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["plain text", { "content-type": "text/plain" }],
    ["compressed", { "content-encoding": "gzip" }],
  ])("takes no body that is %s", async (_, headers) => {
    const at = await install();
    const { status, body } = await at.register(clients.Claude, { headers });
    expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
  });

  it("[security.md] refuses a body above 4 KiB with 413", async () => {
    const at = await install();
    const padded = (length: number) =>
      JSON.stringify({ ...clients.Claude, x: "" }).replace('"x":""', `"x":"${"a".repeat(length)}"`);
    const room = 4 * 1024 - padded(0).length;
    expect((await at.register(padded(room))).status).toBe(201);
    expect((await at.register(padded(room + 1))).status).toBe(413);
  });
});

describe("[security.md] a registered client authenticates in its own way", () => {
  const ways = ["client_secret_basic", "client_secret_post"] as const;
  it.each(ways)("%s: with its secret, in the header or the form, and not without", async (method) => {
    const at = await install();
    const registered = await at.register({ redirect_uris: [REDIRECT], token_endpoint_auth_method: method });
    const { client_id, client_secret } = registered.body;
    const flow = await authorization(at, { client_id: "wcd_other" });
    const code = await flow.approve(await at.application(), { client_id });
    expect((await flow.exchange(code, { client_id })).body.error).toBe("invalid_client");
    expect((await flow.exchange(code, { client_id, client_secret: "wcs_x" })).body.error).toBe("invalid_client");
    expect((await flow.exchange(code, { client_id, client_assertion: "e30.e30.e30" })).body.error).toBe(
      "invalid_client",
    );
    const { status, body } = await flow.exchange(code, { client_id, client_secret });
    expect(status).toBe(200);

    const headers = { authorization: basic(client_id, client_secret) };
    const refreshed = await at.token({ grant_type: "refresh_token", refresh_token: body.refresh_token }, { headers });
    expect(refreshed.status).toBe(200);
    const { refresh_token } = refreshed.body;
    const wrong = { grant_type: "refresh_token", refresh_token, client_id, client_secret: "wcs_x" };
    expect((await at.token(wrong)).body.error).toBe("invalid_client");
    expect((await at.revoke({ token: refresh_token, client_id, client_secret: "wcs_x" })).status).toBe(401);
    expect((await at.revoke({ token: refresh_token, client_id, client_secret })).status).toBe(200);
    const again = await at.token({ grant_type: "refresh_token", refresh_token }, { headers });
    expect(again.body.error).toBe("invalid_grant");
  });

  it("none: with its client_id alone; a secret or an assertion is refused", async () => {
    const at = await install();
    const { client_id } = (await at.register({ ...clients.Claude, redirect_uris: [REDIRECT] })).body;
    const flow = await authorization(at, { client_id: "wcd_other" });
    const code = await flow.approve(await at.application(), { client_id });
    for (const proof of [{ client_secret: "wcs_x" }, { client_assertion: "e30.e30.e30" }])
      expect((await flow.exchange(code, { client_id, ...proof })).body.error).toBe("invalid_client");
    expect((await flow.exchange(code, { client_id })).status).toBe(200);
  });

  it("cannot use the machine flow", async () => {
    const at = await install();
    const { client_id, client_secret } = (await at.register({ redirect_uris: [REDIRECT] })).body;
    const { body } = await at.token({ grant_type: "client_credentials", client_id, client_secret });
    expect(body.error).toBe("invalid_client");
  });

  it("[security.md] unknown client and wrong secret are the same in body, headers and work", async () => {
    const { store, calls } = countingStore();
    const at = await install({ store });
    const { client_id } = (await at.register({ redirect_uris: [REDIRECT] })).body;
    const none = (await at.register({ ...clients.Claude })).body.client_id;
    const attempt = async (id: string) => {
      calls.length = 0;
      const { status, text, headers } = await at.revoke({ token: "x", client_id: id, client_secret: "wcs_x" });
      return { status, text, headers: [...headers].filter(([name]) => name !== "date"), calls: [...calls] };
    };
    const unknown = await attempt("wcd_nobody");
    expect(unknown).toMatchObject({ status: 401, calls: ["findClient", "count"] });
    expect(await attempt(client_id)).toEqual(unknown);
    expect(await attempt(none)).toEqual(unknown);
  });
});

describe("[security.md] registered clients without live grants are reaped", () => {
  it("after a day when never used, 30 days after the last authorization, and never with a live grant", async () => {
    const at = await install();
    const unused = (await at.register(clients.Claude)).body.client_id;
    const idle = await authorization(at);
    const alive = await authorization(at);
    const application = await at.application();
    at.advance(1);
    const { body } = await idle.authorize(application);
    await at.revoke({ token: body.refresh_token });
    const known = async () => {
      const ids = [unused, idle.client.client_id, alive.client.client_id];
      return Promise.all(ids.map(async (id) => (await at.store.clients.findClient(id)) !== null));
    };
    at.advance(24 * 3600 - 60);
    const { body: kept } = await alive.authorize(application);
    expect((await at.server.reap(100)).clients).toBe(0);
    at.advance(61);
    expect((await at.server.reap(100)).clients).toBe(1);
    expect(await known()).toEqual([false, true, true]);
    at.advance(29 * 24 * 3600);
    expect((await at.server.reap(100)).clients).toBe(1);
    expect(await known()).toEqual([false, false, true]);
    at.advance(24 * 3600 - 120);
    await at.token({ grant_type: "refresh_token", refresh_token: kept.refresh_token });
    at.advance(29 * 24 * 3600);
    expect((await at.server.reap(100)).clients).toBe(0);
    expect(await known()).toEqual([false, false, true]);
  });
});
