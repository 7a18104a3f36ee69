import { baseUrl, secret } from "@org/provider-kit";
import { z } from "zod";

const environments = {
  production: "https://production.plaid.com",
  sandbox: "https://sandbox.plaid.com",
} as const;

/** Plaid's countries (ISO 3166-1 alpha-2), as the catalogue writes them. */
export const countries = {
  ...({ US: "usa", CA: "can", GB: "gbr", IE: "irl", FR: "fra", ES: "esp", NL: "nld", DE: "deu", IT: "ita" } as const),
  ...({ PL: "pol", DK: "dnk", NO: "nor", SE: "swe", FI: "fin", EE: "est", LT: "ltu", LV: "lva" } as const),
  ...({ PT: "prt", BE: "bel", AT: "aut" } as const),
};
const countryCodes = Object.keys(countries) as (keyof typeof countries)[];

/** Longer names are replaced by “This Application” in Link. */
const MAX_NAME = 30;

/** The operator's account at Plaid. */
export const plaidSettings = z.strictObject({
  client_id: z.string().min(1),
  secret: secret(),
  environment: z.enum(["production", "sandbox"]).default("production"),
  /** Replaces the address of the environment. */
  base_url: baseUrl.optional(),
  /** Where institutions are. */
  countries: z.array(z.enum(countryCodes)).min(1),
  /** Products that an institution has to have; investments is what is read. */
  products: z
    .array(z.string().min(1))
    .refine((products) => products.includes("investments"), "must contain investments")
    .default(["investments"]),
  /** Who asks for access, on Plaid's page. */
  client_name: z.string().min(1).max(MAX_NAME).default("Wealth Connect"),
  /** Where Plaid sends notifications. Left out: `PUBLIC_URL/providers/plaid/notifications`. */
  notifications_url: z.url().optional(),
});
export type PlaidSettings = z.infer<typeof plaidSettings>;

/** The address of the interface, without a slash at its end. */
export function baseUrlOf({ base_url, environment }: PlaidSettings): string {
  return base_url ?? environments[environment];
}
