import { type ReadPart, readPart, type SentFile } from "@org/data-feeds";
import type { ReadFeed } from "@org/provider-kit";
import { containerKind } from "./container-kind.js";
import { type Opening, openContainer } from "./open-container.js";
import { splitByMessage } from "./split-by-message.js";

/** Whether a file must be opened before it can be read. */
export function isContainer(bytes: Uint8Array): boolean {
  return containerKind(bytes) !== null;
}

/** Reads files that are not containers. */
export interface StatementReader {
  /** Whether any format recognises it. */
  recognises(file: Uint8Array): boolean;
  /** @throws FeedRefusal */
  read(file: Uint8Array): ReadFeed;
}

/**
 * Reads a file, or every file in it; each is read completely or refused. A file with SWIFT messages of several types becomes one part per type.
 * @throws FeedRefusal if it is a container that cannot be opened completely, or lacks a required signature
 */
export async function readParts(
  file: SentFile,
  opening: Opening,
  { recognises, read }: StatementReader,
): Promise<readonly ReadPart[]> {
  const { files, warnings } = await openContainer(file, opening);
  const parts = files
    .flatMap((one) => splitByMessage(one, recognises))
    .map(({ name, bytes }) => readPart(name, bytes, read));
  const first = parts.findIndex((part) => "read" in part);
  // These warnings concern the file as a whole, which has no place for them, so they go to the first part.
  return parts.map((part, index) =>
    index === first && "read" in part
      ? { ...part, read: { ...part.read, warnings: [...warnings, ...part.read.warnings] } }
      : part,
  );
}
