// A broker whose customers connect with a key. A file <folder>/<key> has the name of its customer; without it, the key is refused.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";

const depot = { key: "1", name: "Depot", balance: "12.50", currency: "EUR", ref_account: null, type: "S" };
const howTo = {
  en: "Settings, then API, then New key.",
  de: "Einstellungen, dann API, dann Neuer Schlüssel.",
  fr: "Paramètres, puis API, puis Nouvelle clé.",
  es: "Ajustes, después API, después Clave nueva.",
};
const label = { en: "Key", de: "Schlüssel", fr: "Clé", es: "Clave" };
/** What it says of the login, by row. */
const stated = {
  trades: { rights: "trade", howTo, holdings: "daily", transactions: 730 },
  reads: { rights: "read", howTo, holdings: "daily", transactions: 730 },
  silent: {},
  odd: { rights: "everything", transactions: -1 },
};

export default {
  name: "key-broker",
  title: "Key Broker",
  settings: z.strictObject({ folder: z.string() }),
  connectors: () =>
    Object.keys(stated).map((ref) => ({ id: `esp:${ref}`, name: `Bróker ${ref}`, country: "esp", provider_ref: ref })),
  create({ settings: { folder }, clock }) {
    const customerOf = (key) => readFile(join(folder, basename(key)), "utf8").catch(() => null);
    return {
      credentialFields: () => [{ name: "key", kind: "secret", label }],
      terms: ({ provider_ref }) => stated[provider_ref],
      async login({ fields: { key } }) {
        const user_key = await customerOf(key);
        return user_key === null
          ? { kind: "rejected" }
          : { kind: "authenticated", user_key, access: { key }, consent_expires_at: null };
      },
      async fetch({ access: { key } }) {
        if ((await customerOf(key)) === null) return { refused: "rejected" };
        const snapshot = { as_of: clock(), portfolios: [depot], holdings: [], transactions: [] };
        return { snapshot, consent_expires_at: null };
      },
    };
  },
};
