import {
  type LetterDocument,
  type LetterDocumentStore,
  type LetterMoveStore,
  type LetterRecord,
  type LetterStore,
  MAX_HISTORY,
  type Uuid,
} from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";

/** {@link LetterStore} of `tenant_id` inside its transaction. */
export function letterStore(db: Db, tenant_id: string): LetterStore {
  return {
    async claimKey(record, now) {
      for (;;) {
        // Waits for a claim in flight, and replaces an expired one.
        const claimed = await db
          .insertInto("idempotency_keys")
          .values({ tenant_id, ...record })
          .onConflict((conflict) =>
            conflict
              .columns(["tenant_id", "application_id", "key"])
              .doUpdateSet(record)
              .where("idempotency_keys.expires_at", "<=", now),
          )
          .executeTakeFirst();
        if (claimed.numInsertedOrUpdatedRows) return { claimed: true };
        const holder = await db
          .selectFrom("idempotency_keys")
          .select(["application_id", "key", "request_hash", "letter_id", "expires_at"])
          .where("tenant_id", "=", tenant_id)
          .where("application_id", "=", record.application_id)
          .where("key", "=", record.key)
          .executeTakeFirst();
        // If there is no holder, it was deleted meanwhile, and the key is free again.
        if (holder) return { claimed: false, holder };
      }
    },

    async create(letter, documents, move) {
      const { letter_id, created_at, status } = letter;
      await db
        .insertInto("letters")
        .values({ tenant_id, ...letter })
        .execute();
      await db.insertInto("object_owners").values({ object_id: letter_id, kind: "letter", tenant_id }).execute();
      const labels = Object.entries(letter.labels).map(([key, value]) => ({ key, value }));
      if (labels.length > 0) {
        const rows = labels.map((label) => ({ tenant_id, letter_id, ...label, created_at, status }));
        await db.insertInto("letter_labels").values(rows).execute();
      }
      for (const document of documents) await insertDocument(db, tenant_id, letter_id, document);
      await db.insertInto("letter_moves").values(moveRow(tenant_id, move)).execute();
    },

    async used() {
      const { rows } = await sql<{ letters: string; document_bytes: string }>`
        select letters, document_bytes from letters_used(${tenant_id})`.execute(db);
      return { letters: Number(rows[0]?.letters), document_bytes: Number(rows[0]?.document_bytes) };
    },

    async find(letterId) {
      return (await ofTenant(db, tenant_id).where("letter_id", "=", letterId).executeTakeFirst()) ?? null;
    },

    async findByConnection(connectionId) {
      const found = ofTenant(db, tenant_id).where("connection_id", "=", connectionId).orderBy("letter_id").limit(1);
      return (await found.executeTakeFirst()) ?? null;
    },
  };
}

/** {@link LetterMoveStore} of `tenant_id` inside its transaction. */
export function letterMoveStore(db: Db, tenant_id: string): LetterMoveStore {
  return {
    async lock(letterId) {
      const found = ofTenant(db, tenant_id).where("letter_id", "=", letterId).forUpdate();
      return (await found.executeTakeFirst()) ?? null;
    },

    async record(letter, move) {
      const {
        letter_id,
        status,
        previous_status,
        ever_connected,
        contact_info,
        connection_id,
        observations,
        updated_at,
        status_since,
        client_ref,
      } = letter;
      const { numUpdatedRows } = await db
        .updateTable("letters")
        .set({
          status,
          previous_status,
          ever_connected,
          contact_info,
          connection_id,
          observations,
          updated_at,
          status_since,
          // Whoever moves it may have read it before its client got another reference.
          ...(move.event === "assign" && { client_ref }),
        })
        .set({ version: letter.version + 1 })
        .where("tenant_id", "=", tenant_id)
        .where("letter_id", "=", letter_id)
        .where("version", "=", letter.version)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await db
        .updateTable("letter_labels")
        .set({ status })
        .where("tenant_id", "=", tenant_id)
        .where("letter_id", "=", letter_id)
        .execute();
      await db.insertInto("letter_moves").values(moveRow(tenant_id, move)).execute();
      return true;
    },

    async history(letterId) {
      const rows = await db
        .selectFrom("letter_moves")
        .select(["move_id", "letter_id", "at", "actor", "event", "from_status as from", "to_status as to"])
        .select(["note", "connection_id"])
        .where("tenant_id", "=", tenant_id)
        .where("letter_id", "=", letterId)
        .orderBy("at", "desc")
        .orderBy("move_id", "desc")
        .limit(MAX_HISTORY)
        .execute();
      return rows.reverse();
    },
  };
}

