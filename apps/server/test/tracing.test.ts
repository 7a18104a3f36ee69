import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startS3 } from "@org/installation/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtServer } from "./built-server.js";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";
import { ofxStatement } from "./ofx-statement.js";
import { type ArrivedSpan, type OtlpCollector, startOtlpCollector } from "./otlp-collector.js";
import { type SftpServer, startSftpServer } from "./sftp-server.js";

const hex = (bytes: number) => randomBytes(bytes).toString("hex");
const PARENT = "00f067aa0ba902b7";

let collector: OtlpCollector;
let mails: TestMailServer;
let receiver: Server;
let sftp: SftpServer;
let s3: Awaited<ReturnType<typeof startS3>>;
const objects = mkdtempSync(join(tmpdir(), "bucket-"));
const received: IncomingHttpHeaders[] = [];
let server: TestServer;

const environment = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector,x-scope=wealth",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.namespace=family",
  OTEL_BSP_SCHEDULE_DELAY: "50",
});

beforeAll(async () => {
  collector = await startOtlpCollector();
  mails = await startMailServer();
  sftp = await startSftpServer();
  s3 = await startS3(objects, ["letters"]);
  receiver = createServer((request, response) => {
    received.push(request.headers);
    request.resume().once("end", () => response.writeHead(200).end());
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  server = await startTestServer({
    backend: oneBackend("the statements of both databases go through one door, and spans are made there"),
    environment: {
      ...environment(),
      METRICS: "true",
      WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8",
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: "wealth@example.com",
      OPERATOR_MAIL: "operator@example.com",
      DOCUMENTS_URL: `s3://letters/secret-prefix?region=us-east-1&endpoint=${s3.endpoint}`,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
    schedule: { mails: 100, unfollowedChallenges: 200, feedSources: 200, sourceSettle: 50, refreshes: 200 },
  });
}, START_TIMEOUT);
afterAll(async () => {
  await server?.remove();
  await mails?.close();
  await sftp?.stop();
  await s3?.close();
  rmSync(objects, { recursive: true, force: true });
  receiver?.closeAllConnections();
  receiver?.close();
  await collector?.close();
});

/** Calls a tool within a trace that a header or the message itself names. */
const callTool = (headers: Readonly<Record<string, string>>, meta?: object, name = "svc-credentials") =>
  post(
    server.mcpUrl,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, ...(meta && { _meta: meta }) } },
    { token: server.demo.token, headers: { accept: "application/json, text/event-stream", ...headers } },
  );

describe("a tool call", () => {
  it("[C-7.25] [C-7.20] is a span below the caller's, with its statements below it, and X-Trace-Id is their trace", async () => {
    const traceId = hex(16);
    const answer = await callTool({ traceparent: `00-${traceId}-${PARENT}-01`, tracestate: "caller=1" });
    expect([answer.status, answer.headers.get("x-trace-id")]).toEqual([200, traceId]);
    const spans = await collector.trace(traceId, "POST /mcp");
    const [request, call] = ["POST /mcp", "tools/call svc-credentials"].map((name) =>
      spans.find((span) => span.name === name),
    );
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: PARENT,
      status: 0,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/mcp",
        "http.response.status_code": 200,
        "url.scheme": "http",
        "network.protocol.version": "1.1",
      },
      resource: {
        "service.name": "wealth-connect",
        "service.version": expect.any(String),
        "service.namespace": "family",
        "deployment.environment.name": "test",
      },
    });
    expect(call).toMatchObject({
      kind: 2,
      parentSpanId: request?.spanId,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "svc-credentials",
      },
    });
    const statements = spans.filter(({ attributes }) => attributes["db.system.name"] === "postgresql");
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.some(({ parentSpanId }) => parentSpanId === call?.spanId)).toBe(true);
    const above = [call?.spanId, request?.spanId];
    expect(statements.filter(({ parentSpanId }) => !above.includes(parentSpanId))).toEqual([]);
    for (const { name, attributes, kind } of statements)
      expect({ name, kind }).toEqual({ name: attributes["db.query.summary"], kind: 3 });
    expect(collector.headers()).toMatchObject({
      authorization: "Bearer of-the-collector",
      "x-scope": "wealth",
      "content-type": "application/x-protobuf",
      path: "/v1/traces",
    });
  });

  it("[C-7.25] [C-7.20] continues the trace that the message names, and links the request's own", async () => {
    const traceId = hex(16);
    const answer = await callTool({}, { traceparent: `00-${traceId}-${PARENT}-01` });
    expect(answer.headers.get("x-trace-id")).toBe(traceId);
    const name = "tools/call svc-credentials";
    const call = (await collector.trace(traceId, name)).find((span) => span.name === name);
    expect(call).toMatchObject({ parentSpanId: PARENT, links: [{ traceId: expect.not.stringMatching(traceId) }] });
    const linked = call?.links[0];
    const request = await collector.trace(linked?.traceId ?? "", "POST /mcp");
    expect(request.find(({ name }) => name === "POST /mcp")).toMatchObject({
      spanId: linked?.spanId,
      parentSpanId: "",
    });
  });

  it("[C-7.25] [C-7.20] without a trace of the caller's begins one, which X-Trace-Id names", async () => {
    const traceId = (await callTool({})).headers.get("x-trace-id") ?? "";
    const spans = await collector.trace(traceId, "POST /mcp");
    expect(spans.filter(({ parentSpanId }) => parentSpanId === "")).toHaveLength(1);
  });

  it("[C-7.25] that is refused is a span with an error", async () => {
    const traceId = hex(16);
    const headers = { traceparent: `00-${traceId}-${PARENT}-01` };
    await callTool(headers, undefined, "svc-session-status");
    const spans = await collector.trace(traceId, "POST /mcp");
    expect(spans.find(({ name }) => name.startsWith("tools/call"))).toMatchObject({
      status: 2,
      attributes: { "error.type": "tool_error", "wealth_connect.outcome": "VALIDATION_ERROR" },
    });
  });

  it("[C-7.25] whose caller does not record is no span", async () => {
    const traceId = hex(16);
    const { headers } = await callTool({ traceparent: `00-${traceId}-${PARENT}-00` });
    expect(headers.get("x-trace-id")).toBe(traceId);
    const after = hex(16);
    await callTool({ traceparent: `00-${after}-${PARENT}-01` });
    await collector.trace(after, "POST /mcp");
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

describe("what the server does by itself", () => {
  it("[C-7.25] is traces of their own: mail, deliveries, jobs; receivers are not told of them unless their host is named", async () => {
    const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const hook = await server.demo.post("/events/v1/create-endpoint", { url: `${origin}/secret-path?key=secret-key` });
    expect(hook.status).toBe(200);
    await server.demo.post("/events/v1/test-endpoint", { id: hook.body.endpoint.id });
    const delivery = await eventually(() => collector.spans.find(({ name }) => name === "webhook POST"), "a delivery");
    expect(delivery).toMatchObject({ kind: 3, attributes: { "http.response.status_code": 200 }, status: 0 });
    const work = await collector.trace(delivery.traceId, "webhook endpoint");
    expect(work.find(({ name }) => name === "webhook endpoint")).toMatchObject({
      parentSpanId: "",
      spanId: delivery.parentSpanId,
    });
    await eventually(() => collector.spans.some(({ name }) => name === "job cleanUp"), "the clean-up");
    expect(collector.spans.filter(({ name }) => name === "job webhooks")).toEqual([]);
    expect(received.length).toBeGreaterThan(0);
    expect(received.filter(({ traceparent }) => traceparent !== undefined)).toEqual([]);
  });

  it("[C-7.25] asks of a bucket below what needs it, and of a custodian's folder in a trace of its own", async () => {
    const letter_id = await submitLetter(server.demo, sandboxBanks.datafeed);
    const download = await server.operator.post("/operator/v1/letters/document", { letter_id, kind: "letter" });
    const request = "POST /operator/v1/letters/document";
    // The request's span ends after its call to the bucket.
    const asked = await collector.trace(download.headers.get("x-trace-id") ?? "", request);
    expect(asked.find(({ name }) => name === "S3 GetObject")).toMatchObject({
      kind: 3,
      status: 0,
      attributes: { "rpc.method": "GetObject" },
      parentSpanId: asked.find(({ name }) => name === request)?.spanId,
    });
    const written = await eventually(() => collector.spans.find(({ name }) => name === "S3 PutObject"), "an object");
    const submitted = await collector.trace(written.traceId, "POST /letters/v1/create-signed");
    expect(chainOf(written, submitted)).toEqual(["S3 PutObject", "POST /letters/v1/create-signed"]);

    sftp.put("secret-statement.ofx", ofxStatement(1));
    const settings = { ...sftp.door, host_keys: [sftp.hostKey], after: "delete" };
    await server.operate("/operator/v1/sources/set", { source: "custodian", settings });
    const fetched = await eventually(() => collector.spans.find(({ name }) => name === "SFTP get"), "a file");
    expect(fetched).toMatchObject({
      kind: 3,
      status: 0,
      attributes: { "server.address": sftp.host, "server.port": sftp.port },
    });
    const visit = await collector.trace(fetched.traceId, "source of files");
    expect(chainOf(fetched, visit)).toEqual(["SFTP get", "source of files"]);
    const calls = new Set(visit.flatMap(({ name }) => (name.startsWith("SFTP ") ? [name] : [])));
    expect([...calls].sort()).toEqual(expect.arrayContaining(["SFTP connect", "SFTP get", "SFTP list"]));
    expect(visit.filter(({ parentSpanId }) => parentSpanId === "").map(({ name }) => name)).toEqual([
      "source of files",
    ]);
  });
});

/** Names of a span and its ancestors, except statements. */
function chainOf(span: ArrivedSpan, spans: readonly ArrivedSpan[]): string[] {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(above ? chainOf(above, spans) : [])];
}

describe("[C-7.26] a span", () => {
  /** All attributes that spans may have. Before adding one, consider whether it can name a person, a secret or a value. */
  const ATTRIBUTES = [
    ...["http.request.method", "http.route", "http.response.status_code", "url.scheme", "network.protocol.version"],
    ...["network.transport", "network.protocol.name", "server.address", "server.port", "error.type", "rpc.method"],
    ...["mcp.method.name", "gen_ai.operation.name", "gen_ai.tool.name"],
    ...["db.system.name", "db.operation.name", "db.collection.name", "db.query.summary"],
    ...["wealth_connect.limit", "wealth_connect.outcome", "wealth_connect.provider"],
  ];

  it("has no secret, no query, no body and nobody's data", { timeout: 60_000 }, async () => {
    const customer = { username: "somebody-very-private", password: "SCA_CODE" };
    const { widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.psd2 });
    await connectBank(widgetUrl, { ...customer, answer: "secret-answer" });
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed, {
      contact_info: { banker_email: "banker@example.com" },
    });
    await server.operate("/operator/v1/letters/advance", { letter_id: letter, to: "SentToCustodian" });
    await server.demo.tools.call("svc-investments", { portfolio_id: "secret-portfolio" }).catch(() => undefined);
    await send(`${server.url}/authorize?client_id=secret-client&state=secret-state`);
    await send(`${server.url}/secret-path/of-nobody?q=secret-query`, { headers: { "user-agent": "secret-agent" } });
    await server.token(server.demo.clientId, "wcs_not-the-secret-at-all");
    await eventually(() => mails.arrived.length > 0 && collector.text().includes("SMTP send"), "a mail was sent");
    const last = hex(16);
    await callTool({ traceparent: `00-${last}-${PARENT}-01`, "user-agent": "secret-agent" });
    await collector.trace(last, "POST /mcp");
    const text = collector.text();
    const used = [
      ...["somebody-very-private", "SCA_CODE", "secret", "not-the-secret-at-all", "@example.com"],
      ...[widgetUrl.slice(widgetUrl.lastIndexOf("/") + 1), letter, server.demo.tenantId, server.demo.clientId],
      ...[server.demo.clientSecret, server.demo.token, server.operator.token, "of-the-collector"],
    ];
    expect(used.filter((word) => text.includes(word))).toEqual([]);
    const said = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...said].filter((name) => !ATTRIBUTES.includes(name))).toEqual([]);
    expect(new Set(collector.spans.flatMap((span) => (span as { events?: [] }).events ?? []))).toEqual(new Set());
    // There are few names, whatever is requested.
    const names = new Set(collector.spans.map(({ name }) => name));
    expect([...names].filter((name) => !/^[\w/:{}*. -]+$/.test(name) || name.length > 80)).toEqual([]);
    expect(server.faults()).toEqual([]);
  });
});

