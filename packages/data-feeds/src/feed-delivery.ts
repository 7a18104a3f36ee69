import type { Actor, ConnectionRecord, FeedFile, LetterRecord, Runtime, TenantStores } from "@org/core";
import { conflict, connectLetter, letterNotFound, moveLetter, softwareVersion } from "@org/core";
import type { ReadFeed } from "@org/provider-kit";
import { connectionNotFound, type FeedPlace } from "./feed-target.js";

/** The owner of a file, which decides the turns that it waits for. `feed_id` is the id of the connection, or of its letter while it has none. */
export interface FeedOrigin {
  readonly tenant_id: string;
  readonly feed_id: string;
  /** The file was joined from pages of a statement that were read before; required signatures were checked then. */
  readonly isOfPages?: true;
}

/** What a file belongs to. */
export type IngestTarget = Pick<FeedPlace, "connection_id" | "letter_id">;

/** One file being ingested: who sent it, for whom, and its place in the order of files. */
export interface Delivery {
  readonly operator: Actor;
  readonly place: IngestTarget;
  readonly bank: string;
  readonly name: string;
  /** Of the file as it was received. */
  readonly sha256: string;
  readonly arrival: number;
  /** As stored in the connector's row. */
  readonly account_rules: unknown;
  readonly origin: FeedOrigin;
}

/** A part that could be read. Without a name it is the file itself. */
export interface ReadablePart {
  readonly name: string | null;
  readonly sha256: string;
  readonly read: ReadFeed;
}

/**
 * Finds the connection for a file. If its letter waits for the first file, the connection is created.
 * @throws CoreError NOT_FOUND, CONFLICT for a letter that takes no files
 */
export async function connectionOf(
  stores: TenantStores,
  runtime: Runtime,
  { operator, place, letter, bank }: Pick<Delivery, "operator" | "place" | "bank"> & { letter: LetterRecord | null },
): Promise<ConnectionRecord> {
  if (place.connection_id !== undefined) {
    const connection = await stores.connections.find(place.connection_id);
    if (!connection) throw connectionNotFound();
    return connection;
  }
  if (!letter) throw letterNotFound();
  if (letter.status === "WaitingForData") {
    const connection = await connectLetter(stores, runtime, bank, letter);
    await moveLetter(stores, runtime, operator, letter, "connect", {
      note: "first data-feed file",
      connection_id: connection.connection_id,
    });
    return connection;
  }
  const connection = letter.connection_id === null ? null : await stores.connections.find(letter.connection_id);
  if (!connection)
    throw conflict("takes_no_files", `a letter takes files from WaitingForData on; this one is ${letter.status}`);
  return connection;
}

/**
 * Records that parts are taken, before anything of them is published and always in the order of their hashes: two files with common parts cannot
 * deadlock. Returns the parts that were not taken before.
 * @param file the whole file; its name is that of a part without one
 */
export async function noteParts(
  { snapshots }: TenantStores,
  parts: readonly ReadablePart[],
  file: Pick<FeedFile, "connection_id" | "name" | "taken_at">,
): Promise<ReadonlySet<ReadablePart>> {
  const news = new Set<ReadablePart>();
  const fileOf = ({ sha256, name, read: { format, format_version = softwareVersion, left_out } }: ReadablePart) => ({
    ...file,
    sha256,
    name: name ?? file.name,
    ...(name !== null && { container: file.name }),
    format,
    format_version,
    ...(left_out && { left_out }),
  });
  for (const part of [...parts].sort((a, b) => (a.sha256 < b.sha256 ? -1 : a.sha256 > b.sha256 ? 1 : 0)))
    if (await snapshots.noteFile(fileOf(part))) news.add(part);
  return news;
}
