import type { Tracer } from "@opentelemetry/api";
import type { KeyedRequests, NameReader, OutcomeStore, Storage, WorkReader } from "@org/core";
import type { DeliveryQueue, EndpointStore, EventStore } from "@org/events";
import type { SourceStores } from "@org/feed-sources";
import type { OAuthStore } from "@org/oauth-server";
import type { PeopleStores } from "@org/people";
import { sql } from "kysely";
import {
  type ConnectionQuota,
  createConnectionQuota,
  type Workload,
  type WorkloadState,
} from "./connections/connection-quota.js";
import {
  createEmbeddedMonitor,
  type DatabaseMonitorState,
  type OnAvailabilityChange,
} from "./connections/database-monitor.js";
import type { FreeListPool } from "./connections/free-list-pool.js";
import { connectPostgres } from "./connections/postgres.js";
import { createDatabaseClock, type DatabaseClock, machineClock } from "./database-clock.js";
import { openEmbedded } from "./embedded/index.js";
import { createEventStore } from "./events/event-store.js";
import { createSourceStores } from "./feed-sources/source-stores.js";
import { createEndedSessions, type SharedEndedSessions } from "./oauth/ended-sessions.js";
import { createGrantEndings } from "./oauth/grant-endings.js";
import { createOAuthStore } from "./oauth/oauth-store.js";
import { createPeopleStores } from "./people/people-stores.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { keyedRequests } from "./queries/keyed-requests.js";
import { createNameReader } from "./queries/name-reader.js";
import { createOutcomeStore } from "./queries/outcomes.js";
import { createWorkReader } from "./queries/work-reader.js";
import { type SealedValues, sealedValues } from "./sealed-values.js";
import { explainDriverError } from "./storage-error.js";
import {
  AWAY_WAIT_MS,
  createTransactions,
  defaultQuotaLimits,
  type Governance,
  INSTALLATION_KEY,
  type Transactions,
} from "./transactions.js";
import { createDeliveryQueue } from "./webhooks/delivery-queue.js";
import { createEndpointStore } from "./webhooks/endpoint-store.js";

/** The database to open. */
export type StorageLocation =
  /**
   * PostgreSQL, such as `postgres://user:secret@host/name`. `connections` is how many connections work may take, 16 by default; two more are
   * used for monitoring.
   */
  | { readonly databaseUrl: string; readonly connections?: number }
  /** Embedded, in `pg` below the folder; see `openEmbedded` for the template. */
  | { readonly dataDir: string; readonly templateFile?: string }
  /** Embedded in memory, lost when the process ends. */
  | { readonly memory: true; readonly templateFile?: string };

/** Limits of one tenant, and callbacks. */
export interface StorageOptions {
  /** Concurrent statements and transactions of one tenant; a quarter of the connections by default. */
  readonly perTenant?: number | undefined;
  /** How many more of one tenant may wait; 200 by default. */
  readonly waitingPerTenant?: number | undefined;
  /** Called once when the database becomes unavailable and once when it is back. */
  readonly onAvailabilityChange?: OnAvailabilityChange;
  /** How long work waits for an unavailable database, in milliseconds; 2,000 by default. */
  readonly awayWaitMs?: number;
  /**
   * Set to false behind a pooler in transaction mode that does not support prepared statements, such as pgbouncer before 1.21: every statement
   * is then planned each time. True by default.
   */
  readonly preparedStatements?: boolean;
  /** Called for every change that was refused because the disk is full. */
  readonly onNoRoom?: (error: Error) => void;
  /** Creates a span for every statement that runs within a span; no spans by default. */
  readonly tracer?: Tracer | undefined;
  /** Called after every wait for a connection. */
  readonly onWaited?: (use: Workload, ms: number) => void;
}

/** The current use of the connections. */
export interface DatabaseLoad extends DatabaseMonitorState {
  readonly workloads: Readonly<Record<Workload, WorkloadState>>;
  /** Tenants that wait for a connection. */
  readonly tenantsWaiting: number;
}

