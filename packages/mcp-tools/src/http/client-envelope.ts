import type { IncomingHttpHeaders } from "node:http";
import type * as sdk from "@modelcontextprotocol/server";

/*
 * Names of the protocol, copied from the SDK; its types ensure that they are equal. The SDK itself is only loaded for requests that it
 * answers, not when a server starts.
 */
const CLIENT_CAPABILITIES_META_KEY: typeof sdk.CLIENT_CAPABILITIES_META_KEY =
  "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO_META_KEY: typeof sdk.CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL_META_KEY: typeof sdk.LOG_LEVEL_META_KEY = "io.modelcontextprotocol/logLevel";
const PROTOCOL_VERSION_META_KEY: typeof sdk.PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";
export const RELATED_TASK_META_KEY: typeof sdk.RELATED_TASK_META_KEY = "io.modelcontextprotocol/related-task";
export const SERVER_INFO_META_KEY: typeof sdk.SERVER_INFO_META_KEY = "io.modelcontextprotocol/serverInfo";

/** Protocol versions before 2026-07-28 that the SDK supports; a test compares them with the SDK's. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];
/** The protocol revision in which every request carries an envelope in `_meta`. */
export const MODERN_VERSION = "2026-07-28";

type Json = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Returns the protocol version that a message's envelope claims; undefined when it claims none. */
export function claimedVersion(message: unknown): unknown {
  const meta = metaOf(message);
  return meta?.[PROTOCOL_VERSION_META_KEY];
}

/** Returns `params._meta` of a message. */
export function metaOf(message: unknown): Json | undefined {
  const params = isObject(message) ? message.params : undefined;
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta : undefined;
}

/** Returns the client's name from the envelope, which the client may choose freely. */
function clientName(message: unknown): string | undefined {
  const info = metaOf(message)?.[CLIENT_INFO_META_KEY];
  return isObject(info) && typeof info.name === "string" ? info.name : undefined;
}

/** Whether a client accepts event streams. */
export function takesStreams({ accept }: IncomingHttpHeaders): boolean {
  return accept?.includes("text/event-stream") ?? false;
}

/** The headers that mirror a request's body (2026-07-28 "Standard request headers"), after the correction below. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * Reads the protocol headers. They are taken as sent, with one exception: the connector service of claude.ai sends 2026-07-28
 * bodies under a header that still says 2025-11-25 (anthropics/claude-code#93290), and every call would fail with -32020.
 * For clients with that name the body overrides a legacy header. For all others the two must agree.
 */
export function protocolHeaders(headers: IncomingHttpHeaders, body: unknown): ProtocolHeaders {
  const version = one(headers["mcp-protocol-version"]);
  const isStale = version !== undefined && claimedVersion(body) === MODERN_VERSION && LEGACY_VERSIONS.includes(version);
  return {
    version: isStale && /^claude/i.test(clientName(body) ?? "") ? MODERN_VERSION : version,
    method: one(headers["mcp-method"]),
    name: one(headers["mcp-name"]),
  };
}

/** Returns the method name in a body, cut to a length fit for logs; `batch` for several messages, undefined for none. */
export function rpcMethodOf(body: unknown): string | undefined {
  if (Array.isArray(body)) return "batch";
  const method = isObject(body) ? body.method : undefined;
  return typeof method === "string" ? method.slice(0, 64) : undefined;
}

/** Returns the id of a single request; null for a batch, and for messages that expect no answer. */
export function idOf(body: unknown): string | number | null {
  const id = isObject(body) ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/**
 * Whether an envelope is certainly valid. Unusual valid forms are left to the SDK, which has the last word: this check may be
 * stricter than the SDK's, never laxer.
 */
export function isPlainEnvelope(meta: Json): boolean {
  return (
    meta[PROTOCOL_VERSION_META_KEY] === MODERN_VERSION &&
    meta[LOG_LEVEL_META_KEY] === undefined &&
    isProgressToken(meta.progressToken) &&
    isClientInfo(meta[CLIENT_INFO_META_KEY]) &&
    isCapabilities(meta[CLIENT_CAPABILITIES_META_KEY])
  );
}

/** Whether a `progressToken` is absent or well-formed. */
export function isProgressToken(token: unknown): boolean {
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

/** Whether the envelope of a 2026-07-28 request declares that its client can show URLs. */
export function declaresUrls(body: unknown): boolean {
  const elicitation = declaredElicitation(body);
  return isObject(elicitation) && isObject(elicitation.url);
}

/** Whether the envelope of a 2026-07-28 request declares that its client can show forms. A bare `elicitation` means forms. */
export function declaresForms(body: unknown): boolean {
  const elicitation = declaredElicitation(body);
  return isObject(elicitation) && (isObject(elicitation.form) || elicitation.url === undefined);
}

function declaredElicitation(body: unknown): unknown {
  const capabilities = metaOf(body)?.[CLIENT_CAPABILITIES_META_KEY];
  return isObject(capabilities) ? capabilities.elicitation : undefined;
}

function isClientInfo(info: unknown): boolean {
  if (info === undefined) return true;
  if (!isObject(info) || typeof info.name !== "string" || typeof info.version !== "string" || info.icons !== undefined)
    return false;
  return [info.title, info.websiteUrl, info.description].every(
    (text) => text === undefined || typeof text === "string",
  );
}

function isCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false;
  const { roots, sampling, elicitation, experimental, extensions } = capabilities;
  return (
    isOptionalObject(roots, (value) => isOptionalBoolean(value.listChanged)) &&
    isOptionalObject(sampling, (value) => isOptionalObject(value.context) && isOptionalObject(value.tools)) &&
    isOptionalObject(elicitation, (value) => isOptionalObject(value.url) && isOptionalObject(value.form, isForm)) &&
    isOptionalObject(experimental, holdsObjects) &&
    isOptionalObject(extensions, holdsObjects)
  );
}

function isOptionalObject(value: unknown, holds: (value: Json) => boolean = () => true): boolean {
  return value === undefined || (isObject(value) && holds(value));
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function isForm(form: Json): boolean {
  return isOptionalBoolean(form.applyDefaults);
}

function holdsObjects(value: Json): boolean {
  return Object.values(value).every(isObject);
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
