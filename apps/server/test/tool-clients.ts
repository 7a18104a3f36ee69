import { installInspector } from "./inspector.js";
import type { LoadBalancer } from "./load-balancer.js";
import { type ClientEra, connectClient, contentOf, type ToolCaller } from "./mcp-clients.js";

/** A client of the server, whose requests go to the replicas in turn. */
export interface ConnectedClient extends ToolCaller {
  readonly toolNames: readonly string[];
  close(): Promise<void> | void;
}

/** A kind of client in one of the protocol's eras. */
export interface ToolClient {
  readonly name: string;
  connect(balancer: LoadBalancer, token: string): Promise<ConnectedClient>;
}

const ENTRY = "http://balancer.invalid/mcp";

/** Every kind of client that the server is tested with; the Inspector, which npx fetches, only on request. */
export const toolClients: readonly ToolClient[] = [
  official("v1", "legacy"),
  official("v2", "legacy"),
  official("v2", "modern"),
  { name: "raw JSON-RPC, legacy", connect: connectByHand },
  { name: "raw JSON-RPC, modern", connect: connectByHandModern },
  ...(process.env.CONFORMANCE === "true" ? [inspector("legacy"), inspector("modern")] : []),
];

function official(line: "v1" | "v2", era: ClientEra): ToolClient {
  const connect: ToolClient["connect"] = (balancer, token) =>
    connectClient(era, ENTRY, token, { line, fetch: balancer.fetch });
  return { name: `official ${line} client, ${era}`, connect };
}

/** With the handshake, and the session id in every request. */
async function connectByHand(balancer: LoadBalancer, token: string): Promise<ConnectedClient> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const send = (message: object) =>
    balancer.fetch(ENTRY, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "by hand", version: "1" } };
  const opened = await send({ id: 0, method: "initialize", params });
  headers["mcp-session-id"] = String(opened.headers.get("mcp-session-id"));
  await send({ method: "notifications/initialized" });
  return callerOver(
    async (method, request) => (await send({ id: 1, method, params: request })).json(),
    () => balancer.fetch(ENTRY, { method: "DELETE", headers }),
  );
}

/** No handshake: each request is self-contained. */
async function connectByHandModern(balancer: LoadBalancer, token: string): Promise<ConnectedClient> {
  const version = "2026-07-28";
  return callerOver(async (method, request) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "by hand", version: "1" },
    };
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...("name" in request && { "mcp-name": String(request.name) }),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...request, _meta: meta } });
    return (await balancer.fetch(ENTRY, { method: "POST", headers, body })).json();
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Ask = (method: string, params: Record<string, unknown>) => Promise<any>;

async function callerOver(ask: Ask, end: () => Promise<unknown> = async () => {}): Promise<ConnectedClient> {
  const { tools } = (await ask("tools/list", {})).result;
  return {
    toolNames: tools.map(({ name }: { name: string }) => name),
    async call(tool, args = {}) {
      const answer = await ask("tools/call", { name: tool, arguments: args });
      if (answer.result === undefined) throw new Error(JSON.stringify(answer));
      return contentOf(answer.result);
    },
    close: async () => void (await end()),
  };
}

function inspector(era: ClientEra): ToolClient {
  return {
    name: `Inspector CLI, ${era}`,
    async connect(balancer, token) {
      const installed = await installInspector();
      const ask = async (...options: string[]) => {
        // It takes no `fetch`, so the balancer is asked which replica answers now.
        const { url } = await balancer.fetch(ENTRY.replace("/mcp", "/healthz"));
        return installed.ask(`${new URL(url).origin}/mcp`, token, era, options);
      };
      // --strict exits with an error if some clients cannot use a schema.
      const { tools } = await ask("--method", "tools/list", "--strict");
      return {
        toolNames: tools.map(({ name }: { name: string }) => name),
        call: async (tool, args = {}) =>
          contentOf(await ask("--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args))),
        close: installed.remove,
      };
    },
  };
}
