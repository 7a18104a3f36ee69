import { recogniseCopies } from "./recognise-copies.js";

/** Why a request failed. `unsendable`: a header has characters that HTTP does not allow. */
export type HttpFailureCode =
  | "timed_out"
  | "too_large"
  | "refused_host"
  | "unsendable"
  | "tls"
  | "network"
  | "not_json"
  | "status";

/**
 * A request that failed, or whose status was not expected. The message names method, host, status and the institution's error code; never a path,
 * query, header or body, since all of these may hold secrets.
 */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly code: HttpFailureCode;
  readonly method: string;
  readonly host: string;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The institution's error code, if the request's `errorCode` found one. */
  readonly institution_code: string | null;
  readonly retry_after_seconds: number | null;

  static {
    recogniseCopies(HttpFailure, "HttpFailure");
  }

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

/** The client's certificate and key, and the authorities it trusts; PEM. */
export interface TlsIdentity {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Replaces the authorities that Node trusts. */
  readonly ca?: string | undefined;
}

/** How the body of an answer is read. `json_exact` reads numbers as text (`"0.10"`), so that no amount passes through a float. */
export type BodyReading = "json" | "json_exact" | "text" | "bytes";

/** A request to an institution. Its body is at most one of `json`, `form` and `text`. */
export interface HttpRequest<Read extends BodyReading = BodyReading> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The settings must name its host; plain http is for loopback only. */
  readonly url: string | URL;
  /** Added to the URL's query; undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Needs a `content-type` in `headers`. */
  readonly text?: string;
  /** For the whole exchange, including the body. */
  readonly timeout_ms?: number;
  /** The limit of the decoded body. */
  readonly max_bytes?: number;
  readonly tls?: TlsIdentity | undefined;
  readonly signal: AbortSignal;
  readonly read: Read;
  /** `2xx`, or the statuses that the caller handles; any other throws {@link HttpFailure} with the code `status`. */
  readonly expect?: "2xx" | readonly number[];
  /** Finds the institution's error code in the body of an unexpected answer, for the failure's message. */
  readonly errorCode?: (body: unknown) => string | null | undefined;
}

/** The type that each reading produces. Check JSON with a schema. */
export interface ReadBodies {
  readonly json: unknown;
  readonly json_exact: unknown;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** An institution's answer. Redirects are returned as answers and not followed. */
export interface HttpAnswer<Read extends BodyReading = BodyReading> {
  readonly status: number;
  /** Names are in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadBodies[Read];
  /** How many bytes the body has, decoded. */
  readonly bytes?: number;
  /** `Retry-After` as seconds from now, converted from either form; null if absent. */
  readonly retry_after_seconds: number | null;
}

/** The HTTP client for an institution, limited in time, size and hosts. */
export interface HttpClient {
  /** @throws HttpFailure, or the signal's reason after it has aborted */
  request<Read extends BodyReading>(request: HttpRequest<Read>): Promise<HttpAnswer<Read>>;
}
