import { setTimeout as delay } from "node:timers/promises";
import { faultOf, StorageError } from "../storage-error.js";

/** A connection of its own that only asks whether the database answers. */
export interface Probe {
  /** Resolves when the database has answered. */
  ask(): Promise<void>;
  /** Ends it without waiting for anybody. */
  destroy(): void;
}

/** Told once when the database goes away, and once when it is back. */
export type OnAvailabilityChange = (news: { readonly away: Error } | { readonly backAfterMs: number }) => void;

/** How often the database was away since the start, and for how long; `since` is the beginning of the present absence. */
export interface DatabaseMonitorState {
  readonly isAway: boolean;
  readonly absences: number;
  readonly awayMs: number;
}

/** Knows whether the database answers. */
export interface DatabaseMonitor {
  /** Whether requests had better wait. */
  isDown(): boolean;
  /** Waits until the database answers. @throws StorageError `unavailable` after so many milliseconds */
  waitUntilUp(milliseconds: number): Promise<void>;
  /** Somebody has lost a connection: nobody else need try one before this has found out whether the database is there. */
  reportFailure(): void;
  /** Nothing has moved for a while: finds out whether the database still answers. */
  check(): Promise<void>;
  /** Resolves when the database answers. @throws StorageError `unavailable`, at the latest after so many milliseconds */
  ping(milliseconds: number): Promise<void>;
  state(): DatabaseMonitorState;
  close(): void;
}

/** A database that does not answer `select 1` within this time does not answer: packets are lost. */
export const SILENT_MS = 3_000;
/** Between attempts to reach a database that is away. */
const PAUSES_MS = [50, 100, 250];

/**
 * Watches over the way to the database with one connection of its own, so that an exhausted pool and a full database do not look
 * like an absent one. It asks only when there is a reason.
 * @param connect opens the connection, and fails when that takes longer than {@link SILENT_MS}
 * @param onSilent told when the way was dead without anybody saying so: what is still open on it will never be answered
 */
export function createDatabaseMonitor({
  connect,
  onSilent,
  onChange,
}: {
  connect: () => Promise<Probe>;
  onSilent: () => void;
  onChange: OnAvailabilityChange;
}): DatabaseMonitor {
  let probe: Probe | null = null;
  let asking: Promise<Error | null> | null = null;
  let recovering: Promise<void> | null = null;
  let awaySince: number | null = null;
  let absences = 0;
  let awayMs = 0;
  let isClosed = false;

  const isDown = () => recovering !== null;
  return {
    isDown,
    async waitUntilUp(milliseconds) {
      if (recovering && !(await within(recovering.then(always), milliseconds))) throw away();
    },
    reportFailure() {
      if (!isClosed) begin();
    },
    async check() {
      if (!isDown() && isGone(await ask())) begin();
    },
    async ping(milliseconds) {
      const answered = await within(ask(), milliseconds);
      if (answered === null) return;
      if (answered !== undefined && isGone(answered)) begin();
      throw away(answered);
    },
    state: () => ({
      isAway: awaySince !== null,
      absences,
      awayMs: awayMs + (awaySince === null ? 0 : performance.now() - awaySince),
    }),
    close() {
      isClosed = true;
      probe?.destroy();
    },
  };

  /** Several questions at once are one. Null when the database has answered. */
  function ask(): Promise<Error | null> {
    asking ??= askOnce()
      .catch((error: Error) => error)
      .finally(() => {
        asking = null;
      });
    return asking;
  }

  async function askOnce(): Promise<null> {
    if (probe) {
      const answer = await within(probe.ask().then(always, never), SILENT_MS);
      if (answer === true) return null;
      probe.destroy();
      probe = null;
      if (answer === undefined) return reconnectAfterSilence();
    }
    await reconnect();
    return null;
  }

  /** Only when the database is slow rather than gone, a new connection takes its time too: then nothing is ended. */
  async function reconnectAfterSilence(): Promise<null> {
    const started = performance.now();
    const failure = await reconnect().catch((error: Error) => error);
    if (failure || performance.now() - started < SILENT_MS / 3) onSilent();
    if (failure) throw failure;
    return null;
  }

  async function reconnect(): Promise<void> {
    const opened = await connect();
    if (isClosed) return opened.destroy();
    probe = opened;
  }

  function begin(): void {
    recovering ??= recover()
      .catch(() => undefined)
      .finally(() => {
        recovering = null;
      });
  }

  async function recover(): Promise<void> {
    for (let attempt = 0; !isClosed; attempt += 1) {
      const failure = await ask();
      if (failure === null || !isGone(failure)) break;
      if (awaySince === null) {
        awaySince = performance.now();
        absences += 1;
        onChange({ away: failure });
      }
      await delay(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)], undefined, { ref: false });
    }
    if (awaySince === null) return;
    const backAfterMs = performance.now() - awaySince;
    awaySince = null;
    awayMs += backAfterMs;
    if (!isClosed) onChange({ backAfterMs });
  }
}

/** The way to an embedded database, which is in this process and so never away. */
export function createEmbeddedMonitor(ask: () => Promise<void>): DatabaseMonitor {
  return {
    isDown: () => false,
    waitUntilUp: async () => undefined,
    reportFailure: () => undefined,
    check: async () => undefined,
    async ping(milliseconds) {
      if (!(await within(ask().then(always), milliseconds))) throw away();
    },
    state: () => ({ isAway: false, absences: 0, awayMs: 0 }),
    close: () => undefined,
  };
}

/**
 * What a promise comes to, or undefined when that takes longer. What has arrived by the end of the time counts, also when this
 * process was too busy to look at it.
 */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(undefined)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A database that takes no more connections may answer over those that are open. */
function isGone(failure: Error | null): boolean {
  return failure !== null && faultOf(failure) !== "full";
}

const always = () => true;
const never = () => false;

function away(cause?: Error): StorageError {
  const why = cause === undefined ? "it does not answer" : cause.message;
  return new StorageError("unavailable", `the database cannot be reached: ${why}`, { cause, retryAfterSeconds: 5 });
}
