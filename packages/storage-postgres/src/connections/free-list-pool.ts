import pg from "pg";

/** How long a connection may stay unused before it is closed, in milliseconds. */
const IDLE_MS = 60_000;

/** An open connection that nobody uses. */
interface Spare {
  readonly client: pg.PoolClient;
  readonly since: number;
}

/**
 * A pool whose open connections are handed out without a promise and without a timer, in the order in which they were last used. Who may have one is
 * decided before ({@link ConnectionQuota}), so no queue is needed. `connect` and `query` work as in every pool.
 */
export class FreeListPool extends pg.Pool {
  #spare: Spare[] = [];
  #closing: NodeJS.Timeout | undefined;

  constructor(config: pg.PoolConfig) {
    super({ idleTimeoutMillis: IDLE_MS, ...config });
    this.on("connect", (client) => client.once("end", () => this.#dropEnded(client)));
  }

  /** Returns a connection: an open one immediately, otherwise one that has to be opened first. */
  acquire(): pg.PoolClient | Promise<pg.PoolClient> {
    return this.#spare.pop()?.client ?? this.connect();
  }

  /** Takes a connection back. @param mustClose whether it cannot be used again */
  release(client: pg.PoolClient, mustClose = false): void {
    // Whoever waits in `connect` comes first.
    if (mustClose || this.ending || this.waitingCount > 0 || ended.has(client)) client.release(mustClose);
    else {
      this.#spare.push({ client, since: performance.now() });
      this.#closing ??= setTimeout(() => this.#closeUnused(), IDLE_MS).unref();
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): Promise<pg.PoolClient> | undefined {
    // So that there is a free one even when all are open.
    this.#spare.shift()?.client.release();
    return callback === undefined ? super.connect() : (super.connect(callback) as undefined);
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    clearTimeout(this.#closing);
    for (const { client } of this.#spare.splice(0)) client.release();
    return callback === undefined ? super.end() : (super.end(callback) as undefined);
  }

  #dropEnded(client: pg.PoolClient): void {
    ended.add(client);
    const place = this.#spare.findIndex((spare) => spare.client === client);
    if (place >= 0) this.#spare.splice(place, 1)[0]?.client.release(true);
  }

  #closeUnused(): void {
    const until = performance.now() - IDLE_MS;
    const unused = this.#spare.filter(({ since }) => since <= until);
    this.#spare = this.#spare.filter(({ since }) => since > until);
    for (const { client } of unused) client.release(true);
    this.#closing = this.#spare.length === 0 ? undefined : setTimeout(() => this.#closeUnused(), IDLE_MS / 2).unref();
  }
}

type Connected = Parameters<Parameters<pg.Pool["connect"]>[0]>;

const ended = new WeakSet<pg.PoolClient>();
