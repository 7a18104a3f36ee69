import {
  AnswerFailure,
  endIfThrottled,
  type HttpClient,
  type OAuthGrant,
  type ProviderLog,
  pagesToEnd,
  ReadInterrupted,
} from "@org/provider-kit";
import { type Items, type ListName, nullsIn, readItems } from "./custody-answers.js";
import type { Bank } from "./settings.js";
import { differences } from "./versions.js";

/** A page of a list, or the status and problem with which a bank refused (null if the problem is not in the specification). */
export type ListPage<Name extends ListName> =
  | { readonly items: readonly Items[Name][]; readonly next: string | null }
  | (Refusal & { readonly next: null });

interface Refusal {
  readonly status: number;
  readonly problem: string | null;
}

/** What a refusal means. `nothing`: there is no such thing, or none that day. */
type Meaning = "not_ready" | "too_large" | "not_offered" | "not_allowed" | "nothing" | "unknown";

/** Seconds before asking again for what a bank is preparing. */
export const NOT_READY_RETRY = 15 * 60;

/** With what a bank lets us read: a grant, or null where our certificate is enough; and the id of a customer's consent, where each has one. */
export interface CustodyCredentials {
  readonly grant: OAuthGrant | null;
  readonly consent_id: string | null;
}

/** OpenWealth Custody Services of one bank, with credentials. `path` is relative to the base URL. */
export interface CustodyApi {
  /** The pages of a list; the last one may be a refusal. @throws AnswerFailure, also if there are too many pages */
  pages<Name extends ListName>(name: Name, path: string, query?: Query): AsyncGenerator<ListPage<Name>>;
  /** All items of a list. @throws ReadInterrupted `pending` if the bank prepares it, `rejected` or `consent_expired` if the bank does not allow access, AnswerFailure for everything else */
  all<Name extends ListName>(name: Name, path: string, query?: Query): AsyncGenerator<Items[Name]>;
}

type Query = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 30_000;
/** A page of the largest items has some hundred kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;
/** The most items of one list. */
const MAX_ITEMS = 100_000;

/** The problem names of the specification. Nothing else of an answer reaches the log or messages. */
const problems = new Set([
  "INVALID_PAYLOAD",
  "MALFORMED_PAYLOAD",
  "INVALID_TOKEN",
  "EXPIRED_TOKEN",
  "INSUFFICIENT_PRIVILEGES",
  "NO_ACCESS_TO_RESOURCE",
  "RESOURCE_DOES_NOT_EXIST",
  "RESOURCE_NOT_READY",
  "RESOURCE_TOO_LARGE",
  "WRONG_METHOD",
  "OPERATION_NOT_ALLOWED",
  "TECHNICAL_ERROR",
  "NOT_IMPLEMENTED",
  "SERVICE_UNAVAILABLE",
]);

/** What reading from a bank needs. Without `sleep`, a bank that asks for fewer requests is never waited for. */
export interface ReadCall extends ReadOptions {
  readonly http: HttpClient;
  readonly correlationId: () => string;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log?: ProviderLog;
}

/** The options of one read. */
export interface ReadOptions {
  /** Whether to wait now for a bank that asks for fewer requests, if the wait is short; left out: always. */
  readonly mayWait?: () => boolean;
  readonly signal: AbortSignal;
}