/** Bytes of a document that are read in one row. */
const PIECE_BYTES = 256 * 1024;

/** {@link LetterDocumentStore} of `tenant_id` inside its transaction. */
export function letterDocumentStore(db: Db, tenant_id: string): LetterDocumentStore {
  const deleteDocuments = (letterId: Uuid) =>
    db.deleteFrom("letter_documents").where("tenant_id", "=", tenant_id).where("letter_id", "=", letterId);

  return {
    async document(letterId, kind) {
      // A row for each piece: the driver decodes them as they arrive, but a row of megabytes in one go.
      const { rows } = await sql<Omit<LetterDocument, "ciphertext"> & { piece: Uint8Array | null }>`
        select d.kind, d.sha256, d.size, d.signature, d.sealed_key, d.object_key,
               substr(d.ciphertext, at, ${PIECE_BYTES}::integer) as piece
          from letter_documents d
          left join lateral generate_series(1, octet_length(d.ciphertext), ${PIECE_BYTES}::integer) as at on true
         where d.tenant_id = ${tenant_id} and d.letter_id = ${letterId} and d.kind = ${kind}
         order by at`.execute(db);
      const [row] = rows;
      if (!row) return null;
      const { piece: _, ...document } = row;
      const ciphertext = row.object_key === null ? Buffer.concat(rows.flatMap(({ piece }) => piece ?? [])) : null;
      return { ...document, ciphertext };
    },

    async documents(letterId) {
      return db
        .selectFrom("letter_documents")
        .select(["kind", "sha256", "size", "signature"])
        .where("tenant_id", "=", tenant_id)
        .where("letter_id", "=", letterId)
        .orderBy("kind", "desc")
        .execute();
    },

    async expectObject(object_key, due_at) {
      await db.insertInto("orphaned_objects").values({ tenant_id, object_key, due_at }).execute();
    },

    async dropExpected(object_key, due_at) {
      // Waits for a transaction that is about to reference the object.
      const { numDeletedRows } = await db
        .deleteFrom("orphaned_objects")
        .where("tenant_id", "=", tenant_id)
        .where("object_key", "=", object_key)
        .executeTakeFirst();
      if (numDeletedRows > 0n)
        await db.insertInto("orphaned_objects").values({ tenant_id, object_key, due_at }).execute();
    },

    async attach(letter_id, document) {
      const { kind } = document;
      await deleteDocuments(letter_id).where("kind", "=", kind).execute();
      await insertDocument(db, tenant_id, letter_id, document);
    },

    async countHere() {
      const { documents, bytes } = await db
        .selectFrom("letter_documents")
        .select(({ fn }) => [
          fn.countAll<string>().as("documents"),
          fn.coalesce(fn.sum<string>("size"), sql<string>`0`).as("bytes"),
        ])
        .where("tenant_id", "=", tenant_id)
        .where("object_key", "is", null)
        .executeTakeFirstOrThrow();
      return { documents: Number(documents), bytes: Number(bytes) };
    },

    async listHere(after, limit) {
      return db
        .selectFrom("letter_documents")
        .select(["letter_id", "kind"])
        .where("tenant_id", "=", tenant_id)
        .where("object_key", "is", null)
        .$if(after !== null, (query) =>
          query.where(sql<boolean>`(letter_id, kind) > (${after?.letter_id}, ${after?.kind})`),
        )
        .orderBy("letter_id")
        .orderBy("kind")
        .limit(limit)
        .execute();
    },

    async moveToBucket({ letter_id, kind }, ciphertextSha256, object_key) {
      // Leaves a row that is not the one that was read; a key that was resealed meanwhile is kept.
      const { rows } = await sql<{ object_key: string }>`
        with here as (
          delete from letter_documents
          where tenant_id = ${tenant_id} and letter_id = ${letter_id} and kind = ${kind}
            and encode(sha256(ciphertext), 'hex') = ${ciphertextSha256}
          returning tenant_id, letter_id, kind, sha256, size, signature, sealed_key
        )
        insert into letter_documents (tenant_id, letter_id, kind, sha256, size, signature, sealed_key, object_key)
        select here.*, ${object_key} from here
        returning object_key`.execute(db);
      if (rows.length > 0) await takeExpected(db, tenant_id, object_key);
      return rows.length > 0;
    },

    async details(letterId) {
      const row = await db
        .selectFrom("letter_details")
        .select("sealed_details")
        .where("tenant_id", "=", tenant_id)
        .where("letter_id", "=", letterId)
        .executeTakeFirst();
      return row?.sealed_details ?? null;
    },

    async detailsOf(letterIds) {
      const { rows } = await sql<{ letter_id: Uuid; sealed_details: string }>`
        select letter_id, sealed_details from letter_details
        where tenant_id = ${tenant_id} and letter_id = any (${[...letterIds]}::uuid[])`.execute(db);
      return new Map(rows.map(({ letter_id, sealed_details }) => [letter_id, sealed_details]));
    },

    async storeDetails(letter_id, sealed_details) {
      await db
        .insertInto("letter_details")
        .values({ tenant_id, letter_id, sealed_details })
        .onConflict((conflict) => conflict.columns(["tenant_id", "letter_id"]).doUpdateSet({ sealed_details }))
        .execute();
    },

    async erase(letter_id) {
      await deleteDocuments(letter_id).execute();
      await db
        .deleteFrom("letter_details")
        .where("tenant_id", "=", tenant_id)
        .where("letter_id", "=", letter_id)
        .execute();
      await db
        .deleteFrom("feed_arrivals")
        .where("tenant_id", "=", tenant_id)
        .where("target_id", "=", letter_id)
        .execute();
    },
  };
}

