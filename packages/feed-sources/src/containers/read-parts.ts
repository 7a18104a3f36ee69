import { type ReadPart, readPart, type SentFile } from "@org/data-feeds";
import type { ReadFeed } from "@org/provider-kit";
import { containerKind } from "./container-kind.js";
import { type Opening, openContainer } from "./open-container.js";
import { splitByMessage } from "./split-by-message.js";

/** Whether a file has to be opened before it can be read. */
export function isContainer(bytes: Uint8Array): boolean {
  return containerKind(bytes) !== null;
}

/** What reads files that are no containers any more. */
export interface StatementReader {
  /** Whether some format recognises it. */
  recognises(file: Uint8Array): boolean;
  /** @throws FeedRefusal */
  read(file: Uint8Array): ReadFeed;
}

/**
 * Reads a file, or all files in it, each whole or refused. SWIFT messages of several types in one file are a part for each type.
 * @throws FeedRefusal when it is a container that cannot be opened whole, or is not signed as it has to be
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
  // They belong to the file as a whole, which has no place for them.
  return parts.map((part, index) =>
    index === first && "read" in part
      ? { ...part, read: { ...part.read, warnings: [...warnings, ...part.read.warnings] } }
      : part,
  );
}
