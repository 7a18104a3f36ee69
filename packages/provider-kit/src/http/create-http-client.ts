import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { isPrivateTransport, parseUrl } from "../hosts.js";
import {
  type BodyReading,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  type HttpFailureCode,
  type HttpRequest,
} from "../http-client.js";
import { NotJson, readAs, readUpTo, TooLarge } from "./body.js";

/** A finished call, for metrics. */
export interface HttpCall {
  readonly method: string;
  readonly host: string;
  /** The class of the answer's status, or why there was none; `given_up` means the caller aborted. */
  readonly outcome: "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | Exclude<HttpFailureCode, "status"> | "given_up";
  readonly seconds: number;
}

/** One request with its answer, as they went over the network: with secrets, and with what the answer says of a customer. */
export interface HttpExchange {
  readonly method: HttpRequest["method"];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  };
}

/** A client whose connections can be closed. */
export interface ClosableHttpClient extends HttpClient {
  /** Closes all connections, aborting requests in progress. */
  close(): Promise<void>;
}

/** Sends one request and returns its answer, with the body still to read. */
export type SendRequest = (
  url: URL,
  request: {
    readonly method: HttpRequest["method"];
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly statusCode: number; readonly headers: IncomingHttpHeaders; readonly body: Readable }>;

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Creates the HTTP client of one provider with its settings. Redirects are not followed, so that nothing in a request reaches a host that the
 * settings do not name.
 */
export function createHttpClient(given: {
  /** With the port if it is not the scheme's default. If the provider does not name hosts, {@link hostsIn} finds them in its settings. */
  readonly hosts: readonly string[];
  readonly clock: () => Date;
  /** For requests that set none themselves. */
  readonly user_agent?: string;
  /** The proxy for a URL; null = none. Left out: none for any. */
  readonly proxyFor?: (url: URL) => string | null;
  readonly onCall?: (call: HttpCall) => void;
  /** Gets every whole answer, to record it. */
  readonly onExchange?: (exchange: HttpExchange) => void;
  /** Answers in place of the network, for tests. */
  readonly send?: SendRequest;
}): ClosableHttpClient {
  const { clock } = given;
  const hosts = new Set(given.hosts.map((host) => host.toLowerCase()));
  let loaded: ReturnType<typeof open> | undefined;
  /** Loaded with the first request: without undici a server starts sooner if its banks are reached in other ways. */
  const load = () => {
    loaded ??= open();
    return loaded;
  };

  return {
    async request(asked) {
      const started = clock().getTime();
      const url = urlOf(asked);
      const host = url?.host ?? "";
      const observe = (outcome: HttpCall["outcome"]) =>
        given.onCall?.({ method: asked.method, host, outcome, seconds: (clock().getTime() - started) / 1_000 });
      const answer = await exchange(asked, url).catch((error: unknown) => {
        observe(error instanceof HttpFailure && error.code !== "status" ? error.code : "given_up");
        throw error;
      });
      observe(`${Math.floor(answer.status / 100)}xx` as HttpCall["outcome"]);
      return expected(asked, answer, host);
    },
    close: async () => (await loaded)?.connections.close(),
  };

  async function open() {
    const { createConnections, send } = await import("./connections.js");
    return { send, connections: createConnections() };
  }

  function overNetwork(tls: HttpRequest["tls"]): SendRequest {
    return async (url, request) => {
      const { send, connections } = await load();
      return send(url, {
        ...request,
        dispatcher: connections.for(tls, given.proxyFor?.(url) ?? null),
        // The only time limit is that of the whole exchange.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
    };
  }

  async function exchange<Read extends BodyReading>(
    asked: HttpRequest<Read>,
    url: URL | null,
  ): Promise<HttpAnswer<Read>> {
    const { method, signal } = asked;
    signal.throwIfAborted();
    const host = url?.host ?? "";
    const fail = (code: HttpFailureCode, why: string, status: number | null = null) =>
      new HttpFailure(code, `${method} ${host}: ${why}`, { method, host, status });
    if (url === null) throw fail("refused_host", "the address is no URL");
    if (!hosts.has(host)) throw fail("refused_host", "the settings do not name this host");
    if (!isPrivateTransport(url)) throw fail("refused_host", "plain http is for this machine only");
    if (url.username !== "" || url.password !== "") throw fail("refused_host", "credentials are no part of an address");

    const limit = limitedBy(signal, asked.timeout_ms ?? TIMEOUT_MS);
    let status: number | null = null;
    try {
      const request = {
        method,
        headers: headersOf(asked, given.user_agent),
        body: bodyOf(asked),
        signal: limit.signal,
      };
      const response = await (given.send ?? overNetwork(asked.tls))(url, request);
      status = response.statusCode;
      const bytes = await readUpTo(response.body, response.headers, asked.max_bytes ?? MAX_BYTES);
      const headers = joined(response.headers);
      const { signal: _, ...sent } = request;
      given.onExchange?.({ ...sent, url, answer: { status, headers, body: bytes } });
      return {
        status,
        headers,
        bytes: bytes.length,
        body: readAs(asked.read, bytes, { status, contentType: headers["content-type"] }),
        retry_after_seconds: retryAfter(headers["retry-after"], clock()),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.isOver())
        throw fail("timed_out", `no answer within ${(asked.timeout_ms ?? TIMEOUT_MS) / 1_000} s`, status);
      if (error instanceof TooLarge)
        throw fail("too_large", `the answer has more than ${asked.max_bytes ?? MAX_BYTES} bytes`, status);
      if (error instanceof NotJson) throw fail("not_json", `answered ${status} with a body that is no JSON`, status);
      const code = codeOf(error);
      if (code === "UND_ERR_CONNECT_TIMEOUT") throw fail("timed_out", "no connection", status);
      if (code === "UND_ERR_INVALID_ARG") throw fail("unsendable", "a header has characters that cannot be sent");
      if (isTls(code)) throw fail("tls", `no trusted connection (${code})`, status);
      throw fail("network", `no whole answer (${code})`, status);
    } finally {
      limit.end();
    }
  }
}

/** Returns an answer that the request expected. @throws HttpFailure `status` */
function expected<Read extends BodyReading>(
  { method, expect, errorCode }: HttpRequest<Read>,
  answer: HttpAnswer<Read>,
  host: string,
): HttpAnswer<Read> {
  const { status, retry_after_seconds } = answer;
  const isExpected = expect === "2xx" ? status >= 200 && status <= 299 : (expect?.includes(status) ?? true);
  if (isExpected) return answer;
  const institution_code = shortCode(errorCode, answer.body);
  const code = institution_code === null ? "" : ` (${institution_code})`;
  throw new HttpFailure("status", `${method} ${host}: answered ${status}${code}`, {
    method,
    host,
    status,
    institution_code,
    retry_after_seconds,
  });
}

/** An error code is a short word. Anything else in its place could be any data. */
function shortCode(find: ((body: unknown) => unknown) | undefined, body: unknown): string | null {
  try {
    const code = find?.(body);
    return typeof code === "string" && /^[\w.:/-]{1,64}$/.test(code) ? code : null;
  } catch {
    return null;
  }
}

function urlOf({ url: text, query = {} }: HttpRequest): URL | null {
  const url = parseUrl(String(text));
  if (url === null) return null;
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.append(name, value);
  return url;
}

/** Aborts when the caller aborts or the time is up, and leaves no listener on the caller's signal. */
function limitedBy(signal: AbortSignal, milliseconds: number) {
  const controller = new AbortController();
  let over = false;
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, milliseconds);
  return {
    signal: controller.signal,
    isOver: () => over,
    end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    },
  };
}

function headersOf(
  { headers = {}, json, form, read }: HttpRequest,
  userAgent = "wealth-connect",
): Record<string, string> {
  return {
    accept: read === "json" || read === "json_exact" ? "application/json" : "*/*",
    "user-agent": userAgent,
    ...(json !== undefined && { "content-type": "application/json" }),
    ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

function bodyOf({ json, form, text }: HttpRequest): string | null {
  if (json !== undefined) return JSON.stringify(json);
  if (form !== undefined) return new URLSearchParams(form).toString();
  return text ?? null;
}

function joined(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/** `Retry-After` (RFC 9110 §10.2.3): seconds, or a date. */
function retryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // A date starts with the name of a day; Date.parse would read a number as a year.
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}

/** The error code of Node or undici, never the message: it may contain host names, paths and headers. */
function codeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return "no code";
}

/** Certificates that are missing, untrusted or for another host, and failed handshakes. */
function isTls(code: string): boolean {
  return /CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$|SIGNATURE/.test(code) && !code.startsWith("UND_ERR_");
}
