import { AsyncLocalStorage } from "node:async_hooks";
import type { Tracer } from "@opentelemetry/api";
import { INSTALLATION_LOG, parseUuid, retryWhileUnavailable, sleep } from "@org/core";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { PoolClient, QueryArrayConfig, QueryConfig, QueryResult } from "pg";
import { statementsAtCommit } from "./at-commit.js";
import {
  currentClaim,
  markTransaction,
  nextTransaction,
  outsideClaim,
  type RunningClaim,
  wasCommitted,
} from "./connections/claims.js";
import { type Attempt, createConnectionAccess } from "./connections/connection-access.js";
import {
  type ConnectionQuota,
  createConnectionQuota,
  statementsPerTenant,
  type Workload,
} from "./connections/connection-quota.js";
import { createEmbeddedMonitor, type DatabaseMonitor } from "./connections/database-monitor.js";
import type { FreeListPool } from "./connections/free-list-pool.js";
import { createHotLocks } from "./connections/hot-locks.js";
import { mustDestroy, queryWithTimeout } from "./connections/postgres.js";
import { statementSpans } from "./connections/statement-spans.js";
import { BEGIN_MS, timeLimits } from "./connections/time-limits.js";
import { insertOfEvents } from "./events/event-log.js";
import type { Database } from "./schema.js";
import { StorageError } from "./storage-error.js";

/** The tables, inside one transaction. */
export type Db = Kysely<Database>;

/** What work as upkeep takes its connection for; whoever waits for it has a queue by a key. */
export type UpkeepUse = [use?: "upkeep" | "audit"] | [use: "lookups" | "tenants" | "upkeep", key: string];

/** What is asked across tables for a tenant takes the tenant's own share; null = for operators. */
export function askedFor(tenantId: string | null): UpkeepUse {
  return tenantId === null || tenantId === INSTALLATION_LOG ? ["upkeep", INSTALLATION_KEY] : ["tenants", tenantId];
}

/** The key of look-ups that operators make, and the server for itself. */
export const INSTALLATION_KEY = "installation";

/**
 * The only way to the database. A transaction switches to one of the three roles of sql/0001_installation.sql with `set local`, so that nothing
 * depends on a session's state and a transaction pooler can be used. It restarts from the beginning when its connection is lost before the
 * commit, or when it collides with another, so its work must do nothing outside the database.
 */
export interface Transactions {
  /**
   * Reads and writes the rows of one tenant only. With `network`, the caller has not proven that they belong to the tenant: the work then takes
   * its connection as a look-up of that network, so that a made-up name uses nothing of the tenant's share.
   */
  asTenant<T>(tenantId: string, work: (db: Db) => Promise<T>, network?: string): Promise<T>;
  /**
   * Tenants, the catalogue, look-ups and clean-up across tenants. `use` names the workload whose connections it takes, `upkeep` by default.
   * Look-ups queue by a key, the tenant or application that they are made for, or the network of a caller who has proven nothing yet. What a
   * tenant's own people and programs ask for takes that tenant's share ({@link askedFor}), so that no flood of it reaches jobs or operators.
   */
  asUpkeep<T>(work: (db: Db) => Promise<T>, ...use: UpkeepUse): Promise<T>;
  /**
   * The authorization server's tables and the server's own keys. Each `key` has a queue of its own: token checks sometimes wait for `feeds`,
   * which must not queue behind a flood of guesses, and callers who have proven nothing yet queue by network.
   */
  asAuth<T>(work: (db: Db) => Promise<T>, key?: string): Promise<T>;
  /**
   * One statement of the authorization server in a transaction of its own, under the login's own role unless the statement switches to another;
   * rows are arrays. `key` as in {@link asAuth}. Only a repeatable one, which changes nothing, is sent again when its answer is lost.
   */
  statement<Row extends unknown[]>(
    query: QueryArrayConfig,
    options?: { readonly isRepeatable?: boolean; readonly key?: string | undefined },
  ): Promise<Row[]>;
  /** The same for a read-only statement, for a tenant or (null) for nobody in particular. */
  read<Row extends unknown[]>(tenantId: string | null, query: QueryArrayConfig): Promise<Row[]>;
  /** What {@link asTenant} would read with one statement without parameters, in one message. */
  readAsTenant<Row extends object>(tenantId: string, statement: string): Promise<Row[]>;
}

