import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { CoreError } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowedOrigin, type Fixture, pdf, publicUrl, startFixture } from "./fixture.js";
import { tokenOf, validBodies } from "./valid-bodies.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

/** One endpoint of each family, with a valid body. */
const SEARCH = "/letters/v1/search-letters";
const PREVIEW = "/connect/v2/connectors/preview-connector-filter";
const TENANTS = "/operator/v1/tenants/list";
const samples = [
  [SEARCH, { query: {} }],
  [PREVIEW, { connector_filter: { rules: [] } }],
  [TENANTS, {}],
] as const;
const trace_id = expect.stringMatching(/^[0-9a-f]{32}$/);

/** Sends a request whose body the test itself sends, or does not send. */
function raw(
  path: string,
  headers: Record<string, string | number>,
  send: (socket: ReturnType<typeof httpRequest>) => void,
) {
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>((resolve, reject) => {
    const outgoing = httpRequest(
      api.url + path,
      { method: "POST", headers: { "content-type": "application/json", ...headers } },
      async (answer) => {
        let text = "";
        for await (const chunk of answer) text += chunk;
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        outgoing.destroy();
      },
    );
    outgoing.on("error", reject);
    send(outgoing);
  });
}

describe("who asks", () => {
  it.each([
    [
      SEARCH,
      { success: false, error: { code: "UNAUTHENTICATED", message: expect.any(String) }, trace_id },
      "letters:read",
    ],
    [PREVIEW, { error: "Invalid credentials" }, "connections:read"],
    [
      TENANTS,
      { success: false, error: { code: "UNAUTHENTICATED", message: expect.any(String) }, trace_id },
      "operator",
    ],
  ])("[S2-7.2][S2-5.1][S2-5.3] %s without a good token is 401 and says how to get one", async (path, body, scope) => {
    const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`;
    const dpop = 'DPoP algs="ES256 Ed25519 EdDSA"';
    const missing = await api.post(path, {}, { token: null });
    expect([missing.status, missing.body]).toEqual([401, body]);
    expect(missing.headers.get("www-authenticate")).toBe(`Bearer ${metadata}, scope="${scope}", ${dpop}`);
    const invalid = await api.post(path, {}, { token: "expired" });
    expect([invalid.status, invalid.body]).toEqual([401, body]);
    expect(invalid.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", error_description="the access token is not valid", ${metadata}, scope="${scope}", ${dpop}`,
    );
  });

  it("a token in the query is not looked at", async () => {
    expect((await api.post(`${SEARCH}?access_token=${api.tokens.first}`, { query: {} }, { token: null })).status).toBe(
      401,
    );
  });

  it.each(samples)("401 comes before any fault of the request to %s", async (path) => {
    expect((await api.post(path, "{", { token: null })).status).toBe(401);
    expect((await api.post(path, "{", { token: null, headers: { "content-type": "text/plain" } })).status).toBe(401);
  });

  it("401 comes before the body: 27 MB are announced, none of them sent", async () => {
    const { status } = await raw("/letters/v1/create-signed", { "content-length": 27_000_000 }, (outgoing) =>
      outgoing.flushHeaders(),
    );
    expect(status).toBe(401);
  });

  it("a client that writes all of a large body before it listens still gets its 401", async () => {
    const { status } = await raw("/letters/v1/create-signed", { "content-length": 27_000_000 }, (outgoing) => {
      outgoing.end(Buffer.alloc(27_000_000, "A"));
    });
    expect(status).toBe(401);
  });

  it("[C-2.6][C-2.7][C-2.8][C-2.11][C-2.12] every endpoint asks for its scope, and for no other", async () => {
    const bodies = await validBodies(api);
    for (const [path, { post }] of Object.entries(api.document.paths)) {
      const { security } = post as { security: { oauth2: [string] }[] };
      const needed = security.map(({ oauth2: [scope] }) => scope);
      const tenant = path.startsWith("/operator/") ? null : api.tenantIds.first;
      const all = [
        "connections:read",
        "connections:write",
        "connections:delete",
        "investments:read",
        "letters:read",
        "letters:write",
        "operator",
      ];
      const others = api.tokenFor(
        `without ${path}`,
        tenant,
        all.filter((scope) => !needed.includes(scope)),
      );
      const refused = await api.post(path, {}, { token: others });
      expect(refused.status, path).toBe(403);
      expect(refused.headers.get("www-authenticate"), path).toContain(`error="insufficient_scope"`);
      for (const scope of needed) {
        // The letters of a client end with it.
        const more = path === "/clients/v1/delete" ? ["letters:write"] : [];
        const token = api.tokenFor(`only ${scope}`, tenant, [scope, ...more]);
        const answer = await api.post(path, bodies[path] ?? "", { token });
        expect([200, 400, 415], `${path} ${answer.text}`).toContain(answer.status);
        if (bodies[path]) expect(answer.status, `${path} ${answer.text}`).toBe(200);
      }
    }
  });

  it.each([
    [SEARCH, { success: false, error: { code: "UNAUTHORIZED", message: expect.any(String) }, trace_id }],
    [PREVIEW, { success: false, error: { code: "Unauthorized", message: expect.any(String) } }],
  ])("[S2-7.3][C-2.13][C-2.14][C-7.21] a missing scope at %s is 403 in its envelope", async (path, body) => {
    const answer = await api.post(path, {}, { token: api.tokenFor("none", api.tenantIds.first, []) });
    expect([answer.status, answer.body]).toEqual([403, body]);
  });

  it("[C-2.3] no application acts outside its kind, whatever its token says", async () => {
    const stray = api.tokenFor("stray operator", api.tenantIds.first, ["operator"]);
    expect((await api.post(TENANTS, {}, { token: stray })).status).toBe(403);
    const homeless = api.tokenFor("homeless", null, ["letters:read"]);
    expect((await api.post(SEARCH, { query: {} }, { token: homeless })).status).toBe(403);
  });
});

