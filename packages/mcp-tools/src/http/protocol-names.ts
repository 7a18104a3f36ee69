import type * as sdk from "@modelcontextprotocol/server";

/*
 * What the protocol calls things, as the SDK has it, whose types say that it is the same: the SDK itself is loaded for requests that it
 * answers, and not when a server starts.
 */
export const CLIENT_CAPABILITIES_META_KEY: typeof sdk.CLIENT_CAPABILITIES_META_KEY =
  "io.modelcontextprotocol/clientCapabilities";
export const CLIENT_INFO_META_KEY: typeof sdk.CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
export const LOG_LEVEL_META_KEY: typeof sdk.LOG_LEVEL_META_KEY = "io.modelcontextprotocol/logLevel";
export const PROTOCOL_VERSION_META_KEY: typeof sdk.PROTOCOL_VERSION_META_KEY =
  "io.modelcontextprotocol/protocolVersion";
export const RELATED_TASK_META_KEY: typeof sdk.RELATED_TASK_META_KEY = "io.modelcontextprotocol/related-task";
export const SERVER_INFO_META_KEY: typeof sdk.SERVER_INFO_META_KEY = "io.modelcontextprotocol/serverInfo";

/** Versions of before 2026-07-28 that the SDK speaks; a test holds them to its own. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];
