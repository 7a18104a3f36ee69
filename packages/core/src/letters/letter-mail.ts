import type { LetterStatus } from "@org/letter-lifecycle";
import { conflict } from "../errors.js";
import type { Runtime } from "../ports/runtime.js";
import type { NewEvent } from "../schemas/event.js";
import type { MailKind, MailView } from "../schemas/mail.js";
import type { SessionLanguage } from "../schemas/session.js";
import { factsOfStatus } from "./letter-facts.js";
import type { LetterRecord } from "./letter-store.js";
import type { MailRecord, MailSettlement, OwnedMail } from "./mail-store.js";
import type { MailMessage } from "./mail-transport.js";
import type { LetterStores } from "./storage.js";

/** The recipient of each mail, and the remark for operators when the recipient is not known. */
const addressees: Readonly<Record<MailKind, Addressee>> = {
  signature_request: {
    recipient: (_letter, clientEmail) => clientEmail,
    missing: "the details have no email: nothing was mailed to the client; hand the generated letter over yourself",
  },
  authorization_letter: {
    recipient: ({ contact_info }) => contact_info.banker_email,
    missing: "the custodian has no address here: nothing was mailed to the custodian; send the letter yourself",
  },
  revocation_notice: {
    recipient: ({ contact_info }) => contact_info.banker_email,
    missing: "the custodian has no address here: tell the custodian yourself, then advance the letter to Revoked",
  },
};

interface Addressee {
  readonly recipient: (letter: LetterRecord, clientEmail: string | undefined) => string | undefined;
  readonly missing: string;
}

/**
 * Queues the mail that a letter's new status calls for, in the transaction of its move (contract §7). It is sent once mail is
 * configured. Without an address nothing is queued.
 * @param clientEmail where the letter is sent to be signed
 * @param delayMs how long it waits, so that it can be taken back
 */
export async function queueMail(
  { mails }: LetterStores,
  { newId }: Pick<Runtime, "newId">,
  letter: LetterRecord,
  clientEmail: string | undefined,
  delayMs = 0,
): Promise<void> {
  const mail = mailOnEntering(letter.status, letter, clientEmail);
  if (mail?.recipient == null) return;
  const { kind, recipient } = mail;
  const now = letter.updated_at;
  await mails.queue({
    mail_id: newId(),
    letter_id: letter.letter_id,
    kind,
    state: "queued",
    recipient,
    created_at: now,
    due_at: new Date(now.getTime() + delayMs),
    lease: null,
    handing_over: false,
    attempts: 0,
    last_error: null,
    settled_at: null,
  });
}

/** Returns the mail that a letter's next status calls for, if any. Without an address (`recipient` null) nothing is mailed. */
export function mailOnEntering(
  status: LetterStatus,
  letter: LetterRecord,
  clientEmail: string | undefined,
): Pick<MailRecord, "kind" | "recipient"> | null {
  const kind = factsOfStatus(status).mail;
  return kind === null ? null : { kind, recipient: addressees[kind].recipient(letter, clientEmail) ?? null };
}

/** Returns whether the letter is still in the status that this mail belongs to. */
export function isMailOf(letter: LetterRecord, kind: MailKind): boolean {
  return factsOfStatus(letter.status).mail === kind;
}

/** What can be said in a remark, for readers that have words of their own for it. */
export const remarkCodes = [
  "unmailed_signature_request",
  "unmailed_authorization_letter",
  "unmailed_revocation_notice",
  "mail_waits",
  "signature_request_failed",
  "authorization_letter_failed",
  "revocation_notice_failed",
  "signature_request_in_doubt",
  "authorization_letter_in_doubt",
  "revocation_notice_in_doubt",
  "no_legal_name",
  "no_postal_address",
  "no_name_nor_address",
] as const;

/** What an operator needs to know or do about a letter. */
export interface Remark {
  readonly code: (typeof remarkCodes)[number];
  /** In English. */
  readonly what: string;
  /** What only this remark says: the mail server's own answer, or the name that the letter has instead of a legal name; else null. */
  readonly detail: string | null;
}

/** Returns what an operator needs to know about a letter's mail. */
export function mailRemarks(letter: LetterRecord, mails: readonly MailRecord[], isConfigured: boolean): Remark[] {
  const remarks: Remark[] = [];
  const say = (code: Remark["code"], what: string, detail: string | null = null) =>
    remarks.push({ code, what, detail });
  const has = (kind: MailKind) => mails.some((mail) => mail.kind === kind);
  const expected = factsOfStatus(letter.status).mail;
  if (expected && !has(expected)) say(`unmailed_${expected}`, addressees[expected].missing);
  if (!isConfigured && mails.some((mail) => mail.state === "queued"))
    say("mail_waits", "mail is not set up: nothing is sent until it is");
  for (const { kind, state, last_error } of mails) {
    if (state === "failed")
      say(`${kind}_failed`, `${called[kind]} could not be sent: ${last_error ?? "no reason"}`, last_error);
    if (state === "in_doubt")
      say(
        `${kind}_in_doubt`,
        `nobody knows whether ${called[kind]} arrived: ask, then send it again, confirm it, or do not send it`,
      );
  }
  return remarks;
}

/**
 * Refuses to move a letter past a mail in doubt: whether it arrived decides what has to be done next.
 * @throws CoreError CONFLICT with the reason `mail_in_doubt`
 */
