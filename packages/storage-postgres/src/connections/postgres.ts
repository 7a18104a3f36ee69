import pg from "pg";
import { faultOf, StorageError } from "../storage-error.js";
import {
  createDatabaseMonitor,
  type DatabaseMonitor,
  type OnAvailabilityChange,
  SILENT_MS,
} from "./database-monitor.js";
import { createDeadline, type Deadline } from "./deadline.js";
import { FreeListPool } from "./free-list-pool.js";
import { createHosts, type Hosts, hostsOf, requireWritable } from "./hosts.js";
import { LOCK_TIMEOUT_MS, READ_TIMEOUT_MS } from "./time-limits.js";

/** Connections to PostgreSQL, and the monitor of the database. */
export interface PostgresConnections {
  readonly pool: FreeListPool;
  readonly monitor: DatabaseMonitor;
}

/** How long a new connection may take. */
const CONNECT_MS = 5_000;
/** How soon the kernel begins to probe an idle connection (TCP keep-alive). */
const KEEP_ALIVE_MS = 10_000;

/**
 * Opens a pool with a maximum size, and one more connection for the database monitor. No connection waits for an answer forever, even if packets
 * are lost. If the URL names several hosts or sets `target_session_attrs`, all connections lead to the writable host.
 */
export function connectPostgres(
  databaseUrl: string,
  connections: number,
  onChange: OnAvailabilityChange,
): PostgresConnections {
  const { urls, mustWrite } = hostsOf(databaseUrl);
  const [first = databaseUrl] = urls;
  const open = new Set<pg.PoolClient>();
  const hosts = mustWrite ? createHosts(urls, endOthers) : null;
  const common = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  /** Also those that are still being opened. */
  class OpenClient extends HostClient {
    constructor(options: pg.ClientConfig) {
      super(hosts?.chosen() ?? first, options);
      open.add(this as unknown as pg.PoolClient);
      this.once("end", () => open.delete(this as unknown as pg.PoolClient));
    }
  }
  const pool = poolOf(hosts, {
    ...common,
    Client: OpenClient as unknown as new () => pg.ClientBase,
    // One more than work may take: `migrationState` and the doctor query the pool directly.
    max: connections + 1,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "wealth-connect",
    onConnect: async (client) => {
      await queryWithTimeout(client as pg.PoolClient, SESSION_SETTINGS, undefined, SILENT_MS);
    },
  });
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    // The same for a connection that breaks while in use: its query or transaction fails with the reason.
    client.on("error", () => undefined);
    client.on("notice", (notice) => {
      if ("routine" in notice && notice.routine === GAVE_UP_STANDBY) alone.add(client);
    });
  });
  const monitor = createDatabaseMonitor({
    onChange,
    onSilent() {
      for (const client of open) destroy(client);
    },
    async connect() {
      const url = hosts === null ? first : await hosts.find();
      const client = new pg.Client({
        ...common,
        connectionString: url,
        connectionTimeoutMillis: SILENT_MS,
        application_name: "wealth-connect watch",
      });
      client.on("error", () => undefined);
      await client.connect();
      return {
        async ask() {
          if (hosts === null) await client.query("select 1");
          else await requireWritable(client).catch(notAt(url));
        },
        destroy: () => destroy(client),
      };
    },
  });
  return { pool, monitor };

  /** Connections to a host that is no longer writable are useless, even if it still answers. */
  function endOthers(url: string): void {
    for (const client of open) if (!leadsTo(client, url)) destroy(client);
  }

  function notAt(url: string) {
    return (error: Error): never => {
      hosts?.lost(url);
      if (faultOf(error) === "read_only") for (const client of open) if (leadsTo(client, url)) destroy(client);
      throw error;
    };
  }
}

/** A connection that knows its host. */
class HostClient extends pg.Client {
  constructor(
    readonly url: string,
    config: pg.ClientConfig,
  ) {
    super({ ...config, connectionString: url });
  }
}

function leadsTo(client: pg.Client, url: string): boolean {
  return client instanceof HostClient && client.url === url;
}

/** A pool over one host, or over the writable one of several. */
function poolOf(hosts: Hosts | null, config: pg.PoolConfig): FreeListPool {
  if (hosts === null) return new FreeListPool(config);
  return new HostsPool(hosts, {
    ...config,
    async onConnect(client) {
      try {
        await config.onConnect?.(client);
        await requireWritable(client);
      } catch (error) {
        hosts.lost((client as HostClient).url);
        throw error;
      }
    },
  });
}

