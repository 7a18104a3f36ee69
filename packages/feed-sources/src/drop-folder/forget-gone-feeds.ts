import { access, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DataFeeds } from "@org/core";
import type { DropFolderLog } from "./drop-folder.js";
import { unlessGone } from "./dropped-files.js";

/**
 * Deletes what was kept of files whose connection or letter is gone. `done/<id>` goes as soon as nothing delivers under this id any
 * more, and `quarantine/<id>` with it. What is in quarantine alone stays: its id may never have been one.
 * @returns how many folders went
 */
export async function forgetGoneFeeds(deps: {
  dir: string;
  feeds: Pick<DataFeeds, "delivers">;
  log: Pick<DropFolderLog, "info">;
}): Promise<number> {
  const { dir, feeds, log } = deps;
  let gone = 0;
  for (const place of ["done", "quarantine"])
    for (const entry of (await unlessGone(readdir(join(dir, place), { withFileTypes: true }))) ?? []) {
      if (!entry.isDirectory()) continue;
      const state = await feeds.delivers(entry.name);
      if (state === "yes" || (state === "unknown" && !(await exists(join(dir, "done", entry.name))))) continue;
      for (const kept of ["quarantine", "done"])
        await rm(join(dir, kept, entry.name), { recursive: true, force: true });
      log.info({ folder: entry.name }, "custodian files of a connection or letter that is gone were deleted");
      gone += 1;
    }
  return gone;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
