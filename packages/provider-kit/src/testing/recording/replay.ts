import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import type { SendRequest } from "../../http/create-http-client.js";
import { valueAt } from "./json-values.js";
import { type PageDivision, pageNames, pageOf, rowsOf, withRows } from "./paging.js";
import { type Exchange, fits, type RecordedAnswer, type RecordedList, type Recording, writeJson } from "./recording.js";

/** How one request fails: a status, a connection that is reset, half a body, a page of HTML, no answer at all. */
export type RequestFault = "500" | "401" | "429" | "reset" | "cut" | "not_json" | "hang";

/** One request that was sent. */
export interface Asked {
  /** The provider's call. */
  readonly call: string;
  /** `GET /accounts` */
  readonly name: string;
  /** All that distinguishes the request. */
  readonly target: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: string;
  /** Names of headers that an exchange with data wants otherwise, where the request is refused. */
  readonly unlike: readonly string[];
}

/** What a rule sets for the requests to come. */
export interface ReplayOptions {
  /** The provider's call, for messages. */
  call: string;
  during: "first" | "refresh" | null;
  division: PageDivision | null;
  isReversed: boolean;
  /** A request that nobody recorded is a fault. Without, it gets a 404. */
  isStrict: boolean;
  /** Decides whether a request fails, or what it is answered with. `index` counts the requests of the world, from 0. */
  fault:
    | ((asked: {
        readonly index: number;
        readonly target: string;
        readonly body: string | null;
      }) => RequestFault | RecordedAnswer | null)
    | null;
  instead: Recording["variations"][number]["instead"];
}

/** The institution of a recording. */
export interface Replay {
  readonly send: SendRequest;
  readonly options: ReplayOptions;
  readonly asked: readonly Asked[];
  /** What no provider may do: a call that is not listed, a request that nobody recorded, more requests than allowed. */
  readonly faults: ReadonlySet<string>;
  readonly used: ReadonlySet<Exchange>;
  /** Answers in a sequence begin anew with each login. */
  begin(): void;
}

/** The seconds of a `Retry-After` in an answer that asks for fewer requests. */
export const RETRY_AFTER = 37;
/** More requests than a small recording needs in all. */
export const MAX_REQUESTS = 2_000;