describe("where and how", () => {
  const notFound = {
    letters: { code: "NOT_FOUND", message: expect.any(String) },
    connect: { code: "NotFound", message: expect.any(String) },
  };

  it.each([
    ["/letters/v1", { success: false, error: notFound.letters, trace_id }],
    ["/letters/v1/search-letters/", { success: false, error: notFound.letters, trace_id }],
    ["/letters/v1/Search-Letters", { success: false, error: notFound.letters, trace_id }],
    ["/letters/v1/%E0%A4%A", { success: false, error: notFound.letters, trace_id }],
    ["/operator/v1/nothing", { success: false, error: notFound.letters, trace_id }],
    ["/connect/v2/nothing", { success: false, error: notFound.connect }],
    ["/v2/connect/sessions/1", { success: false, error: notFound.connect }],
  ])("%s is 404 in its family's envelope", async (path, body) => {
    const answer = await api.post(path, {});
    expect([answer.status, answer.body]).toEqual([404, body]);
  });

  it.each(["/letters/v10/search-letters", "/connect/abcdef", "/connect", "/other"])(
    "%s is left to the host",
    async (path) => {
      const response = await fetch(api.url + path, { method: "POST" });
      expect([response.status, response.headers.get("x-trace-id")]).toEqual([404, null]);
    },
  );

  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "[S2-4.1] %s is 405 and allows POST",
    async (method) => {
      for (const [path] of samples) {
        const answer = await api.post(path, undefined, { method });
        expect([answer.status, answer.headers.get("allow")], path).toEqual([405, "POST"]);
        const code = path === PREVIEW ? "MethodNotAllowed" : "METHOD_NOT_ALLOWED";
        if (method !== "HEAD") expect(answer.body, path).toMatchObject({ success: false, error: { code } });
      }
    },
  );

  it.each([
    ["text/plain", {}],
    ["application/x-www-form-urlencoded", {}],
    ["application/json; charset=latin1", {}],
    ["application/json", { "content-encoding": "gzip" }],
  ])("[S2-4.1] a body of type %s %j is 415", async (type, headers) => {
    for (const [path, body] of samples) {
      const answer = await api.post(path, body, {
        token: tokenOf(path),
        headers: { "content-type": type, ...headers },
      });
      expect(answer.status, path).toBe(415);
      expect(answer.headers.get("accept-post"), path).toBe("application/json");
    }
  });

  it.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "[S2-4.1] %s is read",
    async (type) => {
      expect((await api.post(SEARCH, { query: {} }, { headers: { "content-type": type } })).status).toBe(200);
    },
  );
});

