import type { BodyOf } from "../api/paths.js";
import { useWords, wordsOf } from "../language/language.js";
import type { RowOf } from "./list.js";

/** Every scope of the product. */
export type Scope = RowOf<"/operator/v1/applications/list">["scopes"][number];

export type TenantScope = BodyOf<"/operator/v1/applications/add-scopes">["scopes"][number];

/** Every scope of a tenant's application except `grants:manage`, which it gets only if requested. */
export const tenantScopes = Object.keys({
  "connections:read": true,
  "connections:write": true,
  "connections:delete": true,
  "investments:read": true,
  "letters:read": true,
  "letters:write": true,
  "events:read": true,
  "events:write": true,
} satisfies Record<TenantScope, true>) as TenantScope[];

/** What each scope allows: a title, as the page has it on which people approve, and a sentence. */
const scopeWords = wordsOf<Readonly<Record<Scope, readonly [string, string]>>>({
  en: {
    "connections:read": ["See connected banks", "Look up banks, and see which are connected and how up to date."],
    "connections:write": ["Connect banks", "Start connecting a bank or renewing a login, and ask for fresh data."],
    "connections:delete": ["Delete connected banks", "Remove a connected bank along with all data read from it."],
    "investments:read": ["See investments", "Read portfolios, holdings, values and transactions of all banks."],
    "letters:read": ["See letters", "Search the letters to banks and see how far along each one is."],
    "letters:write": ["Submit and end letters", "Submit signed authorization letters, and discontinue existing ones."],
    "events:read": ["See what happens", "Be told of new connections, logins that are needed, new data and letters."],
    "events:write": ["Send events elsewhere", "Choose internet addresses to which events are sent."],
    "grants:manage": [
      "Manage everybody's access",
      "See which programs can use the tenant's data, and end that access.",
    ],
    operator: ["Operate the installation", "Everything that operators do: tenants, applications, letters of all."],
  },
  de: {
    "connections:read": [
      "Verbundene Banken sehen",
      "Banken suchen und sehen, welche verbunden und wie aktuell sie sind.",
    ],
    "connections:write": [
      "Banken verbinden",
      "Eine Bank verbinden, eine Anmeldung erneuern und frische Daten anfordern.",
    ],
    "connections:delete": [
      "Verbundene Banken löschen",
      "Eine verbundene Bank mit allen von ihr gelesenen Daten löschen.",
    ],
    "investments:read": ["Anlagen sehen", "Depots, Bestände, Werte und Umsätze aller Banken lesen."],
    "letters:read": ["Vollmachten sehen", "Vollmachten suchen und sehen, wie weit jede ist."],
    "letters:write": [
      "Vollmachten einreichen und beenden",
      "Unterschriebene Vollmachten einreichen und laufende beenden.",
    ],
    "events:read": [
      "Ereignisse sehen",
      "Von neuen Verbindungen, nötigen Anmeldungen, neuen Daten und Vollmachten erfahren.",
    ],
    "events:write": ["Neuigkeiten anderswohin senden", "Adressen im Internet bestimmen, an die Neuigkeiten gehen."],
    "grants:manage": [
      "Alle Zugänge verwalten",
      "Sehen, welche Programme die Daten nutzen, und ihnen den Zugang nehmen.",
    ],
    operator: ["Die Installation betreiben", "Alles, was Betreiber tun: Mandanten, Anwendungen, Vollmachten aller."],
  },
  fr: {
    "connections:read": [
      "Voir les banques connectées",
      "Chercher des banques et voir lesquelles sont connectées et à jour.",
    ],
    "connections:write": [
      "Connecter des banques",
      "Connecter une banque, renouveler un accès et demander des données fraîches.",
    ],
    "connections:delete": [
      "Supprimer des banques connectées",
      "Retirer une banque connectée avec toutes les données lues chez elle.",
    ],
    "investments:read": [
      "Voir les placements",
      "Lire portefeuilles, positions, valeurs et mouvements de toutes les banques.",
    ],
    "letters:read": ["Voir les lettres", "Chercher les lettres aux banques et voir où en est chacune."],
    "letters:write": ["Soumettre et clore des lettres", "Soumettre des lettres signées et mettre fin à d’autres."],
    "events:read": [
      "Voir ce qui se passe",
      "Être informé des connexions, des accès à renouveler, des données et des lettres.",
    ],
    "events:write": ["Envoyer les nouvelles ailleurs", "Choisir les adresses internet où partent les nouvelles."],
    "grants:manage": [
      "Gérer les accès de tous",
      "Voir quels programmes utilisent les données du mandant et y mettre fin.",
    ],
    operator: [
      "Exploiter l’installation",
      "Tout ce que font les opérateurs : mandants, applications, lettres de tous.",
    ],
  },
  es: {
    "connections:read": ["Ver los bancos conectados", "Buscar bancos y ver cuáles están conectados y al día."],
    "connections:write": ["Conectar bancos", "Conectar un banco, renovar un acceso y pedir datos nuevos."],
    "connections:delete": [
      "Eliminar bancos conectados",
      "Quitar un banco conectado junto con todos los datos leídos de él.",
    ],
    "investments:read": [
      "Ver las inversiones",
      "Leer carteras, posiciones, valores y movimientos de todos los bancos.",
    ],
    "letters:read": ["Ver las cartas", "Buscar las cartas a los bancos y ver cómo va cada una."],
    "letters:write": ["Presentar y terminar cartas", "Presentar cartas firmadas y terminar las existentes."],
    "events:read": ["Ver lo que ocurre", "Saber de conexiones nuevas, accesos que renovar, datos nuevos y cartas."],
    "events:write": ["Enviar novedades a otro lugar", "Elegir direcciones de internet a las que van las novedades."],
    "grants:manage": ["Gestionar los accesos de todos", "Ver qué programas usan los datos del mandante y terminarlos."],
    operator: ["Operar la instalación", "Todo lo que hacen los operadores: mandantes, aplicaciones, cartas de todos."],
  },
});

/** Scopes in words. One that this page does not know is shown by its name. */
export function useScopeWords() {
  const words: Readonly<Record<string, readonly [string, string]>> = useWords(scopeWords);
  return {
    titlesOf: (scopes: readonly string[]) => scopes.map((scope) => words[scope]?.[0] ?? scope).join(" · "),
    /** The choices of a field; the name that a program asks by stands behind what it allows. */
    options: <S extends Scope>(scopes: readonly S[]) =>
      scopes.map((value) => ({
        value,
        label: words[value]?.[0] ?? value,
        hint: `${words[value]?.[1] ?? ""} (${value})`,
      })),
  };
}
