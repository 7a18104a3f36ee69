import { access, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { auditEntry, type Runtime, systemActor } from "@org/core";
import type { DataFeeds } from "@org/data-feeds";
import { DROP_FOLDER, type SourceFileStore } from "../ports/source-store.js";
import type { DropFolderLog } from "./drop-folder.js";
import { ignoreMissing } from "./dropped-files.js";

/** The most held files that one call checks. */
const MAX_HELD = 1_000;

/**
 * Deletes the files of connections and letters that no longer exist: once nothing delivers under an id any more, removes `done/<id>` and drops the
 * id's held files. Held files under an unknown id without such a folder stay: it may never have been valid. @returns how many ids were cleaned up
 */
export async function forgetGoneFeeds(deps: {
  dir: string;
  feeds: Pick<DataFeeds, "delivers">;
  files: Pick<SourceFileStore, "held" | "drop">;
  runtime: Pick<Runtime, "clock" | "newId">;
  log: Pick<DropFolderLog, "info">;
}): Promise<number> {
  const { dir, feeds, files, runtime, log } = deps;
  const held = await files.held({ source: DROP_FOLDER, limit: MAX_HELD });
  const folderOf = (name: string) => name.slice(0, Math.max(0, name.indexOf("/")));
  const done = ((await ignoreMissing(readdir(join(dir, "done"), { withFileTypes: true }))) ?? [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  let gone = 0;
  for (const folder of new Set([...done, ...held.map(({ name }) => folderOf(name))])) {
    if (folder === "") continue;
    const state = await feeds.delivers(folder);
    if (state === "yes" || (state === "unknown" && !(await exists(join(dir, "done", folder))))) continue;
    for (const { file_id, name, sha256 } of held.filter((file) => folderOf(file.name) === folder)) {
      const facts = { file_id, sha256 };
      const entry = auditEntry(runtime, systemActor, "source.drop-held", "source", DROP_FOLDER, facts);
      if (await files.drop(file_id, runtime.clock(), entry)) log.info({ name }, "a held file of a letter that is gone");
    }
    await rm(join(dir, "done", folder), { recursive: true, force: true });
    log.info({ folder }, "custodian files of a connection or letter that is gone were deleted");
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
