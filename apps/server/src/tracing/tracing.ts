import type { Tracer } from "@opentelemetry/api";
import { type Config, type Finding, ok, warn } from "@org/installation";
import { Counter, type Metric } from "prom-client";
import type { Logger } from "../log.js";

/** OpenTelemetry traces of this server. */
export interface Tracing {
  /** The tracer for packages; undefined where tracing is off. */
  readonly tracer: Tracer | undefined;
  readonly metrics: readonly Metric[];
  /** Exports the remaining spans; called last, so that the spans of the stop are included. */
  close(): Promise<void>;
  check(): Promise<readonly Finding[]>;
}

/**
 * Enables traces if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise nothing of the SDK is loaded. If the receiver is unavailable, spans are
 * dropped and counted, and no request fails: the log reports once that it is unavailable, and once that it is back.
 */
export async function startTracing({ tracing: settings }: Pick<Config, "tracing">, log: Logger): Promise<Tracing> {
  const spans = new Counter({
    name: "wealth_connect_spans_total",
    help: "Spans of traces: exported, and dropped because too many waited (queue_full) or nobody took them (not_taken)",
    labelNames: ["outcome"],
    registers: [],
  });
  if (settings === null)
    return {
      tracer: undefined,
      metrics: [spans],
      close: async () => undefined,
      check: async () => [ok("tracing", "OTEL_EXPORTER_OTLP_ENDPOINT is not set: no spans are made")],
    };
  const { receiver, protocol } = settings;
  let isTaken = true;
  const seen = { exported: 0, dropped: 0 };
  const { startSpanExport } = await import("./span-export.js");
  const { tracer, close } = startSpanExport(settings, {
    exported(number) {
      seen.exported += number;
      spans.inc({ outcome: "exported" }, number);
      if (!isTaken) log.warn({ receiver }, "spans are taken again");
      isTaken = true;
    },
    overflowed(number) {
      seen.dropped += number;
      spans.inc({ outcome: "queue_full" }, number);
    },
    failed(number) {
      seen.dropped += number;
      spans.inc({ outcome: "not_taken" }, number);
      if (isTaken) log.warn({ receiver }, "spans are not taken: they are dropped until they are");
      isTaken = false;
    },
  });
  return {
    tracer,
    metrics: [spans],
    async close() {
      const left = await close();
      if (left > 0) log.warn({ receiver, spans: left }, "the last spans were not taken");
    },
    async check() {
      const what = `spans go to ${receiver} (${protocol}); ${seen.exported} were taken and ${seen.dropped} dropped`;
      return [
        isTaken
          ? ok("tracing", what)
          : warn("tracing", `${what}, the last ones too`, "look at the receiver, and at OTEL_EXPORTER_OTLP_ENDPOINT"),
      ];
    },
  };
}
