// A provider as a third party would write it in JavaScript; its settings choose its behaviour.
import { z } from "zod";

export default {
  name: "odd-bank",
  title: "Odd Bank",
  settings: z.strictObject({
    behaviour: z.enum(["works", "throws", "nonsense", "hangs"]),
    key: z.string().min(8).meta({ secret: true }),
  }),
  // One of them is odd: it has no name.
  connectors: () => [
    { id: "esp:odd", name: "Banco Raro", country: "ES", provider_ref: "odd-7" },
    { id: "esp:nameless", country: "ES" },
  ],
  check: async ({ settings: { key } }) => ({ ok: !key.startsWith("wrong"), message: `asked with ${key}` }),
  create({ settings: { behaviour, key } }) {
    if (behaviour === "throws") throw new Error(`the key ${key} is not known`);
    if (behaviour === "nonsense") return { login: "yes" };
    if (behaviour === "hangs") return new Promise(() => undefined);
    return {
      async login({ fields, provider_ref }) {
        if (fields.password === "out of order")
          throw Object.assign(new Error("the bank does not answer"), { code: "ECONNREFUSED" });
        return {
          kind: "authenticated",
          user_key: fields.username,
          access: { provider_ref },
          reference: `item of ${fields.username}`,
          consent_expires_at: new Date(Date.now() + 3 * 86_400_000),
        };
      },
      async revoke({ access }) {
        if (access.provider_ref !== "odd-7") throw new Error("this access is not known");
      },
      async notify({ headers, body, signal }) {
        if (headers["x-odd-key"] === "slow") await new Promise((_, reject) => signal.addEventListener("abort", reject));
        if (headers["x-odd-key"] !== key) return { kind: "unverified" };
        return { kind: "changed", references: [Buffer.from(body).toString()] };
      },
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
          holdings: [
            {
              key: "odd",
              portfolio_key: "1",
              name: "Odd Fund",
              isin: null,
              amount: "5",
              balance: "12.50",
              currency: "EUR",
              valuation_date: null,
              type: "F",
              subtype: null,
              price: "2.50",
              identifiers: { wkn: "ODD001" },
            },
          ],
          transactions: [
            {
              key: null,
              portfolio_key: "1",
              holding_key: "odd",
              operation_date: "2026-02-27",
              description: "Purchase",
              amount: "5",
              balance: "-12.60",
              currency: "EUR",
              unit_price: "2.50",
              kind: "buy",
              fees: "0.10",
            },
          ],
        },
        consent_expires_at: null,
      }),
    };
  },
};
