import {
  type MailLease,
  type MailQueue,
  type MailRecord,
  type MailStore,
  mailEvent,
  type OwnedMail,
  type Uuid,
} from "@org/core";
import { sql } from "kysely";
import { appendEvents } from "../events/event-log.js";
import type { Db, Transactions } from "../transactions.js";
import { anyOf, keysetPage } from "./lists.js";

/** {@link MailStore} of `tenant_id` inside its transaction. */
export function mailStore(db: Db, tenant_id: string): MailStore {
  const ofTenant = () => db.selectFrom("mails").select(mailColumns).where("tenant_id", "=", tenant_id);
  const changing = () => db.updateTable("mails").where("tenant_id", "=", tenant_id);
  const held = (mailId: Uuid, lease: string) =>
    changing().where("mail_id", "=", mailId).where("state", "=", "queued").where("lease", "=", lease);
  const ended = { lease: null, handing_over: false };

  return {
    async queue(mail) {
      await db
        .insertInto("mails")
        .values({ tenant_id, ...mail })
        .execute();
    },

    async find(mailId) {
      return (await ofTenant().where("mail_id", "=", mailId).executeTakeFirst()) ?? null;
    },

    async ofLetter(letterId) {
      return ofTenant().where("letter_id", "=", letterId).orderBy("created_at").orderBy("mail_id").execute();
    },

    async handOver(mailId, lease) {
      const { numUpdatedRows } = await held(mailId, lease).set({ handing_over: true }).executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async renew(mailId, lease, until) {
      const { numUpdatedRows } = await held(mailId, lease).set({ due_at: until }).executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async settle(mailId, lease, settlement) {
      const { numUpdatedRows } = await held(mailId, lease)
        .set({ ...settlement, ...ended, attempts: sql`attempts + 1` })
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async change(mailId, from, settlement) {
      const { numUpdatedRows } = await changing()
        .where("mail_id", "=", mailId)
        .where("state", "=", anyOf<MailRecord["state"]>(from, "text"))
        .where("lease", "is", null)
        .set(settlement)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async withdraw(letterId, at, isEnd = false) {
      const ofLetter = changing().where("letter_id", "=", letterId);
      if (isEnd) await ofLetter.where("state", "=", "sent").set({ recipient: null }).execute();
      const unsent = ofLetter.where("state", "not in", [
        "sent",
        "withdrawn",
        ...(isEnd ? [] : (["in_doubt"] as const)),
      ]);
      await unsent.where("handing_over", "=", true).set({ recipient: null }).execute();
      await unsent
        .where("handing_over", "=", false)
        .set({ ...ended, state: "withdrawn", recipient: null, last_error: null, due_at: at, settled_at: at })
        .execute();
    },
  };
}

/** {@link MailQueue}: the rows of {@link mailStore}, across tenants. */
export function mailQueue({ asUpkeep }: Transactions): MailQueue {
  return {
    claim: ({ lease, now, until, limit, except_tenants }) =>
      asUpkeep(async (db) => {
        // Skips rows that another sender is claiming, which are locked.
        const { rows } = await sql<MailLease & { was_due_at: Date }>`
          update mails m set lease = ${lease}, due_at = ${until}
          from (
            select tenant_id, mail_id, due_at from mails
            where state = 'queued' and not handing_over and due_at <= ${now} and not tenant_id = ${anyOf(except_tenants, "uuid")}
            order by due_at limit ${limit} for update skip locked
          ) due
          where m.tenant_id = due.tenant_id and m.mail_id = due.mail_id
          returning m.tenant_id, m.mail_id, m.lease, due.due_at as was_due_at`.execute(db);
        return rows
          .sort((a, b) => a.was_due_at.getTime() - b.was_due_at.getTime())
          .map(({ tenant_id, mail_id }) => ({ tenant_id, mail_id, lease }));
      }),

    doubt: (now, reason) =>
      asUpkeep(async (db) => {
        const doubted = await db
          .updateTable("mails")
          .set({
            state: "in_doubt",
            lease: null,
            handing_over: false,
            attempts: sql`attempts + 1`,
            last_error: reason,
            settled_at: now,
          })
          .where("state", "=", "queued")
          .where("handing_over", "=", true)
          .where("due_at", "<=", now)
          .returning(["tenant_id", ...mailColumns])
          .execute();
        for (const mail of doubted) appendEvents(db, mail.tenant_id, [mailEvent("in_doubt", mail)]);
        return doubted;
      }),

    list: ({ tenant_id, state_in, after, limit }) =>
      asUpkeep(async (db): Promise<readonly OwnedMail[]> => {
        let found = db.selectFrom("mails").select(["tenant_id", ...mailColumns]);
        if (tenant_id !== null) found = found.where("tenant_id", "=", tenant_id);
        if (state_in) found = found.where("state", "=", anyOf<MailRecord["state"]>(state_in, "text"));
        return keysetPage(found, {
          by: ["created_at", "mail_id"],
          direction: "desc",
          after: after && [after.created_at, after.mail_id],
          limit,
        });
      }),

    backlog: () =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ state: string; mails: string }>`
          select state, count(*) as mails from mails where state in ('queued', 'in_doubt', 'failed') group by state`.execute(
          db,
        );
        const count = (state: string) => Number(rows.find((row) => row.state === state)?.mails ?? 0);
        return { queued: count("queued"), in_doubt: count("in_doubt"), failed: count("failed") };
      }),
  };
}

/** Columns of a {@link MailRecord}. */
const mailColumns = [
  "mail_id",
  "letter_id",
  "kind",
  "state",
  "recipient",
  "created_at",
  "due_at",
  "lease",
  "handing_over",
  "attempts",
  "last_error",
  "settled_at",
] as const satisfies readonly (keyof MailRecord)[];