/** Plays the recordings of one or more customers of one institution. */
export function createReplay(recordings: readonly Recording[], clock: () => Date): Replay {
  const options: ReplayOptions = {
    call: "the provider",
    during: null,
    division: null,
    isReversed: false,
    isStrict: true,
    fault: null,
    instead: [],
  };
  const asked: Asked[] = [];
  const faults = new Set<string>();
  const used = new Set<Exchange>();
  const served = new Map<string, number>();
  const times: { readonly at: number; readonly customer: number; readonly host: string; readonly name: string }[] = [];
  const [{ calls, limits, lists } = { calls: [], limits: [], lists: [] }] = recordings;

  return { send, options, asked, faults, used, begin: () => served.clear() };

  async function send(...[url, { method, headers, body, signal }]: Parameters<SendRequest>): ReturnType<SendRequest> {
    signal.throwIfAborted();
    const name = `${method} ${url.pathname}`;
    const target = `${method} ${url.href} ${body ?? ""}`;
    const index = asked.length;
    if (index >= MAX_REQUESTS) faults.add(`${options.call} sends ${name} for ever`);
    if (!calls.some((one) => fits(one, name)))
      faults.add(`${options.call} sends ${name}, which is not among the calls of the recording`);
    const found = index >= MAX_REQUESTS ? null : answerTo({ url, method, headers, body });
    keepsToLimits(name, url.host, found?.customer ?? 0);
    const fault = options.fault?.({ index, target, body }) ?? null;
    const answer =
      typeof fault === "object" && fault !== null ? fault : (found?.answer ?? { status: 404, headers: {}, json: {} });
    const text = answer.text ?? (answer.json === undefined ? "" : writeJson(answer.json));
    asked.push({
      call: options.call,
      name,
      target,
      url,
      headers,
      answer: typeof fault === "string" ? "" : text,
      unlike: fault === null && answer.status >= 400 ? unlikeHeaders({ url, method, headers, body }) : [],
    });
    // Lets the other customer's request overtake this one.
    for (let round = 0; round < index % 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
    return typeof fault !== "string"
      ? reply(answer.status, text, contentOf(answer))
      : failing(fault, { text, answer, signal });
  }

  /** What keeps a request that is refused from the exchanges that would answer it with data. */
  function unlikeHeaders(request: SentRequest): readonly string[] {
    const ignored = pageNamesOf(request);
    const names = recordings.flatMap(({ exchanges }) =>
      exchanges
        .filter((one) => one.answer.status < 300 && matchesButHeaders(one, request, ignored))
        .map((one) => unlikeIn(one, request)),
    );
    return names.some((each) => each.length === 0) ? [] : [...new Set(names.flat())];
  }

  function pageNamesOf({ method, url }: SentRequest): readonly string[] {
    const list = lists.find(({ of }) => fits(of, `${method} ${url.pathname}`));
    return list?.pages ? pageNames(list.pages) : [];
  }

  function answerTo(request: SentRequest) {
    const { url, method } = request;
    const name = `${method} ${url.pathname}`;
    const list = lists.find(({ of }) => fits(of, name)) ?? null;
    const other = options.instead.find(({ of }) => fits(of, name));
    if (other) return { answer: other.answer, customer: 0 };
    const ignored = pageNamesOf(request);
    const matching = recordings.flatMap(({ exchanges }, customer) =>
      exchanges.flatMap((exchange) =>
        matches(exchange, request, ignored) ? [{ exchange, customer, weight: weightOf(exchange) }] : [],
      ),
    );
    const timely = matching.filter(
      ({ exchange: { during = options.during } }) => options.during === null || during === options.during,
    );
    if (timely.length === 0) {
      const why =
        matching.length === 0
          ? "which no exchange of the recording answers"
          : `which is not for the ${options.during === "refresh" ? "fetch with since" : "first fetch"}`;
      const unlike = unlikeHeaders(request);
      const headers = unlike.length === 0 ? "" : `: headers differ (${unlike.join(", ")})`;
      if (options.isStrict) faults.add(`${options.call} sends ${name}${url.search}, ${why}${headers}`);
      return null;
    }
    const most = Math.max(...timely.map(({ weight }) => weight));
    const best = timely.filter(({ weight }) => weight === most);
    const [first] = best;
    if (!first) return null;
    const same = best.filter(
      ({ exchange, customer }) =>
        customer === first.customer && isDeepStrictEqual(exchange.request, first.exchange.request),
    );
    for (const { exchange, customer } of best)
      if (customer !== first.customer && !isDeepStrictEqual(exchange.answer, first.exchange.answer))
        faults.add(`${options.call} sends ${name}, and nothing in it says for which customer`);
    const key = `${first.customer} ${JSON.stringify(first.exchange.request)}`;
    const count = served.get(key) ?? 0;
    served.set(key, count + 1);
    const { exchange } = same[Math.min(count, same.length - 1)] ?? first;
    used.add(exchange);
    return { answer: list === null ? exchange.answer : listed(exchange.answer, list, url), customer: first.customer };
  }

  function listed(recorded: RecordedAnswer, list: RecordedList, url: URL): RecordedAnswer {
    const rows = rowsOf(recorded, list);
    const whole = options.isReversed && rows !== null ? withRows(recorded, list, rows.toReversed()) : recorded;
    return pageOf(whole, list, { url, division: options.division }) ?? whole;
  }

  /** Every window of a limit, in the time of the provider's clock. Each environment of an institution counts by itself. */
  function keepsToLimits(name: string, host: string, customer: number): void {
    const at = clock().getTime();
    times.push({ at, customer, host, name });
    for (const { every_ms, calls: most, of, shared } of limits) {
      const counts = (one: string) => of === undefined || of.some((call) => fits(call, one));
      if (!counts(name)) continue;
      const within = times.filter(
        (one) =>
          one.at > at - every_ms && one.host === host && counts(one.name) && (shared || one.customer === customer),
      );
      if (within.length > most)
        faults.add(
          `${options.call} sends ${name} as request ${within.length} within ${every_ms} ms, and ${most} are allowed: await pace() before each`,
        );
    }
  }
}

interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

function matches(exchange: Exchange, sent: SentRequest, ignored: readonly string[]): boolean {
  return matchesButHeaders(exchange, sent, ignored) && unlikeIn(exchange, sent).length === 0;
}

/** The names of headers that an exchange wants and a request has not, or has with another value. */
function unlikeIn({ request }: Exchange, { headers }: SentRequest): readonly string[] {
  return Object.entries(request.headers).flatMap(([name, value]) => {
    const sent = headers[name.toLowerCase()];
    const isAlike = value === "*" ? sent !== undefined : sent === value || decodedBasic(sent) === value;
    return isAlike ? [] : [name];
  });
}

function matchesButHeaders(
  { request }: Exchange,
  { url, method, body }: SentRequest,
  ignored: readonly string[],
): boolean {
  if (request.method !== method || request.path !== url.pathname) return false;
  if (request.host !== undefined && request.host !== url.host) return false;
  const query = [...url.searchParams].filter(([name]) => !ignored.includes(name));
  const wanted = Object.entries(request.query).filter(([name]) => !ignored.includes(name));
  if (
    query.length !== wanted.length ||
    !wanted.every(([name, value]) =>
      value === "*" ? url.searchParams.has(name) : url.searchParams.get(name) === value,
    )
  )
    return false;
  if (request.body === undefined) return true;
  const sent = membersOf(body);
  return Object.entries(request.body).every(([name, value]) =>
    value === "*" ? valueAt(sent, `/${name}`) !== undefined : isDeepStrictEqual(valueAt(sent, `/${name}`), value),
  );
}

/** HTTP Basic as a recording may write it, `Basic user:password`, so that the suite can rewrite the customer. */
function decodedBasic(header = ""): string {
  return header.replace(/^Basic (.+)$/, (_, text: string) => `Basic ${Buffer.from(text, "base64").toString()}`);
}

/** How much an exchange says about its request: the one that says most answers. */
function weightOf({ request: { query, headers, body = {} } }: Exchange): number {
  return [query, headers, body].flatMap((named) => Object.values(named)).filter((value) => value !== "*").length;
}

/** The members of a JSON body or a form. */
export function membersOf(body: string | null): unknown {
  try {
    return JSON.parse(body ?? "");
  } catch {
    return Object.fromEntries(new URLSearchParams(body ?? ""));
  }
}

/** A recorded answer, as the HTTP client gets it. */
export function replyOf(answer: RecordedAnswer): Awaited<ReturnType<SendRequest>> {
  const text = answer.text ?? (answer.json === undefined ? "" : writeJson(answer.json));
  return reply(answer.status, text, contentOf(answer));
}

function contentOf({ headers, json }: RecordedAnswer): Readonly<Record<string, string>> {
  return json === undefined ? headers : { "content-type": "application/json", ...headers };
}

function reply(statusCode: number, text: string, headers: Readonly<Record<string, string>>) {
  return { statusCode, headers, body: Readable.from([Buffer.from(text)]) };
}

async function failing(
  fault: RequestFault,
  { text, answer, signal }: { text: string; answer: RecordedAnswer; signal: AbortSignal },
): ReturnType<SendRequest> {
  switch (fault) {
    case "500":
      return reply(500, '{"error":"internal"}', { "content-type": "application/json" });
    case "401":
      return reply(401, "{}", { "content-type": "application/json" });
    case "429":
      return reply(429, "{}", { "content-type": "application/json", "retry-after": String(RETRY_AFTER) });
    case "reset":
      throw Object.assign(new Error("the connection was reset"), { code: "ECONNRESET" });
    case "cut":
      return reply(answer.status, text.slice(0, Math.floor(text.length * 0.6)), contentOf(answer));
    case "not_json":
      return reply(200, "<html><body>Service window</body></html>", { "content-type": "text/html" });
    case "hang":
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
  }
}