/** Adds a document; its object, if any, is no longer orphaned. */
async function insertDocument(db: Db, tenant_id: string, letter_id: Uuid, document: LetterDocument): Promise<void> {
  if (document.object_key !== null) await takeExpected(db, tenant_id, document.object_key);
  await db
    .insertInto("letter_documents")
    .values({ tenant_id, letter_id, ...document })
    .execute();
}

/** Marks an object as no longer orphaned, since a document references it. */
async function takeExpected(db: Db, tenant_id: string, object_key: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("orphaned_objects")
    .where("tenant_id", "=", tenant_id)
    .where("object_key", "=", object_key)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Error(`nobody expects the object ${object_key}`);
}

/** Columns of a {@link LetterRecord}. */
const letterColumns = [
  "letter_id",
  "connector_id",
  "status",
  "previous_status",
  "ever_connected",
  "labels",
  "contact_info",
  "connection_id",
  "observations",
  "created_at",
  "updated_at",
  "status_since",
  "version",
  "client_ref",
] as const satisfies readonly (keyof LetterRecord)[];

function ofTenant(db: Db, tenant_id: string) {
  return db.selectFrom("letters").select(letterColumns).where("tenant_id", "=", tenant_id);
}

function moveRow(tenant_id: string, { from, to, ...move }: Parameters<LetterMoveStore["record"]>[1]) {
  return { tenant_id, ...move, from_status: from, to_status: to };
}
