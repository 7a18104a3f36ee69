import type { IncomingHttpHeaders } from "node:http";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { claimedVersion, clientName, MODERN_VERSION } from "./client-envelope.js";

/** The headers that mirror a request's body (2026-07-28 "Standard request headers"), as they are taken to be. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * Reads the protocol headers. They count as sent, with one exception: the connector service of claude.ai sends 2026-07-28
 * bodies under a header that still says 2025-11-25 (anthropics/claude-code#93290), and every call would fail with -32020.
 * For clients by that name a legacy header gives way to the body. From anybody else the two have to agree.
 */
export function protocolHeaders(headers: IncomingHttpHeaders, body: unknown): ProtocolHeaders {
  const version = one(headers["mcp-protocol-version"]);
  const isStale =
    version !== undefined && claimedVersion(body) === MODERN_VERSION && SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  return {
    version: isStale && /^claude/i.test(clientName(body) ?? "") ? MODERN_VERSION : version,
    method: one(headers["mcp-method"]),
    name: one(headers["mcp-name"]),
  };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