/** An open database with every store. It may still need migrating. */
export interface OpenedStorage {
  readonly kind: "postgres" | "embedded";
  readonly storage: Storage;
  readonly oauthStore: OAuthStore;
  readonly sourceStores: SourceStores;
  readonly eventStore: EventStore;
  readonly endpointStore: EndpointStore;
  readonly deliveryQueue: DeliveryQueue;
  readonly peopleStores: PeopleStores;
  readonly workReader: WorkReader;
  readonly nameReader: NameReader;
  readonly outcomeStore: OutcomeStore;
  readonly keyedRequests: KeyedRequests;
  readonly serverKeys: ServerKeys;
  readonly sealedValues: SealedValues;
  readonly endedSessions: SharedEndedSessions;
  /** The time that all replicas on this database share; the machine's for an embedded one. */
  readonly clock: DatabaseClock;
  readonly pool: FreeListPool;
  /** Resolves when the database answers. @throws StorageError `unavailable`, within two seconds */
  ping(): Promise<void>;
  load(): DatabaseLoad;
  /** The shortest wait of a request for a connection since the last call, in ms: more than 0 means that a queue persists. */
  standing(): number;
  /** Calls `listener` after every commit of this process that contains events, which then wait to be numbered. The listener does not throw. */
  onEvents(listener: () => void): void;
  close(): Promise<void>;
}

/** Connections that work may take by default. */
const DEFAULT_CONNECTIONS = 16;

/** `/readyz` answers within two seconds, whatever happens. */
const PING_MS = 1_500;
/** If no query was answered for this long, the monitor checks the database. */
const STALLED_MS = 500;

/**
 * Opens a database; it connects on first use.
 * @param machineTime the machine's clock
 * @throws StorageError `in_use` when another process has the embedded database
 */
export async function openStorage(
  location: StorageLocation,
  machineTime: () => Date,
  options: StorageOptions = {},
): Promise<OpenedStorage> {
  const { kind, pool, close, governance } = await open(location, options);
  const listeners: (() => void)[] = [];
  const onEvents = () => {
    for (const listener of listeners) listener();
  };
  const transactions = createTransactions(pool, { ...governance, onEvents, tracer: options.tracer });
  const endings = createGrantEndings();
  const { monitor, quota } = governance;
  const clock =
    kind === "embedded"
      ? machineClock(machineTime)
      : createDatabaseClock(() => askTime(transactions), { now: machineTime, elapsed: () => performance.now() });
  return {
    kind,
    pool,
    close,
    clock,
    storage: createPostgresStorage(transactions, endings.counting(transactions)),
    oauthStore: createOAuthStore(transactions, endings),
    sourceStores: createSourceStores(transactions),
    eventStore: createEventStore(transactions),
    endpointStore: createEndpointStore(transactions),
    deliveryQueue: createDeliveryQueue(transactions),
    peopleStores: createPeopleStores(transactions, endings.counting(transactions)),
    workReader: createWorkReader(transactions),
    nameReader: createNameReader(transactions),
    outcomeStore: createOutcomeStore(transactions),
    onEvents: (listener) => void listeners.push(listener),
    keyedRequests: keyedRequests(transactions),
    serverKeys: serverKeys(transactions),
    sealedValues: sealedValues(transactions),
    endedSessions: createEndedSessions(transactions, clock.now),
    ping: () =>
      monitor.ping(PING_MS).catch((error: unknown) => {
        throw explainDriverError(error);
      }),
    load: () => ({ ...quota.state(), ...monitor.state() }),
    standing: quota.standing,
  };
}

async function askTime({ read }: Transactions): Promise<Date> {
  const [row] = await read<[now: Date]>(null, { text: "select clock_timestamp()", rowMode: "array" });
  return (row as [Date])[0];
}

type Opened = Pick<OpenedStorage, "kind" | "pool" | "close"> & { readonly governance: Governance };

