import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routesOf } from "../src/routes.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import type { LogRecord } from "./server-process.js";

/** Fields that a record may have on any route, of which `waited_ms` says that it had to wait; `tool` and the like are for `/mcp` only. */
const FIELDS = [
  "level",
  "time",
  "msg",
  "method",
  "route",
  "status",
  "ms",
  "trace_id",
  "application_id",
  "tenant_id",
  "waited_ms",
];
const MCP_FIELDS = ["rpc_method", "tool", "calls", "outcome"];
/** Markers placed in queries, bodies and headers that are sent here. */
const PRIVATE = ["private-query", "private-body", "private-link", "private-agent"];
/** In several networks: a single one may be refused only so often a minute. */
const ADDRESSES = ["203.0.113.77", "198.51.100.77", "192.0.2.77", "198.18.0.77"];
let asked = 0;

const table = routesOf({ metrics: true, letterMaxBytes: 10_485_760, sandbox: true });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ backend: "embedded", environment: { METRICS: "true", TRUST_PROXY: "1" } });
}, START_TIMEOUT);
afterAll(() => server?.remove());

interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Sends a request with a trace id of its own; returns the response and the access-log records with that trace id. */
async function ask(path: string, { method = "GET", headers = {}, body }: Sent = {}) {
  const traceId = randomUUID().replaceAll("-", "");
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest(server.url + path, {
      method,
      headers: {
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        "x-forwarded-for": ADDRESSES[asked++ % ADDRESSES.length],
        "user-agent": "private-agent",
        ...headers,
      },
    });
    outgoing.once("response", resolve).once("error", reject).end(body);
  });
  const status = answer.statusCode ?? 0;
  await text(answer);
  return { traceId, status, header: answer.headers["x-trace-id"], records: await recordsOf(traceId) };
}

/** The record is written when the response closes, which may be a moment after it arrives. */
async function recordsOf(traceId: string): Promise<LogRecord[]> {
  const written = () => {
    const output = server.process.output();
    const at = output.indexOf(traceId);
    if (at < 0) return [];
    const lines = output.slice(output.lastIndexOf("\n", at) + 1).split("\n");
    // A line that is still being written lacks its end, which says what it is.
    const whole = lines.filter((line) => line.includes(traceId) && line.endsWith('"msg":"request"}'));
    const records: LogRecord[] = whole.map((line) => JSON.parse(line));
    return records.filter(({ trace_id }) => trace_id === traceId);
  };
  return eventually(() => {
    const records = written();
    return records.length > 0 && records;
  }, "the request is logged");
}

/** An address that matches a pattern. */
const addressOf = (pattern: string) => pattern.replace("*", "no-such").replaceAll(/:\w+/g, "private-link");

/** Every route with its own methods, and with some that most routes do not allow. */
const requests = table.routes.map(
  ({ path, methods }) => [path, [...new Set([...methods, "GET", "PATCH", "OPTIONS"])]] as const,
);

/** Malformed ends of a request, after headers that promise a body. */
const BROKEN: Readonly<Record<string, readonly [framing: string, body: string]>> = {
  "a chunk that is none": ["Transfer-Encoding: chunked", "1\r\na\r\nZZ\r\n"],
  "half closed": ["Content-Length: 100", "a=1"],
  "something else behind it": ["Content-Length: 3", "a=1\r\n\r\n?? ??\r\n\r\n"],
};

