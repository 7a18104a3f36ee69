import { type AccessRecord, answerText, type RouteFacts } from "@org/http";
import { type Request, type Response, Router } from "express";
import { Counter, collectDefaultMetrics, type Metric, Registry } from "prom-client";
import type { Feature } from "../feature.js";
import { durations } from "../measures.js";

/** The route of {@link metrics}, if enabled. */
export const metricsRoutes: readonly RouteFacts[] = [
  {
    methods: ["GET", "HEAD"],
    path: "/metrics",
    family: "process",
    scopes: [],
    maxBodyBytes: null,
    origins: "none",
    summary: "Metrics of the process, with METRICS=true",
  },
];

type AnsweredRequest = Pick<AccessRecord, "route" | "status" | "ms" | "waited_ms" | "limit">;

/** The process's metrics as Prometheus text, at `GET /metrics` with `METRICS=true`. */
export function metrics({ enabled }: { enabled: boolean }) {
  const registry = new Registry();
  if (enabled) collectDefaultMetrics({ register: registry });
  const requests = durations(
    "wealth_connect_http_request_seconds",
    "HTTP requests by route and status",
    ["route", "status"],
    "quick",
  );
  const waits = durations(
    "wealth_connect_http_wait_seconds",
    "How long requests waited until they were begun; below a millisecond they are not counted",
    [],
    "quick",
  );
  const refused = new Counter({
    name: "wealth_connect_refused_total",
    help: "Requests refused by a limit, by its name",
    labelNames: ["limit"],
    registers: [],
  });
  // Only at this address, so that a proxy can block it with one rule.
  const router = Router({ caseSensitive: true, strict: true });
  if (enabled)
    router.get("/metrics", async (_request: Request, response: Response) => {
      answerText(response, 200, registry.contentType, await registry.metrics());
    });
  const feature: Feature = { routes: { handle: router }, metrics: [requests.metric, waits.metric, refused] };

  return {
    feature,
    /** Registers a feature's metrics. */
    register(metric: Metric): void {
      registry.registerMetric(metric);
    },
    /** Few routes, whatever clients request: patterns, and `other`. */
    requestAnswered({ route, status, ms, waited_ms, limit }: AnsweredRequest): void {
      // Looking up the counter of a label takes a hundredth of a tool call, so it is done only where metrics are on.
      if (!enabled) return;
      requests.observe({ route: route ?? "other", status: String(status) }, ms);
      if (waited_ms !== undefined) waits.observe({}, waited_ms);
      if (limit !== undefined) refused.inc({ limit });
    },
  };
}
