import type { z } from "zod";
import type { ProviderServices } from "../definition.js";
import { parseUrl } from "../hosts.js";
import type { HttpAnswer } from "../http-client.js";
import { AnswerFailure } from "../outage.js";
import type { PaceLimit } from "../pace.js";
import type { AccessRefusal } from "../port.js";
import type { KeyAuth, OutgoingRequest, OwnKey } from "./key-auth.js";
import { ReadInterrupted } from "./read-interrupted.js";

/**
 * What an answer means if it is no data: fewer requests are wanted (for so many seconds), the data are not ready (for so many seconds), the key is refused, the institution
 * is down for everybody (`outage`), the request is to be sent once more (`repeat`; the second time it has failed), or the call failed.
 */
export type AnswerMeaning =
  | "throttled"
  | "outage"
  | "repeat"
  | "failed"
  | { readonly throttled: number }
  | { readonly pending: number }
  | AccessRefusal;

/**
 * A rate limit of an institution for one key. With `path` it counts only requests whose path begins with it; with `shared` it counts those of all
 * customers: it is a limit of the application's own key, as aggregators have.
 */
export interface KeyLimit extends PaceLimit {
  readonly path?: string;
  readonly shared?: boolean;
}

/** How an institution is called. */
export interface CallRules<Field extends string = string> {
  readonly auth: KeyAuth<Field>;
  readonly limits?: readonly KeyLimit[];
  /**
   * Milliseconds between two requests with one key, over all replicas, for institutions that refuse a request which another one overtakes. A fetch that
   * nobody waits for goes ahead if it would have to wait: what it then overtakes needs the meaning `repeat`.
   */
  readonly spacing_ms?: number;
  /** Statuses that mean something else than here: 401 `rejected`, 429 `throttled`, others outside 200–299 `failed`. */
  readonly statuses?: Readonly<Record<number, AnswerMeaning>>;
  /** Finds the institution's error code in an answer, for institutions that answer 200 to everything; it is judged before the status. */
  readonly codeOf?: (body: unknown) => string | null;
  /** What codes mean; a code that is not listed is `failed`. */
  readonly codes?: Readonly<Record<string, AnswerMeaning>>;
  /** Seconds to wait before the next request, by headers of an answer that asks for fewer; left out, or null: by the usual headers. */
  readonly waitOf?: (headers: Readonly<Record<string, string>>) => number | null;
}

/** Requests with one customer's key. */
export interface InstitutionCalls {
  /**
   * Sends a GET and parses its answer; numbers arrive as text (`json_exact`), and 204 without content is undefined. `path` begins with a slash and may have a query.
   * @throws ReadInterrupted if the institution wants fewer requests or refuses the key
   * @throws AnswerFailure, HttpFailure
   */
  get<Schema extends z.ZodType>(path: string, schema: Schema, query?: Query): Promise<z.output<Schema>>;
  /** Sends a form by POST, for institutions that read so. */
  post<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    form: Readonly<Record<string, string>>,
  ): Promise<z.output<Schema>>;
  /** Sends a POST with JSON, or a DELETE. */
  send<Schema extends z.ZodType>(
    method: "POST" | "DELETE",
    path: string,
    schema: Schema,
    json?: unknown,
  ): Promise<z.output<Schema>>;
}

type Query = Readonly<Record<string, string | undefined>>;

/** How long a request may take. A call of the server ends after 60 s, half of which may have passed waiting for the turn. */
const REQUEST_MS = 20_000;
const MAX_FAULTS = 5;
/** What one read may bring: an institution whose lists do not end must not fill the memory. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** For how long a read that nobody waits for may go on waiting for turns at a shared limit, once it has had one: otherwise its work is lost. */
const READ_WAIT_MS = 30_000;
/** The part of a shared limit that is left for customers who wait. */
const ROOM = 10;
/** The shortest part of a limit's time over which the calls are spread. */
const MIN_PART_MS = 5_000;
/** The longest wait that is read from `X-RateLimit-Reset`, and the wait if the institution does not say. In seconds. */
const MAX_RESET = 3_600;
const RETRY_AFTER = 60;

/**
 * Calls an institution with one key, within its limits and by its rules.
 * @param identity names the key for the rate limits, which all replicas share
 * @param application names the application's own key, for `shared` limits; the address by default
 * @param mayWait until when a call may wait for its turn; null = no call waits
 */