describe("[C-7.20] every answer has its trace id, and its one record in the access log", () => {
  it.concurrent.each(Object.entries(BROKEN))(
    "where requests break off (%s) nothing else does",
    async (_name, [framing, body]) => {
      const { port } = new URL(server.url);
      const sockets = table.routes.flatMap(({ path, methods }) => {
        if (!methods.includes("POST")) return [];
        const socket = connect(Number(port), "127.0.0.1");
        const head = [
          `POST ${addressOf(path)} HTTP/1.1`,
          ...["Host: localhost", `X-Forwarded-For: ${ADDRESSES[asked++ % ADDRESSES.length]}`],
          ...[`Authorization: Bearer ${server.demo.token}`, "Content-Type: application/x-www-form-urlencoded", framing],
        ];
        return socket.on("error", () => {}).end(`${head.join("\r\n")}\r\n\r\n${body}`);
      });
      expect(sockets.length).toBeGreaterThan(100);
      // A body may pause this long; then whatever waits for it answers.
      await delay(11_000);
      for (const socket of sockets) socket.destroy();
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    },
  );

  // Each request has its own trace id and waits for its record, so several run concurrently.
  it.concurrent.each(requests)("%s", async (pattern, methods) => {
    const path = addressOf(pattern);
    for (const method of methods) {
      const sent = method === "POST" ? { method, body: "private-body" } : { method };
      const { traceId, status, header, records } = await ask(`${path}?q=private-query`, sent);
      expect(header, method).toBe(traceId);
      expect(records, method).toEqual([
        expect.objectContaining({
          level: "info",
          method,
          route: table.match(path)?.path ?? null,
          status,
          trace_id: traceId,
        }),
      ]);
      expect(records[0]?.ms).toEqual(expect.any(Number));
      const allowed = path.startsWith("/mcp") ? [...FIELDS, ...MCP_FIELDS] : FIELDS;
      expect(Object.keys(records[0] ?? {}).filter((field) => !allowed.includes(field))).toEqual([]);
    }
  });

  it.each([
    ["/index.html", {}],
    ["/nothing/here", {}],
    ["/nothing/here", { method: "POST", body: "private-body" }],
    ["/%ff", {}],
    [`/${"a".repeat(4_000)}`, {}],
    ["/MCP", { method: "POST" }],
  ])("%.40s, where there is nothing, without a route", async (path, sent) => {
    const { traceId, header, status, records } = await ask(path, sent);
    expect([header, status]).toEqual([traceId, 404]);
    expect(records).toEqual([expect.objectContaining({ route: null, status: 404, application_id: null })]);
  });

  it.each([
    ["/mcp", "evil.example", 403],
    ["/healthz", "evil.example", 200],
    ["/nothing", "evil.example", 404],
    ["/nothing", "", 404],
  ])("%s on the host %j", async (path, host, expected) => {
    const { traceId, status, header, records } = await ask(path, { headers: { host } });
    expect([status, header]).toEqual([expected, traceId]);
    expect(records).toEqual([expect.objectContaining({ status: expected })]);
  });

  it("a new one where none, or no good one, was sent", async () => {
    for (const traceparent of [undefined, "00-0-0-00", `ff-${"a".repeat(32)}-00f067aa0ba902b7-01`]) {
      const answer = await fetch(`${server.url}/healthz`, {
        headers: traceparent === undefined ? {} : { traceparent },
      });
      const traceId = answer.headers.get("x-trace-id") ?? "";
      expect(traceId).toMatch(/^(?!a{32})[0-9a-f]{32}$/);
      expect(await recordsOf(traceId)).toHaveLength(1);
    }
  });

  it("and the record says for which application and tenant it was, and which tool was called", async () => {
    const { demo, operator } = server;
    const bearer = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
    const [application] = (await server.operate("/operator/v1/applications/list", { tenant_id: demo.tenantId })).items;
    const who = { application_id: application.application_id, tenant_id: demo.tenantId };

    const letters = await ask("/letters/v1/search-letters", {
      method: "POST",
      headers: bearer(demo.token),
      body: '{"query":{}}',
    });
    expect(letters.records).toEqual([expect.objectContaining({ status: 200, ...who })]);
    const tenants = await ask("/operator/v1/tenants/list", {
      method: "POST",
      headers: bearer(operator.token),
      body: "{}",
    });
    expect(tenants.records[0]).toMatchObject({ status: 200, application_id: expect.any(String), tenant_id: null });
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "svc-credentials", arguments: {} } };
    const tool = await ask("/mcp", { method: "POST", headers: bearer(demo.token), body: JSON.stringify(call) });
    expect(tool.records).toEqual([
      expect.objectContaining({
        status: 200,
        ...who,
        rpc_method: "tools/call",
        tool: "svc-credentials",
        outcome: "ok",
      }),
    ]);
    const form = { grant_type: "client_credentials", client_id: demo.clientId, client_secret: demo.clientSecret };
    const token = await ask("/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams(form)),
    });
    expect(token.records).toEqual([expect.objectContaining({ status: 200, ...who })]);
  });

  it("a page of a bank customer too, whose address holds a secret", async () => {
    const { widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    const { traceId, header, status, records } = await ask(new URL(widgetUrl).pathname);
    expect([status, header]).toEqual([200, traceId]);
    expect(records).toEqual([expect.objectContaining({ route: "/connect/:link", status: 200 })]);
    expect(server.output()).not.toContain(new URL(widgetUrl).pathname);
  });

  it("a client that leaves in the middle leaves its record", async () => {
    const traceId = randomUUID().replaceAll("-", "");
    const outgoing = httpRequest(`${server.url}/letters/v1/search-letters`, {
      method: "POST",
      headers: {
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        authorization: `Bearer ${server.demo.token}`,
        "content-type": "application/json",
        "content-length": 1_000,
      },
    });
    outgoing.on("error", () => {});
    outgoing.write('{"query"', () => outgoing.destroy());
    const [record, ...others] = await recordsOf(traceId);
    // A connection that the client only half-closed is answered.
    expect([400, 499]).toContain(record?.status);
    expect(others).toEqual([]);
  });
});

it("[C-1.8] after all that no query, body or user agent is in the log, no address in the access log, and nothing was a defect", () => {
  const output = server.output();
  expect(PRIVATE.filter((secret) => output.includes(secret))).toEqual([]);
  // Only events of the audit trail contain the client's address.
  const requests = server.process.log().filter(({ msg }) => msg === "request");
  const records = JSON.stringify(requests);
  expect(ADDRESSES.filter((address) => records.includes(address))).toEqual([]);
  expect(server.faults()).toEqual([]);
});
