import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { errorType } from "@org/core";
import type { Config } from "@org/installation";

const tracer = trace.getTracer("wealth-connect");

/** Runs work that the server starts on its own as a separate trace; just runs it if tracing is off. */
export function inRootSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return withoutSpan(() => inChildSpan(name, work));
}

/** Runs a part of the current work as a span; outside any trace, as a trace of its own. */
export function inChildSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return inSpan(name, { kind: SpanKind.INTERNAL }, work);
}

/** Runs work that another trace's event has triggered, outside that trace. */
export function withoutSpan<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT, work);
}

/**
 * Runs an outgoing call as a span, which has the given `attributes` and nothing of what is sent or answered.
 * @param outcome the span's outcome for an answer and for an error; other errors are recorded by their code or class
 */
export function inClientSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  outcome: OutcomeOf<T> = {},
): Promise<T> {
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, work, outcome);
}

/** How a call ended. */
export interface CallOutcome {
  readonly attributes?: Attributes;
  /** One of a few words for what went wrong; null = nothing. */
  readonly error: string | null;
}

interface OutcomeOf<T> {
  readonly answered?: (answer: T) => CallOutcome;
  /** Null = an error of another kind. */
  readonly failed?: (error: unknown) => CallOutcome | null;
}

/** The outcome of a call by its HTTP status (OpenTelemetry: for a client, a status from 400 on is a failure). */
export function httpOutcome({ status }: { readonly status: number }): CallOutcome {
  return { attributes: { "http.response.status_code": status }, error: status >= 400 ? String(status) : null };
}

/** Records how the current work ended, with one of a few words. */
export function setSpanOutcome(outcome: string): void {
  trace.getActiveSpan()?.setAttribute("wealth_connect.outcome", outcome);
}

/**
 * Headers that tell a host which trace a request belongs to (W3C Trace Context); none unless `TRACEPARENT_HOSTS` names the host.
 * @param host with its port if that is not the scheme's default
 */
export function traceHeaders({ tracing }: Pick<Config, "tracing">, host: string): Record<string, string> {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span) || !tracing?.propagateToHosts.includes(host.toLowerCase()))
    return {};
  const state = span.traceState?.serialize() ?? "";
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`,
    ...(state !== "" && { tracestate: state }),
  };
}

async function inSpan<T>(
  name: string,
  options: { readonly kind: SpanKind; readonly attributes?: Attributes },
  work: () => Promise<T>,
  { answered, failed }: OutcomeOf<T> = {},
): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      const answer = await work();
      if (answered) noteOn(span, answered(answer));
      return answer;
    } catch (error) {
      noteOn(span, failed?.(error) ?? { error: errorType(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

function noteOn(span: Span, { attributes = {}, error }: CallOutcome): void {
  span.setAttributes(attributes);
  if (error !== null) span.setAttribute("error.type", error).setStatus({ code: SpanStatusCode.ERROR });
}
