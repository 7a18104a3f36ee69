import type { ToolAnswer } from "../call-tool.js";
import type { Tool } from "../tool.js";
import type { ToolSet } from "../tool-set.js";
import {
  claimedVersion,
  isObject,
  isPlainEnvelope,
  isProgressToken,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  type ProtocolHeaders,
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
} from "./client-envelope.js";

/** A `tools/call` in its usual form, which is answered here instead of by the SDK. */
export interface DirectCall {
  readonly era: "legacy" | "modern";
  readonly id: string | number;
  readonly tool: Tool;
  readonly args: unknown;
}

/** Of one batch. */
export const MAX_CALLS = 100;
/** The calls of one body. */
export type DirectCalls = readonly [DirectCall, ...DirectCall[]];

const legacyVersions = new Set(LEGACY_VERSIONS);
const requestKeys = new Set(["jsonrpc", "id", "method", "params"]);
const paramKeys = new Set(["name", "arguments", "_meta"]);

/** Returns the call in a body, or the calls of a legacy batch that has nothing else; null if not all of them are direct calls. */
export function directCalls(body: unknown, headers: ProtocolHeaders, tools: ToolSet): DirectCalls | null {
  if (Array.isArray(body) && body.length > MAX_CALLS) return null;
  const calls = (Array.isArray(body) ? body : [body]).map((message) => directCall(message, headers, tools));
  const isDirect = (call: DirectCall | null) => call !== null && (call.era === "legacy" || !Array.isArray(body));
  return calls.length > 0 && calls.every(isDirect) ? (calls as unknown as DirectCalls) : null;
}

/**
 * Returns the call in a request whose headers and members are all certainly well-formed; null for any other request, valid or not, which
 * then goes to the SDK. So every fault is worded by the SDK. Only the common case is implemented twice, here and there, and a test
 * keeps the two consistent.
 */
export function directCall(body: unknown, headers: ProtocolHeaders, tools: ToolSet): DirectCall | null {
  if (!isObject(body) || !hasOnly(body, requestKeys)) return null;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !(typeof id === "string" || Number.isSafeInteger(id)))
    return null;
  if (!isObject(params) || !hasOnly(params, paramKeys) || typeof params.name !== "string") return null;
  const args = params.arguments;
  if (args !== undefined && !isObject(args)) return null;
  const tool = tools.named(params.name);
  const era = certainEraOf(body, params._meta, headers);
  return tool && era ? { era, id: id as string | number, tool, args } : null;
}

function certainEraOf(body: unknown, meta: unknown, headers: ProtocolHeaders): DirectCall["era"] | null {
  if (claimedVersion(body) === undefined) {
    const isPlain =
      meta === undefined ||
      (isObject(meta) && isProgressToken(meta.progressToken) && meta[RELATED_TASK_META_KEY] === undefined);
    return isPlain && (headers.version === undefined || legacyVersions.has(headers.version)) ? "legacy" : null;
  }
  const agrees = headers.version === MODERN_VERSION && headers.method === "tools/call" && headers.name === nameIn(body);
  return agrees && isObject(meta) && isPlainEnvelope(meta) ? "modern" : null;
}

function nameIn(body: unknown): unknown {
  return isObject(body) && isObject(body.params) ? body.params.name : undefined;
}

function hasOnly(value: Record<string, unknown>, keys: ReadonlySet<string>): boolean {
  for (const key in value) if (!keys.has(key)) return false;
  return true;
}

/** Writes answers to direct calls as the SDK would: same members, same meaning. */
export function createCallFrames(serverInfo: object): (call: DirectCall, answer: ToolAnswer) => string {
  const modern = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`;

  return ({ era, id }, { json, error }) => {
    const rest = error === null ? `"structuredContent":${json}` : '"isError":true';
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${JSON.stringify(json)}}],${rest}${era === "modern" ? modern : ""}}}`;
  };
}
