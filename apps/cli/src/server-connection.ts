import { failed, temporaryFailure } from "./cli-error.js";
import { printable } from "./table.js";

/** The options of a request. */
export interface Sending {
  readonly contentType: string;
  /** A stream is created anew for each attempt. */
  readonly body: string | Uint8Array | (() => AsyncIterable<Uint8Array>);
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response; `json` is undefined when the body is not JSON. */
export interface Received {
  readonly status: number;
  readonly json: unknown;
  readonly headers: Headers;
}

/**
 * One POST or GET with a time limit in seconds, 30 by default. Redirects are not followed: they could carry a secret elsewhere.
 * @throws CliError when there is no server, or no answer in time
 */
export async function request(
  url: string,
  options: { sending?: Sending; timeout?: number | undefined; interrupted?: AbortSignal | undefined },
): Promise<Received> {
  const { sending, timeout = 30, interrupted } = options;
  const late = AbortSignal.timeout(timeout * 1000);
  const signal = interrupted ? AbortSignal.any([late, interrupted]) : late;
  try {
    const response = await fetch(url, { signal, redirect: "manual", ...(sending && requestInit(sending)) });
    return { status: response.status, json: jsonOrUndefined(await response.text()), headers: response.headers };
  } catch (error) {
    throw unreachable(url, timeout, error);
  }
}

/** The answer as a document, if it comes from our server; otherwise an error that says what is wrong. @throws CliError */
export function parseDocument(url: string, { status, json }: Received): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw (status >= 500 ? temporaryFailure : failed)(
      `${url} answered ${status} without JSON: is it a Wealth Connect server?`,
    );
  return json as Record<string, unknown>;
}

function requestInit({ contentType, body, headers }: Sending): RequestInit {
  return {
    method: "POST",
    headers: { ...headers, "content-type": contentType },
    body: (typeof body === "function" ? body() : body) as NonNullable<RequestInit["body"]>,
    ...(typeof body === "function" ? { duplex: "half" } : {}),
  };
}

function unreachable(url: string, timeout: number, error: unknown) {
  const { origin } = new URL(url);
  if (error instanceof Error && error.name === "TimeoutError")
    return temporaryFailure(`no answer from ${origin} within ${timeout} s`);
  const code = codeOf(error);
  if (code === "ECONNREFUSED")
    return temporaryFailure(`no server at ${origin}: start it with wealth-connect serve`, error);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return failed(`no server at ${origin}: there is no such host`, error);
  if (error instanceof Error && error.cause instanceof Error)
    return temporaryFailure(`cannot reach ${origin}: ${printable(error.cause.message)}`, error);
  throw error;
}

/** Node hides the code of a failed connection in `cause`, and behind several addresses in an AggregateError. */
function codeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  return inner instanceof Error && "code" in inner ? inner.code : undefined;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
