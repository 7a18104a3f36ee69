import type { SessionLanguage } from "@org/core";

/** Every sentence of the front page, in one language. A table with a missing key does not compile. */
interface Words {
  readonly title: string;
  readonly lead: string;
  readonly assistantHeading: string;
  readonly assistantText: string;
  readonly assistantNext: string;
  readonly programHeading: string;
  readonly programText: string;
  readonly places: {
    readonly reference: readonly [title: string, text: string];
    readonly document: readonly [title: string, text: string];
    readonly console: readonly [title: string, text: string];
    readonly grants: readonly [title: string, text: string];
  };
  readonly accessHeading: string;
  readonly version: string;
}

const english: Words = {
  title: "This is a Wealth Connect server",
  lead: "It connects banks and custodians, and lets assistants and programs read the portfolios, holdings and transactions that their owners have released.",
  assistantHeading: "Connect an assistant",
  assistantText: "Enter this address in your assistant as a remote MCP server (a custom connector):",
  assistantNext:
    "The assistant then opens a page of this server, which asks for a client ID and a client secret. Whoever runs this server gives them out.",
  programHeading: "Write a program",
  programText: "Ask for an access token, and call the REST API with it.",
  places: {
    reference: ["REST API reference", "Every endpoint with what it takes and answers, and an example to paste"],
    document: ["OpenAPI document", "The same for programs and for tools such as Postman"],
    console: [
      "Console",
      "Sign in to work on letters, connections and files, or to see what your organization has connected",
    ],
    grants: ["Who has access", "See which apps and programs can read your data, and end it"],
  },
  accessHeading: "Your access",
  version: "Version",
};

const german: Words = {
  title: "Hier läuft ein Wealth-Connect-Server",
  lead: "Er verbindet Banken und Depotstellen und lässt Assistenten und Programme die Portfolios, Positionen und Umsätze lesen, die ihre Inhaber freigegeben haben.",
  assistantHeading: "Einen Assistenten verbinden",
  assistantText: "Geben Sie diese Adresse in Ihrem Assistenten als MCP-Server (eigener Connector) ein:",
  assistantNext:
    "Der Assistent öffnet dann eine Seite dieses Servers, die nach Client-ID und Client-Secret fragt. Beides erhalten Sie vom Betreiber dieses Servers.",
  programHeading: "Ein Programm schreiben",
  programText: "Fordern Sie ein Zugriffstoken an und rufen Sie damit die REST-API auf.",
  places: {
    reference: ["Referenz der REST-API", "Jeder Endpunkt mit Anfrage und Antwort und einem Beispiel zum Einfügen"],
    document: ["OpenAPI-Dokument", "Dasselbe für Programme und Werkzeuge wie Postman"],
    console: [
      "Konsole",
      "Anmelden und an Vollmachten, Verbindungen und Dateien arbeiten oder sehen, was Ihr Haus verbunden hat",
    ],
    grants: ["Wer Zugriff hat", "Sehen, welche Apps und Programme Ihre Daten lesen dürfen, und es beenden"],
  },
  accessHeading: "Ihre Freigaben",
  version: "Version",
};

const spanish: Words = {
  title: "Este es un servidor de Wealth Connect",
  lead: "Conecta bancos y custodios, y permite que asistentes y programas lean las carteras, posiciones y operaciones que sus titulares han autorizado.",
  assistantHeading: "Conectar un asistente",
  assistantText: "Introduzca esta dirección en su asistente como servidor MCP remoto (conector personalizado):",
  assistantNext:
    "El asistente abrirá una página de este servidor que pide un ID de cliente y un secreto de cliente. Se los facilita quien gestiona este servidor.",
  programHeading: "Escribir un programa",
  programText: "Pida un token de acceso y llame con él a la API REST.",
  places: {
    reference: ["Referencia de la API REST", "Cada operación con lo que recibe y responde, y un ejemplo para pegar"],
    document: ["Documento OpenAPI", "Lo mismo para programas y herramientas como Postman"],
    console: [
      "Consola",
      "Acceda para trabajar con cartas, conexiones y ficheros, o para ver lo que su organización ha conectado",
    ],
    grants: ["Quién tiene acceso", "Vea qué aplicaciones y programas pueden leer sus datos y retíreles el acceso"],
  },
  accessHeading: "Su acceso",
  version: "Versión",
};

const french: Words = {
  title: "Ceci est un serveur Wealth Connect",
  lead: "Il relie banques et dépositaires, et permet à des assistants et à des programmes de lire les portefeuilles, positions et opérations que leurs titulaires ont autorisés.",
  assistantHeading: "Connecter un assistant",
  assistantText: "Saisissez cette adresse dans votre assistant comme serveur MCP distant (connecteur personnalisé) :",
  assistantNext:
    "L’assistant ouvre alors une page de ce serveur qui demande un identifiant client et un secret client. L’exploitant de ce serveur vous les remet.",
  programHeading: "Écrire un programme",
  programText: "Demandez un jeton d’accès, puis appelez l’API REST avec ce jeton.",
  places: {
    reference: ["Référence de l’API REST", "Chaque opération avec ce qu’elle prend et répond, et un exemple à coller"],
    document: ["Document OpenAPI", "La même chose pour les programmes et les outils tels que Postman"],
    console: [
      "Console",
      "Identifiez-vous pour traiter lettres, connexions et fichiers, ou voir ce que votre organisation a connecté",
    ],
    grants: ["Qui a accès", "Voyez quelles applications et quels programmes peuvent lire vos données, et mettez-y fin"],
  },
  accessHeading: "Vos accès",
  version: "Version",
};

/** The sentences by language; a language of the widget without a table does not compile. */
export const frontPageWords: Readonly<Record<SessionLanguage, Words>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};
