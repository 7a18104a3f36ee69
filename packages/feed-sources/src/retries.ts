import { setTimeout as delay } from "node:timers/promises";
import type { Runtime, Uuid } from "@org/core";
import type { Arrival, Intake } from "./intake.js";
import type { SourceFileStore } from "./ports/source-store.js";

/** The most sources whose files are retried concurrently: other work needs the reader threads too. */
const MAX_CONCURRENT = 2;
/** For how long a run starts new retries, and after what time another server may retry a file. */
const RETRY_BUDGET_MS = 30_000;
export const RETRY_LEASE_MS = 15 * 60_000;

/** Retries held files that are due. */
export interface Retries {
  /**
   * Retries files until none is due or half a minute has passed. One file per source at a time, round-robin by source: a source with slow files does
   * not delay the others. Retries in progress continue after the run.
   */
  run(signal: AbortSignal): Promise<{ readonly retried: number; readonly taken: number }>;
  /** Waits for retries in progress. */
  drain(): Promise<unknown>;
}

/** @param onFailure called for an error that is not the file's fault; the file is retried when its lease ends */
export function createRetries(deps: {
  readonly files: Pick<SourceFileStore, "claimHeld">;
  readonly intake: Pick<Intake, "retry">;
  readonly clock: Runtime["clock"];
  readonly onFailure: (error: unknown, fileId: Uuid) => void;
}): Retries {
  const { files, intake, clock, onFailure } = deps;
  /** The retry in progress, by source. */
  const lanes = new Map<string, Promise<void>>();
  /** Sources served in the current round. */
  let served = new Set<string>();

  return {
    async run(signal) {
      const over = new AbortController();
      const ended = delay(RETRY_BUDGET_MS, undefined, {
        signal: AbortSignal.any([signal, over.signal]),
        ref: false,
      }).catch(() => undefined);
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      const count = { retried: 0, taken: 0 };
      while (!isOver && !signal.aborted) {
        const file = lanes.size < MAX_CONCURRENT ? await nextDue() : undefined;
        if (file) begin(file.source, file.file_id, count);
        else if (lanes.size === 0) break;
        else await Promise.race([ended, ...lanes.values()]);
      }
      over.abort();
      return count;
    },
    drain: () => Promise.all(lanes.values()),
  };

  async function nextDue() {
    const claim = async () => {
      const now = clock();
      const until = new Date(now.getTime() + RETRY_LEASE_MS);
      const [file] = await files.claimHeld({ now, until, limit: 1, except: [...served] });
      return file;
    };
    const file = await claim();
    if (file || served.size === lanes.size) return file;
    served = new Set(lanes.keys());
    return claim();
  }

  function begin(source: string, fileId: Uuid, count: { retried: number; taken: number }): void {
    served.add(source);
    const work = retried(fileId).then((arrival) => {
      lanes.delete(source);
      count.retried += 1;
      if (arrival?.outcome === "taken") count.taken += 1;
    });
    lanes.set(source, work);
  }

  /** Null if it cannot be retried now, or another server was faster. */
  async function retried(fileId: Uuid): Promise<Arrival | null> {
    try {
      return await intake.retry(fileId);
    } catch (error) {
      onFailure(error, fileId);
      return null;
    }
  }
}
