import type { MailMessage } from "../ports/mail-transport.js";
import type { MailKind } from "../schemas/mail.js";
import type { SessionLanguage } from "../schemas/session.js";

/** What the texts of the mails are filled with. */
export interface MailFacts {
  readonly mail_id: string;
  readonly to: string;
  readonly letter_id: string;
  /** Name of the custodian. */
  readonly bank: string;
  /** The letter to be signed, or the signed one; a revocation brings none. */
  readonly letter: Uint8Array | null;
  readonly language: SessionLanguage;
}

/** Writes a mail. Custodians are written to in English, clients in the language of their letter. */
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
