import { describe, expect, it } from "vitest";
import { CAPABILITIES, CLIENT, call, envelope, modern, rpc } from "../../test/mcp-server.js";
import { bankTools } from "../tool-list.js";
import { protocolHeaders } from "./client-envelope.js";
import { directCall } from "./direct-call.js";

const eraOf = (body: unknown, headers: Record<string, string> = {}) =>
  directCall(body, protocolHeaders(headers, body), bankTools)?.era ?? null;
const modernCall = (meta: object) =>
  modern("tools/call", { name: "svc-investments", arguments: { page: 1 }, _meta: meta });

describe("calls as real clients send them are answered directly", () => {
  const legacy: [string, object, Record<string, string>?][] = [
    ["without a version header", call("svc-investments", { page: 1 })],
    ["under 2025-11-25", call("svc-investments"), { "mcp-protocol-version": "2025-11-25" }],
    [
      "with a progress token",
      rpc("tools/call", { name: "svc-investments", arguments: {}, _meta: { progressToken: 1 } }),
    ],
    ["with arguments that will be refused", call("svc-investments", { nonsense: 1 })],
    ["without arguments", rpc("tools/call", { name: "svc-investments" })],
  ];
  for (const [what, body, headers] of legacy)
    it(`legacy, ${what}`, () => {
      expect(eraOf(body, headers)).toBe("legacy");
    });

  const clients: [string, object][] = [
    ["the SDK's", envelope],
    [
      "Claude Code's",
      {
        [CLIENT]: {
          name: "claude-code",
          title: "Claude Code",
          version: "2",
          websiteUrl: "https://claude.com",
          description: "d",
        },
        [CAPABILITIES]: { elicitation: {}, roots: { listChanged: true } },
      },
    ],
    [
      "a host of MCP apps",
      { [CAPABILITIES]: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } } },
    ],
    [
      "one with traces and progress",
      { progressToken: "p", traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
    ],
  ];
  for (const [what, meta] of clients)
    it(`modern, ${what}`, () => {
      const { body, headers } = modernCall(meta);
      expect(eraOf(body, headers)).toBe("modern");
    });
});

describe("whatever is not certain to be well-formed is left to the SDK", () => {
  const { body, headers } = modernCall({});
  const cases: [string, unknown, Record<string, string>?][] = [
    ["another method", rpc("tools/list")],
    ["an unknown tool", call("svc-nothing")],
    ["a batch", [call("svc-investments")]],
    ["a notification", { jsonrpc: "2.0", method: "tools/call", params: { name: "svc-investments" } }],
    ["a fractional id", call("svc-investments", {}, 1.5)],
    ["another member", { ...call("svc-investments"), more: 1 }],
    ["a task", rpc("tools/call", { name: "svc-investments", task: {} })],
    ["arguments that are a list", call("svc-investments", [])],
    ["an unknown version header", call("svc-investments"), { "mcp-protocol-version": "2019-01-01" }],
    ["a modern call without headers", body],
    ["a modern call under a legacy header", body, { ...headers, "mcp-protocol-version": "2025-11-25" }],
    ["a modern call under another tool's name", body, { ...headers, "mcp-name": "svc-portfolios" }],
    ["a modern call with icons", modernCall({ [CLIENT]: { name: "a", version: "1", icons: [] } }).body, headers],
    ["null", null],
    ["text", "x"],
  ];
  for (const [what, message, sent] of cases)
    it(what, () => {
      expect(eraOf(message, sent)).toBeNull();
    });
});
