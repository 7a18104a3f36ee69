import type { AnswerOf } from "../../api/paths.js";
import { wordsOf } from "../../language/language.js";
import { plural } from "../../language/plural.js";

/** A letter in an operator's list. */
export type ListedLetter = AnswerOf<"/operator/v1/letters/search">["items"][number];
export type LetterStatus = ListedLetter["status"];

/** The tone of a status: it needs attention, is well, or has ended. */
export function badgeTone(status: LetterStatus): Tone {
  // A newer server may have a status that this page does not know.
  return tones[status] ?? "neutral";
}

type Tone = "good" | "warn" | "neutral";

const tones: Readonly<Record<LetterStatus, Tone>> = {
  NewRequest: "neutral",
  UsersDetail: "neutral",
  Generated: "neutral",
  SentToUser: "neutral",
  Signed: "neutral",
  SentToCustodian: "neutral",
  AcceptedByCustodian: "neutral",
  ConnectionSetup: "neutral",
  WaitingForData: "neutral",
  Connected: "good",
  Blocked: "warn",
  Cancelled: "neutral",
  Discontinued: "warn",
  Revoked: "neutral",
};

/** Names of statuses, moves, mails and parties, wherever letters are shown. */
export const letterTerms = wordsOf({
  en: {
    statuses: {
      NewRequest: "New request",
      UsersDetail: "Client's details",
      Generated: "Generated",
      SentToUser: "Sent to client",
      Signed: "Signed",
      SentToCustodian: "Sent to custodian",
      AcceptedByCustodian: "Accepted",
      ConnectionSetup: "Setup",
      WaitingForData: "Waiting for data",
      Connected: "Connected",
      Blocked: "Blocked",
      Cancelled: "Cancelled",
      Discontinued: "Discontinued",
      Revoked: "Revoked",
    },
    moves: {
      advance: "Advance",
      block: "Block",
      resolve: "Resume",
      cancel: "Cancel the letter",
      details: "Enter the client's details",
      sign: "Attach the signed letter",
    },
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
    parties: {
      operator: "Operator",
      client: "Client",
      custodian: "Custodian",
      service: "The service",
      nobody: "Nobody",
    },
    days: (days: number) => plural.en(days, "1 day", "{n} days"),
    custodian: "Custodian",
    tenant: "Tenant",
    status: "Status",
    labels: "Labels",
    inStatus: "In status for",
    created: "Created",
    changed: "Last changed",
    toDo: "Next",
    note: "Note",
    noteHint: "Kept in the history; the tenant does not see it.",
  },
  de: {
    statuses: {
      NewRequest: "Neue Anfrage",
      UsersDetail: "Angaben des Kunden",
      Generated: "Erstellt",
      SentToUser: "Beim Kunden",
      Signed: "Unterschrieben",
      SentToCustodian: "Bei der Depotbank",
      AcceptedByCustodian: "Angenommen",
      ConnectionSetup: "Einrichtung",
      WaitingForData: "Wartet auf Daten",
      Connected: "Verbunden",
      Blocked: "Blockiert",
      Cancelled: "Abgebrochen",
      Discontinued: "Beendet",
      Revoked: "Widerrufen",
    },
    moves: {
      advance: "Weiter",
      block: "Blockieren",
      resolve: "Wieder aufnehmen",
      cancel: "Vollmacht abbrechen",
      details: "Angaben des Kunden eintragen",
      sign: "Unterschriebene Vollmacht anhängen",
    },
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
    parties: {
      operator: "Betreiber",
      client: "Kunde",
      custodian: "Depotbank",
      service: "Der Dienst",
      nobody: "Niemand",
    },
    days: (days: number) => plural.de(days, "1 Tag", "{n} Tage"),
    custodian: "Depotbank",
    tenant: "Mandant",
    status: "Status",
    labels: "Kennzeichen",
    inStatus: "Im Status seit",
    created: "Angelegt",
    changed: "Zuletzt geändert",
    toDo: "Als Nächstes",
    note: "Notiz",
    noteHint: "Bleibt im Verlauf; der Mandant sieht sie nicht.",
  },
  fr: {
    statuses: {
      NewRequest: "Nouvelle demande",
      UsersDetail: "Données du client",
      Generated: "Générée",
      SentToUser: "Chez le client",
      Signed: "Signée",
      SentToCustodian: "Chez le dépositaire",
      AcceptedByCustodian: "Acceptée",
      ConnectionSetup: "Mise en place",
      WaitingForData: "Attend les données",
      Connected: "Connectée",
      Blocked: "Bloquée",
      Cancelled: "Annulée",
      Discontinued: "Résiliée",
      Revoked: "Révoquée",
    },
    moves: {
      advance: "Faire avancer",
      block: "Bloquer",
      resolve: "Reprendre",
      cancel: "Annuler la lettre",
      details: "Saisir les données du client",
      sign: "Joindre la lettre signée",
    },
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
        "{n} lettre n’est pas envoyée : l’adresse manque",
        "{n} lettres ne sont pas envoyées : l’adresse manque",
      ),
    mailsWithdrawn: (mails: number) =>
      plural.fr(mails, "{n} e-mail antérieur ne sera plus envoyé", "{n} e-mails antérieurs ne seront plus envoyés"),
    documentsDeleted: (documents: number) =>
      plural.fr(documents, "{n} document est supprimé", "{n} documents sont supprimés"),
    nothingOutside: "Rien n’est envoyé ni supprimé",
    parties: {
      operator: "Opérateur",
      client: "Client",
      custodian: "Dépositaire",
      service: "Le service",
      nobody: "Personne",
    },
    days: (days: number) => plural.fr(days, "{n} jour", "{n} jours"),
    custodian: "Dépositaire",
    tenant: "Mandant",
    status: "Statut",
    labels: "Étiquettes",
    inStatus: "Dans ce statut depuis",
    created: "Créée",
    changed: "Dernière modification",
    toDo: "Ensuite",
    note: "Note",
    noteHint: "Conservée dans l’historique ; le mandant ne la voit pas.",
  },
  es: {
    statuses: {
      NewRequest: "Nueva solicitud",
      UsersDetail: "Datos del cliente",
      Generated: "Generada",
      SentToUser: "Con el cliente",
      Signed: "Firmada",
      SentToCustodian: "Con el custodio",
      AcceptedByCustodian: "Aceptada",
      ConnectionSetup: "Puesta en marcha",
      WaitingForData: "Espera datos",
      Connected: "Conectada",
      Blocked: "Bloqueada",
      Cancelled: "Cancelada",
      Discontinued: "Terminada",
      Revoked: "Revocada",
    },
    moves: {
      advance: "Avanzar",
      block: "Bloquear",
      resolve: "Reanudar",
      cancel: "Cancelar la carta",
      details: "Introducir los datos del cliente",
      sign: "Adjuntar la carta firmada",
    },
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
    parties: {
      operator: "Operador",
      client: "Cliente",
      custodian: "Custodio",
      service: "El servicio",
      nobody: "Nadie",
    },
    days: (days: number) => plural.es(days, "1 día", "{n} días"),
    custodian: "Custodio",
    tenant: "Mandante",
    status: "Estado",
    labels: "Etiquetas",
    inStatus: "En este estado desde hace",
    created: "Creada",
    changed: "Último cambio",
    toDo: "A continuación",
    note: "Nota",
    noteHint: "Queda en el historial; el mandante no la ve.",
  },
});
