import type { Source } from "./reading.js";

/** The document of a tool's result: structured, or the same as text. */
export function documentIn(result: Record<string, unknown>): unknown {
  return isObject(result.structuredContent) ? result.structuredContent : parsed(firstText(result.content));
}

/** What the server said instead of an answer; null if the result is no refusal. */
export function refusalIn(result: Record<string, unknown>): string | null {
  if (result.isError !== true) return null;
  const document = documentIn(result);
  const error = isObject(document) ? document.error : undefined;
  const message = isObject(error) ? textIn(error.message) : null;
  return message ?? firstText(result.content) ?? "";
}

/** The bank connections that an answer lists, and how many it counts. */
export function sourcesIn(document: Record<string, unknown>) {
  const sources = listIn(document.sources).map((source) => ({
    credentials_token: textIn(source.credentials_token) ?? "",
    bank: textIn(source.bank) ?? "",
    as_of: textIn(source.as_of),
    state: stateIn(source.state),
    message: textIn(source.message),
  }));
  return { sources, ...countsIn(document.source_counts, sources) };
}

/** The place of a page among all. */
export function pageIn({ page, pages, total }: Record<string, unknown>) {
  return { page: countIn(page), pages: countIn(pages), total: countIn(total) };
}

/** Older servers list all connections instead of counting them. */
function countsIn(counts: unknown, sources: readonly Source[]) {
  if (!isObject(counts))
    return { connections: sources.length, upToDate: sources.filter(({ state }) => state === "ok").length };
  const upToDate = countIn(counts.ok);
  return { connections: upToDate + countIn(counts.pending) + countIn(counts.stale) + countIn(counts.error), upToDate };
}

/** An unknown state counts as not up to date. */
function stateIn(state: unknown): Source["state"] {
  return state === "ok" || state === "pending" || state === "stale" ? state : "error";
}

function firstText(content: unknown): string | null {
  return textIn(listIn(content)[0]?.text);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

export function countIn(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;
}

export function textIn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function decimalIn(value: unknown): string | null {
  return typeof value === "string" && /^-?\d{1,60}(\.\d{1,60})?$/.test(value) ? value : null;
}

export function listIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
