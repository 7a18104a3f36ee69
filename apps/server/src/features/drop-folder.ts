import type { DataFeeds, GiveUp } from "@org/data-feeds";
import { INLINE_BYTES } from "@org/feed-reading";
import { createDropFolder, forgetGoneFeeds, type Intake } from "@org/feed-sources";
import type { Config } from "@org/installation";
import type { OpenedStorage } from "@org/storage-postgres";
import type { Feature, Platform } from "../feature.js";

/** The folder into which custodians' files are dropped (`DROP_DIR`), if this server has one. */
export function dropFolder({
  config: { dropDir: dir },
  sourceStores,
  runtime,
  clock,
  log,
  feeds,
  giveUp,
  intake,
}: Pick<Platform, "runtime" | "clock" | "log"> &
  Pick<OpenedStorage, "sourceStores"> & {
    config: Pick<Config, "dropDir">;
    feeds: DataFeeds;
    giveUp: GiveUp;
    intake: Pick<Intake, "hold" | "isHeld">;
  }): Feature {
  if (dir === undefined) return {};
  const folder = createDropFolder({ dir, feeds, intake, giveUp, inlineBytes: INLINE_BYTES, clock, log });
  return {
    jobs: [
      { name: "dropFolder", run: folder.poll, failure: "the drop folder cannot be read; will be retried" },
      {
        name: "goneFeeds",
        run: () => forgetGoneFeeds({ dir, feeds, files: sourceStores.files, runtime, log }),
        failure: "files of connections that are gone could not be deleted; will be retried",
      },
    ],
    drain: folder.drain,
  };
}
