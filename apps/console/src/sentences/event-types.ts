import type { EventType } from "@org/core";
import { useWords, wordsOf } from "../language/language.js";
import { eventSentences } from "./event-sentences.js";
import type { ThingKind } from "./parts-of-sentence.js";
import { capitalized } from "./thing-phrase.js";
import { thingWords } from "./thing-words.js";

/** A family of events with its types. */
export interface EventFamily {
  /** Such as `letter.*`. */
  readonly pattern: string;
  readonly title: string;
  readonly types: readonly { readonly type: EventType; readonly said: string }[];
}

const kinds: Readonly<Record<string, ThingKind>> = {
  session: "session",
  connection: "connection",
  letter: "letter",
  connector: "connector",
  feed: "source",
  endpoint: "webhook_endpoint",
  client: "client",
  provider: "provider",
};

/** Types that are never sent to an endpoint that asks for them: those of the installation, and a test, which goes where it is sent. */
export const notAskable: readonly EventType[] = [
  "mail.failed",
  "mail.in_doubt",
  "provider.degraded",
  "provider.recovered",
  "webhook.test",
];

/** Types that an endpoint may ask for, by family. */
export function useAskableTypes(): readonly EventFamily[] {
  return useEventTypes()
    .map((family) => ({ ...family, types: family.types.filter(({ type }) => !notAskable.includes(type)) }))
    .filter(({ types }) => types.length > 0);
}

/** Types that are sent to endpoints, by family: what they may ask for, and tests. */
export function useDeliveredTypes(): readonly EventFamily[] {
  const isSent = (type: EventType) => type === "webhook.test" || !notAskable.includes(type);
  return useEventTypes()
    .map((family) => ({ ...family, types: family.types.filter(({ type }) => isSent(type)) }))
    .filter(({ types }) => types.length > 0);
}

/** Every type of event by family, each said in words. */
export function useEventTypes(): readonly EventFamily[] {
  const sentences: Readonly<Record<string, string>> = useWords(eventSentences);
  const titles: Readonly<Record<string, string>> = useWords(familyWords);
  const things = useWords(thingWords).kinds;
  const families = new Map<string, { type: EventType; said: string }[]>();
  for (const [type, sentence] of Object.entries(sentences) as [EventType, string][]) {
    const family = type.slice(0, type.indexOf("."));
    const said = sentence.replace(/\{(\w+)!?\}/g, (_, name: string) => {
      const kind = kinds[name];
      return kind ? things[kind].any : "…";
    });
    families.set(family, [...(families.get(family) ?? []), { type, said: capitalized(said) }]);
  }
  return [...families].map(([family, types]) => ({ pattern: `${family}.*`, title: titles[family] ?? family, types }));
}

/** What an event or a line of the audit trail is about, as the heading of its family. */
export const familyWords = wordsOf({
  en: {
    session: "Sessions",
    connection: "Connections",
    data: "Data",
    letter: "Letters",
    feed: "Custodians’ files",
    grant: "Grants",
    webhook: "Webhooks",
    work: "Work queue",
    mail: "Mails",
    provider: "Providers",
    tenant: "Tenants",
    person: "People",
    application: "Applications",
    key: "Keys of the server",
    request: "Requests",
  },
  de: {
    session: "Sitzungen",
    connection: "Verbindungen",
    data: "Daten",
    letter: "Vollmachten",
    feed: "Dateien der Banken",
    grant: "Freigaben",
    webhook: "Webhooks",
    work: "Aufgaben",
    mail: "E-Mails",
    provider: "Anbieter",
    tenant: "Mandanten",
    person: "Personen",
    application: "Anwendungen",
    key: "Schlüssel des Servers",
    request: "Anfragen",
  },
  fr: {
    session: "Sessions",
    connection: "Connexions",
    data: "Données",
    letter: "Lettres",
    feed: "Fichiers des banques",
    grant: "Accès accordés",
    webhook: "Webhooks",
    work: "À faire",
    mail: "E-mails",
    provider: "Fournisseurs",
    tenant: "Mandants",
    person: "Personnes",
    application: "Applications",
    key: "Clés du serveur",
    request: "Requêtes",
  },
  es: {
    session: "Sesiones",
    connection: "Conexiones",
    data: "Datos",
    letter: "Cartas",
    feed: "Ficheros de los bancos",
    grant: "Accesos concedidos",
    webhook: "Webhooks",
    work: "Tareas",
    mail: "Correos",
    provider: "Proveedores",
    tenant: "Mandantes",
    person: "Personas",
    application: "Aplicaciones",
    key: "Claves del servidor",
    request: "Peticiones",
  },
});
