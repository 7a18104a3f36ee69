import type { ComponentType } from "react";
import type { Audience, Power } from "../api/session.js";
import { type Words, wordsOf } from "../language/language.js";
import type { IconName } from "../parts/icon.js";

/** A screen as navigation and routes see it. Its code is loaded when somebody goes there. */
export interface ScreenEntry {
  /** Behind `/console`, with `$name` for what varies: `/letters/$letterId`. */
  readonly path: string;
  readonly title: Words<string>;
  readonly icon: IconName;
  readonly audience: Audience | "both";
  /** What a role has to allow for it to be shown. */
  readonly power: Power;
  /** Where it stands in the navigation; null: it is only linked from others, such as one letter from the letters. */
  readonly group: "work" | "data" | "access" | "own" | null;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Every screen. Navigation shows those of a group in this order. */
export const screens: readonly ScreenEntry[] = [
  {
    path: "/work",
    title: wordsOf({ en: "Work", de: "Aufgaben", fr: "À faire", es: "Tareas" }),
    icon: "work",
    audience: "both",
    power: "see",
    group: "work",
    load: () => import("./work/work-screen.js"),
  },
  {
    path: "/connections",
    title: wordsOf({ en: "Connections", de: "Verbindungen", fr: "Connexions", es: "Conexiones" }),
    icon: "connections",
    audience: "both",
    power: "see",
    group: "data",
    load: () => import("./connections/connections-screen.js"),
  },
  {
    path: "/connections/$connectionId",
    title: wordsOf({ en: "Connection", de: "Verbindung", fr: "Connexion", es: "Conexión" }),
    icon: "connections",
    audience: "both",
    power: "see",
    group: null,
    load: () => import("./connections/connection-screen.js"),
  },
  {
    path: "/catalogue",
    title: wordsOf({ en: "Catalogue", de: "Katalog", fr: "Catalogue", es: "Catálogo" }),
    icon: "catalogue",
    audience: "both",
    power: "see",
    group: "data",
    load: () => import("./catalogue/catalogue-screen.js"),
  },
  {
    path: "/providers",
    title: wordsOf({ en: "Providers", de: "Anbieter", fr: "Fournisseurs", es: "Proveedores" }),
    icon: "providers",
    audience: "operator",
    power: "see",
    group: "data",
    load: () => import("./providers/providers-screen.js"),
  },
  {
    path: "/providers/$name",
    title: wordsOf({ en: "Provider", de: "Anbieter", fr: "Fournisseur", es: "Proveedor" }),
    icon: "providers",
    audience: "operator",
    power: "see",
    group: null,
    load: () => import("./providers/provider-screen.js"),
  },
  {
    path: "/filter-workbench",
    title: wordsOf({ en: "Filter workbench", de: "Filterwerkbank", fr: "Atelier de filtres", es: "Taller de filtros" }),
    icon: "filter",
    audience: "both",
    power: "see",
    group: "data",
    load: () => import("./filter-workbench/filter-workbench-screen.js"),
  },
  {
    path: "/tenants",
    title: wordsOf({ en: "Tenants", de: "Mandanten", fr: "Clients", es: "Clientes" }),
    icon: "tenants",
    audience: "operator",
    power: "see",
    group: "access",
    load: () => import("./tenants/tenants-screen.js"),
  },
  {
    path: "/tenants/$tenantId",
    title: wordsOf({ en: "Tenant", de: "Mandant", fr: "Client", es: "Cliente" }),
    icon: "tenants",
    audience: "operator",
    power: "see",
    group: null,
    load: () => import("./tenants/tenant-screen.js"),
  },
  {
    path: "/applications",
    title: wordsOf({ en: "Applications", de: "Anwendungen", fr: "Applications", es: "Aplicaciones" }),
    icon: "applications",
    audience: "operator",
    power: "see",
    group: "access",
    load: () => import("./applications/applications-screen.js"),
  },
  {
    path: "/grants",
    title: wordsOf({ en: "Grants", de: "Freigaben", fr: "Accès accordés", es: "Accesos concedidos" }),
    icon: "grants",
    audience: "both",
    power: "see",
    group: "access",
    load: () => import("./grants/grants-screen.js"),
  },
  {
    path: "/people",
    title: wordsOf({ en: "People", de: "Personen", fr: "Personnes", es: "Personas" }),
    icon: "people",
    audience: "both",
    power: "see",
    group: "access",
    load: () => import("./people/people-screen.js"),
  },
  {
    path: "/keys",
    title: wordsOf({ en: "Keys", de: "Schlüssel", fr: "Clés", es: "Claves" }),
    icon: "keys",
    audience: "operator",
    power: "see",
    group: "access",
    load: () => import("./keys/keys-screen.js"),
  },
  {
    path: "/trusted-issuers",
    title: wordsOf({
      en: "Identity providers",
      de: "Identitätsanbieter",
      fr: "Fournisseurs d’identité",
      es: "Proveedores de identidad",
    }),
    icon: "keys",
    audience: "operator",
    power: "see",
    group: "access",
    load: () => import("./trusted-issuers/trusted-issuers-screen.js"),
  },
  {
    path: "/registration-tokens",
    title: wordsOf({
      en: "Registration tokens",
      de: "Registrierungstokens",
      fr: "Jetons d’enregistrement",
      es: "Tokens de registro",
    }),
    icon: "grants",
    audience: "operator",
    power: "see",
    group: "access",
    load: () => import("./registration-tokens/registration-tokens-screen.js"),
  },
  {
    path: "/webhooks",
    title: wordsOf({ en: "Webhooks", de: "Webhooks", fr: "Webhooks", es: "Webhooks" }),
    icon: "webhooks",
    audience: "tenant",
    power: "see",
    group: "data",
    load: () => import("./webhooks/webhooks-screen.js"),
  },
  {
    path: "/webhooks",
    title: wordsOf({ en: "Webhooks", de: "Webhooks", fr: "Webhooks", es: "Webhooks" }),
    icon: "webhooks",
    audience: "operator",
    power: "see",
    group: "data",
    load: () => import("./webhooks/operator-webhooks-screen.js"),
  },
  {
    path: "/webhooks/$endpointId",
    title: wordsOf({ en: "Deliveries", de: "Zustellungen", fr: "Livraisons", es: "Entregas" }),
    icon: "webhooks",
    audience: "both",
    power: "see",
    group: null,
    load: () => import("./webhooks/deliveries-screen.js"),
  },
  {
    path: "/events",
    title: wordsOf({ en: "Events", de: "Ereignisse", fr: "Événements", es: "Eventos" }),
    icon: "work",
    audience: "both",
    power: "see",
    group: "data",
    load: () => import("./events/events-screen.js"),
  },
  {
    path: "/audit",
    title: wordsOf({ en: "Audit trail", de: "Protokoll", fr: "Journal d’audit", es: "Registro de auditoría" }),
    icon: "audit",
    audience: "operator",
    power: "see",
    group: "access",
    load: () => import("./audit/audit-screen.js"),
  },
  {
    path: "/account",
    title: wordsOf({ en: "Your account", de: "Ihr Konto", fr: "Votre compte", es: "Su cuenta" }),
    icon: "account",
    audience: "both",
    power: "see",
    group: "own",
    load: () => import("./account/account-screen.js"),
  },
];
