import type { Actor, TriedAgain } from "@org/core";
import type { FeedLack } from "@org/provider-kit";
import type { Quarantine } from "./drop-folder/quarantine.js";

/** Files that wait for what they lack: those that sources hold, and those of the drop folder that are in quarantine. */
export interface WaitingFiles {
  /**
   * Tries those again that lack one of these; one that is refused again stays, with its new reason.
   * @param isFor which folders of the drop folder are meant, by their names; left out: all
   */
  retry(operator: Actor, lacks: readonly FeedLack[], isFor?: (folder: string) => Promise<boolean>): Promise<TriedAgain>;
  /** How many lack one of these, of so many that are looked through. */
  count(lacks: readonly FeedLack[]): Promise<number>;
}

export function createWaitingFiles({
  held,
  quarantine,
}: {
  held: {
    retry(lacks: readonly FeedLack[]): Promise<TriedAgain>;
    count(lacks: readonly FeedLack[]): Promise<number>;
  };
  quarantine: Pick<Quarantine, "retryLacking" | "countLacking">;
}): WaitingFiles {
  return {
    async retry(operator, lacks, isFor) {
      const ofSources = await held.retry(lacks);
      const dropped = await quarantine.retryLacking(operator, lacks, isFor);
      return { retried: ofSources.retried + dropped.retried, taken: ofSources.taken + dropped.taken };
    },
    count: async (lacks) => (await held.count(lacks)) + (await quarantine.countLacking(lacks)),
  };
}
