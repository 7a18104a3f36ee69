import { setTimeout as delay } from "node:timers/promises";
import type { Runtime, Uuid } from "@org/core";
import type { Arrival, Intake } from "./intake.js";
import type { SourceFileStore } from "./ports/source-store.js";

/** Sources whose files are tried at once: the threads that read them are there for others, too. */
const MAX_CONCURRENT = 2;
/** For how long new ones are begun, and after what time another server tries a file. */
const RETRY_BUDGET_MS = 30_000;
export const RETRY_LEASE_MS = 15 * 60_000;

/** Held files that are due, tried again. */
export interface Retries {
  /**
   * Tries files until none is due or half a minute is over. Of each source one is tried at a time, and sources are served round-robin: one whose
   * files take minutes keeps no other waiting. What is under way by then goes on.
   */
  run(signal: AbortSignal): Promise<{ readonly retried: number; readonly taken: number }>;
  /** Waits for what is under way. */
  drain(): Promise<unknown>;
}

/** @param onFailure told of what is not the file's: it stays until its lease runs out */
export function createRetries(deps: {
  readonly files: Pick<SourceFileStore, "claimHeld">;
  readonly intake: Pick<Intake, "retry">;
  readonly clock: Runtime["clock"];
  readonly onFailure: (error: unknown, fileId: Uuid) => void;
}): Retries {
  const { files, intake, clock, onFailure } = deps;
  /** Files under way, by source. */
  const lanes = new Map<string, Promise<void>>();
  /** Sources that have had their turn since all had one. */
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

  /** Null where it cannot be tried now, or somebody else was faster. */
  async function retried(fileId: Uuid): Promise<Arrival | null> {
    try {
      return await intake.retry(fileId);
    } catch (error) {
      onFailure(error, fileId);
      return null;
    }
  }
}