/** How long a transaction may stay idle, in milliseconds. */
const IDLE_TIMEOUT = 60_000;

/** How connections are divided, and how the database is monitored. */
export interface Governance {
  readonly quota: ConnectionQuota;
  readonly monitor: DatabaseMonitor;
  /** Whether an answer may be lost; false for the embedded database, which runs in this process. */
  readonly isRemote: boolean;
  /** How long work waits for an unavailable database, in milliseconds. */
  readonly waitMs: number;
  /** Whether statements may be prepared under a name, which stays with a connection. */
  readonly preparedStatements: boolean;
  /** Called for every change that was refused because the disk is full. */
  readonly onNoRoom?: ((error: Error) => void) | undefined;
  /** Creates a span for every statement that runs within a span. */
  readonly tracer?: Tracer | undefined;
  /** Called after every commit that contains events. It does not throw. */
  readonly onEvents?: (() => void) | undefined;
}

/** How long work waits for an unavailable database by default. */
export const AWAY_WAIT_MS = 2_000;

/** The part of a pool client that kysely sees while the client is in use. */
type BorrowedClient = Pick<PoolClient, "query" | "release">;

/** One transaction and what is called inside it. */
interface Scope {
  /** The owner: transactions of another database may be inside it. */
  readonly transactions: object;
  readonly outer: Scope | undefined;
  open: boolean;
}

/** One for all databases: on Node 20 every AsyncLocalStorage that was ever used makes each later promise of the process more expensive. */
const current = new AsyncLocalStorage<Scope>();

/** The innermost transaction that has not ended, of any database or of the one named. */
function scopeOf(transactions?: object): Scope | undefined {
  let scope = current.getStore();
  while (scope && !(scope.open && (transactions === undefined || scope.transactions === transactions)))
    scope = scope.outer;
  return scope;
}

/** Runs work inside a new scope. */
async function withinScope<T>(transactions: object, work: () => Promise<T>): Promise<T> {
  const scope: Scope = { transactions, outer: scopeOf(), open: true };
  try {
    return await current.run(scope, work);
  } finally {
    scope.open = false;
  }
}

/**
 * Transactions over a pool; they must not be nested: on the embedded database, which has one connection, the inner one would wait for the outer
 * one forever. There, and without `governance`, a nested one is refused; on a server this is not checked, since that would make every promise of
 * the process more expensive.
 * @param governance left out, every workload and every tenant has its share of the pool, and the database counts as available
 * @throws StorageError `nested`; `unavailable` or `not_migrated` when that is why the database failed; `limited`
 */
