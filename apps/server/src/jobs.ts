import { toCoreError } from "@org/core";
import type { Logger } from "./log.js";
import { type JobName, type Schedule, schedule as usualSchedule } from "./schedule.js";
import { inRootSpan, withoutSpan } from "./tracing/spans.js";

/** Work that is done again and again for as long as the server runs. */
export interface Job {
  /** Its line in the schedule. */
  readonly name: JobName;
  /**
   * Does what is due. What it throws is logged, and the next run tries again.
   * @param signal aborted when the server stops
   * @param again asks for another run at once, now or later; while one is under way it comes behind that one
   */
  readonly run: (signal: AbortSignal, again: () => void) => Promise<unknown>;
  /** What the log says when it throws. */
  readonly failure: string;
  /** Has `listener` called whenever there may be something to do at once: a run follows, behind the one that is under way. */
  readonly wakes?: (listener: () => void) => void;
}

/** Tells whoever listens that there is something to do. */
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

/** A job that was started. */
export interface RunningJob {
  /** Begins no more, and waits for what is under way. */
  stop: () => Promise<void>;
}

/**
 * Says in the log that work failed which is tried again. That the database is away, and that it is back, is said once by whoever
 * watches over it, and not by each piece of work that wanted it meanwhile.
 */
export function logFailure(log: Pick<Logger, "debug" | "error">, error: unknown, failure: string): void {
  if (toCoreError(error)?.code === "UNAVAILABLE") log.debug({ err: error }, failure);
  else log.error({ err: error }, failure);
}

/** Runs a job now and whenever its schedule says, never two at a time. */
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
  // What it is woken for may be too late for a run that is under way.
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
      // What wakes a job may be a request, which it is no part of.
      await (isLook(job.name) ? withoutSpan(run) : inRootSpan(`job ${job.name}`, run));
    } catch (error) {
      logFailure(log, error, job.failure);
    }
  }
}

/** Work that is looked for every few seconds: a look has no trace of its own, what it finds has. */
function isLook(name: JobName): boolean {
  return usualSchedule[name] < POLL_MS;
}

const POLL_MS = 60_000;

/** What the trace of a lease's work is called. */
const workNames = {
  refreshes: "refresh",
  mails: "mail",
  feedSources: "source of files",
  webhooks: "webhook endpoint",
} as const;

/**
 * A job that works through what is due in a queue of leases, `parallel` at once. What it leases it begins at once. Stopping takes no
 * more; whoever runs the leases waits for what is under way.
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
          // Half empty: one question to the database for several leases.
          if (running <= parallel / 2) again();
        });
      }
    },
  };
}
