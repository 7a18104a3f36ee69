import type { Actor, ConnectionRecord, FeedFile, LetterRecord, Runtime, TenantStores } from "@org/core";
import { CoreError, connectLetter, letterNotFound, moveLetter } from "@org/core";
import type { ReadFeed } from "@org/provider-kit";
import { connectionNotFound, type FeedPlace } from "./feed-target.js";

/** Whose file is read: what shares the turns of reading. `feed_id` is that of the connection, or of its letter while it has none. */
export interface FeedOrigin {
  readonly tenant_id: string;
  readonly feed_id: string;
  /** What is read are pages of a statement that were read before, put together: whatever had to be signed was. */
  readonly isOfPages?: true;
}

/** To what a file belongs. */
export type IngestTarget = Pick<FeedPlace, "connection_id" | "letter_id">;

/** One file on its way: who sent it for what, and its place in the order of files. */
export interface Delivery {
  readonly operator: Actor;
  readonly place: IngestTarget;
  readonly bank: string;
  readonly name: string;
  /** Of the file as it came. */
  readonly sha256: string;
  readonly arrival: number;
  /** As the connector's row has them. */
  readonly account_rules: unknown;
  readonly origin: FeedOrigin;
}

/** A part that could be read; without a name it is the file itself. */
export interface ReadablePart {
  readonly name: string | null;
  readonly sha256: string;
  readonly read: ReadFeed;
}

/**
 * The connection that a file goes to; that of a letter which waits for its first file is made now.
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
    throw new CoreError("CONFLICT", `a letter takes files from WaitingForData on; this one is ${letter.status}`);
  return connection;
}

/**
 * Notes that parts are taken, before anything is published of them and in one order for everybody: two files that have parts in common
 * never wait for each other both. Returns those that were not taken before.
 */
export async function noteParts(
  { snapshots }: TenantStores,
  parts: readonly ReadablePart[],
  fileOf: (part: ReadablePart) => FeedFile,
): Promise<ReadonlySet<ReadablePart>> {
  const news = new Set<ReadablePart>();
  for (const part of [...parts].sort((a, b) => (a.sha256 < b.sha256 ? -1 : a.sha256 > b.sha256 ? 1 : 0)))
    if (await snapshots.noteFile(fileOf(part))) news.add(part);
  return news;
}
