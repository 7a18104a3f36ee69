/** Access log record of one request, written when its answer is closed. */
export interface AccessRecord extends Readonly<Record<string, unknown>> {
  readonly method: string;
  /** Pattern of the route; null when there is none. */
  readonly route: string | null;
  /** 499 when the client disconnected before an answer had begun. */
  readonly status: number;
  readonly ms: number;
  readonly trace_id: string;
  readonly application_id: string | null;
  readonly tenant_id: string | null;
  /** How long the request waited until it was begun; absent below 1 ms. */
  readonly waited_ms?: number;
  /** The limit that refused the request, such as `requests_per_minute`; added by whoever answers the refusal. */
  readonly limit?: string;
  /** Of a fault of the server: the kind of the error, see `logDefect`. */
  readonly defect?: string;
}

/** Receives the records of the access log; a pino logger fits. */
export interface AccessLog {
  info(record: AccessRecord, message: "request"): void;
}

/** A request from an unknown caller, as `createOccurrenceCounter` counts it. */
export interface UnknownRequest {
  readonly address: string | null;
  /** The status with the limit, or with the route. */
  readonly kind: string;
  readonly isRefused: boolean;
}

/** Returns what such a request's record is counted as. */
export function unknownIn({ status, route, limit }: AccessRecord, address: string | null): UnknownRequest {
  return { address, kind: `${status} ${limit ?? route ?? "other"}`, isRefused: status >= 400 };
}
