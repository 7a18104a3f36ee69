import {
  type FileRecord,
  type HeldContent,
  type HeldRoom,
  isTakenOrHeld,
  MIN_HELD_BYTES,
  type SourceFileStore,
} from "@org/feed-sources";
import { sql } from "kysely";
import { anyOf, directionOf, keysetPage } from "../queries/lists.js";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { note } from "./audit-note.js";

/** {@link SourceFileStore}. */
export function sourceFileStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): SourceFileStore {
  /** Runs work that is rolled back if there is no room. */
  const inRoom = <T>(work: (db: Db) => Promise<T>) =>
    asUpkeep(work).catch((error: unknown) => {
      if (error instanceof NoRoom) return error.reason;
      throw error;
    });

  return {
    known: (source, names, now) =>
      asUpkeep(async (db) => {
        await db
          .updateTable("feed_source_files")
          .set({ seen_at: now })
          .where("source", "=", source)
          .where("name", "=", anyOf(names, "text"))
          .execute();
        const rows = await db
          .selectFrom("feed_source_files")
          .select(columns)
          .distinctOn("name")
          .where("source", "=", source)
          .where("name", "=", anyOf(names, "text"))
          .orderBy("name")
          .orderBy("came_at", "desc")
          .orderBy("file_id", "desc")
          .execute();
        return rows.map(fileOf);
      }),
    find: (source, { name, size, sha256 }) =>
      asUpkeep(
        async (db) => {
          const found = await sameFile(db, { source, name, size, sha256 });
          return found ? fileOf(found) : null;
        },
        "lookups",
        source,
      ),
    keep: (file, held, room) =>
      inRoom(async (db) => {
        const { state, settled_at, modified_at } = file;
        const before = await sameFile(db, file);
        const { file_id } = await db
          .insertInto("feed_source_files")
          .values({ ...file, size: String(file.size), seen_at: settled_at })
          .onConflict((conflict) =>
            conflict
              .columns(["source", "name", "size", "sha256"])
              .doUpdateSet({ state, settled_at, modified_at, seen_at: settled_at }),
          )
          .returning("file_id")
          .executeTakeFirstOrThrow();
        await storeContent(db, { file_id, source: file.source }, held, room);
        const isRepeated = file_id !== file.file_id && (before === undefined || isTakenOrHeld(fileOf(before)));
        return isRepeated ? ("repeated" as const) : ("kept" as const);
      }),
    storeRetried: ({ file_id, source, state, settled_at }, held, room) =>
      inRoom(async (db) => {
        const row = db
          .updateTable("feed_source_files")
          .set({ state, settled_at, seen_at: settled_at })
          .where("file_id", "=", file_id);
        const { numUpdatedRows } = await (held ? row.where("state", "=", "held") : row).executeTakeFirst();
        if (numUpdatedRows === 0n) return "gone" as const;
        await storeContent(db, { file_id, source }, held, room);
        return "kept" as const;
      }),
    list: ({ source, state, order, after, limit }) =>
      asUpkeep(
        async (db) => {
          let query = db.selectFrom("feed_source_files").select(columns);
          if (source !== null) query = query.where("source", "=", source);
          if (state !== null) query = query.where("state", "=", state);
          const rows = await keysetPage(query, {
            by: ["came_at", "file_id"],
            direction: directionOf(order),
            after: after && [after.came_at, after.file_id],
            limit,
          });
          return rows.map(fileOf);
        },
        "lookups",
        source ?? INSTALLATION_KEY,
      ),
    held: ({ source, limit }) =>
      asUpkeep(
        async (db) => {
          const query = heldFiles(db).select([...heldColumns, "sealed_findings", "held_until"]);
          const rows = await (source === null ? query : query.where("f.source", "=", source))
            .orderBy("f.came_at")
            .orderBy("f.file_id")
            .limit(limit)
            .execute();
          return rows.map(({ size, ...row }) => ({ ...row, size: Number(size) }));
        },
        "lookups",
        source ?? INSTALLATION_KEY,
      ),
    heldContent: (fileId) =>
      asUpkeep(async (db) => {
        const found = await heldFiles(db)
          .select([...heldColumns, "sealed_key", "ciphertext", "sealed_findings", "held_until", "tries", "retry_at"])
          .select(["feed_held.cause", "feed_held.is_part"])
          .where("f.file_id", "=", fileId)
          .executeTakeFirst();
        if (!found) return null;
        const { sealed_key, ciphertext, sealed_findings, held_until, tries, retry_at, cause, is_part, ...file } = found;
        const content = { sealed_key, ciphertext, sealed_findings, held_until, tries, retry_at, cause, is_part };
        return { file: fileOf(file), content };
      }),
    drop: (fileId, now, entry) =>
      asUpkeep(async (db) => {
        // Locks the file's row first, like every change of a held file's content.
        const { numUpdatedRows } = await db
          .updateTable("feed_source_files")
          .set({ state: "dropped", settled_at: now })
          .where("file_id", "=", fileId)
          .where("state", "=", "held")
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await db.deleteFrom("feed_held").where("file_id", "=", fileId).execute();
        return note(db, entry);
      }),
    claimHeld: ({ now, until, limit, except }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<Omit<FileRecord, "size"> & { size: string }>`
          with due as (
            select h.file_id, h.retry_at, row_number() over (partition by f.source order by h.retry_at, h.file_id) as turn
            from feed_held h join feed_source_files f using (file_id)
            where h.retry_at <= ${now} and f.source <> all (${[...except]}::text[])
          ), mine as (
            select h.file_id from feed_held h join due using (file_id)
            where h.retry_at <= ${now}
            order by due.turn, due.retry_at
            limit ${limit} for update of h skip locked
          ), taken as (
            update feed_held h set retry_at = ${until} from mine where h.file_id = mine.file_id
            returning h.file_id
          )
          select ${sql.join(columns.map((name) => sql.ref(`f.${name}`)))}
          from feed_source_files f join taken using (file_id) join due using (file_id)
          order by due.turn, due.retry_at`.execute(db);
        return rows.map(fileOf);
      }),
    expediteHeld: (sources, now, beyond = now) =>
      asUpkeep(async (db) => {
        await sql`
          update feed_held h set retry_at = ${now} from feed_source_files f
          where f.file_id = h.file_id and h.retry_at > ${beyond} and (${sources}::text[] is null or f.source = any (${sources}::text[]))`.execute(
          db,
        );
      }),
    heldTotals: () => asUpkeep(totals, "lookups", INSTALLATION_KEY),
    tidy: ({ now, forgetBefore, limit }) =>
      asUpkeep(async (db) => {
        const expired = await db
          .updateTable("feed_source_files")
          .set({ state: "expired", settled_at: now })
          .where(
            sql<boolean>`file_id in (
              select file_id from feed_source_files f join feed_held h using (file_id)
              where h.held_until <= ${now} and f.state = 'held' order by h.held_until limit ${limit} for update of f skip locked
            )`,
          )
          .returning(columns)
          .execute();
        const ids = expired.map(({ file_id }) => file_id);
        if (ids.length > 0) await db.deleteFrom("feed_held").where("file_id", "in", ids).execute();
        const { numAffectedRows } = await sql`
          delete from feed_source_files where file_id in (
            select file_id from feed_source_files where state <> 'held' and seen_at < ${forgetBefore} limit ${limit} for update skip locked
          )`.execute(db);
        return { expired: expired.map(fileOf), forgotten: Number(numAffectedRows ?? 0n) };
      }),
  };
}

