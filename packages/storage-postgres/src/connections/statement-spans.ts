import { SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { errorType } from "@org/core";

/** Runs statements, each in a span of its own if the surrounding work is traced. */
export type TraceStatement = <T>(text: string, work: () => Promise<T>) => Promise<T>;

/**
 * Spans of statements by OpenTelemetry's conventions for databases, named by the operation and its table, never by the text or the values.
 * Background work, such as polling for due jobs, runs in no span and gets none.
 */
export function statementSpans(tracer: Tracer | undefined): TraceStatement {
  if (tracer === undefined) return (_text, work) => work();
  return async (text, work) => {
    if (!trace.getActiveSpan()?.isRecording()) return work();
    const { operation, target } = summaryOf(text);
    const name = target === null ? operation : `${operation} ${target}`;
    const span = tracer.startSpan(name, {
      kind: SpanKind.CLIENT,
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        "db.query.summary": name,
        ...(target !== null && { "db.collection.name": target }),
      },
    });
    try {
      return await work();
    } catch (error) {
      span.setAttribute("error.type", errorType(error)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
}

/** Excludes `for update`, which locks the rows that are read. */
const CHANGE = /(?<!\b(?:for|key|do) )\b(insert into|update|delete from)\s+"?([a-z_][a-z0-9_]*)/i;
const READ = /\bfrom\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)/i;
const CALL = /^\s*select\s+([a-z_][a-z0-9_]*)\s*\(/i;

/** Names the operation of a statement, and its table or function. */
export function summaryOf(text: string): { readonly operation: string; readonly target: string | null } {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "STATEMENT";
  if (word === "BEGIN" || word === "ROLLBACK") return { operation: word, target: null };
  if (/^select;/i.test(text)) return { operation: "COMMIT", target: null };
  const [, change, changed] = CHANGE.exec(text) ?? [];
  if (change !== undefined && changed !== undefined)
    return { operation: (change.split(" ")[0] as string).toUpperCase(), target: changed };
  const target = CALL.exec(text)?.[1] ?? READ.exec(text)?.[1] ?? null;
  return { operation: word === "WITH" ? "SELECT" : word, target };
}
