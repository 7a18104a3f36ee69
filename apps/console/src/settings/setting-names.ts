import { useWords, wordsOf } from "../language/language.js";
import type { Schema } from "./settings-model.js";

/** How the settings of a form are called. */
export interface SettingNames {
  readonly labelOf: (name: string, schema: Schema) => string;
  readonly hintOf: (path: string, schema: Schema) => string | undefined;
  readonly valueOf: (value: string) => string;
}

export type Texts = Readonly<Record<string, string | undefined>>;

/**
 * The names of settings: the console's words for those of shipped providers, else what the schema says, else the setting's own name.
 * @param of a provider, or the names of values
 */
export function useSettingNames(of: string | Texts): SettingNames {
  const words = useWords(shippedWords);
  const isShipped = typeof of === "string" && shipped.has(of);
  const names: Texts = isShipped ? words.names : {};
  const hints: Texts = isShipped ? words.hints : {};
  const values: Texts = typeof of !== "string" ? of : isShipped ? words.values : {};
  return {
    labelOf: (name, { title }) => names[name] ?? (typeof title === "string" ? title : asWords(name)),
    hintOf: (path, { description }) =>
      hints[/\.([^.[\]]+)$/.exec(path)?.[1] ?? ""] ?? (typeof description === "string" ? description : undefined),
    // A code in capitals, such as that of a country, is no word.
    valueOf: (value) => values[value] ?? (/^[A-Z]{2,3}$/.test(value) ? value : asWords(value)),
  };
}

const shipped = new Set(["alpaca", "ibkr-flex", "kraken", "openwealth", "plaid", "saxo", "snaptrade", "trading212"]);

