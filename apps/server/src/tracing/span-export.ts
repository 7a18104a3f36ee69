import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { TracingSettings } from "@org/installation";
import packageJson from "../../package.json" with { type: "json" };

/** What happens to ended spans. */
export interface SpanCounts {
  exported(spans: number): void;
  /** Dropped because the queue was full. */
  overflowed(spans: number): void;
  /** Lost because the receiver did not accept them. */
  failed(spans: number): void;
}

/** How long a stopping server waits for its last spans to be exported. */
const LAST_EXPORT_MS = 3_000;

/**
 * Starts OpenTelemetry's SDK: from here on spans are created and exported. Only a server with tracing enabled loads this file, and only there
 * does the `AsyncLocalStorage` exist by which a span knows its parent (docs/decisions/tracing.md).
 */
export function startSpanExport(settings: NonNullable<TracingSettings>, counts: SpanCounts) {
  const queue = countedQueue(settings.protocol === "http/json" ? new JsonExporter() : new ProtobufExporter(), {
    settings,
    counts,
  });
  const provider = new BasicTracerProvider({
    // The environment takes precedence.
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          "service.name": "wealth-connect",
          "service.version": packageJson.version,
          "service.instance.id": randomUUID(),
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [queue.processor],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider(provider);

  return {
    tracer: provider.getTracer("wealth-connect", packageJson.version),
    /** Exports the remaining spans, for three seconds at most; returns how many were lost. */
    async close(): Promise<number> {
      await Promise.race([provider.shutdown().catch(() => undefined), delay(LAST_EXPORT_MS)]);
      trace.disable();
      context.disable();
      return queue.left();
    },
  };
}

/**
 * The SDK's queue of spans, bounded here because the SDK does not report what it drops. The count covers the spans that were given to it and not
 * yet handed to the exporter.
 */
function countedQueue(
  exporter: SpanExporter,
  { settings, counts }: { settings: NonNullable<TracingSettings>; counts: SpanCounts },
) {
  let waiting = 0;
  let underWay = 0;
  const counted: SpanExporter = {
    export(spans, done) {
      waiting -= spans.length;
      underWay += spans.length;
      exporter.export(spans, (result) => {
        underWay -= spans.length;
        if (result.code === 0) counts.exported(spans.length);
        else counts.failed(spans.length);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
  const batches = new BatchSpanProcessor(counted, {
    maxQueueSize: settings.queueSize,
    maxExportBatchSize: settings.batchSize,
    scheduledDelayMillis: settings.delayMs,
    exportTimeoutMillis: settings.timeoutMs,
  });
  const processor: SpanProcessor = {
    onStart: (span, parent) => batches.onStart(span, parent),
    onEnd(span: ReadableSpan) {
      if ((span.spanContext().traceFlags & 1) === 0) return;
      if (waiting >= settings.queueSize) return counts.overflowed(1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  return { processor, left: () => waiting + underWay };
}
