import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder for its owner only, with those above it, unless it exists. `mkdir` of Node with `recursive` runs for ever where the
 * folder above takes none, as in `/proc`.
 * @throws an error of the file system when it cannot be created
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    const above = dirname(resolve(folder));
    if (code !== "ENOENT" || existsSync(above)) throw error;
    makeFolder(above);
    makeFolder(folder);
  }
}
