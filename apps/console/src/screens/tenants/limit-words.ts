import { wordsOf } from "../../language/language.js";

/** What a tenant may have at most of: one name for each limit. */
export const limitWords = wordsOf({
  en: {
    names: {
      requests_per_minute: "Requests a minute, to each server",
      grants: "Grants that are in use",
      open_sessions: "Open sessions",
      session_bytes: "Filters, labels and notices of open sessions",
      clients: "Clients",
      letters: "Letters",
      document_bytes: "Documents of letters",
      grants_ended_per_hour: "Grants ended by programs, in an hour",
      mcp_sessions_ended_per_day: "MCP sessions ended by programs, in a day",
      webhook_endpoints: "Webhook endpoints",
      webhook_tests_and_replays_per_hour: "Webhooks tested or sent again, in an hour",
    },
    inBytes: (name: string) => `${name}, in bytes`,
  },
  de: {
    names: {
      requests_per_minute: "Anfragen je Minute, an jeden Server",
      grants: "Freigaben, die in Gebrauch sind",
      open_sessions: "Offene Sitzungen",
      session_bytes: "Filter, Kennzeichen und Hinweise offener Sitzungen",
      clients: "Kunden",
      letters: "Vollmachten",
      document_bytes: "Dokumente der Vollmachten",
      grants_ended_per_hour: "Freigaben, die Programme beenden, je Stunde",
      mcp_sessions_ended_per_day: "MCP-Sitzungen, die Programme beenden, je Tag",
      webhook_endpoints: "Webhook-Endpunkte",
      webhook_tests_and_replays_per_hour: "Webhooks, getestet oder erneut gesendet, je Stunde",
    },
    inBytes: (name: string) => `${name}, in Byte`,
  },
  fr: {
    names: {
      requests_per_minute: "Requêtes par minute, à chaque serveur",
      grants: "Accès en cours",
      open_sessions: "Sessions ouvertes",
      session_bytes: "Filtres, libellés et avis des sessions ouvertes",
      clients: "Clients",
      letters: "Lettres",
      document_bytes: "Documents des lettres",
      grants_ended_per_hour: "Accès terminés par des programmes, par heure",
      mcp_sessions_ended_per_day: "Sessions MCP terminées par des programmes, par jour",
      webhook_endpoints: "Points d’envoi de webhooks",
      webhook_tests_and_replays_per_hour: "Webhooks testés ou renvoyés, par heure",
    },
    inBytes: (name: string) => `${name}, en octets`,
  },
  es: {
    names: {
      requests_per_minute: "Peticiones por minuto, a cada servidor",
      grants: "Accesos en uso",
      open_sessions: "Sesiones abiertas",
      session_bytes: "Filtros, etiquetas y avisos de las sesiones abiertas",
      clients: "Clientes",
      letters: "Cartas",
      document_bytes: "Documentos de las cartas",
      grants_ended_per_hour: "Accesos terminados por programas, por hora",
      mcp_sessions_ended_per_day: "Sesiones MCP terminadas por programas, por día",
      webhook_endpoints: "Destinos de webhooks",
      webhook_tests_and_replays_per_hour: "Webhooks probados o reenviados, por hora",
    },
    inBytes: (name: string) => `${name}, en bytes`,
  },
});