export function createTransactions(pool: FreeListPool, governance: Governance = ungoverned(pool)): Transactions {
  const access = createConnectionAccess(governance);
  const { withConnection } = access;
  const locks = createHotLocks();
  const traced = statementSpans(governance.tracer);
  /** 0 = none: an answer can be lost only over a network. */
  const answerTimeout = (milliseconds: number) => (governance.isRemote ? milliseconds : 0);
  const isNested = () => !governance.isRemote && scopeOf(access) !== undefined;

  function run<T>(use: Workload, key: string, settings: string, work: (db: Db) => Promise<T>): Promise<T> {
    if (isNested()) return Promise.reject(nested());
    const claim = currentClaim();
    const begin = (sent?: SentCommit<T>) => runOnce(use, key, settings, work, sent);
    return claim === undefined ? begin() : untilSettled(claim, begin);
  }

  /** Of a keyed request: where the answer to a commit is lost, it is looked up whether it was made, and if not, the work begins again. */
  async function untilSettled<T>(claim: RunningClaim, begin: (sent: SentCommit<T>) => Promise<T>): Promise<T> {
    for (;;) {
      const sent: SentCommit<T> = { claim, transaction: nextTransaction(claim), result: null };
      try {
        return await begin(sent);
      } catch (error) {
        if (!(error instanceof StorageError) || error.outcome === undefined) throw error;
        // It has only read.
        if (sent.result === null) continue;
        claim.onDoubt();
        const settings = settingsOf("lookups", "wealth_connect_upkeep");
        const isMade = await outsideClaim(() =>
          retryWhileUnavailable(sleep, () =>
            runOnce("lookups", claim.owner, settings, (db) => wasCommitted(db, claim, sent.transaction)),
          ),
        );
        if (isMade === null) throw error;
        if (isMade) return sent.result.value;
      }
    }
  }

  function runOnce<T>(
    use: Workload,
    key: string,
    settings: string,
    work: (db: Db) => Promise<T>,
    sent?: SentCommit<T>,
  ): Promise<T> {
    return withConnection(use, key, async (attempt) => {
      const client = await pool.acquire();
      const tables = tablesOver(client, borrow(client, key, answerTimeout(timeLimits[use].answer)));
      const done = () =>
        tables.connection().execute((connection) => transact(attempt, client, connection, settings, work, sent));
      try {
        const result = await (governance.isRemote ? done() : withinScope(access, done));
        pool.release(client);
        return result;
      } catch (error) {
        pool.release(client, mustDestroy(error));
        throw error;
      }
    });
  }

  async function transact<T>(
    attempt: Attempt,
    client: PoolClient,
    connection: Db,
    settings: string,
    work: (db: Db) => Promise<T>,
    sent: SentCommit<T> | undefined,
  ) {
    try {
      await traced("begin", () =>
        queryWithTimeout(client, `begin; select ${settings}`, undefined, answerTimeout(BEGIN_MS)),
      ).catch(lostBeforeBegin);
      const result = await work(connection);
      const events = insertOfEvents(connection);
      const isKeyed = sent !== undefined && !sent.claim.isOver;
      const last = [...statementsAtCommit(connection), ...(events === null ? [] : [events])];
      if (isKeyed) {
        for (const statement of last) await statement.execute(connection);
        if (await markTransaction(connection, sent.claim, sent.transaction)) sent.result = { value: result };
      }
      attempt.isSent = true;
      const isPlain = last.length === 0 || isKeyed;
      await (isPlain ? plainCommit : sql`select; ${sql.join(last, sql`; `)}; commit`).execute(connection);
      if (events !== null) governance.onEvents?.();
      if (sent?.result) sent.claim.hasChanged = true;
      return result;
    } catch (error) {
      // A lost connection has already rolled back; the first error states the reason.
      await sql
        .raw("rollback")
        .execute(connection)
        .catch(() => undefined);
      throw error;
    }
  }

  /** A connection with a time limit on every answer; it does not wait for a table that is known to be locked. */
  function borrow(client: PoolClient, key: string, answerMs: number): BorrowedClient {
    const query = async (text: string, values: unknown[]) => {
      const passing = locks.pass(text, key);
      if (passing !== undefined) await passing;
      try {
        const result = await traced(text, () => queryWithTimeout(client, text, values, answerMs));
        locks.done(text);
        return result;
      } catch (error) {
        locks.failed(text, key, error);
        throw fromHere(error);
      }
    };
    return { query: query as PoolClient["query"], release: () => undefined };
  }

  function single<Row extends object>(
    use: Workload,
    key: string,
    query: QueryConfig,
    isRepeatable: boolean,
  ): Promise<Row[]> {
    if (isNested()) return Promise.reject(nested());
    const sent = governance.preparedStatements ? query : unnamed(query);
    const answerMs = answerTimeout(timeLimits.reads.answer);
    const ask = (attempt: Attempt, client: PoolClient) => {
      attempt.isSent = !isRepeatable;
      return traced(query.text, () => queryWithTimeout<QueryResult<Row>>(client, sent, undefined, answerMs)).then(
        ({ rows }) => {
          pool.release(client);
          locks.done(query.text);
          return rows;
        },
        (error: unknown) => {
          pool.release(client, mustDestroy(error));
          locks.failed(query.text, key, error);
          throw fromHere(error);
        },
      );
    };
    // Every read passes here, so a promise is made only for what is waited for.
    return withConnection(use, key, (attempt) => {
      const passing = locks.pass(query.text, key);
      const acquired = passing === undefined ? pool.acquire() : passing.then(() => pool.acquire());
      return acquired instanceof Promise ? acquired.then((client) => ask(attempt, client)) : ask(attempt, acquired);
    });
  }

  return {
    async asTenant(tenantId, work, network) {
      const use = network === undefined ? "tenants" : "lookups";
      return run(use, network ?? tenantId, settingsOf(use, "wealth_connect_app", tenantId), work);
    },
    asUpkeep: (work, use = "upkeep", key = "") => run(use, key, settingsOf(use, "wealth_connect_upkeep"), work),
    asAuth: (work, key = "") => run("authentication", key, settingsOf("authentication", "wealth_connect_auth"), work),
    statement: (query, { isRepeatable = false, key = "" } = {}) => single("authentication", key, query, isRepeatable),
    read: (tenantId, query) =>
      single(tenantId === null ? "lookups" : "reads", tenantId ?? INSTALLATION_KEY, query, true),
    readAsTenant(tenantId, statement) {
      const settings = settingsOf("tenants", "wealth_connect_app", tenantId);
      return single("tenants", tenantId, { text: `select ${settings}; ${statement}` }, true);
    },
  };
}