describe("a receiver of spans", () => {
  it("[C-7.27] that is away costs spans, which are counted, and no request", { timeout: 60_000 }, async () => {
    collector.answer(400);
    const traceId = hex(16);
    const answered = await callTool({ traceparent: `00-${traceId}-${PARENT}-01` });
    expect(answered.status).toBe(200);
    const metrics = async () => (await send(`${server.url}/metrics`)).text;
    await eventually(
      async () => /wealth_connect_spans_total\{outcome="not_taken"\} [1-9]/.test(await metrics()),
      "spans are counted as dropped",
    );
    const examined = await server.operate("/operator/v1/doctor/examine", {});
    expect(examined.items.find(({ check }: { check: string }) => check === "tracing")).toMatchObject({
      state: "warn",
      message: expect.stringContaining(collector.url),
    });
    collector.answer(200);
    const again = hex(16);
    await callTool({ traceparent: `00-${again}-${PARENT}-01` });
    await collector.trace(again, "POST /mcp");
    expect(await metrics()).toMatch(/wealth_connect_spans_total\{outcome="exported"\} [1-9]/);
    const lines = server.process.log().filter(({ msg }) => String(msg).startsWith("spans are"));
    expect(lines.map(({ msg }) => msg)).toEqual([
      "spans are not taken: they are dropped until they are",
      "spans are taken again",
    ]);
  });

  it("[C-7.27] gets what waits when the server stops; JSON, another name and a host that is told are settings", {
    timeout: 60_000,
  }, async () => {
    const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const { id: session_id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "refreshed", password: "ordinary" });
    const { connection_id } = await server.demo.tools.call("svc-session-status", { session_id });
    await server.stop();
    await server.installation.withDatabase((pool) => pool.query("update connection_refreshes set due_at = now()"));
    await server.start({
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "private-bank",
      OTEL_BSP_SCHEDULE_DELAY: "60000",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      TRACEPARENT_HOSTS: host,
    });
    const [{ id }] = (await server.demo.post("/events/v1/list-endpoints", {})).body.items;
    received.length = 0;
    await server.demo.post("/events/v1/test-endpoint", { id });
    const told = await eventually(() => received[0], "a delivery");
    expect(told.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const traceId = hex(16);
    await callTool({ traceparent: `00-${traceId}-${PARENT}-01` });
    await eventually(async () => {
      const { refresh } = await server.operate("/operator/v1/connections/status", { connection_id });
      return refresh.last_outcome === "refreshed";
    }, "the refresh that was due");
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    const spans = await collector.trace(traceId, "POST /mcp");
    expect(spans[0]?.resource).toMatchObject({ "service.name": "private-bank", "service.namespace": "family" });
    expect(collector.headers()["content-type"]).toBe("application/json");
    const refresh = collector.spans.find(({ name }) => name === "refresh");
    expect(refresh).toMatchObject({ parentSpanId: "", attributes: { "wealth_connect.outcome": "refreshed" } });
    const [, deliveryTrace = "", spanId] = told.traceparent?.toString().split("-") ?? [];
    const delivery = await collector.trace(deliveryTrace, "webhook POST");
    expect(delivery.find(({ name }) => name === "webhook POST")?.spanId).toBe(spanId);
  });

  it("[C-7.27] whose sampler takes none gets none, and answers have their trace id all the same", async () => {
    await server.start({ OTEL_TRACES_SAMPLER: "always_off" });
    const before = collector.spans.length;
    const { headers } = await callTool({});
    expect(headers.get("x-trace-id")).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(collector.spans.length).toBe(before);
  });
});

it("[C-7.27] a server without tracing loads nothing of the SDK", async () => {
  const folder = dirname(await builtServer());
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, next = ""] of readFileSync(join(folder, file), "utf8").matchAll(
      /^(?:import|export)[^"']*?"\.\/([^"]+)"/gm,
    ))
      load(next);
  };
  load("run-server.js");
  const hasSdk = (file: string) =>
    readFileSync(join(folder, file), "utf8").includes("maxQueueSize reached, dropping spans");
  expect(readdirSync(folder).filter((file) => file.endsWith(".js") && hasSdk(file)).length).toBeGreaterThan(0);
  expect(loaded.size).toBeGreaterThan(5);
  expect([...loaded].filter(hasSdk)).toEqual([]);
});
