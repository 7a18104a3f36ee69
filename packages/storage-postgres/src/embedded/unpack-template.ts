import { mkdirSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { canSyncFolders } from "./durable-node-fs.js";

const BLOCK = 512;
const FOLDER = "5";

/** A file or a folder of a template. */
export interface TemplateEntry {
  /** Relative to the database's folder, with slashes on every system, and without a leading one. */
  readonly path: string;
  /** Permissions, as for chmod. */
  readonly mode: number;
  /** A file's content; null for a folder, which precedes its contents. */
  readonly content: Uint8Array | null;
}

/** Reads the entries of a compressed archive (gzip of ustar, POSIX.1-1988) made by {@link createTemplate}, without copying their contents. */
export function readTemplate(archive: Uint8Array): readonly TemplateEntry[] {
  const tar = gunzipSync(archive);
  const field = (at: number, length: number) => {
    const bytes = tar.subarray(at, at + length);
    const end = bytes.indexOf(0);
    return bytes.toString("latin1", 0, end < 0 ? length : end);
  };
  const octal = (at: number, length: number) => Number.parseInt(field(at, length), 8);
  const entries: TemplateEntry[] = [];
  // Blocks of zeros end the archive.
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const begins = at + BLOCK;
    const ends = begins + octal(at + 124, 12);
    entries.push({
      path: posix.join("/", field(at + 345, 155), field(at, 100)).slice(1),
      mode: octal(at + 100, 8) & 0o777,
      // Not a Buffer, whose `slice` does not copy: PGlite writes into what it slices from a file.
      content:
        field(at + 156, 1) === FOLDER ? null : new Uint8Array(tar.buffer, tar.byteOffset + begins, ends - begins),
    });
    at = Math.ceil(ends / BLOCK) * BLOCK;
  }
  return entries;
}

/** Node has four threads for file operations by default. */
const FSYNC_CONCURRENCY = 4;

/**
 * Writes a template into a folder, in a third of the processor time PGlite takes, which asks its emulated file system about every part of every
 * path. Afterwards all of it is on disk, as PostgreSQL assumes of a database that was shut down cleanly.
 */
export async function unpackTemplate(archive: Uint8Array, folder: string): Promise<void> {
  const entries = readTemplate(archive);
  for (const { path, mode, content } of entries)
    if (content === null) mkdirSync(join(folder, path), { recursive: true, mode });
    else writeFileSync(join(folder, path), content, { mode });
  const created = [{ path: "", content: null }, ...entries].values();
  const syncOthers = async () => {
    for (const { path, content } of created) await sync(join(folder, path), content === null);
  };
  await Promise.all(Array.from({ length: FSYNC_CONCURRENCY }, syncOthers));
}

async function sync(path: string, isFolder: boolean): Promise<void> {
  if (isFolder && !canSyncFolders) return;
  // Windows syncs only what was opened for writing.
  const file = await open(path, isFolder ? "r" : "r+");
  await file.sync().finally(() => file.close());
}
