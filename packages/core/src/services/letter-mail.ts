import type { LetterRecord } from "../ports/letter-store.js";
import type { MailRecord, OwnedMail } from "../ports/mail-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { TenantStores } from "../ports/storage.js";
import type { NewEvent } from "../schemas/event.js";
import { factsOfStatus } from "../schemas/letter-facts.js";
import type { MailKind } from "../schemas/mail.js";

/** Whom each mail goes to, and what an operator is told where that is not known. */
const mailFacts: Readonly<Record<MailKind, MailFacts>> = {
  signature_request: {
    recipient: (_letter, clientEmail) => clientEmail,
    missing: "the details have no email: nothing was mailed to the client; hand the generated letter over yourself",
  },
  authorization_letter: {
    recipient: ({ contact_info }) => contact_info.banker_email,
    missing: "contact_info has no banker_email: nothing was mailed to the custodian; send the letter yourself",
  },
  revocation_notice: {
    recipient: ({ contact_info }) => contact_info.banker_email,
    missing: "contact_info has no banker_email: tell the custodian yourself, then advance the letter to Revoked",
  },
};

interface MailFacts {
  readonly recipient: (letter: LetterRecord, clientEmail: string | undefined) => string | undefined;
  readonly missing: string;
}

/**
 * Queues the mail that a letter's new status calls for, in the transaction of its move; it is sent when mail is configured
 * (contract §7). Without an address there is none.
 * @param clientEmail where the client gets the letter to be signed
 */
export async function queueMail(
  { mails }: TenantStores,
  { newId }: Pick<Runtime, "newId">,
  letter: LetterRecord,
  clientEmail: string | undefined,
): Promise<void> {
  const kind = factsOfStatus(letter.status).mail;
  const recipient = kind === null ? undefined : mailFacts[kind].recipient(letter, clientEmail);
  if (kind === null || recipient === undefined) return;
  const now = letter.updated_at;
  await mails.queue({
    mail_id: newId(),
    letter_id: letter.letter_id,
    kind,
    state: "queued",
    recipient,
    created_at: now,
    due_at: now,
    lease: null,
    handing_over: false,
    attempts: 0,
    last_error: null,
    settled_at: null,
  });
}

/** Whether a letter is still where this mail belongs to. */
export function isMailOf(letter: LetterRecord, kind: MailKind): boolean {
  return factsOfStatus(letter.status).mail === kind;
}

/** What an operator has to know about a letter's mail, in words. */
export function mailRemarks(letter: LetterRecord, mails: readonly MailRecord[], isConfigured: boolean): string[] {
  const remarks: string[] = [];
  const has = (kind: MailKind) => mails.some((mail) => mail.kind === kind);
  const expected = factsOfStatus(letter.status).mail;
  if (expected && !has(expected)) remarks.push(mailFacts[expected].missing);
  if (!isConfigured && mails.some((mail) => mail.state === "queued"))
    remarks.push("mail is not configured (SMTP_URL): nothing is sent until it is");
  for (const mail of mails) {
    if (mail.state === "failed") remarks.push(`the ${mail.kind} could not be sent: ${mail.last_error ?? "no reason"}`);
    if (mail.state === "in_doubt")
      remarks.push(`nobody knows whether the ${mail.kind} arrived; ask, then retry or confirm mail ${mail.mail_id}`);
  }
  return remarks;
}

/** What operators are told of a mail that needs them. */
export function mailEvent(
  state: "failed" | "in_doubt",
  { tenant_id, mail_id, letter_id, kind }: Pick<OwnedMail, "tenant_id" | "mail_id" | "letter_id" | "kind">,
): NewEvent {
  return { type: `mail.${state}`, object_id: mail_id, data: { tenant_id, mail_id, letter_id, kind } };
}
