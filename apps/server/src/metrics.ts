import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What the process counts, for `GET /metrics` (Prometheus text). */
export interface Metrics {
  readonly toolCalled: (call: { tool: string; outcome: string; milliseconds: number }) => void;
  readonly requestAnswered: (request: { route: string; status: number; milliseconds: number }) => void;
  readonly cleanedUp: (counts: Readonly<Record<string, number>>) => void;
  readonly auditEventsLost: (events: number) => void;
  readonly authorizationEvent: (event: { action: string; detail: string | null }) => void;
  /** Prometheus text and its content type. */
  readonly render: () => Promise<{ text: string; contentType: string }>;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** @param withProcess also memory, event loop and garbage collection of the process */
export function createMetrics({ withProcess }: { withProcess: boolean }): Metrics {
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const toolCalls = new Histogram({
    name: "wealth_connect_tool_call_seconds",
    help: "Tool calls by tool and outcome",
    labelNames: ["tool", "outcome"],
    buckets: seconds,
    registers,
  });
  const requests = new Histogram({
    name: "wealth_connect_http_request_seconds",
    help: "HTTP requests by route and status",
    labelNames: ["route", "status"],
    buckets: seconds,
    registers,
  });
  const reaped = new Counter({
    name: "wealth_connect_reaped_rows_total",
    help: "Rows removed by the clean-up, by kind",
    labelNames: ["kind"],
    registers,
  });

  const auditEventsLost = new Counter({
    name: "wealth_connect_audit_events_lost_total",
    help: "Events that the audit trail could not keep; they are in the log only",
    registers,
  });
  const authorizationEvents = new Counter({
    name: "wealth_connect_authorization_events_total",
    help: "Events of the authorization server by action, refusals also by their code",
    labelNames: ["action", "code"],
    registers,
  });

  return {
    toolCalled: ({ tool, outcome, milliseconds }) => toolCalls.observe({ tool, outcome }, milliseconds / 1000),
    requestAnswered: ({ route, status, milliseconds }) =>
      requests.observe({ route, status: String(status) }, milliseconds / 1000),
    cleanedUp(counts) {
      for (const [kind, count] of Object.entries(counts)) reaped.inc({ kind }, count);
    },
    // Only refusals have details of few kinds; others name secrets and scopes by their ids.
    authorizationEvent: ({ action, detail }) =>
      authorizationEvents.inc({ action, code: action.endsWith(".refused") ? (detail ?? "") : "" }),
    auditEventsLost: (events) => auditEventsLost.inc(events),
    render: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
