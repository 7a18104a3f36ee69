import { crc32 } from "node:zlib";
import { FeedRefusal } from "@org/provider-kit";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { printableName } from "../file-names.js";
import type { Bounds } from "./bounds.js";

/** A file in a container. */
export interface ContainedFile {
  /** Its path in the container. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The files of a zip archive, in directory order. Reads all or none: every checksum must be right, and no bytes may follow the directory.
 * @param place the place of the archive, for refusals
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

/** Many programs write UTF-8 without declaring it; anything else is in code page 437, as of the first PCs. */
function nameOf({ fileName, fileNameRaw }: Entry): string {
  try {
    // Slashes and dots are the same bytes in both encodings, so that checks of one name hold for the other.
    return printableName(new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw).replaceAll("\\", "/"));
  } catch {
    return printableName(fileName);
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
  // The stream fails as soon as it is longer than its entry states.
  for await (const chunk of await archive.openReadStreamPromise(entry)) {
    content.set(chunk as Uint8Array, at);
    at += (chunk as Uint8Array).byteLength;
  }
  if (at !== content.byteLength || crc32(content) !== entry.crc32)
    throw new FeedRefusal(place, "is damaged: its checksum is wrong");
  return content;
}

/** The file type bits in the upper half of the attributes, if the archive was made on Unix. */
const FILE_KIND = 0o170000;
const SYMBOLIC_LINK = 0o120000;

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("Invalid comment length")) return "something follows its end";
  return message.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}
