import type { FeedSilence } from "@org/core";
import type { DropFolder } from "./drop-folder.js";
import type { Logger } from "./log.js";
import { type Job, repeat } from "./repeat.js";

/** Looks into the drop folder every `everyMs`. Stopping waits for the file under way. */
export function startDropFolder(deps: { folder: DropFolder; log: Logger; everyMs: number }): Job {
  return repeat(deps.everyMs, async (signal) => {
    try {
      await deps.folder.look(signal);
    } catch (error) {
      deps.log.error({ err: error }, "the drop folder cannot be read; it is tried again");
    }
  });
}

/** Deletes, every `everyMs`, what the drop folder keeps of connections and letters that are gone. */
export function startForgetting(deps: { forget: () => Promise<number>; log: Logger; everyMs: number }): Job {
  return repeat(deps.everyMs, async () => {
    try {
      await deps.forget();
    } catch (error) {
      deps.log.error({ err: error }, "files of connections that are gone could not be deleted; it is tried again");
    }
  });
}

/** Blocks letters whose custodian has fallen silent, every `everyMs`. */
export function startFeedSilence(deps: { feedSilence: FeedSilence; log: Logger; everyMs: number }): Job {
  return repeat(deps.everyMs, async () => {
    try {
      await deps.feedSilence.blockSilent();
    } catch (error) {
      deps.log.error({ err: error }, "silent feeds could not be looked for; it is tried again");
    }
  });
}
