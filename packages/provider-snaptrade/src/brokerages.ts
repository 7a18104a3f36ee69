import { domainOf, type InstitutionCalls, type ProviderConnector } from "@org/provider-kit";
import { z } from "zod";

const brokerage = z.object({
  slug: z.string().min(1),
  name: z.string().nullish(),
  display_name: z.string().nullish(),
  url: z.string().nullish().catch(null),
  enabled: z.boolean().nullish(),
  maintenance_mode: z.boolean().nullish(),
});
const brokerages = z.array(brokerage);
export const client = z.object({ allowed_brokerages: brokerages.nullish() });

/** SnapTrade states no country of a brokerage; the end of its domain may tell it. */
const countryOf = new Map<string, string>(
  Object.entries({
    au: "aus",
    br: "bra",
    ca: "can",
    de: "deu",
    eu: "deu",
    in: "ind",
    nl: "nld",
    uk: "gbr",
  }),
);

/** A catalogue row for each brokerage that takes new connections of this client. */
export async function connectorsOf(calls: InstitutionCalls): Promise<readonly ProviderConnector[]> {
  const { allowed_brokerages } = await calls.get("/snapTrade/partners", client);
  const all = allowed_brokerages?.length ? allowed_brokerages : await calls.get("/brokerages", brokerages);
  return all
    .filter(({ enabled, maintenance_mode }) => enabled !== false && maintenance_mode !== true)
    .map(({ slug, name, display_name, url }) => {
      const domain = domainOf(url);
      const country = countryOf.get(domain?.split(".").at(-1) ?? "");
      return {
        // A brokerage keeps its slug. The row of its own provider, if it has one, is another.
        id: `usa:snaptrade-${slug.toLowerCase().replace(/[^a-z0-9_-]+/g, "-")}`,
        name: display_name || name || slug,
        countries: country ? [country] : ["usa", "can"],
        type: "e-banking",
        provider_ref: slug,
        ...(domain !== null && { identifiers: { domain } }),
      };
    });
}
