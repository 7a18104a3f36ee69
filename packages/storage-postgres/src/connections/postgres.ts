import pg from "pg";
import { faultOf, StorageError } from "../storage-error.js";
import { createLine, type Line, type OnLine, SILENT_MS } from "./line.js";
import { LOCK_TIMEOUT_MS, READ_TIMEOUT_MS } from "./time-limits.js";

/** Connections to PostgreSQL, and what watches over the way to it. */
export interface PostgresConnections {
  readonly pool: pg.Pool;
  readonly line: Line;
}

/** How long a new connection may take. */
const CONNECT_MS = 5_000;
/** What stays idle for so long is closed. */
const IDLE_MS = 60_000;
/** How soon the kernel begins to ask whether the other side of an idle connection is there. */
const KEEP_ALIVE_MS = 10_000;

/**
 * A pool of at most so many connections, and one more that asks whether the database answers. No connection waits for an answer for
 * ever, whatever happened to the packets.
 */
export function connectPostgres(databaseUrl: string, connections: number, onChange: OnLine): PostgresConnections {
  const common = {
    connectionString: databaseUrl,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const pool = new pg.Pool({
    ...common,
    // One more than work may take: `migrationState` and the doctor ask the pool by themselves.
    max: connections + 1,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    application_name: "wealth-connect",
    onConnect: async (client) => {
      await ask(client as pg.PoolClient, SESSION_LIMITS, undefined, SILENT_MS);
    },
  });
  const open = new Set<pg.PoolClient>();
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    open.add(client);
    // The same for one that breaks while it is in use: its query or its transaction fails and tells why.
    client.on("error", () => undefined);
  });
  pool.on("remove", (client) => open.delete(client));
  const line = createLine({
    onChange,
    onSilent() {
      for (const client of open) destroy(client);
    },
    async connect() {
      const client = new pg.Client({
        ...common,
        connectionTimeoutMillis: SILENT_MS,
        application_name: "wealth-connect watch",
      });
      client.on("error", () => undefined);
      await client.connect();
      return {
        ask: async () => {
          await client.query("select 1");
        },
        destroy: () => destroy(client),
      };
    },
  });
  return { pool, line };
}

/**
 * For statements outside transactions, which cannot bring their limits along. Said after connecting, because poolers refuse such
 * parameters at the beginning of a connection; behind one in transaction mode they hold for all that it lends out, which is ours.
 */
const SESSION_LIMITS = `set statement_timeout = ${READ_TIMEOUT_MS}; set lock_timeout = ${LOCK_TIMEOUT_MS}`;

/**
 * The answer to a query, within so many milliseconds (0 = whenever): then its connection is destroyed, for nobody knows what it
 * would answer next.
 * @throws StorageError `unavailable`
 */
export function ask<Result extends pg.QueryResult | pg.QueryArrayResult>(
  client: pg.PoolClient,
  query: string | pg.QueryConfig | pg.QueryArrayConfig,
  values: unknown[] | undefined,
  milliseconds: number,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let isLate = false;
    const giveUp = () => {
      if (isOver) return;
      isLate = true;
      destroy(client);
    };
    // What has arrived by then counts, also when this process was too busy to look at it.
    const timer = milliseconds > 0 ? setTimeout(() => setImmediate(giveUp), milliseconds) : undefined;
    const over = () => {
      isOver = true;
      clearTimeout(timer);
    };
    (client.query(query as string, values as unknown[]) as Promise<unknown>).then(
      (result) => {
        over();
        resolve(result as Result);
      },
      (error: Error) => {
        over();
        reject(isLate ? late(error) : error);
      },
    );
  });
}

function late(cause: Error): StorageError {
  return new StorageError("unavailable", "the database did not answer in time", { cause, retryAfterSeconds: 5 });
}

/** Whether a connection is given back for good: one to a standby leads nowhere. The pool drops by itself what has ended. */
export function mustEnd(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === "read_only" || fault === "lost";
}

/** Ends a connection at once; whoever waits for an answer over it gets an error. The pool drops it when it is given back. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy();
}
