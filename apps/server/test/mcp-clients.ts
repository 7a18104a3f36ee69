import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "vitest";
import { type Answer, post } from "./http-client.js";

/** The official clients: v1 speaks up to 2025-11-25, v2 opens with 2026-07-28. */
export const clientEras = ["legacy", "modern"] as const;
export type ClientEra = (typeof clientEras)[number];

/** A tool's refusal (contract §4). */
export class ToolRefusal extends Error {
  readonly code: string;
  readonly details: readonly { readonly field: string }[];

  constructor({ code, message, details = [] }: { code: string; message: string; details?: { field: string }[] }) {
    super(`${code}: ${message}`);
    this.code = code;
    this.details = details;
  }
}

/** An MCP client that calls tools. */
export interface ToolCaller {
  /** The structured answer. @throws ToolRefusal */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(tool: string, args?: object): Promise<any>;
}

/** A connected official client; it checks every answer against the tool's output schema itself. */
export async function connectClient(era: ClientEra, mcpUrl: string, token: string, options: ConnectOptions = {}) {
  const { line = era === "legacy" ? "v1" : "v2", fetch } = options;
  const who = { name: "end-to-end", version: "1" };
  const how = { requestInit: { headers: { Authorization: `Bearer ${token}` } }, ...(fetch && { fetch }) };
  const mode = era === "legacy" ? "legacy" : "auto";
  const client = line === "v1" ? new LegacyClient(who) : new ModernClient(who, { versionNegotiation: { mode } });
  const url = new URL(mcpUrl);
  const transport = line === "v1" ? new LegacyTransport(url, how) : new ModernTransport(url, how);
  await client.connect(transport as never);
  const { tools } = await client.listTools();
  return {
    toolNames: tools.map(({ name }) => name),
    call: async (tool: string, args: object = {}) =>
      contentOf((await client.callTool({ name: tool, arguments: { ...args } })) as ToolResult),
    close: () => client.close(),
  } satisfies ToolCaller & Record<string, unknown>;
}

interface ConnectOptions {
  /** Which version of the SDK; by default the one native to the era. v1 does not know the modern era. */
  readonly line?: "v1" | "v2";
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** Calls tools by plain JSON-RPC requests, which need no handshake. */
export function rawCaller(mcpUrl: string, token: string) {
  return {
    /** `body` is the request, or its text. */
    request: (body: unknown): Promise<Answer> =>
      post(mcpUrl, body, { token, headers: { accept: "application/json, text/event-stream" } }),
    async call(tool: string, args: object = {}) {
      const { status, text, body } = await this.request(toolCall(tool, args));
      if (body?.result === undefined) throw new Error(`${status} ${text}`);
      return contentOf(body.result);
    },
  };
}

/** The request that calls a tool. */
export function toolCall(tool: string, args: unknown) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } };
}

export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** The answer in a result. @throws ToolRefusal */
export function contentOf({ isError, structuredContent, content }: ToolResult) {
  const [text] = content;
  const document = JSON.parse(text?.text ?? "null");
  if (isError) throw new ToolRefusal(document.error);
  // [C-4.27] Both forms of the answer are the same.
  expect(text?.text).toBe(JSON.stringify(structuredContent));
  return document;
}
