import { type LetterStatus, letterStatuses } from "@org/letter-lifecycle";
import type { LetterRecord } from "../ports/letter-store.js";
import type { MailRecord } from "../ports/mail-store.js";
import { factsOfStatus, letterFacts } from "../schemas/letter-facts.js";
import type { MailKind } from "../schemas/mail.js";

/** Whose turn it is. `service` is this installation, which needs nobody for it. */
export const letterParties = ["operator", "client", "custodian", "service", "nobody"] as const;

/** What has to happen next to a letter, and by whom. */
export interface ToDo {
  readonly by: (typeof letterParties)[number];
  readonly what: string;
}

/** What has to happen next in each status when nothing went wrong. Commands are those of `wealth-connect`. */
export const letterToDo: Readonly<Record<LetterStatus, ToDo>> = {
  NewRequest: { by: "operator", what: "collect the client's details (letters details)" },
  UsersDetail: { by: "operator", what: "check the details and generate the letter (letters advance)" },
  Generated: { by: "operator", what: "send the letter to the client (letters advance)" },
  SentToUser: { by: "client", what: "sign the letter and send it back; then attach it (letters sign)" },
  Signed: { by: "operator", what: "send the letter to the custodian (letters advance)" },
  SentToCustodian: { by: "custodian", what: "accept the letter; then note it (letters advance)" },
  AcceptedByCustodian: { by: "operator", what: "begin the setup with the custodian (letters advance)" },
  ConnectionSetup: { by: "operator", what: "finish the setup (letters advance)" },
  WaitingForData: { by: "custodian", what: "send the first file, which connects the letter" },
  Connected: { by: "nobody", what: "nothing: the custodian sends files" },
  Blocked: { by: "operator", what: "find out why no data comes, then resume (letters resolve)" },
  Cancelled: { by: "nobody", what: "nothing: it has ended" },
  Discontinued: { by: "service", what: "deliver the notice to the custodian, which ends the letter" },
  Revoked: { by: "nobody", what: "nothing: it has ended" },
};

/**
 * What has to happen next to this letter: as {@link letterToDo} says, unless the mail that its status calls for did not go out.
 * @param sendsMail whether mail is configured
 */
export function toDoOf(
  { status }: Pick<LetterRecord, "status">,
  mails: readonly MailRecord[],
  sendsMail: boolean,
): ToDo {
  const kind = factsOfStatus(status).mail;
  if (kind === null) return letterToDo[status];
  const sent = mails.filter((mail) => mail.kind === kind && mail.state !== "withdrawn").at(-1);
  if (sent === undefined) return { by: "operator", what: unmailed[kind] };
  if (sent.state === "failed" && kind === "signature_request")
    return { by: "operator", what: `the mail failed: send it to another address (mails retry ${sent.mail_id} --to …)` };
  if (sent.state === "failed")
    return { by: "operator", what: "the mail failed: correct the address (letters contacts --banker-email … --mail)" };
  if (sent.state === "in_doubt")
    return { by: "operator", what: `ask whether the mail arrived (mails confirm or retry ${sent.mail_id})` };
  if (sent.state === "queued" && !sendsMail)
    return { by: "operator", what: "mail is not configured (SMTP_URL), and this one waits: send it yourself" };
  return letterToDo[status];
}

/** What an operator does where nothing was mailed. */
const unmailed: Readonly<Record<MailKind, string>> = {
  signature_request: "hand the letter to the client, who has no address; attach it when it is back (letters sign)",
  authorization_letter: "no address: give one (letters contacts --banker-email … --mail), or send the letter yourself",
  revocation_notice: "no address: tell the custodian yourself, then letters advance; or letters contacts --mail",
};

/** Letters that somebody has to look after: interrupted, or without the mail that their status calls for. */
export const stuckWithout: Readonly<Partial<Record<LetterStatus, MailKind | null>>> = {
  ...Object.fromEntries(
    letterStatuses.flatMap((status) => {
      const { mail } = letterFacts[status];
      return mail === null ? [] : [[status, mail]];
    }),
  ),
  Blocked: null,
};
