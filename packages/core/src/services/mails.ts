import { auditEntry } from "../audit-entry.js";
import { CoreError } from "../errors.js";
import { createPager } from "../pager.js";
import type { Actor } from "../ports/actor.js";
import type { MailSettlement, OwnedMail } from "../ports/mail-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import { uuidOf } from "../schemas/identifier.js";
import type { MailSearch, MailState, MailView } from "../schemas/mail.js";
import { isMailOf } from "./letter-mail.js";
import { noteDelivery } from "./mail-delivery.js";

/** Outgoing mail as operators look after it: what waits, what failed, and of what nobody knows whether it arrived. */
export interface Mails {
  /** Newest first. @throws CoreError VALIDATION_ERROR on `page_token` */
  list(search: MailSearch): Promise<{ items: readonly MailView[]; next_page_token: string | null }>;
  /** Sends a mail that failed, waits or is in doubt again, at once; to another address when one is given. @throws CoreError NOT_FOUND, CONFLICT */
  retry(operator: Actor, mailId: string, recipient: string | undefined): Promise<MailView>;
  /** Notes that a mail that failed or is in doubt has reached its recipient after all. @throws CoreError NOT_FOUND, CONFLICT */
  confirm(operator: Actor, mailId: string): Promise<MailView>;
}

export function createMails(deps: { storage: Storage; runtime: Runtime }): Mails {
  const { storage, runtime } = deps;
  const page = createPager(runtime.mac);

  return {
    async list({ page_size, page_token, tenant_id, state_in }) {
      const query = { tenant_id: tenant_id ?? null, state_in: state_in ?? null };
      const { rows, next_page_token } = await page({
        query: ["mails", query],
        token: page_token,
        size: page_size,
        rows: (after: MailPlace | null, limit) => storage.mailQueue.list({ ...query, after, limit }),
        keyOf: ({ created_at, mail_id }) => `${created_at.toISOString()} ${mail_id}`,
        readKey: placeOf,
      });
      return { items: rows.map(mailView), next_page_token };
    },
    retry: (operator, mailId, recipient) =>
      change(operator, mailId, "retry", ["queued", "failed", "in_doubt"], (mail, now) => ({
        state: "queued",
        recipient: recipient ?? mail.recipient,
        due_at: now,
        last_error: mail.last_error,
        settled_at: null,
      })),
    confirm: (operator, mailId) =>
      change(operator, mailId, "confirm", ["failed", "in_doubt"], (mail, now) => ({
        state: "sent",
        recipient: mail.recipient,
        due_at: now,
        last_error: null,
        settled_at: now,
      })),
  };

  async function change(
    operator: Actor,
    mailId: string,
    action: "retry" | "confirm",
    from: readonly MailState[],
    settlementOf: (mail: OwnedMail, now: Date) => MailSettlement,
  ): Promise<MailView> {
    const id = uuidOf(mailId.toLowerCase());
    const tenantId = id && (await storage.directory.tenantOfMail(id));
    if (id === null || tenantId === null) throw unknownMail();
    return storage.inTenant(tenantId, async (stores) => {
      const mail = await stores.mails.find(id);
      if (!mail) throw unknownMail();
      const owned = { tenant_id: tenantId, ...mail };
      const settlement = settlementOf(owned, runtime.clock());
      const letter = await stores.letterMoves.lock(mail.letter_id);
      if (settlement.state === "queued" && !(letter && isMailOf(letter, mail.kind)))
        throw new CoreError("CONFLICT", "the letter has moved on, and this mail is not sent any more");
      if (!(await stores.mails.change(id, from, settlement)))
        throw new CoreError("CONFLICT", `a mail that is ${stateOf(mail)} takes no ${action}`);
      const isEnd = settlement.state === "sent" && (await noteDelivery(stores, runtime, operator, mail, letter));
      await stores.audit.append(
        auditEntry(runtime, operator, `mail.${action}`, "letter", mail.letter_id, {
          kind: mail.kind,
          mail_id: id,
        }),
      );
      return mailView({ ...owned, ...settlement, ...(isEnd && { recipient: null }) });
    });
  }
}

/** A mail as operators see it. */
export function mailView(mail: OwnedMail): MailView {
  const { mail_id, tenant_id, letter_id, kind, state, recipient, attempts, last_error } = mail;
  return {
    mail_id,
    tenant_id,
    letter_id,
    kind,
    state,
    recipient,
    created_at: mail.created_at.toISOString(),
    next_attempt_at: state === "queued" ? mail.due_at.toISOString() : null,
    attempts,
    last_error,
    settled_at: mail.settled_at?.toISOString() ?? null,
  };
}

function stateOf({ state, lease }: OwnedMail | { state: MailState; lease: string | null }): string {
  return state === "queued" && lease !== null ? "being sent" : state;
}

type MailPlace = Pick<OwnedMail, "created_at" | "mail_id">;

function placeOf(text: string): MailPlace | null {
  const [at, id] = text.split(" ");
  const mail_id = uuidOf(id ?? "");
  return at === undefined || mail_id === null ? null : { created_at: new Date(at), mail_id };
}

function unknownMail(): CoreError {
  return new CoreError("NOT_FOUND", "MailNotFound");
}