describe("bodies", () => {
  const nested = (depth: number) => `{"query":{},"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;

  it.each([
    ["nothing", "", "body"],
    ["half a body", '{"query":', "body"],
    ["a list", "[]", "body"],
    ["a text", '"query"', "body"],
    ["null", "null", "body"],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "body"],
    ["nesting without end", nested(200), `deep${"[0]".repeat(32)}`],
    ["half a million lists in each other", nested(500_000), "body"],
    ["half a million lists beside each other", `{"query":[${"[],".repeat(300_000)}[]]}`, "body"],
    ["a __proto__", '{"query":{"__proto__":{"polluted":true}}}', "query.__proto__"],
    ["a __proto__ among labels", '{"query":{"labels":{"__proto__":"x"}}}', "query.labels.__proto__"],
    ["a NUL", '{"query":{"labels":{"a":"x\\u0000y"}}}', "query.labels.a"],
    ["a NUL in a name", '{"query":{"labels":{"a\\u0000":"x"}}}', "query.labels.a\0"],
    ["half a surrogate pair", '{"query":{"labels":{"a":"\\ud83d"}}}', "query.labels.a"],
    ["a number beyond all bounds", '{"query":{},"page":1e999}', "page"],
    ["a number that would be changed", '{"query":{},"page":9007199254740993}', "page"],
  ])("a body that holds %s is a 400 that names it", async (_name, body, field) => {
    const answer = await api.post(SEARCH, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("VALIDATION_ERROR");
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
    for (const path of [PREVIEW, TENANTS])
      expect((await api.post(path, body, { token: tokenOf(path) })).status, path).toBe(400);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("no body and no media type is a 400 for what is missing", async () => {
    const response = await fetch(api.url + SEARCH, { method: "POST", headers: { authorization: "Bearer first" } });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { details: [{ field: "body", error_type: "RequiredField" }] } },
    ]);
  });

  it("a refused body is not quoted", async () => {
    const { text } = await api.post(SEARCH, '{"query": SECRET-LETTER}');
    expect(text).not.toContain("SECRET");
  });

  it("thousands of faults do not come back as thousands of entries without end", async () => {
    const answer = await api.post(SEARCH, { query: { id_in: Array(20_000).fill("\0") } });
    expect([answer.status, answer.body.error.details.length]).toEqual([400, 1_000]);
    const named = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, 0]));
    expect((await api.post(SEARCH, { query: {}, ...named })).body.error.details).toEqual([
      { field: "body", error_type: "InvalidValue", rule: "must hold at most 1000 different names of fields" },
    ]);
  });

  it("[C-9.14] a declared length over the limit is refused before a byte is read, at every endpoint", async () => {
    for (const [path, { post }] of Object.entries(api.document.paths)) {
      const { description, content } = (post as { requestBody: { description: string; content: object } }).requestBody;
      const limit = Number(/\d+/.exec(description)?.[0]);
      expect(limit, path).toBeGreaterThan(200_000);
      const headers = {
        authorization: `Bearer ${tokenOf(path)}`,
        "content-type": Object.keys(content)[0] ?? "",
        "content-length": limit + 1,
      };
      const { status } = await raw(`${path}?name=a&connection_id=x`, headers, (outgoing) => outgoing.flushHeaders());
      expect(status, path).toBe(413);
    }
  });

  it("what is left of a refused body is thrown away, but not for ever", async () => {
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n`,
    );
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(1024 * 1024)));
    };
    socket.on("drain", more);
    more();
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(socket.bytesWritten).toBeLessThan(100 * 1024 * 1024);
  });

  it("[C-9.14] a body without declared length is refused once it is over 1 MiB, while it is still coming", async () => {
    const { status, text } = await raw(SEARCH, { authorization: "Bearer first" }, (outgoing) => {
      outgoing.write(Buffer.alloc(1024 * 1024 + 1, " "));
    });
    expect(status).toBe(413);
    expect(JSON.parse(text).error.details).toEqual([
      { field: "body", error_type: "InvalidValue", rule: expect.stringContaining("1048576") },
    ]);
  });

  it("[C-9.14] a body of exactly 1 MiB is read", async () => {
    const body = '{"query":{}}';
    expect((await api.post(SEARCH, body + " ".repeat(1024 * 1024 - body.length))).status).toBe(200);
  });

  it("a connection serves the next request after a refused one", async () => {
    const oversized = await api.post(SEARCH, " ".repeat(2 * 1024 * 1024));
    expect(oversized.status).toBe(413);
    expect((await api.post(SEARCH, { query: {} })).status).toBe(200);
  });

  it("a client that goes away in the middle is no incident", async () => {
    await new Promise<void>((resolve) => {
      const outgoing = httpRequest(api.url + SEARCH, {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": 1000, authorization: "Bearer first" },
      });
      outgoing.on("error", () => resolve());
      outgoing.on("close", () => resolve());
      outgoing.write('{"query"', () => setTimeout(() => outgoing.destroy(), 50));
    });
    expect((await api.post(SEARCH, { query: {} })).status).toBe(200);
    expect(api.logged).toEqual([]);
  });
});

