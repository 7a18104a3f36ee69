import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { eventually } from "./eventually.js";

/** A span as it arrived; ids in hex, a missing id is "". */
export interface ArrivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 = internal, 2 = server, 3 = client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2 = error. */
  readonly status: number;
  /** Attributes of the resource that made it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Receives spans over OTLP/HTTP in either encoding. */
export interface OtlpCollector {
  readonly url: string;
  readonly spans: ArrivedSpan[];
  /** Everything that arrived, as text. */
  text(): string;
  /** Headers of the last request. */
  headers(): IncomingHttpHeaders;
  /** Sets the status of answers from now on; 0 = none, the connection is cut. */
  answer(status: number): void;
  /** The spans of a trace, once one with this name has arrived. */
  trace(traceId: string, name: string): Promise<ArrivedSpan[]>;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
// The decoder that protobufjs generated from OpenTelemetry's own definitions: later versions of the package can only encode.
const { opentelemetry } = require("otlp-decoder/build/src/generated/root.js");
const Request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ArrivedSpan[] = [];
  let status = 200;
  let headers: IncomingHttpHeaders = {};
  const server = createServer(async (request, response) => {
    if (status === 0) return void request.socket.destroy();
    const sent = await buffer(request);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const isJson = request.headers["content-type"] === "application/json";
    headers = { ...request.headers, path: request.url ?? "" };
    if (status === 200) spans.push(...spansOf(isJson ? JSON.parse(bytes.toString("utf8")) : decoded(bytes)));
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => JSON.stringify(spans),
    headers: () => headers,
    answer(next) {
      status = next;
    },
    trace: (traceId, name) =>
      eventually(() => {
        const found = spans.filter((span) => span.traceId === traceId);
        return found.some((span) => span.name === name) && found;
      }, `a span ${name} of trace ${traceId} arrives`),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** As in JSON, except that ids are in base64. */
function decoded(bytes: Buffer): unknown {
  return Request.toObject(Request.decode(bytes), { bytes: String, longs: String, defaults: true });
}

// biome-ignore lint/suspicious/noExplicitAny: the message is what it is
function spansOf(message: any): ArrivedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return message.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: see above
    scopeSpans.flatMap(({ spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: see above
      spans.map((span: any) => ({
        ...idsOf(span),
        parentSpanId: hexOf(span.parentSpanId, 16),
        name: span.name,
        kind: span.kind,
        attributes: valuesOf(span.attributes),
        links: (span.links ?? []).map(idsOf),
        events: span.events,
        status: span.status?.code ?? 0,
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

function idsOf({ traceId, spanId }: { traceId: string; spanId: string }) {
  return { traceId: hexOf(traceId, 32), spanId: hexOf(spanId, 16) };
}

function hexOf(id: string | undefined, digits: number): string {
  return id === undefined || id.length === digits ? (id ?? "") : Buffer.from(id, "base64").toString("hex");
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function valuesOf(attributes: any[] = []): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const set = value.stringValue || value.boolValue || value.doubleValue || value.intValue || value.arrayValue;
      return [key, /^\d+$/.test(String(set)) ? Number(set) : set];
    }),
  );
}
