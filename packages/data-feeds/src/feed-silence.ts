import type { LetterRecord, Runtime, Storage, TenantStores, Uuid } from "@org/core";
import { moveLetter, systemActor } from "@org/core";

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;

/** Blocks letters whose custodian sends no files. */
export interface FeedSilence {
  /** Blocks every Connected letter that has had no file for too long; returns their ids. */
  blockSilent(): Promise<readonly string[]>;
}

/**
 * Blocks a Connected letter when no file has come for `silentDays`, counted from its last file or from when it was connected or resolved,
 * whichever is later. An operator who resolves it by hand therefore gives it as many days again. The next good file resolves it.
 * @param silentDays 0 = never
 */
export function createFeedSilence(deps: {
  storage: Storage;
  runtime: Runtime;
  silentDays: number;
  /** Called for each letter that was blocked. */
  onBlocked?: (fact: { letter_id: string; connection_id: string | null }) => void;
}): FeedSilence {
  const { storage, runtime, silentDays } = deps;
  return {
    async blockSilent() {
      if (silentDays === 0) return [];
      const since = new Date(runtime.clock().getTime() - silentDays * DAY_MS);
      const blocked: string[] = [];
      for (let found = BATCH; found === BATCH; ) {
        const letters = await storage.upkeep.silentLetters(since, BATCH);
        const before = blocked.length;
        for (const letter of letters) if (await block(letter, since)) blocked.push(letter.letter_id);
        // Another replica may be blocking the same letters; if it was faster for the whole batch, leave the rest to it.
        found = blocked.length === before ? 0 : letters.length;
      }
      return blocked;
    },
  };

  async function block({ tenant_id, letter_id }: { tenant_id: string; letter_id: Uuid }, since: Date) {
    const letter = await storage.inTenant(tenant_id, async (stores) => {
      const found = await stores.letterMoves.lock(letter_id);
      if (!found || !(await isSilent(stores, found, since))) return null;
      const note = `no file of the custodian for ${silentDays} days`;
      const { connection_id, connector_id, labels, client_ref } = found;
      const data = { connection_id, letter_id, connector_id, client_ref };
      await stores.events.append([{ type: "feed.silent", object_id: letter_id, labels, data }]);
      return moveLetter(stores, runtime, systemActor, found, "block", { note, reason: "silent" });
    });
    if (letter) deps.onBlocked?.({ letter_id, connection_id: letter.connection_id });
    return letter !== null;
  }
}

/** Checks again under the lock: a file or an operator may have been faster. */
async function isSilent(stores: TenantStores, letter: LetterRecord, since: Date): Promise<boolean> {
  if (letter.status !== "Connected") return false;
  const file = letter.connection_id === null ? null : await stores.snapshots.latestFile(letter.connection_id);
  if (file && file >= since) return false;
  const moves = await stores.letterMoves.history(letter.letter_id);
  return !moves.some(({ event, at }) => (event === "connect" || event === "resolve") && at >= since);
}

/**
 * Resolves a letter after a good file if its feed's silence had blocked it. A letter that an operator blocked stays blocked: the operator had a
 * reason that a file does not remove.
 */
export async function resolveSilence(
  stores: TenantStores,
  runtime: Runtime,
  letter: LetterRecord,
): Promise<LetterRecord> {
  if (letter.status !== "Blocked") return letter;
  const moves = await stores.letterMoves.history(letter.letter_id);
  const block = moves.findLast(({ event }) => event === "block");
  if (block?.actor !== systemActor.application_id) return letter;
  return moveLetter(stores, runtime, systemActor, letter, "resolve", {
    note: "the custodian's files arrive again",
  });
}
