import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** Texts of what moves and deletions do outside. */
export const effectWords = wordsOf({
  en: {
    effects: "What this does",
    mailsTo: {
      signature_request: (mails: number, to: string) =>
        plural.en(mails, `1 mail to the client, ${to}`, `{n} mails to the client ${to}`),
      authorization_letter: (mails: number, to: string) =>
        plural.en(mails, `1 mail to the custodian, ${to}`, `{n} mails to the custodian, ${to}`),
      revocation_notice: (mails: number, to: string) =>
        plural.en(mails, `1 notice of the end to ${to}`, `{n} notices of the end to ${to}`),
    },
    noAddress: (letters: number) =>
      plural.en(
        letters,
        "1 letter is not mailed: there is no address",
        "{n} letters are not mailed: there is no address",
      ),
    mailsWithdrawn: (mails: number) =>
      plural.en(mails, "1 earlier mail is no longer sent", "{n} earlier mails are no longer sent"),
    documentsDeleted: (documents: number) => plural.en(documents, "1 document is deleted", "{n} documents are deleted"),
    nothingOutside: "Nothing is mailed or deleted",
  },
  de: {
    effects: "Was dabei geschieht",
    mailsTo: {
      signature_request: (mails: number, to: string) =>
        plural.de(mails, `1 E-Mail an den Kunden, ${to}`, `{n} E-Mails an den Kunden ${to}`),
      authorization_letter: (mails: number, to: string) =>
        plural.de(mails, `1 E-Mail an die Depotbank, ${to}`, `{n} E-Mails an die Depotbank, ${to}`),
      revocation_notice: (mails: number, to: string) =>
        plural.de(mails, `1 Mitteilung über das Ende an ${to}`, `{n} Mitteilungen über das Ende an ${to}`),
    },
    noAddress: (letters: number) =>
      plural.de(
        letters,
        "1 Vollmacht wird nicht versendet: Es gibt keine Adresse",
        "{n} Vollmachten werden nicht versendet: Es gibt keine Adresse",
      ),
    mailsWithdrawn: (mails: number) =>
      plural.de(mails, "1 frühere E-Mail wird nicht mehr gesendet", "{n} frühere E-Mails werden nicht mehr gesendet"),
    documentsDeleted: (documents: number) =>
      plural.de(documents, "1 Dokument wird gelöscht", "{n} Dokumente werden gelöscht"),
    nothingOutside: "Es wird nichts versendet und nichts gelöscht",
  },
  fr: {
    effects: "Ce que cela entraîne",
    mailsTo: {
      signature_request: (mails: number, to: string) =>
        plural.fr(mails, `{n} e-mail au client, ${to}`, `{n} e-mails au client ${to}`),
      authorization_letter: (mails: number, to: string) =>
        plural.fr(mails, `{n} e-mail au dépositaire, ${to}`, `{n} e-mails au dépositaire, ${to}`),
      revocation_notice: (mails: number, to: string) =>
        plural.fr(mails, `{n} avis de fin à ${to}`, `{n} avis de fin à ${to}`),
    },
    noAddress: (letters: number) =>
      plural.fr(
        letters,
        "{n} lettre n’est pas envoyée : l’adresse manque",
        "{n} lettres ne sont pas envoyées : l’adresse manque",
      ),
    mailsWithdrawn: (mails: number) =>
      plural.fr(mails, "{n} e-mail antérieur ne sera plus envoyé", "{n} e-mails antérieurs ne seront plus envoyés"),
    documentsDeleted: (documents: number) =>
      plural.fr(documents, "{n} document est supprimé", "{n} documents sont supprimés"),
    nothingOutside: "Rien n’est envoyé ni supprimé",
  },
  es: {
    effects: "Qué ocurre",
    mailsTo: {
      signature_request: (mails: number, to: string) =>
        plural.es(mails, `1 correo al cliente, ${to}`, `{n} correos al cliente ${to}`),
      authorization_letter: (mails: number, to: string) =>
        plural.es(mails, `1 correo al custodio, ${to}`, `{n} correos al custodio, ${to}`),
      revocation_notice: (mails: number, to: string) =>
        plural.es(mails, `1 aviso de terminación a ${to}`, `{n} avisos de terminación a ${to}`),
    },
    noAddress: (letters: number) =>
      plural.es(letters, "1 carta no se envía: falta la dirección", "{n} cartas no se envían: falta la dirección"),
    mailsWithdrawn: (mails: number) =>
      plural.es(mails, "1 correo anterior ya no se envía", "{n} correos anteriores ya no se envían"),
    documentsDeleted: (documents: number) =>
      plural.es(documents, "Se elimina 1 documento", "Se eliminan {n} documentos"),
    nothingOutside: "No se envía ni se elimina nada",
  },
});