describe("browsers", () => {
  const preflight = (path: string, origin: string) =>
    fetch(api.url + path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });

  it.each([
    publicUrl,
    allowedOrigin,
    "http://localhost:5173",
    "http://127.0.0.1:8080",
    "http://127.0.0.2:8080",
    "https://[::1]",
  ])("[C-1.21] may call from %s", async (origin) => {
    for (const path of [SEARCH, PREVIEW, TENANTS, "/letters/v1/unknown"]) {
      const asked = await preflight(path, origin);
      expect([
        asked.status,
        asked.headers.get("access-control-allow-origin"),
        asked.headers.get("access-control-allow-methods"),
      ]).toEqual([204, origin, "POST"]);
      expect(asked.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(
        "authorization, content-type, dpop, idempotency-key, traceparent",
      );
      const refused = await api.post(path, {}, { token: null, headers: { origin } });
      expect(refused.headers.get("access-control-allow-origin"), path).toBe(origin);
      expect(refused.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
      expect(refused.headers.get("vary")).toContain("Origin");
    }
  });

  it.each(["https://evil.example", "http://localhost.evil.example", "null", "http://wealth.example"])(
    "[C-1.21] may not call from %s",
    async (origin) => {
      const asked = await preflight(SEARCH, origin);
      expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, null]);
      const answer = await api.post(SEARCH, { query: {} }, { headers: { origin } });
      expect([
        answer.headers.get("access-control-allow-origin"),
        answer.headers.get("access-control-allow-credentials"),
      ]).toEqual([null, null]);
    },
  );
});

