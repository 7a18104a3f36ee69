import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createEdge, type EdgeOptions, type Principal } from "@org/http";
import { afterAll } from "vitest";
import { createMcpHandler, type McpHandlerDeps } from "../src/index.js";
import { createMemoryEndedSessions } from "../src/testing/index.js";
import { createWorld, ids, PUBLIC_URL } from "./world.js";

const ALL_SCOPES = ["connections:read", "connections:write", "connections:delete", "investments:read"];

/** Tokens that the server accepts. `alice` and `alice2` are two tokens of one application. */
export const principals: Record<string, Principal> = {
  alice: principal(ids.applicationA, ids.tenantA),
  alice2: { ...principal(ids.applicationA, ids.tenantA), grant_id: "another grant" },
  bob: principal(ids.applicationB, ids.tenantB),
  reader: principal(ids.applicationA, ids.tenantA, ["connections:read"]),
  operator: principal("operator application", null, ["operator"]),
};

function principal(application_id: string, tenant_id: string | null, scopes = ALL_SCOPES): Principal {
  return {
    application_id,
    client_id: `client of ${application_id}`,
    tenant_id,
    scopes: new Set(scopes),
    grant_id: "grant",
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface LogRecord {
  readonly level: "info" | "error";
  readonly [field: string]: unknown;
}

/**
 * Starts a handler on a real server on 127.0.0.1, over {@link createWorld}, and stops it after the file's tests. `logs` has the
 * record of each request (`info`) and the failures (`error`).
 */
export async function startMcp(change: Partial<McpHandlerDeps> = {}, settings: Omit<EdgeOptions, "log"> = {}) {
  const world = await createWorld();
  const logs: LogRecord[] = [];
  const deps: McpHandlerDeps = {
    services: world.services,
    authenticate: ({ headers: { authorization } }) => {
      const known = principals[authorization?.replace(/^Bearer /, "") ?? ""];
      return known ? { principal: known } : { refusal: authorization === undefined ? "missing" : "invalid" };
    },
    resourceMetadata: `${PUBLIC_URL}/rm`,
    publicUrl: PUBLIC_URL,
    allowedOrigins: ["https://app.example.org"],
    sessionKeys: [{ id: "k1", key: Buffer.alloc(32, 1) }],
    endedSessions: createMemoryEndedSessions(),
    serverVersion: "1.2.3",
    clock: world.runtime.clock,
    log: {
      debug: () => {},
      error: (record, msg) => logs.push({ level: "error", msg, ...record }),
    },
    ...change,
  };
  const handler = createMcpHandler(deps);
  const log = { info: (record: object, msg: string) => void logs.push({ level: "info", msg, ...record }) };
  const edge = createEdge({ ...settings, log });
  const server = createServer((request, response) => {
    edge.begin(request, response);
    handler.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  afterAll(close);
  return {
    ...world,
    deps,
    handler,
    server,
    logs,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    send: (options: Sending) => sendTo(port, options),
  };
}

export interface Sending {
  readonly method?: string;
  readonly token?: string | null;
  readonly headers?: Record<string, string | undefined>;
  /** A value to serialise, or bytes to send as they are. */
  readonly body?: unknown;
  readonly path?: string;
}

/** Sends one request, with the headers of a well-behaved client by default (`undefined` omits one). */
export function sendTo(
  port: number,
  { method = "POST", token = "alice", headers = {}, body, path = "/mcp" }: Sending,
): Promise<Answer> {
  const bytes =
    Buffer.isBuffer(body) || typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
  const all: Record<string, string | undefined> = {
    accept: "application/json, text/event-stream",
    ...(bytes !== undefined && { "content-type": "application/json" }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const request = httpRequest(
      { port, host: "127.0.0.1", path, method, headers: Object.fromEntries(sent), agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
        });
      },
    );
    request.on("error", reject);
    request.end(bytes);
  });
}

function jsonOf(text: string): unknown {
  const last = text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .at(-1);
  try {
    return JSON.parse(last?.slice("data: ".length) ?? text);
  } catch {
    return undefined;
  }
}

/** A legacy request. */
export function rpc(method: string, params?: unknown, id: unknown = 1) {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}

/** A legacy `tools/call`. */
export function call(name: string, args: unknown = {}, id: unknown = 1) {
  return rpc("tools/call", { name, arguments: args }, id);
}

export const VERSION = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const CLIENT = "io.modelcontextprotocol/clientInfo";

/** The envelope of a 2026-07-28 request. */
export const envelope = { [VERSION]: "2026-07-28", [CAPABILITIES]: {}, [CLIENT]: { name: "test", version: "1" } };

/** Makes a 2026-07-28 request with matching headers. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  id: unknown = 1,
): { body: object; headers: Record<string, string> } {
  return {
    body: rpc(method, { ...params, _meta: { ...envelope, ...(params._meta as object) } }, id),
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof params.name === "string" && { "mcp-name": params.name }),
    },
  };
}

/** Returns the `structuredContent` of a successful call. */
export function contentOf(answer: Answer) {
  if (answer.json?.result?.isError !== undefined || answer.json?.result === undefined)
    throw new Error(`no success: ${answer.status} ${answer.text}`);
  return answer.json.result.structuredContent;
}

/** Returns the error of a call that failed as a tool: `{code, message, details?}`. */
export function toolErrorOf(answer: Answer) {
  if (answer.json?.result?.isError !== true)
    throw new Error(`no tool error: ${answer.status} ${answer.text.slice(0, 500)}`);
  return JSON.parse(answer.json.result.content[0].text).error;
}

export const INITIALIZE = {
  protocolVersion: "2025-03-26",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** Yields the messages of an event stream as they arrive. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
export async function* messagesOf(response: Response): AsyncGenerator<any, undefined> {
  let text = "";
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: {")) yield JSON.parse(line.slice("data: ".length));
  }
}