/** The empty select fails if work swallowed a database error; a bare commit would roll back silently. */
const plainCommit = sql.raw("select; commit");

/** A commit of a keyed request, and what its work returned. */
interface SentCommit<T> {
  readonly claim: RunningClaim;
  readonly transaction: number;
  /** Null when it has changed nothing. */
  result: { readonly value: T } | null;
}

/** The tables over each connection of a pool, and the client that it uses this time. */
const overClients = new WeakMap<PoolClient, { readonly db: Db; borrowed: BorrowedClient }>();

function tablesOver(client: PoolClient, borrowed: BorrowedClient): Db {
  const known = overClients.get(client);
  if (known) {
    known.borrowed = borrowed;
    return known.db;
  }
  const pool = { connect: async () => over.borrowed as PoolClient, end: async () => undefined };
  const over = { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), borrowed };
  overClients.set(client, over);
  return over.db;
}

function unnamed({ name: _, ...query }: QueryConfig): QueryConfig {
  return query;
}

/** Gives a driver error the stack of the caller instead of that of the socket. */
function fromHere(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error, fromHere);
  return error;
}

function nested(): StorageError {
  return new StorageError("nested", "storage must not nest: inside a transaction use the stores it hands out");
}

/** An unanswered `begin` means that the connection is dead. Nothing was done yet, so the work is retried over another. */
function lostBeforeBegin(error: unknown): never {
  throw error instanceof StorageError ? new Error("connection terminated: no answer", { cause: error }) : error;
}

/** Default governance: shares of the pool, without a real monitor. */
function ungoverned(pool: FreeListPool): Governance {
  const connections = pool.options.max;
  const quota = createConnectionQuota({ ...defaultQuotaLimits(connections), connections });
  const monitor = createEmbeddedMonitor(async () => undefined);
  return { quota, monitor, isRemote: false, waitMs: AWAY_WAIT_MS, preparedStatements: true };
}

/** A tenant's limits by default. */
export function defaultQuotaLimits(connections: number) {
  return { perTenant: statementsPerTenant(connections), waitingPerTenant: 200, waitMs: 10_000 };
}

/**
 * Lets the statements of a tenant's transaction run and wait for locks longer: for work that is long by nature, and for what waits for such
 * work.
 */
export async function extendTimeouts(db: Db): Promise<void> {
  await longTimeouts.execute(db);
}

export const longTimeouts = sql.raw(
  "select set_config('statement_timeout', '30000', true), set_config('lock_timeout', '30000', true)",
);

/** The settings of a transaction as one select list; they end with it. */
function settingsOf(use: Workload, role: string, tenantId?: string): string {
  const settings = {
    role,
    statement_timeout: timeLimits[use].statement,
    lock_timeout: timeLimits[use].lock,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT,
  };
  if (tenantId === undefined) return selectList(settings);
  // The id becomes part of the statement's text.
  if (parseUuid(tenantId) === null) throw new RangeError("tenant ids are UUIDs");
  return selectList({ ...settings, "wealth_connect.tenant": tenantId });
}

function selectList(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(", ");
}
