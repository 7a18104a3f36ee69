// A provider as a third party writes one in JavaScript; its settings say how it behaves.
import { z } from "zod";

export default {
  name: "odd-bank",
  title: "Odd Bank",
  settings: z.strictObject({
    behaviour: z.enum(["works", "throws", "nonsense"]),
    key: z.string().min(8).meta({ secret: true }),
  }),
  connectors: () => [{ id: "esp:odd", name: "Banco Raro", country: "ES", provider_ref: "odd-7" }],
  check: async ({ settings: { key } }) => ({ ok: !key.startsWith("wrong"), message: `asked with ${key}` }),
  create({ settings: { behaviour, key } }) {
    if (behaviour === "throws") throw new Error(`the key ${key} is not known`);
    if (behaviour === "nonsense") return { login: "yes" };
    return {
      login: async ({ fields, provider_ref }) => ({
        kind: "authenticated",
        user_key: fields.username,
        access: { provider_ref },
      }),
      fetch: async ({ provider_ref }) => ({
        snapshot: {
          as_of: new Date("2026-03-01T18:00:00.000Z"),
          portfolios: [
            {
              key: "1",
              name: `Depot of ${provider_ref}`,
              balance: "12.50",
              currency: "EUR",
              ref_account: null,
              type: "S",
            },
          ],
          holdings: [],
          transactions: [],
        },
        consent_expires_at: null,
      }),
    };
  },
};