describe("traces", () => {
  const given = "4bf92f3577b34da6a3ce929d0e0e4736";
  const parent = `00-${given}-00f067aa0ba902b7-01`;

  it("[C-7.20][C-7.21] the trace id of traceparent is in the header of every answer, and in the bodies that S2 shows it in", async () => {
    const headers = { traceparent: parent };
    const answers = [
      await api.post(SEARCH, { query: {} }, { headers }),
      await api.post(SEARCH, {}, { headers }),
      await api.post(PREVIEW, {}, { headers }),
      await api.post(PREVIEW, {}, { headers, token: null }),
      await api.post("/letters/v1/unknown", {}, { headers }),
    ];
    expect(answers.map((answer) => answer.headers.get("x-trace-id"))).toEqual(answers.map(() => given));
    expect(answers.map(({ body }) => body.trace_id)).toEqual([undefined, given, given, undefined, given]);
  });

  it("[C-7.20] an invalid traceparent gives a new trace id", async () => {
    const answer = await api.post(SEARCH, {}, { headers: { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` } });
    expect(answer.body.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.body.trace_id).toBe(answer.headers.get("x-trace-id"));
  });
});

describe("what goes wrong inside", () => {
  const outage = async () => {
    throw new Error("password=hunter2 at db.internal");
  };
  const overload = async () => {
    throw new CoreError("RATE_LIMITED", "too many requests");
  };

  it.each([
    [SEARCH, { success: false, error: { code: "INTERNAL_ERROR", message: expect.any(String) }, trace_id }],
    [PREVIEW, { error: "Internal Error" }],
    [TENANTS, { success: false, error: { code: "INTERNAL_ERROR", message: expect.any(String) }, trace_id }],
  ])("[S2-7.7][S2-7.10] at %s is a 500 without inner text, logged once with the trace id", async (path, body) => {
    const broken = await startFixture({
      services: ({ letters, connectors, tenants }) => ({
        letters: { ...letters, search: outage },
        connectors: { ...connectors, preview: outage },
        tenants: { ...tenants, list: outage },
      }),
    });
    const answer = await broken.post(path, {}, { token: tokenOf(path) });
    expect([answer.status, answer.body]).toEqual([500, body]);
    expect(answer.text).not.toContain("hunter2");
    expect(broken.logged).toEqual([
      {
        fields: { err: expect.any(Error), trace_id: answer.headers.get("x-trace-id"), path },
        message: "request failed",
      },
    ]);
    await broken.close();
  });

  it.each([
    [SEARCH, { success: false, error: { code: "RATE_LIMITED", message: "too many requests" }, trace_id }],
    [PREVIEW, { success: false, error: { code: "RateLimited", message: "too many requests" } }],
  ])("too many requests at %s are a 429 with Retry-After", async (path, body) => {
    const busy = await startFixture({
      services: ({ letters, connectors }) => ({
        letters: { ...letters, search: overload },
        connectors: { ...connectors, preview: overload },
      }),
    });
    const answer = await busy.post(path, {});
    expect([answer.status, answer.body, answer.headers.get("retry-after")]).toEqual([429, body, "60"]);
    await busy.close();
  });
});

it("[C-9.64] a server at a limit of its own says which in the answer, and writes no line of its own for each", async () => {
  const limit = { name: "documents_waiting", value: 400 };
  const full = async () => {
    throw new CoreError("UNAVAILABLE", "too many queued requests", { limit, retryAfterSeconds: 10 });
  };
  const busy = await startFixture({ services: ({ letters }) => ({ letters: { ...letters, search: full } }) });
  const answer = await busy.post("/letters/v1/search-letters", { query: {} });
  expect([answer.status, answer.headers.get("retry-after"), answer.body.error]).toEqual([
    503,
    "10",
    {
      code: "UNAVAILABLE",
      message: "too many queued requests",
      details: [{ limit: "documents_waiting", value: 400, ends_at: "2026-01-01T00:00:10.000Z" }],
    },
  ]);
  expect(busy.logged).toEqual([]);
  await busy.close();
});

it("[C-7.20] the audit trail says who, from where and in which trace", async () => {
  const { headers } = await api.post("/v2/connect/sessions", { configuration: {} });
  const [entry] = await api.storage.inTenant(api.tenantIds.first, ({ audit }) => audit.list({ limit: 1 }));
  expect(entry).toMatchObject({ action: "session.create", trace_id: headers.get("x-trace-id"), address: "127.0.0.1" });
});

it("answers are kept by nobody", async () => {
  const answer = await api.post("/letters/v1/create-signed", { connector_id: "esp:bank-000", data: pdf() });
  expect([
    answer.headers.get("cache-control"),
    answer.headers.get("x-content-type-options"),
    answer.headers.get("etag"),
  ]).toEqual(["no-store", "nosniff", null]);
});

describe("[C-5.24] null in a body", () => {
  const SESSIONS = "/connect/v2/sessions/list-sessions";
  it.each([
    ...["connector_id_in", "status_in", "id_in", "labels", "creation_date", "last_update"].map(
      (field) => [SEARCH, `query.${field}`, { query: { [field]: null } }] as const,
    ),
    ...["start", "end"].map(
      (end) => [SEARCH, `query.last_update.${end}`, { query: { last_update: { [end]: null } } }] as const,
    ),
    [SEARCH, "query.creation_date.start", { query: { creation_date: { start: "null" } } }],
    [SEARCH, "query.creation_date.end", { query: { creation_date: { end: "" } } }],
    [SEARCH, "query.status_in", { query: { status_in: "null" } }],
    ...["session_id_in", "status_in", "connection_id_in", "error_code_in"].map(
      (field) => [SESSIONS, `query.${field}`, { query: { [field]: null } }] as const,
    ),
    ["/connect/v2/connectors/list-connectors", "query.connector_id_in", { query: { connector_id_in: null } }],
    ["/events/v1/list-events", "query.type_in", { query: { type_in: null } }],
    ["/events/v1/list-events", "query.created_at", { query: { created_at: null } }],
    ["/operator/v1/audit/list", "since", { since: null }],
    ["/operator/v1/audit/list", "until", { until: null }],
    ["/operator/v1/mails/list", "state_in", { state_in: null }],
  ] as const)("%s: for a list or a date it is refused by name, never taken for all: %s", async (path, field, body) => {
    const token = path.startsWith("/operator") ? api.tokens.operator : api.tokens.first;
    const answer = await api.post(path, body, { token });
    expect([answer.status, answer.body.error.details]).toMatchObject([400, [{ field, error_type: "InvalidValue" }]]);
  });

  it("for a scalar that may be left out it is the same as that", async () => {
    const bare = await api.post(SEARCH, { query: {} });
    expect(bare.body).toMatchObject({ page: 1, page_size: 20 });
    expect((await api.post(SEARCH, { query: {}, page: null, page_size: null })).body).toEqual(bare.body);
    for (const [path, body] of [
      ["/operator/v1/list-events", { query: null, order: null, page_size: null, page_token: null, wait_seconds: null }],
      ["/operator/v1/audit/list", { action: null, order: null, page_size: null, page_token: null }],
      ["/operator/v1/connectors/list", { name: null, page: null, page_size: null }],
      ["/operator/v1/datafeeds/list-pending", { limit: null }],
    ] as const) {
      const token = api.tokens.operator;
      const [asked, left] = [await api.post(path, body, { token }), await api.post(path, {}, { token })];
      expect([asked.status, asked.body]).toEqual([200, left.body]);
    }
  });
});

it("parameters of an address, as many as it holds, cost no time", async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => index.toString(36))
    .join("&")
    .slice(0, 14_000);
  const began = process.cpuUsage();
  for (let time = 0; time < 60; time += 1) {
    const { status } = await fetch(`${api.url}${SEARCH}?${names}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.tokens.first}`, "content-type": "application/json" },
      body: JSON.stringify({ query: {} }),
    });
    expect(status).toBe(200);
  }
  const { user, system } = process.cpuUsage(began);
  // Looking up each one among all of them would take five seconds.
  expect((user + system) / 1e6).toBeLessThan(3);
});
