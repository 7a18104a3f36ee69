import { hasEnded, isTerminal } from "@org/letter-lifecycle";
import { conflict, invalid, invalidValue } from "../errors.js";
import { parseOrRefuse } from "../faults.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { type ContactInfo, contactInfoSchema } from "../schemas/letter.js";
import { factsOfStatus } from "./letter-facts.js";
import { queueMail, withdrawnAt } from "./letter-mail.js";
import { noteOnLetter } from "./letter-moves.js";
import type { LetterRecord } from "./letter-store.js";
import type { MailRecord } from "./mail-store.js";
import { requireVersion } from "./operator-moves.js";
import type { LetterStores } from "./storage.js";

/** A correction of a letter's contacts. */
export interface ContactChange {
  /** Entries to set, or to remove (null); all others stay. */
  readonly contact_info: Readonly<Record<string, string | null>>;
  /** Whether to send the custodian the mail of the letter's status again. */
  readonly mail: boolean;
  /** The version of the letter that the caller has seen. */
  readonly version?: number | undefined;
}

/**
 * Corrects the contacts of a letter. A mail that is still queued gets the new address; one that was already sent is sent again only
 * if `mail` is set, after the time in which it can be withdrawn.
 * @throws CoreError VALIDATION_ERROR on `contact_info`; CONFLICT when the letter has ended, when its status mails nothing to a
 * custodian, or when its mail is being sent at this moment
 */
export async function correctContacts(
  stores: LetterStores,
  runtime: Runtime,
  operator: Actor,
  letter: LetterRecord,
  { contact_info, mail, version }: ContactChange,
  mailDelayMs?: number,
): Promise<LetterRecord> {
  requireVersion(letter, version);
  const isChange = Object.keys(contact_info).length > 0;
  if (!isChange && !mail)
    throw invalid(invalidValue("contact_info", "must have an entry, unless the letter is to be mailed again"));
  const contacts = correctedContacts(letter, contact_info);
  const changed = isChange
    ? await noteOnLetter(stores, runtime, operator, letter, "correct_contacts", { contact_info: contacts })
    : letter;
  const waiting = await updateRecipients(stores, changed);
  if (!mail) return changed;
  requireAddress(changed);
  if (waiting === "leaving")
    throw conflict("mail_is_leaving", "its mail is leaving at this moment; look at the letter again");
  const again = await noteOnLetter(stores, runtime, operator, changed, "mail_again");
  if (waiting === "queued") return again;
  // The new mail replaces one that failed or is in doubt.
  await stores.mails.withdraw(letter.letter_id, again.updated_at);
  for (const { mail_id, state } of await stores.mails.ofLetter(letter.letter_id))
    if (state === "in_doubt") await stores.mails.change(mail_id, ["in_doubt"], withdrawnAt(again.updated_at));
  await queueMail(stores, runtime, again, undefined, mailDelayMs);
  return again;
}

function correctedContacts(letter: LetterRecord, entries: ContactChange["contact_info"]): ContactInfo {
  const { status } = letter;
  if (isTerminal(status)) throw conflict("letter_ended", `a letter that is ${status} has no contacts any more`);
  const others = Object.keys(entries).filter((name) => name !== "banker_email");
  if (hasEnded(status) && others.length > 0)
    throw conflict("letter_ended", `of a letter that is ${status} only the address of its notice is kept`, {
      details: others.map((name) => invalidValue(`contact_info.${name}`, `must be left out: the letter is ${status}`)),
    });
  const merged = Object.entries({ ...letter.contact_info, ...entries }).filter(([, value]) => value !== null);
  return parseOrRefuse(contactInfoSchema, Object.fromEntries(merged), "contact_info") as ContactInfo;
}

/**
 * Gives a queued mail to the custodian the letter's current address. Returns whether one is queued, or is being sent and cannot be
 * changed.
 */
async function updateRecipients({ mails }: LetterStores, letter: LetterRecord): Promise<"queued" | "leaving" | "none"> {
  const waiting = (await mails.ofLetter(letter.letter_id)).find(
    (mail) => mail.state === "queued" && isToCustodian(mail),
  );
  if (!waiting) return "none";
  const recipient = letter.contact_info.banker_email ?? null;
  const { due_at, last_error } = waiting;
  if (recipient === null) {
    const withdrawn = { state: "withdrawn", recipient, due_at, last_error, settled_at: letter.updated_at } as const;
    return (await mails.change(waiting.mail_id, ["queued"], withdrawn)) ? "none" : "leaving";
  }
  // A new address is tried immediately; a first attempt that waits goes on waiting.
  const due = recipient === waiting.recipient || waiting.attempts === 0 ? due_at : letter.updated_at;
  const queued = { state: "queued", recipient, due_at: due, last_error, settled_at: null } as const;
  return (await mails.change(waiting.mail_id, ["queued"], queued)) ? "queued" : "leaving";
}

function isToCustodian({ kind }: Pick<MailRecord, "kind">): boolean {
  return kind !== "signature_request";
}

function requireAddress({ status, contact_info }: LetterRecord): void {
  const kind = factsOfStatus(status).mail;
  if (kind === null || !isToCustodian({ kind }))
    throw conflict(
      "no_mail_at_this_step",
      `a letter that is ${status} has no mail to its custodian; the step that sends it does`,
    );
  if (contact_info.banker_email === undefined)
    throw invalid(invalidValue("contact_info.banker_email", "is needed, for the letter to be mailed"));
}
