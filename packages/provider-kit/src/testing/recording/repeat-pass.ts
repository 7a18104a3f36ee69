import { isDeepStrictEqual } from "node:util";
import type { ProviderDefinition, ProviderServices } from "../../definition.js";
import { hostsIn } from "../../hosts.js";
import { createHttpClient, type HttpExchange, type SendRequest } from "../../http/create-http-client.js";
import { createPace, type PaceLimit } from "../../pace.js";
import type { BankProvider, ConnectorOfProvider, FetchedData, FetchRequest, LoginStep } from "../../port.js";
import { joined } from "../conformance-world.js";
import { logIn } from "../log-in.js";
import { requestsFor } from "../requests.js";
import { textsIn } from "./json-values.js";
import type { Exchange, RecordedAnswer, Recording } from "./recording.js";
import { customerOf, MAX_PENDING, sameBytes } from "./recording-world.js";
import type { ValueReplacer } from "./replace-values.js";
import { membersOf, replyOf } from "./replay.js";
import { createVirtualTime } from "./virtual-time.js";

/** In which call of a provider a request was sent: the check of its settings, a login, a fetch without or with `since`, the end of the access. */
export type RecordedPhase = "check" | "login" | "first" | "refresh" | "revoke";

/** A request that was sent, with its answer, in which all values are others. */
export interface SeenExchange extends Omit<HttpExchange, "answer"> {
  readonly phase: RecordedPhase;
  readonly answer: RecordedAnswer;
}

/** A session of a customer, in which all values are others. */
export interface ReplacedSession {
  // biome-ignore lint/suspicious/noExplicitAny: settings are of any shape; each definition checks its own.
  readonly definition: ProviderDefinition<any>;
  readonly settings: unknown;
  readonly connector: ConnectorOfProvider;
  readonly customer: Recording["customer"];
  readonly exchanges: readonly SeenExchange[];
  readonly replacer: ValueReplacer;
}

/** A run of the provider with the answers of a session. */
export interface Pass {
  /** What was sent, in order, each request once for each other answer. */
  readonly exchanges: readonly (Pick<Exchange, "during" | "request" | "answer"> & {
    /** `GET /accounts/{id}` */
    readonly call: string;
  })[];
  readonly login: Extract<LoginStep, { kind: "authenticated" }>;
  readonly first: FetchedData;
  readonly refresh: FetchedData;
  /** The limits that the provider keeps to; null if it has several, or none. */
  readonly limits: readonly PaceLimit[] | null;
}

/** Headers that say nothing of who asks. */
const plainHeaders = new Set(["accept", "user-agent", "content-type"]);
/** A shorter text may stand in a header by chance. */
const MIN_TOKEN = 6;

