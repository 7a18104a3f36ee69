import type { ServerResponse } from "node:http";
import { CoreError, type EventView } from "@org/core";
import type { Exchange } from "@org/http";
import { INSTALLATION, PeopleError, type SignedIn } from "@org/people";
import type { RestServices } from "@org/rest-api";

/** Where the events come from that open pages follow. */
export interface EventSource {
  /** The log of events, with places of its own for those who wait. */
  readonly events: RestServices["events"];
  /** How far the logs of all tenants go, for operators. It may be up to two seconds old. */
  readonly heads: () => Promise<ReadonlyMap<string, number>>;
}

/**
 * Streams that are open at once: of one session, and in all. Beyond these whoever has less than an equal part of them, as a tenant or as the
 * installation, has some still, so that nobody's many sessions take all of them.
 */
const MAX_STREAMS = { ofSession: 10, overall: 200, withFairPart: 400 };

/** For how long a stream waits for news before it looks again whether its session lives: a person who was removed is out within 5 s. */
const ROUND_SECONDS = 2;
const HEARTBEAT_ROUNDS = 6;
/** What a page has not read; beyond it the stream ends, and the page resumes when it comes. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** For how long the end of a stream waits for somebody who reads. */
const MAX_END_MS = 2_000;
const MAX_EVENTS_READ = 50;
const RETRY_MS = 2_000;
/** What an operator's page that comes back asks for anew: which tenant's log it had read how far is known to nobody. */
const NOUNS = ["connection", "grant", "letter", "mail", "provider", "session", "webhook"];

