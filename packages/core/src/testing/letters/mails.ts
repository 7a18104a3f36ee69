import type { MailRecord, MailSettlement, MailStore, OwnedMail } from "../../letters/mail-store.js";
import { compareText, insert, type TenantState } from "../state.js";

/** {@link MailStore} over a draft. */
export function memoryMails(state: TenantState): MailStore {
  const change = (mail: MailRecord, over: Partial<MailRecord>) => state.mails.set(mail.mail_id, { ...mail, ...over });
  const held = (mailId: string, lease: string) => {
    const mail = state.mails.get(mailId);
    return mail?.state === "queued" && mail.lease === lease ? mail : null;
  };
  const ended: Pick<MailRecord, "lease" | "handing_over"> = { lease: null, handing_over: false };

  return {
    async queue(mail) {
      if (!state.letters.has(mail.letter_id)) throw new Error("there is no such letter");
      insert(state.mails, mail.mail_id, { ...mail });
    },
    find: async (mailId) => state.mails.get(mailId) ?? null,
    ofLetter: async (letterId) =>
      [...state.mails.values()].filter((mail) => mail.letter_id === letterId).sort((a, b) => oldestFirst(a, b)),
    async handOver(mailId, lease) {
      const mail = held(mailId, lease);
      if (mail) change(mail, { handing_over: true });
      return mail !== null;
    },
    async renew(mailId, lease, until) {
      const mail = held(mailId, lease);
      if (mail) change(mail, { due_at: until });
      return mail !== null;
    },
    async settle(mailId, lease, settlement: MailSettlement) {
      const mail = held(mailId, lease);
      if (mail) change(mail, { ...settlement, ...ended, attempts: mail.attempts + 1 });
      return mail !== null;
    },
    async change(mailId, from, settlement) {
      const mail = state.mails.get(mailId);
      if (!mail || !from.includes(mail.state) || mail.lease !== null) return false;
      change(mail, settlement);
      return true;
    },
    async withdraw(letterId, at, isEnd = false) {
      for (const mail of state.mails.values()) {
        if (mail.letter_id !== letterId) continue;
        if (mail.state === "sent" || mail.state === "withdrawn") {
          if (isEnd) change(mail, { recipient: null });
          continue;
        }
        if (mail.state === "in_doubt" && !isEnd) continue;
        if (mail.handing_over) {
          change(mail, { recipient: null });
          continue;
        }
        change(mail, { ...ended, state: "withdrawn", recipient: null, last_error: null, due_at: at, settled_at: at });
      }
    },
  };
}

/** Leases one mail of a draft, if it is due and nobody has it. */
export function claimMail(
  state: TenantState,
  mailId: string,
  { lease, now, until }: { lease: string; now: Date; until: Date },
): boolean {
  const mail = state.mails.get(mailId);
  if (!mail || !isDue(mail, now)) return false;
  state.mails.set(mailId, { ...mail, lease, due_at: until });
  return true;
}

/** Mails of a tenant that are due. */
export function dueMails(state: TenantState, now: Date): readonly MailRecord[] {
  return [...state.mails.values()].filter((mail) => isDue(mail, now));
}

/** Marks mails of a draft as in doubt whose sender was cut off while it handed them over. */
export function doubtMails(state: TenantState, now: Date, last_error: string): readonly MailRecord[] {
  const cutOff = [...state.mails.values()].filter(
    (mail) => mail.state === "queued" && mail.handing_over && mail.due_at <= now,
  );
  return cutOff.map((mail) => {
    const doubted: MailRecord = {
      ...mail,
      state: "in_doubt",
      lease: null,
      handing_over: false,
      attempts: mail.attempts + 1,
      last_error,
      settled_at: now,
    };
    state.mails.set(mail.mail_id, doubted);
    return doubted;
  });
}

/** Newest first, as operators list them. */
export function newestFirst(a: OwnedMail, b: OwnedMail): number {
  return -oldestFirst(a, b);
}

/** Whether a mail comes after the last one of the previous page. */
export function isAfter(mail: MailRecord, after: Place | null): boolean {
  return after === null || oldestFirst(mail, after) < 0;
}

function isDue(mail: MailRecord, now: Date): boolean {
  return mail.state === "queued" && !mail.handing_over && mail.due_at <= now;
}

type Place = Pick<MailRecord, "created_at" | "mail_id">;

function oldestFirst(a: Place, b: Place): number {
  return a.created_at.getTime() - b.created_at.getTime() || compareText(a.mail_id, b.mail_id);
}
