/** Why a request came to nothing. */
export type HttpFailureCode = "timed_out" | "too_large" | "refused_host" | "tls" | "network" | "not_json" | "status";

/**
 * A request that came to nothing, or to a status that was not expected. The message names method, host, status and the
 * institution's error code, and never a path, a query, a header or a body: all of these may hold secrets.
 */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly code: HttpFailureCode;
  readonly method: string;
  readonly host: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** What the institution calls its error, where the request said how to find that. */
  readonly institution_code: string | null;
  readonly retry_after_seconds: number | null;

  constructor(
    code: HttpFailureCode,
    message: string,
    facts: {
      method: string;
      host: string;
      status?: number | null;
      institution_code?: string | null;
      retry_after_seconds?: number | null;
    },
  ) {
    super(message);
    this.code = code;
    this.method = facts.method;
    this.host = facts.host;
    this.status = facts.status ?? null;
    this.institution_code = facts.institution_code ?? null;
    this.retry_after_seconds = facts.retry_after_seconds ?? null;
  }
}

/** The client's own certificate, and whom it trusts: PEM. */
export interface TlsIdentity {
  readonly cert?: string;
  readonly key?: string;
  /** Instead of the authorities that Node knows. */
  readonly ca?: string;
}

/** How an answer's body is read. `json_exact` reads numbers as their text (`"0.10"`), so that no amount goes through a float. */
export type BodyReading = "json" | "json_exact" | "text" | "bytes";

/** A request to an institution. At most one of `json`, `form` and `text` is its body. */
export interface HttpRequest<Read extends BodyReading = BodyReading> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Its host has to be one of the settings; plain http is for loopback only. */
  readonly url: string | URL;
  /** Added to the URL's own; what is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** With a `content-type` of its own in `headers`. */
  readonly text?: string;
  /** For the whole exchange, the body included. */
  readonly timeout_ms?: number;
  /** Of the body, decoded. */
  readonly max_bytes?: number;
  readonly tls?: TlsIdentity;
  readonly signal: AbortSignal;
  readonly read: Read;
  /** `2xx`, or the statuses that the caller understands: any other is thrown as {@link HttpFailure} `status`, which names it. */
  readonly expect?: "2xx" | readonly number[];
  /** Finds the institution's error code in a body that was not expected, for the failure's message. */
  readonly errorCode?: (body: unknown) => string | null | undefined;
}

/** What each reading makes of a body; JSON is to be checked by a schema. */
export interface ReadBodies {
  readonly json: unknown;
  readonly json_exact: unknown;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** An institution's answer. Redirects are answers too: they are not followed. */
export interface HttpAnswer<Read extends BodyReading = BodyReading> {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadBodies[Read];
  /** `Retry-After` in seconds from now, whichever form it came in; null where there is none. */
  readonly retry_after_seconds: number | null;
}

/** The way out to an institution, limited in time, size and hosts. */
export interface HttpClient {
  /** @throws HttpFailure, or the signal's reason once it has aborted */
  request<Read extends BodyReading>(request: HttpRequest<Read>): Promise<HttpAnswer<Read>>;
}
