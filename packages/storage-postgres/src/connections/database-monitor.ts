import { setTimeout as delay } from "node:timers/promises";
import { faultOf, StorageError } from "../storage-error.js";

/** A dedicated connection that only checks whether the database answers. */
export interface Probe {
  /** Resolves when the database has answered. */
  ask(): Promise<void>;
  /** Closes the connection immediately. */
  destroy(): void;
}

/** Called once when the database becomes unavailable, and once when it is back. */
export type OnAvailabilityChange = (news: { readonly away: Error } | { readonly backAfterMs: number }) => void;

/** How often and how long the database was unavailable since the start; `since` is when the current outage began. */
export interface DatabaseMonitorState {
  readonly isUnavailable: boolean;
  readonly absences: number;
  readonly awayMs: number;
}

/** Tracks whether the database answers. */
export interface DatabaseMonitor {
  /** Whether requests should wait. */
  isDown(): boolean;
  /** Waits until the database answers. @throws StorageError `unavailable` after this many milliseconds */
  waitUntilUp(milliseconds: number): Promise<void>;
  /** Reports a lost connection: no other work needs to try one until the monitor has checked the database. */
  reportFailure(): void;
  /** Reports that work has made no progress for a while: the monitor checks whether the database still answers. */
  check(): Promise<void>;
  /** Resolves when the database answers. @throws StorageError `unavailable`, at the latest after this many milliseconds */
  ping(milliseconds: number): Promise<void>;
  state(): DatabaseMonitorState;
  close(): void;
}

/** A database that does not answer `select 1` within this time is asked over a new connection. */
const PROBE_MS = 1_000;
/** A database that does not accept a new connection within this time either is treated as unreachable, because packets are being lost. */
export const SILENT_MS = 2_000;
/** The pause between attempts to reach an unavailable database. */
const PAUSES_MS = [50, 100, 250];

/**
 * Monitors the database over one dedicated connection, so that an exhausted pool and a full database are not mistaken for an unavailable one. It
 * queries the database only when there is a reason.
 * @param connect opens the connection, and fails when that takes longer than {@link SILENT_MS}
 * @param onSilent called when the connection was dead without an error: no query still open will ever be answered
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
  /** Whether it became unavailable without an error. The requests so far have waited for seconds, so no request waits for it any more. */
  let isSilent = false;
  let absences = 0;
  let awayMs = 0;
  let isClosed = false;

  const isDown = () => recovering !== null;
  return {
    isDown,
    async waitUntilUp(milliseconds) {
      if (recovering && !(await within(recovering.then(always), isSilent ? 0 : milliseconds))) throw away();
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
      isUnavailable: awaySince !== null,
      absences,
      awayMs: awayMs + (awaySince === null ? 0 : performance.now() - awaySince),
    }),
    close() {
      isClosed = true;
      probe?.destroy();
    },
  };

  /** Concurrent checks share one query. Null when the database has answered. */
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
      const asked = probe;
      const answering = asked.ask().then(always, never);
      const answer = await within(answering, PROBE_MS);
      if (answer === true) return null;
      probe = null;
      if (answer === undefined) return reconnectAfterSilence(answering).finally(() => asked.destroy());
      asked.destroy();
    }
    await reconnect();
    return null;
  }

  /**
   * If the database is only slow, a new connection is slow too, and nothing is closed; nor if it was slow for a moment, and has answered
   * by the time that the new connection is there.
   * @param answering the question that was not answered in time
   */
  async function reconnectAfterSilence(answering: Promise<boolean>): Promise<null> {
    const started = performance.now();
    const failure = await reconnect().then(
      () => null,
      (error: Error) => error,
    );
    isSilent = failure !== null;
    const isQuick = performance.now() - started < SILENT_MS / 3;
    if (failure || (isQuick && (await within(answering, 0)) !== true)) onSilent();
    if (failure) throw failure;
    return null;
  }

  async function reconnect(): Promise<void> {
    const opened = await connect();
    if (isClosed) return opened.destroy();
    probe = opened;
    // It answers again, so requests wait for the end of the pause.
    isSilent = false;
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
    isSilent = false;
    if (awaySince === null) return;
    const backAfterMs = performance.now() - awaySince;
    awaySince = null;
    awayMs += backAfterMs;
    if (!isClosed) onChange({ backAfterMs });
  }
}

/** The monitor of an embedded database, which runs in this process and is always available. */
export function createEmbeddedMonitor(ask: () => Promise<void>): DatabaseMonitor {
  return {
    isDown: () => false,
    waitUntilUp: async () => undefined,
    reportFailure: () => undefined,
    check: async () => undefined,
    async ping(milliseconds) {
      if (!(await within(ask().then(always), milliseconds))) throw away();
    },
    state: () => ({ isUnavailable: false, absences: 0, awayMs: 0 }),
    close: () => undefined,
  };
}

/**
 * The result of a promise, or undefined when it takes longer. A result that has arrived by the deadline counts, even if this process was
 * too busy to read it.
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

/** A database that accepts no more connections may still answer over the open ones. */
function isGone(failure: Error | null): boolean {
  return failure !== null && faultOf(failure) !== "full";
}

const always = () => true;
const never = () => false;

function away(cause?: Error): StorageError {
  const why = cause === undefined ? "it does not answer" : cause.message;
  return new StorageError("unavailable", `the database cannot be reached: ${why}`, { cause, retryAfterSeconds: 5 });
}
