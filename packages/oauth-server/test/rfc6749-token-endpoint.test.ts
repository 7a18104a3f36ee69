import { request } from "node:http";
import { createByteBudget } from "@org/admission";
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { TENANT_SCOPES } from "../src/scopes.js";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";
import { basic, type Credentials, countingStore, install, machine, refresh } from "./harness.js";

describe("RFC 6749 §4.4 client_credentials", () => {
  it("[S1-4.2] [S1-5.6] [S2-5.2] answers a JWT, `bearer`, 3600 and a refresh token", async () => {
    const at = await install();
    const { status, headers, body } = await at.token(machine(await at.application()));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ey[\w-]+\.ey[\w-]+\.[\w-]+$/),
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^wcr_[\w-]{87}$/),
      scope: TENANT_SCOPES.join(" "),
    });
  });

  it("[C-2.5] gives all scopes of the application without `scope`, and a subset when asked", async () => {
    const at = await install();
    const client = await at.application({ scopes: ["letters:write", "letters:read"] });
    const scopeOf = async (scope?: string) => (await at.token(machine(client, scope ? { scope } : {}))).body;
    expect(await scopeOf()).toMatchObject({ scope: "letters:read letters:write" });
    expect(await scopeOf("letters:write")).toMatchObject({ scope: "letters:write" });
    expect(await scopeOf("letters:write letters:read letters:write")).toMatchObject({
      scope: "letters:read letters:write",
    });
    const narrow = await scopeOf("letters:read");
    expect(decodeJwt(narrow.access_token).scope).toBe("letters:read");
  });

  it.each([
    "connections:read",
    "operator",
    "letters:read connections:read",
    "LETTERS:READ",
    "letters:read  letters:write",
    '"',
    "é",
  ])("[RFC 6749 §3.3] refuses the scope %j with invalid_scope", async (scope) => {
    const at = await install();
    const client = await at.application({ scopes: ["letters:write", "letters:read"] });
    expect(await at.token(machine(client, { scope }))).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });

  it("[C-2.3] gives an operator a token without tenant and with nothing but `operator`", async () => {
    const at = await install();
    const client = await at.application({ tenant_id: null });
    const { body } = await at.token(machine(client));
    expect(body.scope).toBe("operator");
    expect(decodeJwt(body.access_token)).not.toHaveProperty("tenant");
  });

  it("costs one store transaction once the application is known", async () => {
    const { store, calls } = countingStore();
    const at = await install({ store });
    const client = await at.application();
    await at.token(machine(client));
    calls.length = 0;
    expect((await at.token(machine(client))).status).toBe(200);
    expect(calls).toEqual(["issueGrant"]);
  });
});

