import type { Actor, TriedAgain } from "@org/core";
import type { Quarantine } from "@org/rest-api";

/** Files in quarantine that are looked through. */
const MOST_QUARANTINED = 1_000;

/** Files that wait for what they lack: those that sources hold, and those of the drop folder that are in quarantine. */
export interface WaitingFiles {
  /**
   * Tries those again whose reason says that they may be taken now; one that is refused again stays, with its new reason.
   * @param isFor which folders of the drop folder are meant, by their names; left out: all
   */
  retry(
    operator: Actor,
    isMeant: (reason: string) => boolean,
    isFor?: (folder: string) => Promise<boolean>,
  ): Promise<TriedAgain>;
  /** How many have such a reason, of so many that are looked through. */
  count(isMeant: (reason: string) => boolean): Promise<number>;
}

export function createWaitingFiles({
  held,
  quarantine,
}: {
  held: {
    retry(isMeant: (reason: string) => boolean): Promise<TriedAgain>;
    count(isMeant: (reason: string) => boolean): Promise<number>;
  };
  quarantine: Pick<Quarantine, "list" | "retry">;
}): WaitingFiles {
  return {
    async retry(operator, isMeant, isFor) {
      const ofSources = await held.retry(isMeant);
      const dropped = await retryQuarantined(quarantine, operator, isMeant, isFor);
      return { retried: ofSources.retried + dropped.retried, taken: ofSources.taken + dropped.taken };
    },
    count: async (isMeant) => (await held.count(isMeant)) + (await quarantined(quarantine, isMeant)).length,
  };
}

/** {@link WaitingFiles.retry} for the drop folder alone. */
export async function retryQuarantined(
  quarantine: Pick<Quarantine, "list" | "retry">,
  operator: Actor,
  isMeant: (reason: string) => boolean,
  isFor: (folder: string) => Promise<boolean> = async () => true,
): Promise<TriedAgain> {
  const count = { retried: 0, taken: 0 };
  for (const { moved_to, folder } of await quarantined(quarantine, isMeant)) {
    if (folder === null || !(await isFor(folder))) continue;
    count.retried += 1;
    await quarantine.retry(operator, moved_to, null).then(
      () => {
        count.taken += 1;
      },
      () => undefined,
    );
  }
  return count;
}

async function quarantined(quarantine: Pick<Quarantine, "list">, isMeant: (reason: string) => boolean) {
  return (await quarantine.list(MOST_QUARANTINED)).items.filter(({ reason }) => isMeant(reason));
}
