import type { AnswerOf } from "../../api/paths.js";
import { wordsOf } from "../../language/language.js";

type Remark = AnswerOf<"/operator/v1/letters/show">["letter"]["remarks"][number];

/** Remarks about a letter. Of a mail that failed `detail` is the mail server's own answer, which stays as it is. */
export const remarkWords = wordsOf<Readonly<Record<Remark["code"], (detail: string) => string>>>({
  en: {
    unmailed_signature_request: () =>
      "The details have no e-mail address: nothing was mailed to the client. Hand the letter over yourself.",
    unmailed_authorization_letter: () =>
      "The custodian has no address here: nothing was mailed to it. Send the letter yourself.",
    unmailed_revocation_notice: () =>
      "The custodian has no address here. Tell it yourself, then advance the letter to Revoked.",
    mail_waits: () => "Mail is not set up: nothing is sent until it is.",
    signature_request_failed: (detail) => `The mail to the client could not be sent: ${detail}`,
    authorization_letter_failed: (detail) => `The mail to the custodian could not be sent: ${detail}`,
    revocation_notice_failed: (detail) => `The notice of the end could not be sent: ${detail}`,
    signature_request_in_doubt: () =>
      "Nobody knows whether the mail to the client arrived. Ask, then send it again, confirm it, or do not send it.",
    authorization_letter_in_doubt: () =>
      "Nobody knows whether the mail to the custodian arrived. Ask, then send it again, confirm it, or do not send it.",
    revocation_notice_in_doubt: () =>
      "Nobody knows whether the notice of the end arrived. Ask, then send it again, confirm it, or do not send it.",
    no_legal_name: (detail) => `The tenant has no name in the register: the letter authorizes ${detail}.`,
    no_postal_address: (detail) => `The tenant has no postal address: the letter authorizes ${detail} without one.`,
    no_name_nor_address: (detail) =>
      `The tenant has no name in the register and no postal address: the letter authorizes ${detail}.`,
  },
  de: {
    unmailed_signature_request: () =>
      "In den Angaben fehlt eine E-Mail-Adresse: Der Kunde hat keine E-Mail bekommen. Übergeben Sie ihm die Vollmacht selbst.",
    unmailed_authorization_letter: () =>
      "Für die Depotbank fehlt hier eine Adresse: Sie hat keine E-Mail bekommen. Senden Sie ihr die Vollmacht selbst.",
    unmailed_revocation_notice: () =>
      "Für die Depotbank fehlt hier eine Adresse. Benachrichtigen Sie sie selbst und führen Sie die Vollmacht dann weiter zu „Widerrufen“.",
    mail_waits: () => "E-Mail ist nicht eingerichtet: Bis dahin wird nichts gesendet.",
    signature_request_failed: (detail) => `Die E-Mail an den Kunden konnte nicht gesendet werden: ${detail}`,
    authorization_letter_failed: (detail) => `Die E-Mail an die Depotbank konnte nicht gesendet werden: ${detail}`,
    revocation_notice_failed: (detail) => `Die Nachricht über das Ende konnte nicht gesendet werden: ${detail}`,
    signature_request_in_doubt: () =>
      "Niemand weiß, ob die E-Mail an den Kunden ankam. Fragen Sie nach; dann senden Sie sie noch einmal, bestätigen sie oder senden sie nicht.",
    authorization_letter_in_doubt: () =>
      "Niemand weiß, ob die E-Mail an die Depotbank ankam. Fragen Sie nach; dann senden Sie sie noch einmal, bestätigen sie oder senden sie nicht.",
    revocation_notice_in_doubt: () =>
      "Niemand weiß, ob die Nachricht über das Ende ankam. Fragen Sie nach; dann senden Sie sie noch einmal, bestätigen sie oder senden sie nicht.",
    no_legal_name: (detail) => `Beim Mandanten fehlt der Name im Register: Die Vollmacht lautet auf ${detail}.`,
    no_postal_address: (detail) =>
      `Beim Mandanten fehlt die Postanschrift: Die Vollmacht lautet auf ${detail}, ohne Anschrift.`,
    no_name_nor_address: (detail) =>
      `Beim Mandanten fehlen der Name im Register und die Postanschrift: Die Vollmacht lautet auf ${detail}.`,
  },
  fr: {
    unmailed_signature_request: () =>
      "Les données n’ont pas d’adresse e-mail : rien n’a été envoyé au client. Remettez-lui la lettre vous-même.",
    unmailed_authorization_letter: () =>
      "Le dépositaire n’a pas d’adresse ici : rien ne lui a été envoyé. Envoyez la lettre vous-même.",
    unmailed_revocation_notice: () =>
      "Le dépositaire n’a pas d’adresse ici. Prévenez-le vous-même, puis faites avancer la lettre à « Révoquée ».",
    mail_waits: () => "L’envoi d’e-mails n’est pas configuré : rien ne part avant qu’il le soit.",
    signature_request_failed: (detail) => `L’e-mail au client n’a pas pu être envoyé : ${detail}`,
    authorization_letter_failed: (detail) => `L’e-mail au dépositaire n’a pas pu être envoyé : ${detail}`,
    revocation_notice_failed: (detail) => `L’avis de fin n’a pas pu être envoyé : ${detail}`,
    signature_request_in_doubt: () =>
      "Personne ne sait si l’e-mail au client est arrivé. Demandez, puis envoyez-le de nouveau, confirmez-le ou renoncez à l’envoyer.",
    authorization_letter_in_doubt: () =>
      "Personne ne sait si l’e-mail au dépositaire est arrivé. Demandez, puis envoyez-le de nouveau, confirmez-le ou renoncez à l’envoyer.",
    revocation_notice_in_doubt: () =>
      "Personne ne sait si l’avis de fin est arrivé. Demandez, puis envoyez-le de nouveau, confirmez-le ou renoncez à l’envoyer.",
    no_legal_name: (detail) => `Le nom du mandant au registre manque : la lettre autorise ${detail}.`,
    no_postal_address: (detail) => `L’adresse postale du mandant manque : la lettre autorise ${detail} sans adresse.`,
    no_name_nor_address: (detail) =>
      `Le nom au registre et l’adresse postale du mandant manquent : la lettre autorise ${detail}.`,
  },
  es: {
    unmailed_signature_request: () =>
      "Los datos no tienen dirección de correo: no se ha enviado nada al cliente. Entréguele usted la carta.",
    unmailed_authorization_letter: () =>
      "El custodio no tiene dirección aquí: no se le ha enviado nada. Envíele usted la carta.",
    unmailed_revocation_notice: () =>
      "El custodio no tiene dirección aquí. Avísele usted y después haga avanzar la carta a «Revocada».",
    mail_waits: () => "El correo no está configurado: hasta entonces no se envía nada.",
    signature_request_failed: (detail) => `No se ha podido enviar el correo al cliente: ${detail}`,
    authorization_letter_failed: (detail) => `No se ha podido enviar el correo al custodio: ${detail}`,
    revocation_notice_failed: (detail) => `No se ha podido enviar el aviso del fin: ${detail}`,
    signature_request_in_doubt: () =>
      "Nadie sabe si el correo al cliente llegó. Pregunte; después envíelo de nuevo, confírmelo o no lo envíe.",
    authorization_letter_in_doubt: () =>
      "Nadie sabe si el correo al custodio llegó. Pregunte; después envíelo de nuevo, confírmelo o no lo envíe.",
    revocation_notice_in_doubt: () =>
      "Nadie sabe si el aviso del fin llegó. Pregunte; después envíelo de nuevo, confírmelo o no lo envíe.",
    no_legal_name: (detail) => `Falta el nombre del mandante en el registro: la carta autoriza a ${detail}.`,
    no_postal_address: (detail) =>
      `Falta la dirección postal del mandante: la carta autoriza a ${detail} sin dirección.`,
    no_name_nor_address: (detail) =>
      `Faltan el nombre en el registro y la dirección postal del mandante: la carta autoriza a ${detail}.`,
  },
});