/** Runs a provider in virtual time with answers that were seen. @throws Error if it asks for something else, or ends in another way */
export async function repeatPass(
  session: ReplacedSession,
  { startedAt, seed }: { readonly startedAt: Date; readonly seed: number },
): Promise<Pass> {
  const { definition, connector, customer, replacer } = session;
  const parsed = definition.settings.safeParse(session.settings);
  if (!parsed.success)
    throw new Error(
      `settings with other values are refused: ${parsed.error.issues.map(({ path }: { path: readonly PropertyKey[] }) => path.join(".")).join(", ")}`,
    );
  const settings: unknown = parsed.data;
  const time = createVirtualTime(startedAt);
  const client = createHttpClient({
    hosts: definition.hosts?.(settings) ?? hostsIn(settings),
    clock: time.clock,
    send,
  });
  const paced = createPace(time);
  const limits: (readonly PaceLimit[])[] = [];
  const services: ProviderServices = {
    http: { request: (request) => time.during(client.request(request)) },
    clock: time.clock,
    random: sameBytes(seed),
    sleep: time.sleep,
    pace(key, given, ...rest) {
      limits.push(given);
      return paced(key, given, ...rest);
    },
    log: { info: () => undefined, warn: () => undefined },
  };
  let phase: RecordedPhase = "check";
  const unused = new Set(session.exchanges);
  const sent = new Map<string, { readonly phase: RecordedPhase; answer: RecordedAnswer }>();
  const exchanges: Pass["exchanges"][number][] = [];
  /** What says who asks: credentials, and what the institution has answered. */
  const tokens = new Set(Object.values(customer.fields));
  const faults: string[] = [];

  if (session.exchanges.some((one) => one.phase === "check"))
    await definition
      .check?.({ settings, http: services.http, clock: services.clock, signal: new AbortController().signal })
      .catch(() => undefined);
  const provider: BankProvider = { name: definition.name, ...(await definition.create({ ...services, settings })) };
  const requests = requestsFor(connector.connector_id, connector.provider_ref);
  phase = "login";
  const steps = await logIn(provider, requests, { ...customerOf({ customer }), wait: () => time.advance(5_000) }).catch(
    explained,
  );
  const login = steps.at(-1)?.step;
  if (login?.kind !== "authenticated") throw failure(`the login ends ${login?.kind}`);
  phase = "first";
  const first = await fetched(login.access, {});
  phase = "refresh";
  const refresh = await fetched(first.access ?? login.access, { refresh: true, since: first.snapshot.as_of });
  phase = "revoke";
  if (session.exchanges.some((one) => one.phase === phase))
    await provider.revoke?.(requests.revoke(refresh.access ?? first.access ?? login.access)).catch(explained);
  await client.close();
  const [limit] = limits;
  const isOne = limit !== undefined && limits.every((one) => isDeepStrictEqual(one, limit));
  return { exchanges, login, first, refresh, limits: isOne ? limit : null };

  async function fetched(access: unknown, more: Partial<FetchRequest>): Promise<FetchedData> {
    let request = requests.fetch(access, more);
    let whole: FetchedData | null = null;
    for (let round = 0; round < MAX_PENDING; round += 1) {
      const result = await provider.fetch(request).catch(explained);
      if (result.snapshot !== undefined) {
        whole = whole === null ? result : joined(whole, result);
        if (result.more === undefined) return whole;
      }
      const goesOn = result.pending ?? (result.snapshot && result.more);
      const wait = goesOn ?? result.throttled;
      if (!wait) throw failure(`the fetch ends ${result.refused ?? "failed"}`);
      time.advance(wait.retry_after * 1_000);
      const pending_state = goesOn ? JSON.parse(JSON.stringify(goesOn.state)) : request.pending_state;
      request = requests.fetch(result.access ?? request.access, { ...more, pending_state });
    }
    throw failure("the fetch is pending for ever");
  }

  async function send(...[url, { method, headers, body, signal }]: Parameters<SendRequest>): ReturnType<SendRequest> {
    signal.throwIfAborted();
    const request = requestOf({ method, url, headers, body });
    const key = JSON.stringify([url.host, request]);
    const before = sent.get(key);
    // What was answered in an earlier call is answered again: prices may have moved meanwhile.
    const found =
      before && before.phase !== phase ? null : seenFor({ method, url, headers, body }, before !== undefined);
    const answer = found?.answer ?? before?.answer;
    if (answer === undefined) {
      faults.push(`the provider sends ${method} ${url.pathname}, which it had not sent`);
      return replyOf({ status: 404, headers: {}, json: {} });
    }
    if (!before || !isDeepStrictEqual(before.answer, answer)) {
      exchanges.push({
        call: callOf(url, found, method),
        ...(phase === "refresh" && { during: phase }),
        request,
        answer,
      });
    }
    if (found) unused.delete(found);
    sent.set(key, { phase, answer });
    for (const text of textsIn([answer.json, ...(answer.text?.match(/[\w.-]{6,}/g) ?? [])])) tokens.add(text);
    return replyOf(answer);
  }

  /** The next exchange of this call whose request is the same but for its values; null = there is none. */
  function seenFor(asked: Omit<HttpExchange, "answer">, isAgain: boolean): SeenExchange | null {
    const steps = asked.url.pathname.split("/");
    const members = (membersOf(asked.body) ?? {}) as Readonly<Record<string, unknown>>;
    let best: { readonly exchange: SeenExchange; readonly alike: number; readonly isSame: boolean } | null = null;
    for (const exchange of unused) {
      const own = exchange.url.pathname.split("/");
      const isHere =
        exchange.phase === phase && exchange.method === asked.method && exchange.url.host === asked.url.host;
      if (
        !isHere ||
        own.length !== steps.length ||
        !own.every((step, at) => isAlike(decoded(step), decoded(steps[at] ?? "")))
      )
        continue;
      const pairs = [
        ...[...asked.url.searchParams].map(([name, value]) => [exchange.url.searchParams.get(name), value] as const),
        ...Object.entries(members).map(([name, value]) => [memberOf(exchange.body, name), value] as const),
      ];
      const missing = [...exchange.url.searchParams.keys()].filter((name) => !asked.url.searchParams.has(name)).length;
      const alike = pairs.filter(([one, other]) => isAlike(one, other)).length;
      if (best === null || alike - missing > best.alike)
        best = { exchange, alike: alike - missing, isSame: missing === 0 && alike === pairs.length };
    }
    return best === null || (isAgain && !best.isSame) ? null : best.exchange;
  }

  function isAlike(seen: unknown, asked: unknown): boolean {
    return isDeepStrictEqual(seen, asked) || (typeof seen === "string" && replacer.text(seen) === asked);
  }

  function callOf(url: URL, found: SeenExchange | null, method: string): string {
    const own = found?.url.pathname.split("/") ?? [];
    const steps = url.pathname
      .split("/")
      .map((step, at) => (own[at] === step || own[at] === undefined ? step : "{id}"));
    return `${method} ${steps.join("/")}`;
  }

  function requestOf({ method, url, headers, body }: Omit<HttpExchange, "answer">): Exchange["request"] {
    const said = [...tokens].filter((token) => token.length >= MIN_TOKEN);
    const own = Object.entries(headers).filter(
      ([name, value]) =>
        name === "authorization" || (!plainHeaders.has(name) && said.some((token) => value.includes(token))),
    );
    const members = body === null ? null : (membersOf(body) as Record<string, unknown> | null);
    return {
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(own),
      ...(members !== null && { body: members }),
    };
  }

  function failure(why: string): Error {
    return new Error(faults[0] ?? why);
  }

  function explained(error: unknown): never {
    throw failure(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

function memberOf(body: string | null, name: string): unknown {
  return (membersOf(body) as Readonly<Record<string, unknown>> | null)?.[name];
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