const columns = [
  ...(["file_id", "source", "name", "size", "sha256", "modified_at", "state", "came_at", "settled_at"] as const),
] as const;
const heldColumns = [
  ...(["f.file_id", "f.source", "f.name", "f.size", "f.sha256", "f.modified_at", "f.state"] as const),
  ...(["f.came_at", "f.settled_at"] as const),
] as const;

/** Held files, as `f`, joined with their content. */
export function heldFiles(db: Db) {
  return db.selectFrom("feed_held").innerJoin("feed_source_files as f", "f.file_id", "feed_held.file_id");
}

function fileOf({ size, ...row }: Omit<FileRecord, "size"> & { readonly size: string }): FileRecord {
  return { ...row, size: Number(size) };
}

async function totals(db: Db): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: string; bytes: string }>`
    select count(*) as files, coalesce(sum(bytes), 0) as bytes from feed_held`.execute(db);
  return { files: Number(rows[0]?.files ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

/** Replaces a held file's content; null deletes it. @throws NoRoom */
async function storeContent(
  db: Db,
  { file_id, source }: Pick<FileRecord, "file_id" | "source">,
  held: HeldContent | null,
  room: HeldRoom,
): Promise<void> {
  await db.deleteFrom("feed_held").where("file_id", "=", file_id).execute();
  if (held === null) return;
  // Sequential, so that two files cannot both take the last of the room.
  await sql`select pg_advisory_xact_lock(hashtext('feed_held'))`.execute(db);
  const bytes = held.ciphertext.byteLength;
  const taken = await usedBytes(db, source);
  const wanted = Math.max(MIN_HELD_BYTES, bytes);
  if (taken.all + wanted > room.bytes) throw new NoRoom("no_room");
  if (taken.ofSource + wanted > room.of_source) throw new NoRoom("over_share");
  await db
    .insertInto("feed_held")
    .values({ file_id, bytes: String(bytes), ...held })
    .execute();
}

/** The room that held files use, each counting at least {@link MIN_HELD_BYTES}. */
async function usedBytes(db: Db, source: string): Promise<{ all: number; ofSource: number }> {
  const { rows } = await sql<{ all: string; of_source: string }>`
    select coalesce(sum(room), 0) as all, coalesce(sum(room) filter (where source = ${source}), 0) as of_source
    from (
      select f.source, greatest(h.bytes, ${MIN_HELD_BYTES}) as room
      from feed_held h join feed_source_files f using (file_id)
    ) each`.execute(db);
  return { all: Number(rows[0]?.all ?? 0), ofSource: Number(rows[0]?.of_source ?? 0) };
}

/** Thrown to roll back a file for which there is no room. */
class NoRoom extends Error {
  readonly reason: "no_room" | "over_share";

  constructor(reason: NoRoom["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

function sameFile(db: Db, { source, name, size, sha256 }: Pick<FileRecord, "source" | "name" | "size" | "sha256">) {
  return db
    .selectFrom("feed_source_files")
    .select(columns)
    .where("source", "=", source)
    .where("name", "=", name)
    .where("size", "=", String(size))
    .where("sha256", "=", sha256)
    .executeTakeFirst();
}