export function requireDecidedMails(mails: readonly Pick<MailRecord, "state">[]): void {
  if (!mails.some(isUndecided)) return;
  const message = "a mail of this letter is in doubt; first decide: it arrived, send it again, or do not send it";
  throw conflict("mail_in_doubt", message);
}

/** Whether somebody has to decide about the mail before its letter can move. */
export function isUndecided({ state }: Pick<MailRecord, "state">): boolean {
  return state === "in_doubt";
}

const called: Readonly<Record<MailKind, string>> = {
  signature_request: "the mail to the client",
  authorization_letter: "the mail to the custodian",
  revocation_notice: "the notice of the end",
};

/** Builds the event about a mail that needs an operator. */
export function mailEvent(
  state: "failed" | "in_doubt",
  { tenant_id, mail_id, letter_id, kind }: Pick<OwnedMail, "tenant_id" | "mail_id" | "letter_id" | "kind">,
): NewEvent {
  return { type: `mail.${state}`, object_id: mail_id, data: { tenant_id, mail_id, letter_id, kind } };
}

/** What withdrawing makes of a mail. */
export function withdrawnAt(now: Date): MailSettlement {
  return { state: "withdrawn", recipient: null, due_at: now, last_error: null, settled_at: now };
}

/** Returns a mail as operators see it. */
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
    next_attempt_at: state === "queued" && mail.lease === null ? mail.due_at.toISOString() : null,
    attempts,
    last_error,
    settled_at: mail.settled_at?.toISOString() ?? null,
  };
}

/** The values that mail texts contain. */
interface MailFacts {
  readonly mail_id: string;
  readonly to: string;
  readonly letter_id: string;
  /** Name of the custodian. */
  readonly bank: string;
  /** The letter to be signed, or the signed one; null for a revocation notice. */
  readonly letter: Uint8Array | null;
  readonly language: SessionLanguage;
}

/** Writes a mail: to custodians in English, to clients in the language of their letter. */
export function messageOf(kind: MailKind, facts: MailFacts): MailMessage {
  const { subject, lines } =
    kind === "signature_request" ? requests[facts.language](facts) : custodianTexts[kind](facts);
  const name = kind === "signature_request" ? "letter-to-sign" : "authorization-letter";
  return {
    message_id: facts.mail_id,
    to: facts.to,
    subject,
    text: `${lines.join("\n")}\n`,
    attachments: facts.letter
      ? [{ name: `${name}-${facts.letter_id}.pdf`, type: "application/pdf", bytes: facts.letter }]
      : [],
  };
}

type Text = (facts: MailFacts) => { subject: string; lines: readonly string[] };

const custodianTexts: Record<Exclude<MailKind, "signature_request">, Text> = {
  authorization_letter: ({ letter_id, bank }) => ({
    subject: `Authorization letter ${letter_id}`,
    lines: [
      `To ${bank}:`,
      "",
      "Please find attached the signed letter in which your client authorizes us to receive data for the accounts it names.",
      "Please let us know once you have accepted it, and when you will start sending the data.",
      "",
      `Our reference: ${letter_id}`,
    ],
  }),
  revocation_notice: ({ letter_id, bank }) => ({
    subject: `Authorization ended: letter ${letter_id}`,
    lines: [
      `To ${bank}:`,
      "",
      `The authorization you received as our letter ${letter_id} has ended.`,
      "Please stop sending data under it.",
      "",
      `Our reference: ${letter_id}`,
    ],
  }),
};

const requests: Record<SessionLanguage, Text> = {
  en: ({ letter_id, bank }) => ({
    subject: `Please sign: authorization letter for ${bank}`,
    lines: [
      "Please find attached the letter that authorizes us to receive your financial data.",
      `Please check it, sign it and send it back. We will send it to ${bank} only once you have signed it.`,
      "",
      `Reference: ${letter_id}`,
    ],
  }),
  es: ({ letter_id, bank }) => ({
    subject: `Para firmar: carta de autorización para ${bank}`,
    lines: [
      "Adjuntamos la carta con la que nos autoriza a recibir sus datos financieros.",
      `Revísela, fírmela y devuélvanosla. Solo se enviará a ${bank} con su firma.`,
      "",
      `Referencia: ${letter_id}`,
    ],
  }),
  fr: ({ letter_id, bank }) => ({
    subject: `À signer : lettre d’autorisation pour ${bank}`,
    lines: [
      "Vous trouverez ci-joint la lettre par laquelle vous nous autorisez à recevoir vos données financières.",
      `Veuillez la vérifier, la signer et nous la renvoyer. Elle n’est transmise à ${bank} qu’avec votre signature.`,
      "",
      `Référence : ${letter_id}`,
    ],
  }),
  de: ({ letter_id, bank }) => ({
    subject: `Bitte unterschreiben: Vollmacht für ${bank}`,
    lines: [
      "Im Anhang finden Sie das Schreiben, mit dem Sie uns ermächtigen, Ihre Finanzdaten zu empfangen.",
      `Bitte prüfen und unterschreiben Sie es und senden Sie es zurück. Es geht nur mit Ihrer Unterschrift an ${bank}.`,
      "",
      `Referenz: ${letter_id}`,
    ],
  }),
};