export function createInstitutionCalls<Field extends string>(
  rules: CallRules<Field>,
  given: Pick<ProviderServices, "http" | "pace" | "clock"> & {
    readonly base_url: string;
    readonly key: OwnKey<Field>;
    readonly identity: string;
    readonly application?: string;
    readonly mayWait: { readonly until: Date } | null;
    readonly signal: AbortSignal;
  },
): InstitutionCalls {
  const { http, pace, clock, base_url, key, identity, application = base_url, mayWait, signal } = given;
  const codes = new Map(Object.entries(rules.codes ?? {}));
  let left = MAX_READ_BYTES;
  /** Until when this read may wait for turns at shared limits, from its first one on. */
  let goesOnUntil = mayWait?.until ?? null;

  return {
    get: (path, schema, query = {}) => {
      const url = urlOf(path);
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
      return send({ method: "GET", url, headers: {} }, schema);
    },
    post: (path, schema, form) => send({ method: "POST", url: urlOf(path), headers: {}, form }, schema),
    send: (method, path, schema, json) => send({ method, url: urlOf(path), headers: {}, json }, schema),
  };

  /** A path may come from the institution (`nextPagePath`), so it must not lead elsewhere. */
  function urlOf(path: string): URL {
    const base = new URL(base_url);
    const url = parseUrl(`${base_url}${path}`);
    if (url === null || !path.startsWith("/") || url.origin !== base.origin)
      throw new AnswerFailure(`a path of ${base.host} leads elsewhere`);
    return url;
  }

  async function send<Schema extends z.ZodType>(plain: OutgoingRequest, schema: Schema): Promise<z.output<Schema>> {
    const about = `${plain.method} ${plain.url.host}${shownPath(plain.url.pathname, Object.values(key))}`;
    let answer = await exchange(plain);
    if (meaningOf(answer).meaning === "repeat") answer = await exchange(plain);
    judge(answer, about);
    const parsed = schema.safeParse(answer.status === 204 ? undefined : answer.body);
    if (parsed.success) return parsed.data;
    // Places and rules only: a value could be the customer's, and so could a name such as an account's number.
    const faults = parsed.error.issues
      .slice(0, MAX_FAULTS)
      .map(({ path, code }) => `${path.map(shownStep).join(".") || "answer"} ${code}`);
    throw new AnswerFailure(`${about} answered what cannot be read: ${faults.join(", ")}`);
  }

  async function exchange(plain: OutgoingRequest): Promise<HttpAnswer> {
    if (left <= 0) throw new AnswerFailure(`${plain.url.host} answers one read with more than ${MAX_READ_BYTES} bytes`);
    await waitForTurn(plain.url.pathname);
    const request = rules.auth(plain, key, clock());
    const answer = await http.request({ ...request, timeout_ms: REQUEST_MS, signal, read: "json_exact" });
    left -= answer.bytes ?? 0;
    return answer;
  }

  async function waitForTurn(path: string): Promise<void> {
    const rows = (rules.limits ?? []).filter(({ path: part = "" }) => path.startsWith(part));
    for (const [part, limits] of byPart(rows.filter(({ shared }) => !shared))) {
      const late = await takeTurn([identity, part], limits, mayWait?.until ?? null);
      if (late) throw new ReadInterrupted({ throttled: late });
    }
    for (const [part, limits] of byPart(rows.filter(({ shared }) => shared))) {
      const late = await takeTurn(["application", application, part], limits, goesOnUntil);
      if (late) throw new ReadInterrupted({ throttled: { ...late, shared: true } });
      goesOnUntil ??= new Date(clock().getTime() + READ_WAIT_MS);
    }
    // The last turn is the one that decides the order.
    if (rules.spacing_ms === undefined) return;
    const order = [{ every_ms: rules.spacing_ms, calls: 1 }];
    const late = await takeTurn([identity, "order"], order, mayWait?.until ?? null);
    if (late && mayWait !== null) throw new ReadInterrupted({ throttled: late });
  }

  /** The limits of each part of the paths. Of a shared one a read that nobody waits for leaves room. */
  function byPart(rows: readonly KeyLimit[]): Map<string, PaceLimit[]> {
    const parts = new Map<string, PaceLimit[]>();
    for (const { path: part = "", shared = false, every_ms, calls } of rows) {
      const limit = { every_ms, calls };
      parts.set(part, [...(parts.get(part) ?? []), ...(shared && mayWait === null ? withRoom(limit) : [limit])]);
    }
    return parts;
  }

  function takeTurn(names: readonly string[], limits: readonly PaceLimit[], until: Date | null) {
    const longest = until === null ? 0 : Math.max(0, until.getTime() - clock().getTime());
    return pace(JSON.stringify(names), limits, signal, longest);
  }

  function meaningOf(answer: HttpAnswer): { readonly meaning: AnswerMeaning | null; readonly code: string | null } {
    const { status, body } = answer;
    const code = rules.codeOf?.(body) ?? null;
    const isGood = status >= 200 && status < 300;
    const meaning =
      code !== null ? (codes.get(code) ?? "failed") : (rules.statuses?.[status] ?? byDefault(answer, isGood));
    return { meaning, code };
  }

  function judge(answer: HttpAnswer, about: string): void {
    const { status } = answer;
    const { meaning, code } = meaningOf(answer);
    const shown = code !== null && /^[\w .:-]{1,60}$/.test(code) ? ` (${code})` : "";
    const failure = (counted: number) => new AnswerFailure(`${about} answered ${status}${shown}`, { status: counted });
    if (typeof meaning === "object" && meaning !== null)
      throw new ReadInterrupted(
        "pending" in meaning
          ? { pending: { retry_after: meaning.pending, state: null } }
          : { throttled: { retry_after: meaning.throttled } },
      );
    switch (meaning) {
      case null:
        return;
      case "throttled":
        throw new ReadInterrupted({ throttled: { retry_after: waitOf(answer) } });
      case "outage":
        // A status of 500 or more is what counts against an institution.
        throw failure(Math.max(status, 503));
      case "repeat":
      case "failed":
        throw failure(status);
      default:
        throw new ReadInterrupted({ refused: meaning });
    }
  }

  /** Seconds until the institution takes requests again: by `Retry-After`, or `X-RateLimit-Reset` as seconds of the epoch. */
  function waitOf({ retry_after_seconds, headers }: HttpAnswer): number {
    const epoch = Math.floor(clock().getTime() / 1_000);
    const reset = rules.waitOf?.(headers) ?? Number(headers["x-ratelimit-reset"]) - epoch;
    return Math.max(1, retry_after_seconds ?? (reset > 0 && reset <= MAX_RESET ? reset : RETRY_AFTER));
  }
}

