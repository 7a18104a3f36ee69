import { wordsOf } from "../language/language.js";
import type { ThingKind } from "./parts-of-sentence.js";

/** How a sentence calls a thing of one kind. German phrases are in the accusative; masculine ones are never subjects. */
interface ThingPhrases {
  /** With its name; `of` is the custodian of a letter, the bank of a login or the source of a file. */
  readonly named: (name: string, of: string) => string;
  /** Without a name. */
  readonly any: string;
  /** Of a thing that is there no more. */
  readonly gone: string;
}

interface ThingWords {
  readonly kinds: Readonly<Record<ThingKind, ThingPhrases>>;
  /** Who acts without an account: of the server itself, of the widget, of nobody known. */
  readonly actors: Readonly<Record<"system" | "customer" | "unknown" | "identity-provider", string>>;
  readonly installation: string;
  readonly unknownClient: string;
  /** The thing whose own history is read. */
  readonly self: Readonly<Record<"letter" | "connection", string>>;
}

const plain = (name: string) => name;

/** Names of things as phrases of a sentence. */
export const thingWords = wordsOf<ThingWords>({
  en: {
    kinds: {
      person: { named: plain, any: "a person", gone: "a removed person" },
      application: { named: (n) => `the application ${n}`, any: "an application", gone: "a removed application" },
      client: { named: (n) => `the program ${n}`, any: "a program", gone: "a removed program" },
      grant: { named: (n) => `the access of ${n}`, any: "an access", gone: "an access that has ended" },
      letter: {
        named: (n, of) => (n ? `letter ${n} of ${of}` : `a letter of ${of}`),
        any: "a letter",
        gone: "a removed letter",
      },
      connection: { named: (n) => `the connection to ${n}`, any: "a connection", gone: "a removed connection" },
      session: { named: (_, of) => (of ? `a login at ${of}` : "a login"), any: "a login", gone: "a past login" },
      webhook_endpoint: { named: (n) => `the webhook ${n}`, any: "a webhook", gone: "a removed webhook" },
      registration_token: {
        named: (n) => `the registration token ${n}`,
        any: "a registration token",
        gone: "a removed registration token",
      },
      source_token: { named: (n) => `the upload token ${n}`, any: "an upload token", gone: "a removed upload token" },
      file: { named: (n) => `the file ${n}`, any: "a file", gone: "a file that is gone" },
      connector: { named: plain, any: "an institution", gone: "an institution that is gone" },
      feed_key: { named: (n) => `the PGP key of ${n}`, any: "a PGP key", gone: "a removed PGP key" },
      tenant: { named: (n) => `the tenant ${n}`, any: "a tenant", gone: "a removed tenant" },
      source: { named: (n) => `the source ${n}`, any: "a source", gone: "a removed source" },
      provider: { named: (n) => `the provider ${n}`, any: "a provider", gone: "a removed provider" },
      trusted_issuer: {
        named: (n) => `the identity provider ${n}`,
        any: "an identity provider",
        gone: "a removed identity provider",
      },
    },
    actors: {
      system: "the system",
      customer: "the client",
      unknown: "somebody unknown",
      "identity-provider": "the identity provider",
    },
    installation: "the installation",
    unknownClient: "an unknown program",
    self: { letter: "this letter", connection: "this connection" },
  },
  de: {
    kinds: {
      person: { named: plain, any: "eine Person", gone: "eine entfernte Person" },
      application: { named: (n) => `die Anwendung ${n}`, any: "eine Anwendung", gone: "eine entfernte Anwendung" },
      client: { named: (n) => `das Programm ${n}`, any: "ein Programm", gone: "ein entferntes Programm" },
      grant: { named: (n) => `die Freigabe für ${n}`, any: "eine Freigabe", gone: "eine beendete Freigabe" },
      letter: {
        named: (n, of) => (n ? `die Vollmacht ${n} bei ${of}` : `eine Vollmacht bei ${of}`),
        any: "eine Vollmacht",
        gone: "eine gelöschte Vollmacht",
      },
      connection: { named: (n) => `die Verbindung zu ${n}`, any: "eine Verbindung", gone: "eine gelöschte Verbindung" },
      session: {
        named: (_, of) => (of ? `eine Anmeldung bei ${of}` : "eine Anmeldung"),
        any: "eine Anmeldung",
        gone: "eine frühere Anmeldung",
      },
      webhook_endpoint: {
        named: (n) => `die Webhook-Adresse ${n}`,
        any: "eine Webhook-Adresse",
        gone: "eine entfernte Webhook-Adresse",
      },
      registration_token: {
        named: (n) => `das Registrierungstoken ${n}`,
        any: "ein Registrierungstoken",
        gone: "ein entferntes Registrierungstoken",
      },
      source_token: {
        named: (n) => `das Upload-Token ${n}`,
        any: "ein Upload-Token",
        gone: "ein beendetes Upload-Token",
      },
      file: { named: (n) => `die Datei ${n}`, any: "eine Datei", gone: "eine Datei, die es nicht mehr gibt" },
      connector: { named: plain, any: "ein Institut", gone: "ein Institut, das es nicht mehr gibt" },
      feed_key: {
        named: (n) => `den PGP-Schlüssel von ${n}`,
        any: "einen PGP-Schlüssel",
        gone: "einen entfernten PGP-Schlüssel",
      },
      tenant: { named: (n) => `den Mandanten ${n}`, any: "einen Mandanten", gone: "einen gelöschten Mandanten" },
      source: { named: (n) => `die Quelle ${n}`, any: "eine Quelle", gone: "eine entfernte Quelle" },
      provider: { named: (n) => `den Anbieter ${n}`, any: "einen Anbieter", gone: "einen entfernten Anbieter" },
      trusted_issuer: {
        named: (n) => `den Identitätsanbieter ${n}`,
        any: "einen Identitätsanbieter",
        gone: "einen entfernten Identitätsanbieter",
      },
    },
    actors: {
      system: "das System",
      customer: "der Kunde",
      unknown: "jemand Unbekanntes",
      "identity-provider": "der Identitätsanbieter",
    },
    installation: "die Installation",
    unknownClient: "ein unbekanntes Programm",
    self: { letter: "diese Vollmacht", connection: "diese Verbindung" },
  },
  fr: {
    kinds: {
      person: { named: plain, any: "une personne", gone: "une personne supprimée" },
      application: { named: (n) => `l’application ${n}`, any: "une application", gone: "une application supprimée" },
      client: { named: (n) => `le programme ${n}`, any: "un programme", gone: "un programme supprimé" },
      grant: { named: (n) => `l’accès accordé à ${n}`, any: "un accès", gone: "un accès terminé" },
      letter: {
        named: (n, of) => (n ? `la lettre ${n} (${of})` : `une lettre (${of})`),
        any: "une lettre",
        gone: "une lettre supprimée",
      },
      connection: { named: (n) => `la connexion à ${n}`, any: "une connexion", gone: "une connexion supprimée" },
      session: {
        named: (_, of) => (of ? `une identification chez ${of}` : "une identification"),
        any: "une identification",
        gone: "une identification passée",
      },
      webhook_endpoint: { named: (n) => `le webhook ${n}`, any: "un webhook", gone: "un webhook supprimé" },
      registration_token: {
        named: (n) => `le jeton d’inscription ${n}`,
        any: "un jeton d’inscription",
        gone: "un jeton d’inscription supprimé",
      },
      source_token: {
        named: (n) => `le jeton d’envoi ${n}`,
        any: "un jeton d’envoi",
        gone: "un jeton d’envoi supprimé",
      },
      file: { named: (n) => `le fichier ${n}`, any: "un fichier", gone: "un fichier qui n’existe plus" },
      connector: { named: plain, any: "une institution", gone: "une institution qui n’existe plus" },
      feed_key: { named: (n) => `la clé PGP de ${n}`, any: "une clé PGP", gone: "une clé PGP supprimée" },
      tenant: { named: (n) => `le mandant ${n}`, any: "un mandant", gone: "un mandant supprimé" },
      source: { named: (n) => `la source ${n}`, any: "une source", gone: "une source supprimée" },
      provider: { named: (n) => `le fournisseur ${n}`, any: "un fournisseur", gone: "un fournisseur supprimé" },
      trusted_issuer: {
        named: (n) => `le fournisseur d’identité ${n}`,
        any: "un fournisseur d’identité",
        gone: "un fournisseur d’identité supprimé",
      },
    },
    actors: {
      system: "le système",
      customer: "le client",
      unknown: "une personne inconnue",
      "identity-provider": "le fournisseur d’identité",
    },
    installation: "l’installation",
    unknownClient: "un programme inconnu",
    self: { letter: "cette lettre", connection: "cette connexion" },
  },
  es: {
    kinds: {
      person: { named: plain, any: "una persona", gone: "una persona eliminada" },
      application: { named: (n) => `la aplicación ${n}`, any: "una aplicación", gone: "una aplicación eliminada" },
      client: { named: (n) => `el programa ${n}`, any: "un programa", gone: "un programa eliminado" },
      grant: { named: (n) => `el acceso para ${n}`, any: "un acceso", gone: "un acceso terminado" },
      letter: {
        named: (n, of) => (n ? `la carta ${n} (${of})` : `una carta (${of})`),
        any: "una carta",
        gone: "una carta eliminada",
      },
      connection: { named: (n) => `la conexión con ${n}`, any: "una conexión", gone: "una conexión eliminada" },
      session: {
        named: (_, of) => (of ? `una sesión de acceso en ${of}` : "una sesión de acceso"),
        any: "una sesión de acceso",
        gone: "una sesión de acceso anterior",
      },
      webhook_endpoint: { named: (n) => `el webhook ${n}`, any: "un webhook", gone: "un webhook eliminado" },
      registration_token: {
        named: (n) => `el token de registro ${n}`,
        any: "un token de registro",
        gone: "un token de registro eliminado",
      },
      source_token: {
        named: (n) => `el token de envío ${n}`,
        any: "un token de envío",
        gone: "un token de envío eliminado",
      },
      file: { named: (n) => `el fichero ${n}`, any: "un fichero", gone: "un fichero que ya no existe" },
      connector: { named: plain, any: "una entidad", gone: "una entidad que ya no existe" },
      feed_key: { named: (n) => `la clave PGP de ${n}`, any: "una clave PGP", gone: "una clave PGP eliminada" },
      tenant: { named: (n) => `el mandante ${n}`, any: "un mandante", gone: "un mandante eliminado" },
      source: { named: (n) => `la fuente ${n}`, any: "una fuente", gone: "una fuente eliminada" },
      provider: { named: (n) => `el proveedor ${n}`, any: "un proveedor", gone: "un proveedor eliminado" },
      trusted_issuer: {
        named: (n) => `el proveedor de identidad ${n}`,
        any: "un proveedor de identidad",
        gone: "un proveedor de identidad eliminado",
      },
    },
    actors: {
      system: "el sistema",
      customer: "el cliente",
      unknown: "alguien desconocido",
      "identity-provider": "el proveedor de identidad",
    },
    installation: "la instalación",
    unknownClient: "un programa desconocido",
    self: { letter: "esta carta", connection: "esta conexión" },
  },
});
