import { type CatalogueConnector, DATAFEED_TYPE } from "@org/core";
import type { ConnectorOfProvider } from "@org/provider-kit";
import type { SandboxCountryCode } from "./countries.js";

/** Name of the sandbox provider, in the catalogue and in connections. */
export const SANDBOX = "sandbox";

/**
 * The invented banks as connectors, in catalogue order. Each country has online banks, PSD2 banks or custodians that send files; Spain and France
 * have all three. Some banks are in several countries, some are unavailable.
 */
export function sandboxCatalogue(): CatalogueConnector[] {
  const connectors: CatalogueConnector[] = [];
  for (const [country, banks] of Object.entries(banksByCountry)) {
    for (const [type, names] of Object.entries(banks)) {
      for (const name of names) connectors.push(connectorOf(country, type, name));
    }
  }
  return connectors.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * How customers log in at a sandbox bank, and which data it shows. Most banks use `password`; each other variant has one bank. A row of an
 * operator's own catalogue selects one with `provider_ref`.
 */
export const sandboxVariants = ["password", "redirect", "choices", "decoupled", "report", "fields"] as const;
export type SandboxVariant = (typeof sandboxVariants)[number];

/** The variant of a catalogue row. */
export function sandboxVariantOf({ provider_ref }: Pick<ConnectorOfProvider, "provider_ref">): SandboxVariant {
  return sandboxVariants.find((way) => way === provider_ref) ?? "password";
}

function connectorOf(country: string, type: string, name: string): CatalogueConnector {
  return {
    id: `${country}:${slugOf(name)}`,
    name,
    type,
    countries: [country, ...(furtherCountries[name] ?? [])],
    available: !unavailable.has(name),
    provider: SANDBOX,
    provider_ref: ways[name] ?? null,
    metadata: {},
  };
}

function slugOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

const banksByCountry: Readonly<Record<SandboxCountryCode, Readonly<Record<string, readonly string[]>>>> = {
  and: { "e-banking": ["Banca Vallclaror"], psd2: ["Banc Pic Serè"] },
  aut: {
    "e-banking": ["Bankhaus Donaufels", "Bank Wegscheide"],
    psd2: ["Alpgrund Bank"],
    [DATAFEED_TYPE]: ["Wienertal Depot"],
  },
  bel: {
    "e-banking": ["Bank Scheldemond", "Banque Cinqchamps"],
    psd2: ["Banque Ardenclaire"],
    [DATAFEED_TYPE]: ["Meuselaan Custody"],
  },
  can: { "e-banking": ["Maple Narrows Bank", "Tamarack Lake Trust"], [DATAFEED_TYPE]: ["Caribou Bay Custody"] },
  che: {
    "e-banking": ["Bank Arvenstein", "Banque du Jorat-Clair"],
    [DATAFEED_TYPE]: ["Helvior Depotbank", "Säntisfeld Privatbank"],
  },
  deu: {
    "e-banking": ["Nordlichtern Privatbank", "Sparhaus Elbgrund"],
    psd2: ["Rheinmoor Bank"],
    [DATAFEED_TYPE]: ["Depotbank Tannfeld"],
  },
  dnk: { "e-banking": ["Bank Klitmark"], psd2: ["Birkelunde Spar"] },
  esp: {
    "e-banking": ["Banco Peñaclarín", "Caja Miralbosque", "Ahorros Vallesereno"],
    psd2: ["Banca Torresoto", "Banco Riomarfil"],
    [DATAFEED_TYPE]: ["Custodia Montelirio", "Gestora Ribalmar"],
  },
  fin: { "e-banking": ["Järvipelto Pankki"], psd2: ["Koivusaarela Pankki"] },
  fra: {
    "e-banking": ["Banque Clairmont-Lys", "Crédit du Val d'Ambre"],
    psd2: ["Banque Orvanelle", "Épargne Sèvreclair"],
    [DATAFEED_TYPE]: ["Dépositaire Hauterive-Lune"],
  },
  gbr: {
    "e-banking": ["Castlewick & Daughters", "Harrowmere Bank"],
    psd2: ["Pennygate Savings"],
    [DATAFEED_TYPE]: ["Thistlebrook Custody"],
  },
  irl: {
    "e-banking": ["Bank of Glenmarra", "Slowmere Bank"],
    psd2: ["Shannonmoor Bank"],
    [DATAFEED_TYPE]: ["Claddagh Fund Services"],
  },
  ita: {
    "e-banking": ["Banca Montesolino", "Cassa di Fontechiara"],
    psd2: ["Credito Valdarosa"],
    [DATAFEED_TYPE]: ["Deposito Rivaluce"],
  },
  lux: {
    "e-banking": ["Banque Alzetteberg"],
    psd2: ["Luxmontane Bank", "Banque Passerelle"],
    [DATAFEED_TYPE]: ["Petrussel Custody"],
  },
  mex: { "e-banking": ["Banco Sierra Jacaranda", "Casa de Bolsa Obsidianar"] },
  nld: {
    "e-banking": ["Bank Waterlinde", "Alwetend Bank"],
    psd2: ["Vermeerdijk Bank"],
    [DATAFEED_TYPE]: ["Polderhuis Bewaring"],
  },
  nor: { "e-banking": ["Fjordheimar Bank"], psd2: ["Havgard Spar"] },
  pol: { "e-banking": ["Bank Brzozowiecki Staw"], psd2: ["Bank Zielony Most"] },
  prt: { "e-banking": ["Banco Serra Clarim", "Caixa Ribeirinha Alta"], psd2: ["Banco Marvento"] },
  swe: {
    "e-banking": ["Norrskenet Bank", "Eftertanke Bank"],
    psd2: ["Björkviken Spar"],
    [DATAFEED_TYPE]: ["Tallmo Depå"],
  },
  usa: {
    "e-banking": ["Cedar Hollow Brokerage", "First Larkspur Trust", "Juniper Mesa Bank"],
    [DATAFEED_TYPE]: ["Bluestem Custody"],
  },
};

const furtherCountries: Readonly<Record<string, readonly SandboxCountryCode[]>> = {
  "Nordlichtern Privatbank": ["aut", "che"],
  "Luxmontane Bank": ["bel", "fra"],
  "Norrskenet Bank": ["nor", "dnk", "fin"],
};

/** The banks with a variant other than `password`. */
const ways: Readonly<Record<string, SandboxVariant>> = {
  "Banque Passerelle": "redirect",
  "Bank Wegscheide": "choices",
  "Eftertanke Bank": "decoupled",
  "Slowmere Bank": "report",
  "Banque Cinqchamps": "fields",
};

/** Whether customers of a bank also have an account with cash in it, and one in another currency. */
export function hasCashAccounts(connectorId: string): boolean {
  return cashBanks.has(connectorId);
}

const cashBanks = new Set([
  "deu:nordlichtern-privatbank",
  "fra:banque-clairmont-lys",
  "gbr:castlewick-daughters",
  "ita:banca-montesolino",
  "usa:cedar-hollow-brokerage",
]);

const unavailable = new Set(["Ahorros Vallesereno", "Birkelunde Spar", "Banque du Jorat-Clair", "Épargne Sèvreclair"]);