async function open(location: StorageLocation, options: StorageOptions): Promise<Opened> {
  if ("databaseUrl" in location) return openPostgres(location, options);
  const { templateFile } = location;
  const dataDir = "dataDir" in location ? { dataDir: location.dataDir } : {};
  const { pool, close } = await openEmbedded({ ...dataDir, ...(templateFile !== undefined && { templateFile }) });
  const quota = sharesOf(1, options);
  const ask = async () => {
    const turn = quota.enter("lookups", INSTALLATION_KEY);
    if (turn !== undefined) await turn;
    await pool.query("select 1").finally(() => quota.leave("lookups", INSTALLATION_KEY));
  };
  return {
    kind: "embedded",
    pool,
    close,
    governance: {
      quota,
      monitor: createEmbeddedMonitor(ask),
      isRemote: false,
      waitMs: 0,
      preparedStatements: true,
      onNoRoom: options.onNoRoom,
    },
  };
}

function openPostgres(
  { databaseUrl, connections = DEFAULT_CONNECTIONS }: Extract<StorageLocation, { databaseUrl: string }>,
  options: StorageOptions,
): Opened {
  const { pool, monitor } = connectPostgres(
    databaseUrl,
    connections,
    options.onAvailabilityChange ?? (() => undefined),
  );
  const quota = sharesOf(connections, options);
  const watching = watch(quota, () => monitor.check());
  return {
    kind: "postgres",
    pool,
    governance: {
      quota,
      monitor,
      isRemote: true,
      waitMs: options.awayWaitMs ?? AWAY_WAIT_MS,
      preparedStatements: options.preparedStatements ?? true,
      onNoRoom: options.onNoRoom,
    },
    async close() {
      clearInterval(watching);
      monitor.close();
      await pool.end();
    },
  };
}

function sharesOf(connections: number, { perTenant, waitingPerTenant, onWaited }: StorageOptions): ConnectionQuota {
  const usual = defaultQuotaLimits(connections);
  const limits = {
    ...usual,
    connections,
    perTenant: perTenant ?? usual.perTenant,
    waitingPerTenant: waitingPerTenant ?? usual.waitingPerTenant,
  };
  return createConnectionQuota(limits, onWaited);
}

/** Checks whether the database answers if work is in progress and none of it completes. */
function watch(quota: ConnectionQuota, check: () => Promise<void>): NodeJS.Timeout {
  let before = quota.progress();
  return setInterval(() => {
    const now = quota.progress();
    if (before.running > 0 && now.running > 0 && now.finished === before.finished) void check();
    before = now;
  }, STALLED_MS).unref();
}

/** The server's own keys by name, each sealed under the installation's encryption keys. */
export interface ServerKeys {
  /** The sealed key of that name; created and stored on first use. Replicas that start together all get the same one. */
  loadOrCreate(name: string, create: () => Promise<string>): Promise<string>;
  /** All keys; `active_from` null = from the beginning. */
  list(): Promise<readonly { readonly name: string; readonly sealed: string; readonly active_from: Date | null }[]>;
  /** Stores a further key, unless one of that name exists. */
  add(name: string, sealed: string, activeFrom: Date): Promise<void>;
}

export function serverKeys({ asAuth }: Pick<Transactions, "asAuth">): ServerKeys {
  return {
    async loadOrCreate(name, create) {
      const known = await find(name);
      if (known !== null) return known;
      const sealed = await create();
      await asAuth((db) => sql`insert into server_keys values (${name}, ${sealed}) on conflict do nothing`.execute(db));
      return (await find(name)) as string;
    },
    list: () => asAuth((db) => db.selectFrom("server_keys").selectAll().orderBy("name").execute()),
    add: (name, sealed, activeFrom) =>
      asAuth(async (db) => {
        await sql`insert into server_keys (name, sealed, active_from) values (${name}, ${sealed}, ${activeFrom}) on conflict do nothing`.execute(
          db,
        );
      }),
  };

  function find(name: string): Promise<string | null> {
    return asAuth(async (db) => {
      const row = await db.selectFrom("server_keys").select("sealed").where("name", "=", name).executeTakeFirst();
      return row?.sealed ?? null;
    });
  }
}
