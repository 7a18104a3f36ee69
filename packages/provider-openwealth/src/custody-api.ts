import {
  AnswerFailure,
  endIfThrottled,
  type HttpClient,
  type OAuthGrant,
  type ProviderLog,
  pagesToEnd,
  ReadInterrupted,
} from "@org/provider-kit";
import type { z } from "zod";
import { type lists, nullsIn, readItems } from "./custody-answers.js";
import type { Bank } from "./settings.js";

/** The lists of the specification. */
export type ListName = keyof typeof lists;
type Item<Name extends ListName> = z.infer<(typeof lists)[Name]>[number];

/** A page of a list, or the status and problem with which a bank refused (null if the problem is not in the specification). */
export type ListPage<Name extends ListName> =
  | { readonly items: readonly Item<Name>[]; readonly next: string | null }
  | { readonly status: number; readonly problem: string | null; readonly next: null };

/** OpenWealth Custody Services of one bank, with a grant. `path` is relative to the base URL. */
export interface CustodyApi {
  /** The pages of a list; the last one may be a refusal. @throws AnswerFailure, also if there are too many pages */
  pages<Name extends ListName>(name: Name, path: string, query?: Query): AsyncGenerator<ListPage<Name>>;
  /** All items of a list. @throws ReadInterrupted `rejected` if the bank does not allow access, AnswerFailure for everything else */
  all<Name extends ListName>(name: Name, path: string): AsyncGenerator<Item<Name>>;
}

type Query = Readonly<Record<string, string | undefined>>;

/** The items requested per page; a bank may return fewer. */
const PAGE = "100";
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
  grant: OAuthGrant,
  { http, correlationId, sleep, log, mayWait, signal }: ReadCall,
): CustodyApi {
  const patiently = sleep === undefined ? now : waitingFor((milliseconds) => sleep(milliseconds, signal), mayWait);
  const base = bank.base_url.replace(/(?<!\/)\/+$/, "");

  return { pages, all };

  async function read<Name extends ListName>(name: Name, path: string, query: Query): Promise<ListPage<Name>> {
    const token = await grant.token();
    let answer = await get(path, query, token);
    if (isTokenRefused(answer)) answer = await get(path, query, await grant.tokenAfter(token));
    // Even a new token is refused: the customer must grant access again.
    if (isTokenRefused(answer)) throw new ReadInterrupted({ refused: "rejected" });
    const { status, problem, headers, body, correlation } = answer;
    if (status >= 500 && status !== 501 && problem !== "RESOURCE_NOT_READY")
      throw new AnswerFailure(said(answer), { status });
    if (status < 200 || status >= 300) return { status, problem, next: null };
    const page = readItems(name, body);
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

  async function* all<Name extends ListName>(name: Name, path: string): AsyncGenerator<Item<Name>> {
    for await (const page of pages(name, path)) {
      if (!("status" in page)) yield* page.items;
      else if (page.status === 403 || page.status === 404) throw new ReadInterrupted({ refused: "rejected" });
      else throw new AnswerFailure(`${bank.id} answered ${page.status} for ${name}${inBrackets(page.problem)}`);
    }
  }

  async function get(path: string, query: Query, token: string) {
    let correlation = "";
    const answer = await patiently(async () => {
      correlation = correlationId();
      return endIfThrottled(await http.request(requestOf(path, query, token, correlation)));
    });
    return { ...answer, problem: problemOf(answer.body), correlation };
  }

  function requestOf(path: string, query: Query, token: string, correlation: string) {
    return {
      method: "GET",
      url: `${base}${path}`,
      query: { limit: PAGE, ...query },
      headers: {
        ...bank.headers,
        accept: "application/json, application/problem+json",
        authorization: `Bearer ${token}`,
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

function problemOf(body: unknown): string | null {
  const { type } = (typeof body === "object" && body !== null ? body : {}) as { type?: unknown };
  const name = typeof type === "string" ? (type.split("/").at(-1) ?? "") : "";
  return problems.has(name) ? name : null;
}

function inBrackets(problem: string | null): string {
  return problem === null ? "" : ` (${problem})`;
}

/** Encodes a path segment, since a bank's ids may have any characters. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}
