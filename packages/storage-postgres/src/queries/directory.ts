import type { Directory, LocatedFeed, Uuid } from "@org/core";
import { sql } from "kysely";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";

/** {@link Directory}, over tables from which only ids are read. */
export function directory({ asUpkeep }: Transactions): Directory {
  const lookUp = <T>(work: (db: Db) => Promise<T>, network = INSTALLATION_KEY) => asUpkeep(work, "lookups", network);
  const ownerOf = (kind: "connection" | "letter", id: string) =>
    lookUp(async (db) => {
      const owner = await db
        .selectFrom("object_owners")
        .select("tenant_id")
        .where("object_id", "=", id)
        .where("kind", "=", kind)
        .executeTakeFirst();
      return owner?.tenant_id ?? null;
    });

  return {
    sessionByLink: (linkHash, network) =>
      lookUp(async (db) => {
        const link = db
          .selectFrom("session_links")
          .select(["tenant_id", "session_id"])
          .where("link_hash", "=", linkHash);
        return (await link.executeTakeFirst()) ?? null;
      }, network),
    sessionByCallback: (callbackHash, network) =>
      lookUp(async (db) => {
        const { rows } = await sql<{ tenant_id: string; session_id: Uuid }>`
          select tenant_id, session_id from session_by_callback(${callbackHash})`.execute(db);
        return rows[0] ?? null;
      }, network),
    tenantOfConnection: (connectionId) => ownerOf("connection", connectionId),
    tenantOfLetter: (letterId) => ownerOf("letter", letterId),
    tenantOfMail: (mailId) =>
      lookUp(async (db) => {
        const mail = db.selectFrom("mails").select("tenant_id").where("mail_id", "=", mailId);
        return (await mail.executeTakeFirst())?.tenant_id ?? null;
      }),
    feedsOf: (ids) =>
      lookUp(async (db) => {
        const { rows } = await sql<LocatedFeed>`select * from feeds_of(${[...ids]}::uuid[])`.execute(db);
        return rows;
      }),
  };
}