/** Reads from a bank. Each request has its own correlation id, by which the bank can find it; failures name it. */
export function custodyApi(
  bank: Bank,
  { grant, consent_id }: CustodyCredentials,
  { http, correlationId, sleep, log, mayWait, signal }: ReadCall,
): CustodyApi {
  const patiently = sleep === undefined ? now : waitingFor((milliseconds) => sleep(milliseconds, signal), mayWait);
  const base = bank.base_url.replace(/(?<!\/)\/+$/, "");

  return { pages, all };

  async function read<Name extends ListName>(name: Name, path: string, query: Query): Promise<ListPage<Name>> {
    const token = (await grant?.token()) ?? null;
    let answer = await get(path, query, token);
    if (grant && token !== null && isTokenRefused(answer))
      answer = await get(path, query, await grant.tokenAfter(token));
    // Even a new token is refused: the customer must grant access again. What ends with time is then the consent.
    if (isTokenRefused(answer)) {
      const isExpired = consent_id !== null && answer.problem === "EXPIRED_TOKEN";
      throw new ReadInterrupted({ refused: isExpired ? "consent_expired" : "rejected" });
    }
    const { status, problem, headers, body, correlation } = answer;
    if (status >= 500 && status !== 501 && problem !== "RESOURCE_NOT_READY")
      throw new AnswerFailure(said(answer), { status });
    if (status < 200 || status >= 300) return { status, problem, next: null };
    const page = readItems(differences[bank.version].lists[name], body);
    if ("fault" in page)
      throw new AnswerFailure(
        `${name} of ${bank.id} are not as described (correlation id ${correlation}): ${page.fault}`,
      );
    const figures = nullsIn(page.items);
    if (figures > 0) log?.warn("figures with more digits than can be stored were left out", { bank: bank.id, figures });
    return { items: page.items, next: cursorOf(headers) };
  }

  async function* pages<Name extends ListName>(
    name: Name,
    path: string,
    query: Query = {},
  ): AsyncGenerator<ListPage<Name>> {
    const list = `${name} of ${bank.id}`;
    let items = 0;
    for await (const page of pagesToEnd(list, (at) => read(name, path, { ...query, cursor: at ?? undefined }))) {
      yield page;
      items += "status" in page ? 0 : page.items.length;
      if (page.next !== null && items > MAX_ITEMS) throw new AnswerFailure(`the pages of ${list} do not end`);
    }
  }

  async function* all<Name extends ListName>(name: Name, path: string, query?: Query): AsyncGenerator<Items[Name]> {
    for await (const page of pages(name, path, query)) {
      if (!("status" in page)) {
        yield* page.items;
        continue;
      }
      const meaning = meaningOf(page);
      if (meaning === "not_ready")
        throw new ReadInterrupted({ pending: { retry_after: NOT_READY_RETRY, state: null } });
      if (meaning === "not_allowed" || meaning === "nothing") throw new ReadInterrupted({ refused: "rejected" });
      throw new AnswerFailure(`${bank.id} answered ${page.status} for ${name}${inBrackets(page.problem)}`);
    }
  }

  async function get(path: string, query: Query, token: string | null) {
    let correlation = "";
    const answer = await patiently(async () => {
      correlation = correlationId();
      return endIfThrottled(await http.request(requestOf(path, query, token, correlation)));
    });
    return { ...answer, problem: problemOf(answer.body), correlation };
  }

  function requestOf(path: string, query: Query, token: string | null, correlation: string) {
    return {
      method: "GET",
      url: `${base}${path}`,
      query: { limit: differences[bank.version].pageLimit, ...query },
      headers: {
        ...bank.headers,
        accept: "application/json, application/problem+json",
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(consent_id !== null && bank.consent_header !== undefined && { [bank.consent_header]: consent_id }),
        "x-correlation-id": correlation,
      },
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      tls: bank.tls,
      signal,
      read: "json_exact",
    } as const;
  }

  function said({ status, problem, correlation }: { status: number; problem: string | null; correlation: string }) {
    return `${bank.id} answered ${status}${inBrackets(problem)}, correlation id ${correlation}`;
  }
}

/**
 * What a refusal means. Its problem counts before its status: SIX bLink answers 404 also for what a bank does not offer or a consent does not allow,
 * which must not be read as an empty list.
 */
export function meaningOf({ status, problem }: Refusal): Meaning {
  if (problem === "RESOURCE_NOT_READY") return "not_ready";
  if (problem === "RESOURCE_TOO_LARGE" || status === 413) return "too_large";
  if (problem === "NOT_IMPLEMENTED" || status === 501) return "not_offered";
  if (problem === "INSUFFICIENT_PRIVILEGES" || problem === "NO_ACCESS_TO_RESOURCE" || status === 403)
    return "not_allowed";
  if (status !== 404) return "unknown";
  // With another problem it is the address that is not there.
  return problem === null || problem === "RESOURCE_DOES_NOT_EXIST" ? "nothing" : "not_offered";
}

/** The longest total wait of one read, in seconds, for a bank that asks for fewer requests. Beyond that the caller may ask again. */
const MAX_WAITS = 15;

function now<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  return send();
}

/** Retries a request that the bank delayed for a short time; other requests wait meanwhile. */
function waitingFor(pause: (milliseconds: number) => Promise<void>, mayWait: () => boolean = () => true) {
  let left = MAX_WAITS;
  let pausing: Promise<void> | null = null;
  return async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      if (pausing !== null) await pausing;
      try {
        return await send();
      } catch (failure) {
        if (!(failure instanceof ReadInterrupted) || !("throttled" in failure.end)) throw failure;
        const { retry_after } = failure.end.throttled;
        if (pausing === null && (retry_after > left || !mayWait())) throw failure;
        if (pausing === null) {
          left -= retry_after;
          pausing = pause(retry_after * 1000).finally(() => {
            pausing = null;
          });
        }
        await pausing;
      }
    }
  };
}

function isTokenRefused({ status, problem }: { status: number; problem: string | null }): boolean {
  return status === 401 || (status === 403 && (problem === "INVALID_TOKEN" || problem === "EXPIRED_TOKEN"));
}

/** The specification gives this header two different names. Empty = no more pages. */
function cursorOf(headers: Readonly<Record<string, string>>): string | null {
  return headers.nextcursor || headers["x-next-cursor"] || headers["next-cursor"] || null;
}

/** The name of a problem as 1.2 and later write it; 1.1 writes `invalidToken`. */
function problemOf(body: unknown): string | null {
  const { type } = (typeof body === "object" && body !== null ? body : {}) as { type?: unknown };
  const last = typeof type === "string" ? (type.split("/").at(-1) ?? "") : "";
  const name = /^[a-z]/.test(last) ? last.replace(/[A-Z]/g, "_$&").toUpperCase() : last;
  return problems.has(name) ? name : null;
}

function inBrackets(problem: string | null): string {
  return problem === null ? "" : ` (${problem})`;
}