/** Steps of paths that are words, such as `v2`, `activities` and `TradesHistory`. Others may be a customer's: an account's number, a symbol. */
const word = /^(?:v\d{1,2}|0|[A-Z]?[a-z]{1,30}(?:[A-Z_-][a-z]{1,30}){0,5})$/;

/** A path in which only words are shown, and none that a customer typed. */
function shownPath(path: string, typed: readonly string[]): string {
  const steps = path.split("/");
  return steps.map((step) => (step === "" || (word.test(step) && !typed.includes(step)) ? step : "*")).join("/");
}

/**
 * A limit together with what a read that nobody waits for keeps to: it leaves a tenth of the calls for customers who wait, and does not use up
 * the rest at once, so that the next turn of everybody is near.
 */
function withRoom({ every_ms, calls }: PaceLimit): PaceLimit[] {
  const own = Math.max(1, calls - Math.ceil(calls / ROOM));
  const part_ms = Math.max(MIN_PART_MS, Math.ceil(every_ms / ROOM));
  const part = { every_ms: part_ms, calls: Math.ceil((own * part_ms) / every_ms) };
  const isSpread = part_ms < every_ms && part_ms <= READ_WAIT_MS;
  return [{ every_ms, calls }, { every_ms, calls: own }, ...(isSpread ? [part] : [])];
}

function shownStep(step: PropertyKey): string {
  return typeof step === "number" || /^[A-Za-z_]{1,40}$/.test(String(step)) ? String(step) : "*";
}

function byDefault({ status, retry_after_seconds }: HttpAnswer, isGood: boolean): AnswerMeaning | null {
  if (isGood) return null;
  if (status === 401) return "rejected";
  return isThrottled({ status, retry_after_seconds }) ? "throttled" : "failed";
}

/**
 * Ends a read if an institution wants fewer requests: 429, or 503 with a time to come back (`Retry-After`); otherwise returns the answer.
 * @throws ReadInterrupted `throttled`
 */
export function endIfThrottled<Answer extends Pick<HttpAnswer, "status" | "retry_after_seconds">>(
  answer: Answer,
): Answer {
  if (isThrottled(answer))
    throw new ReadInterrupted({ throttled: { retry_after: Math.max(1, answer.retry_after_seconds ?? RETRY_AFTER) } });
  return answer;
}

function isThrottled({ status, retry_after_seconds }: Pick<HttpAnswer, "status" | "retry_after_seconds">): boolean {
  return status === 429 || (status === 503 && retry_after_seconds !== null);
}