/**
 * When a statement's time is over or it is cancelled, PostgreSQL stops waiting for its synchronous standby. It sends a notice and has
 * committed all the same: a failure of the primary may now undo the change.
 */
const GAVE_UP_STANDBY = "SyncRepWaitForLSN";
/** Connections that received this notice, until the answer that it belongs to has arrived. */
const alone = new WeakSet<pg.Client>();

type Connected = Parameters<Parameters<pg.Pool["connect"]>[0]>;

/** Finds the writable host before it connects, and again after a connection to that host failed. */
class HostsPool extends FreeListPool {
  readonly #hosts: Hosts;

  constructor(hosts: Hosts, config: pg.PoolConfig) {
    super(config);
    this.#hosts = hosts;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connectToChosen();
    if (callback === undefined) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connectToChosen(): Promise<pg.PoolClient> {
    const url = this.#hosts.chosen() ?? (await this.#hosts.find());
    try {
      return await super.connect();
    } catch (error) {
      this.#hosts.lost(url);
      throw error;
    }
  }
}

/**
 * Settings for statements outside transactions, which cannot carry their own limits. They are sent after connecting, because poolers refuse such
 * startup parameters; behind a pooler in transaction mode they apply to all of its server connections, which are ours alone.
 * A role or database may have its own settings: those that change the meaning of statements or the format of values are reset to PostgreSQL's
 * defaults. JIT is off: compiling took up to two thirds of a read over thousands of connections at every call, and no statement here gains that
 * much.
 */
const SESSION_SETTINGS = `set statement_timeout = ${READ_TIMEOUT_MS}; set lock_timeout = ${LOCK_TIMEOUT_MS}; set jit = off;
  set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set standard_conforming_strings = on; set backslash_quote = 'safe_encoding';
  set array_nulls = on; set transform_null_equals = off; set xmloption = 'content'; set quote_all_identifiers = off;
  set search_path = public; set row_security = on; set check_function_bodies = on;
  set default_transaction_isolation = 'read committed'; set default_transaction_deferrable = off;
  set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/**
 * Runs a query with a time limit in milliseconds (0 = none); of several statements in one message it returns the last one's result. When the time is
 * over it destroys the connection, since its next answer could belong to either query.
 * @throws StorageError `unavailable`, also for a change that is not on the synchronous standby in time: it may last or may be lost
 */
export function queryWithTimeout<Result extends pg.QueryResult | pg.QueryArrayResult>(
  client: pg.PoolClient,
  query: string | pg.QueryConfig | pg.QueryArrayConfig,
  values: unknown[] | undefined,
  milliseconds: number,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const waiting = milliseconds > 0 ? deadlineOf(client).begin(milliseconds) : null;
    // Every statement passes here; `pg`'s promise API would cost three more promises each.
    client.query(query as string, values as unknown[], (error: Error | null, result) => {
      const isLate = waiting?.end() ?? false;
      if (error) reject(isLate ? late(error) : error);
      else if (alone.delete(client)) reject(onPrimaryOnly());
      else resolve((Array.isArray(result) ? result.at(-1) : result) as Result);
    });
  });
}

const deadlines = new WeakMap<pg.Client, Deadline>();

function deadlineOf(client: pg.Client): Deadline {
  let deadline = deadlines.get(client);
  if (deadline === undefined) {
    deadline = createDeadline(() => destroy(client));
    deadlines.set(client, deadline);
  }
  return deadline;
}

function late(cause: Error): StorageError {
  return new StorageError("unavailable", "the database did not answer in time", {
    cause,
    retryAfterSeconds: 5,
    outcome: "unknown",
  });
}

function onPrimaryOnly(): StorageError {
  return new StorageError("unavailable", "what was changed is not on the synchronous standby", {
    retryAfterSeconds: 5,
    outcome: "unknown",
  });
}

/** Whether to close a returned connection: one to a standby is useless. The pool itself drops connections that have ended. */
export function mustDestroy(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === "read_only" || fault === "lost";
}

/** Closes a connection immediately; its pending queries fail. The pool drops it when it is returned. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy();
}
