import type {
  BreakerState,
  CallObserver,
  FeedReport,
  MailQueue,
  MailReport,
  RefreshBacklog,
  RefreshReport,
} from "@org/core";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { VirusScanReport } from "./virus-scan.js";

/** What the process counts, for `GET /metrics` (Prometheus text). */
export interface Metrics {
  readonly toolCalled: (call: { tool: string; outcome: string; milliseconds: number }) => void;
  readonly requestAnswered: (request: { route: string; status: number; milliseconds: number }) => void;
  readonly cleanedUp: (counts: Readonly<Record<string, number>>) => void;
  readonly auditEventsLost: (events: number) => void;
  readonly authorizationEvent: (event: { action: string; detail: string | null }) => void;
  readonly refreshed: (report: RefreshReport) => void;
  readonly feedFile: (report: FeedReport) => void;
  readonly feedSilent: () => void;
  readonly providerCalled: CallObserver;
  readonly mailed: (report: MailReport) => void;
  readonly documentScanned: (report: VirusScanReport) => void;
  /** Where the figures come from that are read when somebody asks for them. */
  readonly watchRefreshes: (sources: RefreshSources) => void;
  readonly watchMails: (backlog: MailQueue["backlog"]) => void;
  /** Prometheus text and its content type. */
  readonly render: () => Promise<{ text: string; contentType: string }>;
}

/** What is looked up at each reading of the metrics. */
export interface RefreshSources {
  readonly backlog: () => Promise<RefreshBacklog>;
  readonly breakers: () => readonly { readonly state: BreakerState }[];
  readonly clock: () => Date;
}

const bankSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
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

  const refreshes = new Histogram({
    name: "wealth_connect_refresh_seconds",
    help: "Refreshes of bank connections by outcome",
    labelNames: ["outcome"],
    buckets: bankSeconds,
    registers,
  });
  const providerCalls = new Histogram({
    name: "wealth_connect_provider_call_seconds",
    help: "Calls of bank providers by provider, call and outcome",
    labelNames: ["provider", "call", "outcome"],
    buckets: bankSeconds,
    registers,
  });
  const scans = new Histogram({
    name: "wealth_connect_virus_scan_seconds",
    help: "Scans of letters' documents by outcome",
    labelNames: ["outcome"],
    buckets: seconds,
    registers,
  });
  const feedFiles = new Counter({
    name: "wealth_connect_feed_files_total",
    help: "Custodian files by outcome and format",
    labelNames: ["outcome", "format"],
    registers,
  });
  const feedsSilent = new Counter({
    name: "wealth_connect_feeds_silent_total",
    help: "Letters blocked because their custodian's files stayed out",
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const due = gauge("wealth_connect_refreshes_due", "Connections that are due and that nobody refreshes");
  const overdue = gauge("wealth_connect_refresh_overdue_seconds", "For how long the oldest of them has been due");
  const reloginNeeded = gauge("wealth_connect_connections_relogin_needed", "Connections that wait for a re-login");
  const breakers = gauge("wealth_connect_provider_breakers", "Connectors that are left alone, by state", ["state"]);
  const mails = new Histogram({
    name: "wealth_connect_mail_seconds",
    help: "Attempts to send a mail about a letter by kind and outcome",
    labelNames: ["kind", "outcome"],
    buckets: bankSeconds,
    registers,
  });
  const openMails = gauge("wealth_connect_mails_open", "Mails that wait, failed or are in doubt", ["state"]);
  let mailBacklog: MailQueue["backlog"] | null = null;
  let sources: RefreshSources | null = null;

  /** Figures of a database that is away stay as they were. */
  async function readSources(): Promise<void> {
    const open = await mailBacklog?.().catch(() => null);
    for (const [state, count] of Object.entries(open ?? {})) openMails.set({ state }, count);
    if (!sources) return;
    const states = sources.breakers().map(({ state }) => state);
    for (const state of ["open", "half_open"] as const)
      breakers.set({ state }, states.filter((found) => found === state).length);
    const backlog = await sources.backlog().catch(() => null);
    if (!backlog) return;
    const now = sources.clock().getTime();
    due.set(backlog.due);
    overdue.set(backlog.oldest_due_at ? (now - backlog.oldest_due_at.getTime()) / 1000 : 0);
    reloginNeeded.set(backlog.relogin_needed);
  }

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
    refreshed: ({ outcome, milliseconds }) => refreshes.observe({ outcome }, milliseconds / 1000),
    documentScanned: ({ outcome, milliseconds }) => scans.observe({ outcome }, milliseconds / 1000),
    feedFile: ({ outcome, format }) => feedFiles.inc({ outcome, format: format ?? "" }),
    feedSilent: () => feedsSilent.inc(),
    providerCalled: ({ milliseconds, ...labels }) => providerCalls.observe(labels, milliseconds / 1000),
    mailed: ({ kind, outcome, milliseconds }) => mails.observe({ kind: kind ?? "", outcome }, milliseconds / 1000),
    watchMails(backlog) {
      mailBacklog = backlog;
    },
    watchRefreshes(found) {
      sources = found;
    },
    async render() {
      await readSources();
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
