import {
  type ListedSession,
  type SessionErrorCode,
  type SessionLanguage,
  type SessionRecord,
  type SessionStore,
  sessionBytes,
  type Uuid,
} from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { anyOf, directionOf, keysetPage } from "./lists.js";

/** {@link SessionStore} of `tenant_id` inside its transaction. */
export function sessionStore(db: Db, tenant_id: string): SessionStore {
  return {
    async create({ language, ...record }) {
      await db
        .insertInto("sessions")
        .values({
          tenant_id,
          ...columnsOf(record),
          ...languageColumns(language),
          session_bytes: sessionBytes(record),
        })
        .execute();
      const { link_hash, session_id } = record;
      await db.insertInto("session_links").values({ link_hash, tenant_id, session_id }).execute();
    },

    async countOpen(at) {
      const { rows } = await sql<{ open_sessions: string; first_ends: Date | null; session_bytes: string }>`
        select open_sessions, first_ends, session_bytes from open_sessions_used(${tenant_id}, ${at})`.execute(db);
      const [used] = rows;
      return {
        open: Number(used?.open_sessions),
        bytes: Number(used?.session_bytes),
        first_ends: used?.first_ends ?? null,
      };
    },

    async find(sessionId) {
      const row = await db
        .selectFrom("sessions")
        .select(recordColumns)
        .where("tenant_id", "=", tenant_id)
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return row ? recordOf(row) : null;
    },

    async move(sessionId, expected, change) {
      const { numUpdatedRows } = await db
        .updateTable("sessions")
        .set({ ...columnsOf(change), version: expected + 1 })
        .where("tenant_id", "=", tenant_id)
        .where("session_id", "=", sessionId)
        .where("version", "=", expected)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async redeemCallback({ session_id, callback_hash, owner_hash, now }, change) {
      const { numUpdatedRows } = await db
        .updateTable("sessions")
        .set(({ eb }) => ({ ...columnsOf(change), version: eb("version", "+", 1) }))
        .where("tenant_id", "=", tenant_id)
        .where("session_id", "=", session_id)
        .where("callback_hash", "=", callback_hash)
        .where("owner_hash", "=", owner_hash)
        .where("status", "=", "Waiting:Challenge")
        .where(sql`challenge ->> 'kind'`, "=", "redirect")
        .where("expires_at", ">", now)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async reservePoll({ session_id, version, poll_after }, until) {
      const { numUpdatedRows } = await db
        .updateTable("sessions")
        .set({ look_after: until })
        .where("tenant_id", "=", tenant_id)
        .where("session_id", "=", session_id)
        .where("version", "=", version)
        .where("look_after", "is not distinct from", poll_after)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async keepWorking({ session_id, version }, working_until) {
      const { numUpdatedRows } = await db
        .updateTable("sessions")
        .set({ working_until })
        .where("tenant_id", "=", tenant_id)
        .where("session_id", "=", session_id)
        .where("version", "=", version)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async keepAccesses({ session_id, version }, sealed_accesses) {
      const { numUpdatedRows } = await db
        .updateTable("sessions")
        .set({ sealed_accesses })
        .where("tenant_id", "=", tenant_id)
        .where("session_id", "=", session_id)
        .where("version", "=", version)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async withAccesses(after, limit) {
      let query = db
        .selectFrom("sessions")
        .select(["session_id", "sealed_accesses"])
        .where("tenant_id", "=", tenant_id)
        .where("sealed_accesses", "is not", null);
      if (after !== null) query = query.where("session_id", ">", after);
      return query.orderBy("session_id").limit(limit).execute();
    },

    async list({
      session_id_in,
      status_in,
      connection_id_in,
      error_code_in,
      is_opened,
      client_ref_in,
      order,
      after,
      limit,
    }) {
      let query = db.selectFrom("sessions").select(listedColumns).where("tenant_id", "=", tenant_id);
      if (session_id_in) query = query.where("session_id", "=", anyOf<Uuid>(session_id_in, "uuid"));
      if (status_in) query = query.where("status", "=", anyOf<SessionRecord["status"]>(status_in, "text"));
      if (connection_id_in) query = query.where("connection_id", "=", anyOf<Uuid>(connection_id_in, "uuid"));
      if (error_code_in) query = query.where("error_code", "=", anyOf<SessionErrorCode>(error_code_in, "text"));
      if (client_ref_in) query = query.where("client_ref", "=", anyOf<string>(client_ref_in, "text"));
      if (is_opened !== null) query = query.where("opened_at", is_opened ? "is not" : "is", null);
      const direction = directionOf(order);
      const page = await keysetPage(query, { by: ["session_id"], direction, after: after && [after], limit });
      return page.map(recordOf);
    },
  };
}

/** The column's name differs from the field's. */
function columnsOf<R extends { readonly poll_after?: Date | null }>({ poll_after, ...others }: R) {
  return { ...others, ...(poll_after !== undefined && { look_after: poll_after }) };
}

/** `language` is never null: it is English if none was requested, and `language_given` tells the two apart. */
function languageColumns(language: SessionRecord["language"]) {
  return { language: language ?? "en", language_given: language !== null } as const;
}

function recordOf<R extends { readonly language: SessionLanguage; readonly language_given: boolean | null }>({
  language_given,
  ...row
}: R) {
  return { ...row, language: language_given === false ? null : row.language };
}

const listedColumns = [
  "session_id",
  "application_id",
  "status",
  "error_code",
  "remark",
  "connector_id",
  "connection_id",
  "relogin",
  "redirect_url",
  "labels",
  "language",
  "language_given",
  "privacy_notice",
  "link_hash",
  "sealed_link",
  "owner_hash",
  "opened_at",
  "challenge",
  "sealed_challenge",
  "sealed_state",
  "sealed_accesses",
  "callback_hash",
  "look_after as poll_after",
  "working_until",
  "attempts",
  "restarts",
  "created_at",
  "updated_at",
  "expires_at",
  "version",
  "client_ref",
] as const satisfies readonly (keyof ListedSession | "language_given" | "look_after as poll_after")[];

const recordColumns = [...listedColumns, "connector_filter"] as const;
