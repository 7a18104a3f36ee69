import type { TenantLimits } from "@org/core";
import type { Authenticate } from "@org/http";
import type { Config, InstallationKeys } from "@org/installation";
import { createMcpHandler, type Extension, mcpRoutes, type ToolView } from "@org/mcp-tools";
import type { OpenedStorage } from "@org/storage-postgres";
import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import type { Feature, Platform } from "../feature.js";
import { durations, loadGauge } from "../measures.js";

/** `/mcp` with its ten tools. */
export function mcp({
  config,
  endedSessions,
  keys,
  publicUrl,
  clock,
  log,
  tracing,
  services,
  authenticate,
  resourceMetadata,
  limits,
  extensions,
  views,
}: Pick<Platform, "publicUrl" | "clock" | "log" | "tracing"> & {
  config: Pick<Config, "allowedOrigins" | "answerMaxCharacters" | "metrics">;
  endedSessions: OpenedStorage["endedSessions"];
  keys: Pick<InstallationKeys, "mcpSession">;
  services: Parameters<typeof createMcpHandler>[0]["services"];
  authenticate: Authenticate;
  resourceMetadata: string;
  limits: Pick<TenantLimits, "admit" | "admitSessionEnd">;
  /** What `/mcp` offers in addition to the product. */
  extensions: readonly Extension[];
  /** Views that hosts of the MCP Apps extension show for tools; none when they were not built. */
  views: readonly ToolView[];
}): Feature {
  const calls = durations(
    "wealth_connect_tool_call_seconds",
    "Tool calls by tool and outcome",
    ["tool", "outcome"],
    "quick",
  );
  // The SDK checks the protocol's own messages, and takes its error messages from this process.
  z.config({ customError: zodMessages });
  const handler = createMcpHandler({
    services,
    authenticate,
    resourceMetadata,
    publicUrl,
    allowedOrigins: config.allowedOrigins,
    sessionKeys: keys.mcpSession,
    endedSessions,
    serverVersion: packageJson.version,
    extensions,
    answerMaxCharacters: config.answerMaxCharacters,
    views,
    clock,
    log,
    tracer: tracing.tracer,
    admit: limits.admit,
    admitSessionEnd: limits.admitSessionEnd,
    ...(config.metrics && {
      onCall: ({ tool, outcome, milliseconds }) => calls.observe({ tool, outcome }, milliseconds),
    }),
  });
  const batches = loadGauge("wealth_connect_batch_calls", "Tool calls out of batches", handler.batchCalls);
  return {
    routes: { direct: Object.fromEntries(mcpRoutes.map(({ path }) => [path, handler.handle])) },
    metrics: [calls.metric, batches],
    reap: async (now, limit) => ({ ended_mcp_sessions: await endedSessions.reap(now, limit) }),
    close: handler.close,
  };
}