/** Streams of what happens, one for each open page (server-sent events, HTML §9.2). */
export function createEventStreams(deps: {
  readonly source: EventSource;
  /** Who is signed in, without noting that they were here. @throws PeopleError `not_signed_in` */
  readonly look: (exchange: Exchange) => Promise<SignedIn>;
  readonly onOpen: (open: number) => void;
}) {
  const { source, look } = deps;
  /** Of which session and place each is. */
  const open = new Map<ServerResponse, { readonly session: string; readonly log: string }>();
  let isStopping = false;

  return {
    /** Begins a stream and follows it until the page, the session or the server ends it. @throws CoreError RATE_LIMITED, UNAVAILABLE */
    async serve(exchange: Exchange): Promise<void> {
      const { request, response } = exchange;
      const signedIn = await look(exchange);
      // Nobody would be told a second time that it is closed, and its place never be free again.
      if (response.destroyed) return;
      if (isStopping) {
        begin(response);
        askToReconnect(response);
        return;
      }
      const log = signedIn.person.tenant_id;
      enter(response, { session: signedIn.session.session_id, log });
      const gone = new AbortController();
      response.once("close", () => {
        gone.abort();
        leave(response);
      });
      const isOperator = log === INSTALLATION;
      const resumed = request.headers["last-event-id"];
      let after = await placeOf(log, typeof resumed === "string" ? resumed : null);
      let heads = isOperator ? await source.heads() : new Map<string, number>();
      if (gone.signal.aborted) return;
      begin(response);
      write(response, `retry: ${RETRY_MS}\n${after === null ? "" : `id: ${after}\n`}: here\n\n`);
      if (isOperator && resumed !== undefined)
        for (const noun of NOUNS) send(response, null, { type: `${noun}.changed`, object: {}, tenant_id: null });
      for (let round = 1; !gone.signal.aborted && !isStopping; round += 1) {
        try {
          await look(exchange);
          const { items } = await source.events.list(log, searchOf(after), gone.signal);
          for (const event of items) send(response, event.id, changeOf(event));
          after = items.at(-1)?.id ?? after;
          if (isOperator) heads = await sendOfTenants(response, heads);
        } catch (error) {
          if (error instanceof PeopleError) {
            write(response, "event: signed_out\ndata: {}\n\n");
            break;
          }
          // The database is away, or the place is too old: the page comes back, and asks for what it shows.
          break;
        }
        if (round % HEARTBEAT_ROUNDS === 0) write(response, ": here\n\n");
        if (response.writableLength > MAX_UNREAD_BYTES) {
          response.destroy();
          return;
        }
      }
      end(response);
    },
    /** Ends all, at once: the pages come back, to another server. */
    stop(): void {
      isStopping = true;
      for (const response of [...open.keys()]) askToReconnect(response);
    },
  };

  /** Ends a stream that its page begins anew after a while. A refusal would end it for good (HTML §9.2.3). */
  function askToReconnect(response: ServerResponse): void {
    write(response, `retry: ${RETRY_MS}\n\n`);
    end(response);
  }

  /** Ends a stream, which has its place no longer, also where nobody reads that it has ended. */
  function end(response: ServerResponse): void {
    leave(response);
    if (response.closed || response.writableEnded) return;
    response.end();
    const unread = setTimeout(() => response.destroy(), MAX_END_MS);
    response.once("close", () => clearTimeout(unread));
  }

  function leave(response: ServerResponse): void {
    if (open.delete(response)) deps.onOpen(open.size);
  }

  function enter(response: ServerResponse, whose: { readonly session: string; readonly log: string }): void {
    const all = [...open.values()];
    const own = all.filter(({ session }) => session === whose.session).length;
    if (own >= MAX_STREAMS.ofSession) throw tooMany("RATE_LIMITED", "streams_of_session", MAX_STREAMS.ofSession);
    if (all.length >= MAX_STREAMS.overall) {
      const ofLog = all.filter(({ log }) => log === whose.log).length;
      const places = new Set([whose.log, ...all.map(({ log }) => log)]).size;
      if (all.length >= MAX_STREAMS.withFairPart || ofLog >= MAX_STREAMS.overall / places)
        throw tooMany("UNAVAILABLE", "streams", MAX_STREAMS.overall);
    }
    open.set(response, whose);
    deps.onOpen(open.size);
  }

  /** Behind which event a stream begins: the one that the page had last, while it is kept, or the newest. */
  async function placeOf(log: string, resumed: string | null): Promise<string | null> {
    if (resumed !== null) {
      const kept = await source.events.list(log, searchOf(resumed, 0)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof CoreError && error.code === "VALIDATION_ERROR") return false;
          throw error;
        },
      );
      if (kept) return resumed;
    }
    const newest = { ...searchOf(null, 0), order: "desc", page_size: 1 } as const;
    return (await source.events.list(log, newest)).items[0]?.id ?? null;
  }

  async function sendOfTenants(response: ServerResponse, known: ReadonlyMap<string, number>) {
    const heads = await source.heads();
    for (const [tenant, head] of heads) {
      const more = head - (known.get(tenant) ?? 0);
      if (more <= 0) continue;
      const page_size = Math.min(more, MAX_EVENTS_READ);
      const { items } = await source.events.list(tenant, { ...searchOf(null, 0), order: "desc", page_size });
      for (const event of items.toReversed()) send(response, null, changeOf(event));
    }
    return heads;
  }
}

function begin(response: ServerResponse): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
}

function searchOf(after: string | null, wait_seconds = ROUND_SECONDS) {
  return { query: after === null ? {} : { after }, order: "asc", page_size: 100, wait_seconds } as const;
}

function changeOf({ type, data, tenant_id }: EventView) {
  return { type, object: data, tenant_id: tenant_id === INSTALLATION ? null : tenant_id };
}

function send(response: ServerResponse, id: string | null, change: object): void {
  write(response, `${id === null ? "" : `id: ${id}\n`}event: change\ndata: ${JSON.stringify(change)}\n\n`);
}

function write(response: ServerResponse, text: string): void {
  if (!response.writableEnded && !response.destroyed) response.write(text);
}

function tooMany(code: "RATE_LIMITED" | "UNAVAILABLE", name: string, value: number): CoreError {
  return new CoreError(code, `at most ${value} pages follow events at once`, {
    limit: { name, value },
    retryAfterSeconds: 5,
  });
}
