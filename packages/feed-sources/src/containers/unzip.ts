import { crc32 } from "node:zlib";
import { FeedRefusal } from "@org/provider-kit";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import type { Bounds } from "./bounds.js";

/** A file in a container. */
export interface ContainedFile {
  /** Its path in the container. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The files of a zip archive, in the order of its directory. All of them are read, or none: every checksum has to be right, and no byte
 * may be left over behind the directory.
 * @param place of the archive, for refusals
 * @throws FeedRefusal
 */
export async function unzip(bytes: Uint8Array, place: string, bounds: Bounds): Promise<readonly ContainedFile[]> {
  const damaged = (error: unknown) => {
    if (error instanceof FeedRefusal) return error;
    return new FeedRefusal(place, `is a zip archive that cannot be opened: ${reasonOf(error)}`);
  };
  try {
    const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    bounds.enter(archive.entryCount);
    const names = new Set<string>();
    const files: ContainedFile[] = [];
    for await (const entry of archive.eachEntry()) {
      const name = nameOf(entry);
      if (names.has(name)) throw new FeedRefusal(place, `holds two files with the name ${JSON.stringify(name)}`);
      names.add(name);
      if (name.endsWith("/")) continue;
      files.push({ name, bytes: await contentOf(archive, entry, name, bounds) });
    }
    return files;
  } catch (error) {
    throw damaged(error);
  }
}

/** Many programs write UTF-8 and do not say so; what is none is in the code page of the first PCs. */
function nameOf({ fileName, fileNameRaw }: Entry): string {
  try {
    // A byte that is a stroke or point in one of them is the same in the other: what was checked of the one holds for the other.
    return new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw).replaceAll("\\", "/");
  } catch {
    return fileName;
  }
}

async function contentOf(archive: ZipFile, entry: Entry, name: string, bounds: Bounds): Promise<Uint8Array> {
  const place = `part ${name}`;
  if (entry.isEncrypted())
    throw new FeedRefusal(place, "is encrypted with a password, which is not tried; have it encrypted with PGP");
  if (((entry.externalFileAttributes >>> 16) & FILE_KIND) === SYMBOLIC_LINK)
    throw new FeedRefusal(place, "is a symbolic link, which is not followed");
  bounds.count(place, entry.compressedSize, entry.uncompressedSize);
  const content = Buffer.alloc(entry.uncompressedSize);
  let at = 0;
  // A stream ends with an error as soon as it is longer than its entry says.
  for await (const chunk of await archive.openReadStreamPromise(entry)) {
    content.set(chunk as Uint8Array, at);
    at += (chunk as Uint8Array).byteLength;
  }
  if (at !== content.byteLength || crc32(content) !== entry.crc32)
    throw new FeedRefusal(place, "is damaged: its checksum is wrong");
  return content;
}

/** What kind a file is in the upper half of its attributes, where Unix made the archive. */
const FILE_KIND = 0o170000;
const SYMBOLIC_LINK = 0o120000;

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("Invalid comment length")) return "something follows its end";
  return message.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}
