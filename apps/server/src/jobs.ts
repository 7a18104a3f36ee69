import { toCoreError } from "@org/core";
import type { Logger } from "./log.js";
import { type JobName, type Schedule, schedule as usualSchedule } from "./schedule.js";
import { inRootSpan, withoutSpan } from "./tracing/spans.js";

/** Work that is repeated for as long as the server runs. */
export interface Job {
  /** The job's entry in the schedule. */
  readonly name: JobName;
  /**
   * Does what is due. An error is logged, and the next run retries.
   * @param signal aborted when the server stops
   * @param again requests another run without waiting for the schedule, now or later; during a run, it follows that run
   */
  readonly run: (signal: AbortSignal, again: () => void) => Promise<unknown>;
  /** The log message for an error. */
  readonly failure: string;
  /** Calls `listener` whenever there may be something to do immediately: another run then follows the current one. */
  readonly wakes?: (listener: () => void) => void;
}

/** Notifies listeners that there is something to do. */
export interface Alarm {
  /** Listeners do not throw. */
  readonly ring: () => void;
  readonly onRing: (listener: () => void) => void;
}

export function createAlarm(): Alarm {
  const listeners: (() => void)[] = [];
  return {
    ring() {
      for (const listener of listeners) listener();
    },
    onRing: (listener) => void listeners.push(listener),
  };
}

/** A started job. */
export interface RunningJob {
  /** Starts no further runs and waits for the current one. */
  stop: () => Promise<void>;
}

/**
 * Logs that work failed and will be retried. The listener of the database monitor logs, once each, that the database is unavailable and that it
 * is back; individual pieces of work do not.
 */
export function logFailure(log: Pick<Logger, "debug" | "error">, error: unknown, failure: string): void {
  if (toCoreError(error)?.code === "UNAVAILABLE") log.debug({ err: error }, failure);
  else log.error({ err: error }, failure);
}

/** Runs a job now and on its schedule, never twice at a time. */
export function startJob(job: Job, { log, schedule }: { log: Logger; schedule: Schedule }): RunningJob {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isWoken = false;
  const again = () => {
    if (stopping.signal.aborted) return;
    running ??= runOnce().finally(() => {
      running = undefined;
      if (isWoken) wake();
    });
  };
  // The event that wakes the job may come too late for the current run.
  const wake = () => {
    isWoken = running !== undefined;
    again();
  };
  job.wakes?.(wake);
  const timer = setInterval(again, schedule[job.name]);
  timer.unref();
  again();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };

  async function runOnce(): Promise<void> {
    try {
      const run = () => job.run(stopping.signal, wake);
      // A request may wake a job, but the job is not part of its trace.
      await (isLook(job.name) ? withoutSpan(run) : inRootSpan(`job ${job.name}`, run));
    } catch (error) {
      logFailure(log, error, job.failure);
    }
  }
}

/** Whether a job polls every few seconds: a poll has no trace of its own, but the work it finds has one. */
function isLook(name: JobName): boolean {
  return usualSchedule[name] < POLL_MS;
}

const POLL_MS = 60_000;

/** The name of the trace of a lease's work. */
const workNames = {
  refreshes: "refresh",
  mails: "mail",
  feedSources: "source of files",
  webhooks: "webhook endpoint",
} as const;

/**
 * A job that works through a queue of leases, `parallel` at a time, and starts each lease as soon as it is claimed. After a stop it claims no
 * more; the service that runs the leases waits for those in progress.
 */
export function leaseJob<Lease>(deps: {
  name: "refreshes" | "mails" | "feedSources" | "webhooks";
  claim: (limit: number) => Promise<readonly Lease[]>;
  /** Never throws. */
  work: (lease: Lease) => Promise<unknown>;
  parallel: number;
}): Job {
  const { name, parallel } = deps;
  let running = 0;
  return {
    name,
    failure: `no ${name} were begun; will be retried shortly`,
    async run(_signal, again) {
      if (running >= parallel) return;
      for (const lease of await deps.claim(parallel - running)) {
        running += 1;
        void inRootSpan(workNames[name], () => deps.work(lease)).finally(() => {
          running -= 1;
          // Claims only when half of the places are free: one query for several leases.
          if (running <= parallel / 2) again();
        });
      }
    },
  };
}
