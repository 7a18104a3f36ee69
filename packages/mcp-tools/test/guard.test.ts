import { describe, expect, it } from "vitest";
import { call, modern, principals, rpc, startMcp } from "./mcp-server.js";
import { ids } from "./world.js";

const mcp = await startMcp();

describe("methods", () => {
  for (const method of ["GET", "PUT", "PATCH"])
    it(`[C-4.3] ${method} is 405 with Allow: POST, DELETE`, async () => {
      const answer = await mcp.send({ method });
      expect([answer.status, answer.headers.allow]).toEqual([405, "POST, DELETE"]);
    });
});

describe("Origin and Host", () => {
  const ask = (headers: Record<string, string | undefined>) => mcp.send({ headers, body: rpc("ping") });

  for (const origin of [
    undefined,
    "https://wealth.example.com",
    "https://app.example.org",
    "http://localhost:6274",
    "http://127.0.0.1",
    "https://[::1]:8443",
  ])
    it(`[C-9.11] Origin ${origin ?? "(none)"} is served`, async () => {
      const answer = await ask({ origin });
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    });

  for (const origin of [
    "https://evil.example",
    "https://wealth.example.com.evil.example",
    "http://wealth.example.com",
    "https://wealth.example.com:8443",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "ftp://localhost",
    "null",
    "nonsense",
  ])
    it(`[C-9.11] Origin ${origin} is 403, without a word on CORS`, async () => {
      const answer = await ask({ origin });
      expect(answer.status).toBe(403);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    });

  for (const host of ["wealth.example.com", "WEALTH.example.com:443", "localhost:3000", "127.0.0.1", "[::1]:3000"])
    it(`[C-9.11] Host ${host} is served`, async () => {
      expect((await ask({ host })).status).toBe(200);
    });

  for (const host of [
    "evil.example",
    "wealth.example.com.evil.example",
    "localhost.evil.example",
    "wealth.example.com@evil.example",
    "a b",
  ])
    it(`[C-9.11] Host "${host}" is 403`, async () => {
      expect((await ask({ host })).status).toBe(403);
    });

  it("are looked at before the token", async () => {
    expect(
      (await mcp.send({ token: null, headers: { origin: "https://evil.example" }, body: rpc("ping") })).status,
    ).toBe(403);
  });
});

