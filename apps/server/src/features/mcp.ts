import type { TenantLimits } from "@org/core";
import type { Config, InstallationKeys } from "@org/installation";
import {
  analyticsEndpoint,
  bankEndpoint,
  createMcpHandler,
  type Extension,
  type McpEndpoint,
  type McpHandlerDeps,
  mcpRoutes,
  type ToolView,
} from "@org/mcp-tools";
import type { OpenedStorage } from "@org/storage-postgres";
import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import type { Feature, Platform } from "../feature.js";
import { durations, loadGauge } from "../measures.js";

/**
 * Says that programs get tokens without a person. Enterprise-Managed Authorization is not declared here: its own text (§6) has clients look
 * for it in the metadata of the authorization server, and they need it before they can ask this server for anything.
 */
const machineFlow: Extension = {
  capabilities: { extensions: { "io.modelcontextprotocol/oauth-client-credentials": {} } },
};

/** `/mcp` with its ten tools, and `/mcp/analytics`. */
export function mcp({
  config,
  endedSessions,
  keys,
  publicUrl,
  clock,
  log,
  tracing,
  services,
  mcpResource,
  limits,
  extensions,
  views,
}: Pick<Platform, "publicUrl" | "clock" | "log" | "tracing"> & {
  config: Pick<Config, "allowedOrigins" | "answerMaxCharacters" | "metrics">;
  endedSessions: OpenedStorage["endedSessions"];
  keys: Pick<InstallationKeys, "mcpSession">;
  services: McpHandlerDeps["services"];
  mcpResource: (path: McpEndpoint["path"]) => Pick<McpHandlerDeps, "authenticate" | "resourceMetadata">;
  limits: Pick<TenantLimits, "admit" | "admitSessionEnd">;
  /** What both offer in addition to the product. */
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
  const common: Omit<McpHandlerDeps, "authenticate" | "resourceMetadata"> = {
    services,
    publicUrl,
    allowedOrigins: config.allowedOrigins,
    sessionKeys: keys.mcpSession,
    endedSessions,
    serverVersion: packageJson.version,
    answerMaxCharacters: config.answerMaxCharacters,
    clock,
    log,
    tracer: tracing.tracer,
    admit: limits.admit,
    admitSessionEnd: limits.admitSessionEnd,
    ...(config.metrics && {
      onCall: ({ tool, outcome, milliseconds }) => calls.observe({ tool, outcome }, milliseconds),
    }),
  };
  const endpoints = [bankEndpoint, analyticsEndpoint].map((endpoint) => ({
    endpoint,
    handler: createMcpHandler({
      ...common,
      endpoint,
      extensions: [machineFlow, ...extensions],
      views: views.filter(({ tool }) => endpoint.tools.named(tool)),
      ...mcpResource(endpoint.path),
    }),
  }));
  const batches = loadGauge("wealth_connect_batch_calls", "Tool calls out of batches", {
    get running() {
      return sumOf(endpoints, ({ handler }) => handler.batchCalls.running);
    },
    get waiting() {
      return sumOf(endpoints, ({ handler }) => handler.batchCalls.waiting);
    },
  });
  return {
    routes: {
      direct: Object.fromEntries(
        endpoints.flatMap(({ endpoint, handler }) =>
          mcpRoutes(endpoint).map(({ path }) => [path, handler.handle] as const),
        ),
      ),
    },
    metrics: [calls.metric, batches],
    reap: async (now, limit) => ({ ended_mcp_sessions: await endedSessions.reap(now, limit) }),
    close: async () => {
      await Promise.all(endpoints.map(({ handler }) => handler.close()));
    },
  };
}

function sumOf<T>(values: readonly T[], numberOf: (value: T) => number): number {
  return values.reduce((sum, value) => sum + numberOf(value), 0);
}
