import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { open, opendir } from "node:fs/promises";
import { printableName } from "../file-names.js";

/** Names that programs use while an upload is in progress. */
const unfinished = /^\.|\.(?:part|filepart|partial|tmp|crdownload)$|~$/i;

/** The bytes of a file, if it is unchanged since it was examined, both before and after reading; otherwise null. */
export async function readUnchanged({
  path,
  stats,
}: {
  readonly path: string | Buffer;
  readonly stats: Stats;
}): Promise<Buffer | null> {
  const file = await ignoreMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (!file) return null;
  try {
    if (fileStamp(await file.stat()) !== fileStamp(stats)) return null;
    const bytes = Buffer.alloc(stats.size);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) return null;
      at += bytesRead;
    }
    return fileStamp(await file.stat()) === fileStamp(stats) ? bytes : null;
  } finally {
    await file.close();
  }
}

/** Changes when a file is written to or replaced. */
export function fileStamp({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

interface FolderEntry {
  /** As text, whatever bytes it has. */
  readonly name: string;
  /** As the bytes that the file system has: a name need not be UTF-8. */
  readonly path: Buffer;
  readonly isDirectory: boolean;
}

/**
 * The entries of a folder, at most `most`, without hidden files and those still being written; a folder with a million files is not read to its end.
 * A link to a folder does not count as a folder.
 */
export async function entriesOf(path: string | Buffer, most: number): Promise<FolderEntry[]> {
  // Latin 1 maps each byte of a name to one character.
  const folder = await ignoreMissing(opendir(path as string, { encoding: "latin1", bufferSize: 256 }));
  const entries: FolderEntry[] = [];
  if (folder === null) return entries;
  let seen = 0;
  for await (const entry of folder) {
    const bytes = Buffer.from(entry.name, "latin1");
    const name = nameIn(bytes);
    if (!unfinished.test(name))
      entries.push({ name, path: Buffer.concat([Buffer.from(path), SLASH, bytes]), isDirectory: entry.isDirectory() });
    seen += 1;
    if (entries.length >= most || seen >= MAX_SEEN) break;
  }
  return entries;
}

/** The most names read in a folder, including unfinished uploads. */
const MAX_SEEN = 100_000;
const SLASH = Buffer.from("/");

/** Decodes a name as UTF-8, otherwise as Windows-1252 (Western European languages). */
function nameIn(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : new TextDecoder("windows-1252").decode(bytes);
}

/** Null if the file does not exist, or is a link where links are not followed. */
export async function ignoreMissing<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** The code of a file system error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}

/** A name that can appear in a log, in the database and in a path of ours. */
export function nameInPath(name: string): string {
  return printableName(name).replace(/[/\\]/g, "?");
}

/** The end of a text, at most this many bytes of UTF-8, since file systems count bytes. Never splits a character. */
export function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - most);
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1;
  return bytes.toString("utf8", start);
}

/** The first items of several lists, taken round-robin, `most` in total; a long list leaves room for the others. */
export function fairShare<T>(lists: Iterable<readonly T[]>, most: number): T[] {
  const chosen: T[] = [];
  let open = [...lists];
  for (let turn = 0; open.length > 0; turn += 1) {
    open = open.filter((list) => list.length > turn);
    for (const list of open) {
      if (chosen.length === most) return chosen;
      chosen.push(list[turn] as T);
    }
  }
  return chosen;
}