describe("CORS", () => {
  const origin = "http://localhost:6274";

  it("answers a preflight without a token", async () => {
    const answer = await mcp.send({
      method: "OPTIONS",
      token: null,
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,mcp-protocol-version,mcp-param-x",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(answer.headers["access-control-allow-methods"]).toMatch(/POST.*DELETE/);
    expect(answer.headers["access-control-allow-headers"]).toBe(
      "authorization,content-type,mcp-protocol-version,mcp-param-x",
    );
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  it("lets a page read why it was refused, and its session id", async () => {
    const requests = [
      { token: null, body: rpc("ping") },
      { body: call("svc-connectors") },
      { body: rpc("tools/list") },
      { body: "{" },
      modern("tools/list"),
    ];
    for (const request of requests) {
      const { headers } = await mcp.send({
        ...request,
        headers: { ...("headers" in request && request.headers), origin },
      });
      expect(headers["access-control-allow-origin"]).toBe(origin);
      expect(headers["access-control-expose-headers"]).toMatch(/WWW-Authenticate.*Mcp-Session-Id/);
      expect(headers.vary).toBe("Origin");
    }
  });
});

describe("tokens", () => {
  it("[S1-5.1] [S1-7.1] without one: 401 with the challenge, which names no error but what to ask for", async () => {
    for (const method of ["POST", "GET", "DELETE"]) {
      const answer = await mcp.send({
        method,
        token: null,
        body: method === "POST" ? rpc("initialize", {}) : undefined,
      });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe(
        'Bearer resource_metadata="https://wealth.example.com/rm", scope="connections:read connections:write connections:delete investments:read", DPoP algs="ES256 Ed25519 EdDSA"',
      );
    }
  });

  it("[S1-7.1] with a bad one: 401, invalid_token", async () => {
    const answer = await mcp.send({ token: "mallory", body: rpc("ping") });
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
  });

  it("in the query is no token", async () => {
    expect((await mcp.send({ token: null, path: "/mcp?access_token=alice", body: rpc("ping") })).status).toBe(401);
  });

  it("[C-9.7] of an operator: 403", async () => {
    for (const request of [
      { body: rpc("initialize", {}) },
      { body: call("svc-connectors") },
      modern("tools/list"),
      { method: "GET" },
    ]) {
      const answer = await mcp.send({ ...request, token: "operator" });
      expect([answer.status, answer.headers["www-authenticate"]]).toEqual([
        403,
        expect.stringContaining('error="insufficient_scope"'),
      ]);
    }
  });
});

describe("scopes", () => {
  const scopeOf: Record<string, string> = {
    "svc-connectors": "connections:read",
    "svc-session-status": "connections:read",
    "svc-credentials": "connections:read",
    "svc-credential-status": "connections:read",
    "svc-needs-relogin": "connections:read",
    "svc-create-connect-session": "connections:write",
    "svc-delete-credentials": "connections:delete",
    "svc-portfolios": "investments:read",
    "svc-investments": "investments:read",
    "svc-investment-transactions": "investments:read",
  };
  for (const [name, scope] of Object.entries(scopeOf))
    it(`[C-2.6] [C-2.8] [C-2.9] [C-2.10] [C-2.15] ${name} needs exactly ${scope}`, async () => {
      const only = (scopes: string[]) =>
        startMcp({ authenticate: () => ({ principal: { ...principals.alice!, scopes: new Set(scopes) } }) });
      const others = Object.values(scopeOf).filter((other) => other !== scope);
      const lacking = await only(others);
      for (const request of [
        { body: call(name) },
        modern("tools/call", { name }),
        { body: [rpc("ping", undefined, 2), call(name)] },
      ]) {
        const answer = await lacking.send(request);
        expect(answer.status).toBe(403);
        expect(answer.headers["www-authenticate"]).toBe(
          `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="https://wealth.example.com/rm"`,
        );
        expect(answer.json.error).toBe("insufficient_scope");
      }
      expect((await (await only([scope])).send({ body: call(name) })).status).toBe(200);
    });

  it("names every scope that a batch lacks, and does none of it", async () => {
    const remove = call("svc-delete-credentials", { credentials_token: ids.alpha, confirm: true }, 1);
    const answer = await mcp.send({
      token: "reader",
      body: [call("svc-connectors", {}, 0), remove, call("svc-portfolios", {}, 2)],
    });
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([
      403,
      expect.stringContaining('scope="connections:delete investments:read"'),
    ]);
    expect(
      await mcp.services.credentials.status(
        { tenant_id: ids.tenantA, application_id: "", trace_id: null, address: null },
        ids.alpha,
      ),
    ).toBeDefined();
  });

  it("are not needed for anything but calls", async () => {
    const none = await startMcp({
      authenticate: () => ({ principal: { ...principals.alice!, scopes: new Set<string>() } }),
    });
    for (const request of [{ body: rpc("tools/list") }, modern("server/discover"), { body: call("svc-nothing") }])
      expect((await none.send(request)).status).toBe(200);
  });
});

describe("the log", () => {
  it("holds one record per request, with the trace id of the answer, and nothing of the token", async () => {
    const watched = await startMcp();
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const answers = [
      await watched.send({ headers: { traceparent }, body: call("svc-investments", { page_size: 1 }) }),
      await watched.send({ body: call("svc-credential-status", { credentials_token: "unknown" }) }),
      await watched.send({ body: rpc("tools/list") }),
      await watched.send({ token: "mallory", body: rpc("ping") }),
      await watched.send({ body: "{" }),
      await watched.send(modern("tools/call", { name: "svc-connectors", _meta: { traceparent } })),
      await watched.send({ headers: { "mcp-session-id": "dead" }, body: rpc("ping") }),
      await watched.send({ method: "GET" }),
    ];
    const { applicationA: application_id, tenantA: tenant_id } = ids;
    expect(watched.logs).toMatchObject([
      { rpc_method: "tools/call", tool: "svc-investments", outcome: "ok", status: 200, application_id, tenant_id },
      { rpc_method: "tools/call", tool: "svc-credential-status", outcome: "NOT_FOUND", status: 200 },
      { rpc_method: "tools/list", outcome: "ok", status: 200, application_id },
      { outcome: "unauthorized", status: 401, application_id: null, tenant_id: null },
      { outcome: "parse_error", status: 400 },
      { rpc_method: "tools/call", tool: "svc-connectors", outcome: "ok" },
      { outcome: "session_not_found", status: 404 },
      { method: "GET", outcome: "method_not_allowed", status: 405 },
    ]);
    expect(watched.logs.map(({ msg }) => msg)).toEqual(watched.logs.map(() => "request"));
    expect(watched.logs.map((record) => record.trace_id)).toEqual(answers.map(({ headers }) => headers["x-trace-id"]));
    expect(watched.logs[0]?.trace_id).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(watched.logs[5]?.trace_id).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(watched.logs[1]?.trace_id).toMatch(/^[0-9a-f]{32}$/);
    for (const record of watched.logs) expect(typeof record.ms).toBe("number");
    expect(JSON.stringify(watched.logs)).not.toMatch(/alice|mallory|Bearer/);
  });

  it("never holds a widget_url", async () => {
    const watched = await startMcp();
    await watched.send({ body: call("svc-create-connect-session", { connector_id: "esp:alpha" }) });
    expect(JSON.stringify(watched.logs)).not.toContain("/connect/");
  });

  it("[C-4.26] holds the cause of an INTERNAL_ERROR once, which the client does not see", async () => {
    const failing = await startMcp({
      services: {
        ...mcp.services,
        connectors: {
          ...mcp.services.connectors,
          search: async () => {
            throw new Error("password=hunter2");
          },
        },
      },
    });
    for (const request of [
      { body: call("svc-connectors") },
      modern("tools/call", { name: "svc-connectors" }),
      { body: [call("svc-connectors")] },
    ]) {
      failing.logs.length = 0;
      const answer = await failing.send(request);
      expect(answer.status).toBe(200);
      const error = JSON.parse(answer.json.result.content[0].text).error;
      expect(error).toEqual({
        code: "INTERNAL_ERROR",
        message: expect.any(String),
        trace_id: answer.headers["x-trace-id"],
      });
      expect(answer.text).not.toContain("hunter2");
      expect(failing.logs.map(({ level }) => level)).toEqual(["error", "info"]);
      expect(failing.logs[0]).toMatchObject({ err: { message: "password=hunter2" }, trace_id: error.trace_id });
    }
  });

  it.each([
    ["resources/read", { uri: "wealth-connect://connectors" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "connect-bank" }, argument: { name: "connector_id", value: "" } },
    ],
  ])("[C-4.26] holds the cause of a %s that failed, which the client does not see", async (method, params) => {
    const fail = async () => {
      throw new Error("password=hunter2");
    };
    const failing = await startMcp({
      services: { ...mcp.services, connectors: { ...mcp.services.connectors, search: fail, completions: fail } },
    });
    const { body, headers } = modern(method, params);
    const named = "uri" in params ? { "mcp-name": String(params.uri) } : {};
    for (const request of [{ body: rpc(method, params) }, { body, headers: { ...headers, ...named } }]) {
      failing.logs.length = 0;
      const answer = await failing.send(request);
      expect(answer.json.error).toMatchObject({ code: -32603, data: { trace_id: answer.headers["x-trace-id"] } });
      expect(answer.text).not.toContain("hunter2");
      expect(failing.logs.map(({ level }) => level)).toEqual(["error", "info"]);
    }
  });

  it("a checker of tokens that fails is a 500 that says nothing", async () => {
    const failing = await startMcp({
      authenticate: () => {
        throw new Error("database gone");
      },
    });
    const answer = await failing.send({ body: rpc("ping") });
    expect([answer.status, answer.json.error.code]).toEqual([500, -32603]);
    expect(answer.text).not.toContain("database");
    expect(failing.logs.map(({ level }) => level)).toEqual(["error", "info"]);
  });
});