/** `token_url` as “Token URL”. */
function asWords(name: string): string {
  const text = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/\b(?:url|id|api|tls|ca|pin|ip)\b/g, (short) => short.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const shippedWords = wordsOf({
  en: {
    names: {
      banks: "Banks",
      id: "Short name in the catalogue",
      name: "Name",
      country: "Country",
      identifiers: "Proofs of which bank it is",
      bic: "BIC",
      lei: "LEI",
      domain: "Domain of its website",
      version: "Version of Custody Services",
      base_url: "Address of the interface",
      base_urls: "Addresses of the interfaces",
      live: "Live",
      paper: "Paper trading",
      demo: "Practice",
      clients: "Applications",
      sim: "Simulation",
      auth: "How it gives access",
      token_url: "Address for tokens",
      client_id: "Client",
      client_secret: "Client secret",
      consumer_key: "Consumer key",
      key_type: "Kind of key",
      scope: "Scope",
      revoke_url: "Address for revoking tokens",
      client_authentication: "How the client identifies itself",
      authorize_url: "Address where clients log in",
      issuer: "Issuer of its answers",
      tls: "Certificate of its own",
      cert: "Certificate",
      key: "Private key",
      ca: "The bank’s certificate authority",
      headers: "Headers",
      consent_header: "Header with a client’s consent",
      date_type: "Date that counts",
      customer_ids: "Customers",
      secret: "Secret",
      environment: "Environment",
      countries: "Countries",
      products: "Products",
      client_name: "Name shown to clients",
      notifications_url: "Address for notifications",
    },
    hints: {
      id: "Lower-case letters, digits and hyphens. Do not change it later.",
      country: "Three small letters, such as che for Switzerland.",
      identifiers: "Ways to one bank with an equal value are shown to clients as one entry.",
      base_url: "As the bank names it; it begins with https://",
      revoke_url: "Tokens are revoked there when a connection is removed.",
      issuer: "Answers of any other issuer are refused.",
      tls: "If the bank requires mutual TLS.",
      cert: "PEM, with its chain.",
      key: "PEM.",
      ca: "PEM. Only if it signs its certificate itself.",
      key_type: "A commercial key has a user for each client; a personal one shows the accounts of its owner.",
      headers: "Sent with every request.",
      version: "As the bank names it. Left out: 3.2.",
      consent_header:
        "If each client has a consent, whose ID they type when they connect; at bLink Permission-ID. Left out: none.",
      date_type:
        "By which positions and transactions belong to a day, before version 3. Left out: the transaction date.",
      customer_ids: "Numbers or ids at the bank; only these can be connected. Left out: all that the bank shows.",
      countries: "Where the institutions are: two capitals, such as US.",
      client_name: "At most 30 characters. The provider’s login page shows it.",
      notifications_url:
        "Only if these settings belong to one tenant: its address ends with ?tenant= and the tenant’s id.",
    },
    values: {
      client_credentials: "To us, under a mandate",
      authorization_code: "Clients log in at the bank",
      certificate: "By our certificate, without tokens",
      transactionDate: "Transaction date",
      bookingDate: "Booking date",
      valueDate: "Value date",
      basic: "HTTP Basic",
      post: "In the form",
      production: "Production",
      sandbox: "Sandbox",
      commercial: "Commercial",
      personal: "Personal",
    },
  },
  de: {
    names: {
      banks: "Banken",
      id: "Kurzname im Katalog",
      name: "Name",
      country: "Land",
      identifiers: "Nachweise, welche Bank es ist",
      bic: "BIC",
      lei: "LEI",
      domain: "Domain ihrer Website",
      version: "Version von Custody Services",
      base_url: "Adresse der Schnittstelle",
      base_urls: "Adressen der Schnittstellen",
      live: "Echt",
      paper: "Übungskonten",
      demo: "Übungskonten",
      clients: "Anwendungen",
      sim: "Simulation",
      auth: "Wie sie Zugang gibt",
      token_url: "Adresse für Tokens",
      client_id: "Client",
      client_secret: "Client-Geheimnis",
      consumer_key: "Consumer Key",
      key_type: "Art des Schlüssels",
      scope: "Umfang (scope)",
      revoke_url: "Adresse zum Widerrufen von Tokens",
      client_authentication: "Wie sich der Client ausweist",
      authorize_url: "Adresse, an der sich Kunden anmelden",
      issuer: "Aussteller der Antworten",
      tls: "Eigenes Zertifikat",
      cert: "Zertifikat",
      key: "Privater Schlüssel",
      ca: "Zertifizierungsstelle der Bank",
      headers: "Kopfzeilen",
      consent_header: "Kopfzeile mit der Einwilligung",
      date_type: "Maßgebliches Datum",
      customer_ids: "Kunden",
      secret: "Geheimnis",
      environment: "Umgebung",
      countries: "Länder",
      products: "Produkte",
      client_name: "Name, den Kunden sehen",
      notifications_url: "Adresse für Meldungen",
    },
    hints: {
      id: "Kleinbuchstaben, Ziffern und Bindestriche. Später nicht mehr ändern.",
      country: "Drei Kleinbuchstaben, etwa che für die Schweiz.",
      identifiers: "Wege zu einer Bank mit gleichem Wert sehen Kunden als einen Eintrag.",
      base_url: "Wie die Bank sie nennt; sie beginnt mit https://",
      revoke_url: "Dort werden Tokens widerrufen, wenn eine Verbindung entfernt wird.",
      issuer: "Antworten anderer Aussteller werden abgewiesen.",
      tls: "Falls die Bank gegenseitiges TLS verlangt.",
      cert: "PEM, mit seiner Kette.",
      key: "PEM.",
      ca: "PEM. Nur wenn die Bank ihr Zertifikat selbst signiert.",
      key_type:
        "Ein kommerzieller Schlüssel hat für jeden Kunden einen Benutzer; ein persönlicher zeigt die Konten seines Inhabers.",
      headers: "Gehen mit jeder Anfrage mit.",
      version: "Wie die Bank sie nennt. Ohne Angabe: 3.2.",
      consent_header:
        "Falls jeder Kunde eine Einwilligung hat, deren ID er beim Verbinden eingibt; bei bLink Permission-ID. Ohne Angabe: keine.",
      date_type:
        "Nach welchem Datum Positionen und Umsätze zu einem Tag gehören, vor Version 3. Ohne Angabe: dem Handelstag.",
      customer_ids:
        "Nummern oder Kennungen bei der Bank; nur diese lassen sich verbinden. Ohne Angabe: alle, die sie zeigt.",
      countries: "Wo die Institute sind: zwei Großbuchstaben, etwa US.",
      client_name: "Höchstens 30 Zeichen. Die Anmeldeseite des Anbieters zeigt ihn.",
      notifications_url:
        "Nur wenn diese Einstellungen einem Mandanten gehören: Seine Adresse endet mit ?tenant= und der Kennung des Mandanten.",
    },
    values: {
      client_credentials: "Uns, aufgrund eines Mandats",
      authorization_code: "Kunden melden sich bei der Bank an",
      certificate: "Aufgrund unseres Zertifikats, ohne Tokens",
      transactionDate: "Handelstag",
      bookingDate: "Buchungstag",
      valueDate: "Valuta",
      basic: "HTTP Basic",
      post: "Im Formular",
      production: "Produktion",
      sandbox: "Sandbox",
      commercial: "Kommerziell",
      personal: "Persönlich",
    },
  },
  fr: {
    names: {
      banks: "Banques",
      id: "Nom court dans le catalogue",
      name: "Nom",
      country: "Pays",
      identifiers: "Preuves de son identité",
      bic: "BIC",
      lei: "LEI",
      domain: "Domaine de son site",
      version: "Version de Custody Services",
      base_url: "Adresse de l’interface",
      base_urls: "Adresses des interfaces",
      live: "Réel",
      paper: "Fictif (paper)",
      demo: "Fictif (démo)",
      clients: "Applications",
      sim: "Simulation",
      auth: "Comment elle donne accès",
      token_url: "Adresse des jetons",
      client_id: "Client",
      client_secret: "Secret du client",
      consumer_key: "Consumer key",
      key_type: "Type de clé",
      scope: "Portée (scope)",
      revoke_url: "Adresse de révocation des jetons",
      client_authentication: "Comment le client s’identifie",
      authorize_url: "Adresse où les clients s’identifient",
      issuer: "Émetteur des réponses",
      tls: "Certificat propre",
      cert: "Certificat",
      key: "Clé privée",
      ca: "Autorité de certification de la banque",
      headers: "En-têtes",
      consent_header: "En-tête du consentement",
      date_type: "Date déterminante",
      customer_ids: "Clients de la banque",
      secret: "Secret",
      environment: "Environnement",
      countries: "Pays",
      products: "Produits",
      client_name: "Nom montré aux clients",
      notifications_url: "Adresse des notifications",
    },
    hints: {
      id: "Minuscules, chiffres et traits d’union. Ne le changez plus ensuite.",
      country: "Trois minuscules, par exemple che pour la Suisse.",
      identifiers: "Les voies vers une banque ayant une même valeur forment une seule entrée pour les clients.",
      base_url: "Telle que la banque l’indique ; elle commence par https://",
      revoke_url: "Les jetons y sont révoqués quand une connexion est supprimée.",
      issuer: "Les réponses de tout autre émetteur sont refusées.",
      tls: "Si la banque exige le TLS mutuel.",
      cert: "PEM, avec sa chaîne.",
      key: "PEM.",
      ca: "PEM. Seulement si la banque signe elle-même son certificat.",
      key_type:
        "Une clé commerciale a un utilisateur par client ; une clé personnelle montre les comptes de son titulaire.",
      headers: "Envoyés avec chaque requête.",
      version: "Telle que la banque l’indique. Sans indication : 3.2.",
      consent_header:
        "Si chaque client a un consentement, dont il saisit l’identifiant en se connectant ; chez bLink, Permission-ID. Sans indication : aucun.",
      date_type:
        "Celle qui rattache positions et opérations à un jour, avant la version 3. Sans indication : la date d’opération.",
      customer_ids:
        "Numéros ou identifiants à la banque ; seuls ceux-ci peuvent être connectés. Sans indication : tous ceux qu’elle montre.",
      countries: "Où se trouvent les établissements : deux majuscules, par exemple US.",
      client_name: "30 caractères au plus. La page de connexion du fournisseur l’affiche.",
      notifications_url:
        "Seulement si ces réglages appartiennent à un mandant : son adresse porte le paramètre tenant, avec l’identifiant du mandant.",
    },
    values: {
      client_credentials: "À nous, en vertu d’un mandat",
      authorization_code: "Les clients s’identifient à la banque",
      certificate: "Par notre certificat, sans jetons",
      transactionDate: "Date d’opération",
      bookingDate: "Date de comptabilisation",
      valueDate: "Date de valeur",
      basic: "HTTP Basic",
      post: "Dans le formulaire",
      production: "Production",
      sandbox: "Bac à sable",
      commercial: "Commerciale",
      personal: "Personnelle",
    },
  },
  es: {
    names: {
      banks: "Bancos",
      id: "Nombre corto en el catálogo",
      name: "Nombre",
      country: "País",
      identifiers: "Pruebas de qué banco es",
      bic: "BIC",
      lei: "LEI",
      domain: "Dominio de su sitio web",
      version: "Versión de Custody Services",
      base_url: "Dirección de la interfaz",
      base_urls: "Direcciones de las interfaces",
      live: "Real",
      paper: "Simulada (paper)",
      demo: "Simulada (demo)",
      clients: "Aplicaciones",
      sim: "Simulación",
      auth: "Cómo da acceso",
      token_url: "Dirección de los tokens",
      client_id: "Cliente",
      client_secret: "Secreto del cliente",
      consumer_key: "Consumer key",
      key_type: "Tipo de clave",
      scope: "Alcance (scope)",
      revoke_url: "Dirección para revocar tokens",
      client_authentication: "Cómo se identifica el cliente",
      authorize_url: "Dirección en la que acceden los clientes",
      issuer: "Emisor de las respuestas",
      tls: "Certificado propio",
      cert: "Certificado",
      key: "Clave privada",
      ca: "Autoridad de certificación del banco",
      headers: "Cabeceras",
      consent_header: "Cabecera del consentimiento",
      date_type: "Fecha que cuenta",
      customer_ids: "Clientes del banco",
      secret: "Secreto",
      environment: "Entorno",
      countries: "Países",
      products: "Productos",
      client_name: "Nombre que ven los clientes",
      notifications_url: "Dirección para las notificaciones",
    },
    hints: {
      id: "Minúsculas, cifras y guiones. No lo cambie después.",
      country: "Tres minúsculas, por ejemplo che para Suiza.",
      identifiers: "Las vías a un banco con un mismo valor se muestran a los clientes como una sola entrada.",
      base_url: "Como la indica el banco; empieza por https://",
      revoke_url: "Allí se revocan los tokens al quitar una conexión.",
      issuer: "Las respuestas de cualquier otro emisor se rechazan.",
      tls: "Si el banco exige TLS mutuo.",
      cert: "PEM, con su cadena.",
      key: "PEM.",
      ca: "PEM. Solo si el banco firma él mismo su certificado.",
      key_type: "Una clave comercial tiene un usuario por cliente; una personal muestra las cuentas de su titular.",
      headers: "Se envían con cada petición.",
      version: "Como la indica el banco. Sin indicación: 3.2.",
      consent_header:
        "Si cada cliente tiene un consentimiento, cuyo ID introduce al conectarse; en bLink, Permission-ID. Sin indicación: ninguno.",
      date_type:
        "La que asigna posiciones y operaciones a un día, antes de la versión 3. Sin indicación: la fecha de operación.",
      customer_ids:
        "Números o identificadores en el banco; solo estos se pueden conectar. Sin indicación: todos los que muestra.",
      countries: "Dónde están las entidades: dos mayúsculas, por ejemplo US.",
      client_name: "Como máximo 30 caracteres. Lo muestra la página de acceso del proveedor.",
      notifications_url:
        "Solo si esta configuración pertenece a un mandante: su dirección termina en ?tenant= y el identificador del mandante.",
    },
    values: {
      client_credentials: "A nosotros, con un mandato",
      authorization_code: "Los clientes acceden en el banco",
      certificate: "Por nuestro certificado, sin tokens",
      transactionDate: "Fecha de operación",
      bookingDate: "Fecha de contabilización",
      valueDate: "Fecha de valor",
      basic: "HTTP Basic",
      post: "En el formulario",
      production: "Producción",
      sandbox: "Entorno de pruebas",
      commercial: "Comercial",
      personal: "Personal",
    },
  },
});
