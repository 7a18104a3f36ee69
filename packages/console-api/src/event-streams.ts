import type { ServerResponse } from "node:http";
import { createPlaces, type ReachedLimit } from "@org/admission";
import { CoreError, type EventView, reachedLimitError } from "@org/core";
import type { Exchange } from "@org/http";
import { INSTALLATION, PeopleError, type SignedIn } from "@org/people";
import type { RestServices } from "@org/rest-api";

/** Source of the events that open pages follow. */
export interface EventSource {
  /** The event log, with its own limit on waiting readers. */
  readonly events: RestServices["events"];
  /** Position of the newest event in each tenant's log, for operators. It may be up to two seconds old. */
  readonly heads: () => Promise<ReadonlyMap<string, number>>;
}

/**
 * Limits of concurrent streams: per session, and overall for each tenant (or the installation) no more than its part, so that one tenant's
 * many sessions cannot take all of them.
 */
const RETRY_SECONDS = 5;
const OF_SESSION = { ofKey: { name: "streams_of_session", value: 10 }, retryAfterSeconds: RETRY_SECONDS };
const OF_LOG = { overall: { name: "streams", value: 400 }, retryAfterSeconds: RETRY_SECONDS };

/** How long a stream waits for events before it checks its session again: a removed person is signed out within 5 s. */
const ROUND_SECONDS = 2;
const HEARTBEAT_ROUNDS = 6;
/** Maximum of unread bytes. Beyond it the stream ends, and the page resumes when it reconnects. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** How long a stream's end waits for the client to read it. */
const MAX_END_MS = 2_000;
const MAX_EVENTS_READ = 50;
const RETRY_MS = 2_000;
/** What an operator's page reloads after reconnecting: nothing records how far it had read each tenant's log. */
const NOUNS = ["connection", "grant", "letter", "mail", "provider", "session", "webhook"];

/** Makes the event streams, one per open page (server-sent events, HTML §9.2). */
export function createEventStreams(deps: {
  readonly source: EventSource;
  /** Returns who is signed in, without recording activity. @throws PeopleError `not_signed_in` */
  readonly look: (exchange: Exchange) => Promise<SignedIn>;
  readonly onOpen: (open: number) => void;
}) {
  const { source, look } = deps;
  /** Open streams, with their session and event log. */
  const open = new Map<ServerResponse, { readonly session: string; readonly log: string }>();
  const [ofSession, ofLog] = [createPlaces(OF_SESSION), createPlaces(OF_LOG)];
  let isStopping = false;

  return {
    /** Starts a stream and follows it until the page, the session or the server ends it. @throws CoreError RATE_LIMITED, UNAVAILABLE */
    async serve(exchange: Exchange): Promise<void> {
      const { request, response } = exchange;
      const signedIn = await look(exchange);
      // `close` has fired already and will not fire again, so the stream's slot would never be released.
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
          // The database is unavailable, or the position is too old. The page reconnects and reloads what it shows.
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
    /** Ends all streams immediately. The pages reconnect, to another server. */
    stop(): void {
      isStopping = true;
      for (const response of [...open.keys()]) askToReconnect(response);
    },
  };

  /** Ends a stream so that its page reconnects after a delay. An error response would stop it from reconnecting (HTML §9.2.3). */
  function askToReconnect(response: ServerResponse): void {
    write(response, `retry: ${RETRY_MS}\n\n`);
    end(response);
  }

  /** Ends a stream and releases its slot, even if the client does not read the end. */
  function end(response: ServerResponse): void {
    leave(response);
    if (response.closed || response.writableEnded) return;
    response.end();
    const unread = setTimeout(() => response.destroy(), MAX_END_MS);
    response.once("close", () => clearTimeout(unread));
  }

  function leave(response: ServerResponse): void {
    const whose = open.get(response);
    if (!whose) return;
    open.delete(response);
    ofSession.leave(whose.session);
    ofLog.leave(whose.log);
    deps.onOpen(open.size);
  }

  function enter(response: ServerResponse, whose: { readonly session: string; readonly log: string }): void {
    const limit = ofSession.take(whose.session);
    if (limit) throw tooMany(limit);
    const limitOfLog = ofLog.take(whose.log);
    if (limitOfLog) {
      ofSession.leave(whose.session);
      throw tooMany(limitOfLog);
    }
    open.set(response, whose);
    deps.onOpen(open.size);
  }

  /** The event after which a stream starts: the last one that the page received, if it is still kept, else the newest. */
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

function tooMany(limit: ReachedLimit): CoreError {
  return reachedLimitError(limit, `at most ${limit.value} pages follow events at once`);
}
