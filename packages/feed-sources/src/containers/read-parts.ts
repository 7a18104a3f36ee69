import { type ReadPart, type RefusedPart, readPart, type SentFile } from "@org/data-feeds";
import type { FeedFaults, ReadFeed } from "@org/provider-kit";
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
  const parts = files.flatMap((one) =>
    withFaults(splitByMessage(one, recognises).map(({ name, bytes }) => readPart(name, bytes, read))),
  );
  const first = parts.findIndex((part) => "read" in part);
  // These warnings concern the file as a whole, which has no place for them, so they go to the first part.
  return parts.map((part, index) =>
    index === first && "read" in part
      ? { ...part, read: { ...part.read, warnings: [...warnings, ...part.read.warnings] } }
      : part,
  );
}

/** Of one file's parts, those that refuse only what they state are faults of the first that could be read; without such a part all stay. */
function withFaults(parts: readonly ReadPart[]): readonly ReadPart[] {
  const first = parts.find((part) => "read" in part);
  const isSpared = (part: ReadPart) => "refusal" in part && part.refusal.faults !== null;
  if (!first || !parts.some(isSpared)) return parts;
  const faults = parts.flatMap((part) => ("refusal" in part ? faultsIn(part.name, part.refusal) : []));
  const all = [first.read, ...faults];
  const read = {
    ...first.read,
    warnings: all.flatMap(({ warnings }) => warnings),
    left_out: all.flatMap(({ left_out = [] }) => left_out),
    refused_accounts: all.flatMap(({ refused_accounts = [] }) => refused_accounts),
  };
  return parts.flatMap((part) => (part === first ? [{ ...part, read }] : isSpared(part) ? [] : [part]));
}

/** The faults of a part, whose name is put before each place. */
function faultsIn(name: string, { faults }: RefusedPart): readonly FeedFaults[] {
  const inPart = <Told extends { readonly place: string }>(one: Told) => ({
    ...one,
    place: `part ${name}: ${one.place}`,
  });
  if (faults === null) return [];
  const { warnings, left_out = [], ...refused } = faults;
  return [{ ...refused, warnings: warnings.map(inPart), left_out: left_out.map(inPart) }];
}