describe("RFC 6749 §3.2 requests", () => {
  const right = (client: Credentials) => new URLSearchParams(machine(client)).toString();
  const form = "application/x-www-form-urlencoded";
  const bad: [
    string,
    (client: Credentials) => [body: string, type?: string, authorization?: string],
    number,
    string,
  ][] = [
    ["JSON", (c) => [JSON.stringify(machine(c)), "application/json"], 400, "invalid_request"],
    ["no content type", (c) => [right(c), ""], 400, "invalid_request"],
    ["multipart", (c) => [right(c), "multipart/form-data; boundary=x"], 400, "invalid_request"],
    ["an empty body", () => ["", form], 400, "invalid_request"],
    ["a repeated grant_type", (c) => [`${right(c)}&grant_type=client_credentials`], 400, "invalid_request"],
    ["a repeated client_secret", (c) => [`${right(c)}&client_secret=x`], 400, "invalid_request"],
    ["a repeated unknown parameter", (c) => [`${right(c)}&x=1&x=1`], 400, "invalid_request"],
    [
      "two ways of authentication",
      (c) => [right(c), form, basic(c.client_id, c.client_secret)],
      400,
      "invalid_request",
    ],
    ["secret and assertion", (c) => [`${right(c)}&client_assertion=x`], 400, "invalid_request"],
    [
      "another client_id than in Basic",
      (c) => ["grant_type=client_credentials&client_id=other", form, basic(c.client_id, c.client_secret)],
      400,
      "invalid_request",
    ],
    ["a missing grant_type", (c) => [right(c).replace("grant_type", "grant")], 400, "invalid_request"],
    ["an empty grant_type", (c) => [right(c).replace("=client_credentials", "=")], 400, "invalid_request"],
    ["a NUL byte", (c) => [`${right(c)}%00`], 400, "invalid_request"],
    ["a lone surrogate", (c) => [`${right(c)}%ED%A0%80`], 400, "invalid_request"],
    [
      "an endless client_id",
      (c) => [right(c).replace("client_id=", `client_id=${"x".repeat(2048)}`)],
      400,
      "invalid_request",
    ],
    [
      "the device flow's grant type",
      (c) => [right(c).replace("=client_credentials", "=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code")],
      400,
      "unsupported_grant_type",
    ],
    [
      "the password grant",
      (c) => [right(c).replace("=client_credentials", "=password")],
      400,
      "unsupported_grant_type",
    ],
    [
      "__proto__ as grant type",
      (c) => [right(c).replace("=client_credentials", "=__proto__")],
      400,
      "unsupported_grant_type",
    ],
    ["more than 64 KiB", (c) => [`${right(c)}&x=${"x".repeat(64 * 1024)}`], 413, "invalid_request"],
    ["more than 1 MiB", (c) => [`${right(c)}&x=${"x".repeat(1024 * 1024)}`], 413, "invalid_request"],
  ];
  it.each(bad)("refuses %s", async (_, make, status, error) => {
    const at = await install();
    const [body, type = form, authorization] = make(await at.application());
    const headers = { "content-type": type, ...(authorization ? { authorization } : {}) };
    const response = await fetch(`${at.issuer}/token`, { method: "POST", body, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    expect(response.headers.get("x-trace-id")).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(at.log).toEqual([]);
  });

  it("accepts a charset, ignores unknown parameters, treats empty ones as left out", async () => {
    const at = await install();
    const fields = machine(await at.application(), {
      unknown: "1",
      __proto__x: "",
      scope: "",
      resource: "",
      client_assertion: "",
    });
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
    expect(await at.token(fields, { headers })).toMatchObject({
      status: 200,
      body: { scope: TENANT_SCOPES.join(" ") },
    });
  });

  it("answers no-store and no-cache to success as well", async () => {
    const at = await install();
    const { headers } = await at.token(machine(await at.application()));
    expect([headers.get("cache-control"), headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
  });

  it.each(["GET", "HEAD", "PUT", "DELETE", "PATCH"])("answers 405 with Allow to %s", async (method) => {
    const at = await install();
    const response = await fetch(`${at.issuer}/token`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("[C-9.84] a 503 after which the change may have been made says so, and a list's does not", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const lost = Object.assign(new Error("no answer"), { code: "unavailable", outcome: "unknown" });
    const fail = () => Promise.reject(lost);
    Object.assign(at.store.grants, { issueGrant: fail, findGrant: fail, endGrant: fail, listGrants: fail });
    Object.assign(at.store.clients, { registerClient: fail });
    const secret = { client_id, client_secret };
    const list = (path: string, fields: Record<string, string>) =>
      fetch(at.issuer + path, { method: "POST", body: new URLSearchParams({ ...secret, ...fields }) });
    const inDoubt = { error: "temporarily_unavailable", outcome: "unknown" };
    expect(await at.token({ grant_type: "client_credentials", ...secret })).toMatchObject({
      status: 503,
      body: inDoubt,
    });
    expect(await at.register({ redirect_uris: ["https://c.example/cb"] })).toMatchObject({
      status: 503,
      body: inDoubt,
    });
    const listed = await list("/grants/list", {});
    expect([listed.status, await listed.json()]).toEqual([
      503,
      { error: "temporarily_unavailable", error_description: "database temporarily unavailable; retry later" },
    ]);
    const body = await (await list("/grants/revoke", { grant_id: "018f0000-0000-7000-8000-000000000009" })).json();
    expect(body).toMatchObject(inDoubt);
  });

  it("[C-9.14] stops reading a body without a length once it is too large", async () => {
    const at = await install({ maxBodyBytes: 10_000 });
    const status = await new Promise((resolve, reject) => {
      const headers = { "content-type": "application/x-www-form-urlencoded", "transfer-encoding": "chunked" };
      const req = request(`${at.issuer}/token`, { method: "POST", headers }, (res) => resolve(res.statusCode));
      req.on("error", reject).write(`grant_type=${"x".repeat(20_000)}`);
    });
    expect(status).toBe(413);
  });

  it.each([
    [30_000, 503, "too many bytes are on their way to the server (body_bytes_in_flight: 120000); try again in 5 s"],
    [62_000, 429, "too many request bytes in flight (body_bytes_of_network: 60000); try again in 5 s"],
  ])(
    "[C-9.64] a body of %i bytes that there is no room for is %i, with which limit it met",
    async (bytes, status, words) => {
      const bodies = createByteBudget({ maxBytes: 120_000 });
      for (const network of ["one", "other"]) bodies.take({ network, tenant: null }, 55_000);
      bodies.take({ network: "third", tenant: null }, 35_000);
      const at = await install({ bodies });
      const answer = await at.token({ grant_type: "client_credentials", padding: "x".repeat(bytes) });
      expect(answer).toMatchObject({ status, body: { error: "temporarily_unavailable", error_description: words } });
      expect(answer.headers.get("retry-after")).toBe("5");
    },
  );

  it("lets scripts of any origin ask, without credentials", async () => {
    const at = await install();
    const headers = { origin: "https://app.example", "access-control-request-method": "POST" };
    const preflight = await fetch(`${at.issuer}/token`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    for (const answer of [preflight, await at.token(machine(await at.application())), await at.token({})]) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  it("answers a fault of its own with a generic 500, logged once with its trace, and consumes nothing", async () => {
    const store = createMemoryOAuthStore();
    let broken = false;
    const { grants } = store;
    const failing = {
      ...grants,
      issueGrant: (...args: Parameters<typeof grants.issueGrant>) =>
        broken ? Promise.reject(new Error("connection to 10.0.0.5 refused")) : grants.issueGrant(...args),
    };
    const at = await install({ store: { ...store, grants: failing } });
    const client = await at.application();
    const { body: first } = await at.token(machine(client));
    broken = true;
    const { status, text } = await at.token(machine(client));
    expect({ status, text }).toEqual({ status: 500, text: '{"error":"server_error"}' });
    expect(at.log).toMatchObject([
      [{ err: expect.any(Error), trace_id: "0af7651916cd43dd8448eb211c80319c" }, expect.any(String)],
    ]);
    expect(await at.token(refresh(first.refresh_token))).toMatchObject({ status: 200 });
  });
});
