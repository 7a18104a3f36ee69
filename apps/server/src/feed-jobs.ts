import type { FeedSilence } from "@org/core";
import type { DropFolder } from "./drop-folder.js";
import type { Logger } from "./log.js";
import { type Job, repeat } from "./repeat.js";

/** Looks into the drop folder every `everyMs`. Stopping waits for the file under way. */
export function startDropFolder({ folder, ...deps }: Schedule & { folder: DropFolder }): Job {
  return repeatLogged(deps, folder.look, "the drop folder cannot be read; it is tried again");
}

/** Deletes, every `everyMs`, what the drop folder keeps of connections and letters that are gone. */
export function startForgetting({ forget, ...deps }: Schedule & { forget: () => Promise<number> }): Job {
  return repeatLogged(deps, forget, "files of connections that are gone could not be deleted; it is tried again");
}

/** Blocks letters whose custodian has fallen silent, every `everyMs`. */
export function startFeedSilence({ feedSilence, ...deps }: Schedule & { feedSilence: FeedSilence }): Job {
  return repeatLogged(deps, feedSilence.blockSilent, "silent feeds could not be looked for; it is tried again");
}

interface Schedule {
  readonly log: Logger;
  readonly everyMs: number;
}

function repeatLogged(
  { log, everyMs }: Schedule,
  work: (signal: AbortSignal) => Promise<unknown>,
  failure: string,
): Job {
  return repeat(everyMs, async (signal) => {
    try {
      await work(signal);
    } catch (error) {
      log.error({ err: error }, failure);
    }
  });
}
