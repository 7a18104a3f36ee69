import { domainOf, type HttpClient, type ProviderConnector, pagesToEnd } from "@org/provider-kit";
import { z } from "zod";
import { openUnlimited } from "./plaid-api.js";
import { countries, type PlaidSettings } from "./settings.js";

/** The most that Plaid lists at once. */
const PAGE = 500;
/** A page has a logo for each institution, which comes with its address whether wanted or not. */
const MAX_PAGE_BYTES = 48 * 1024 * 1024;

const institution = z.object({
  institution_id: z.string(),
  name: z.string(),
  country_codes: z.array(z.string()),
  url: z.string().nullish(),
});
const pageSchema = z.object({ institutions: z.array(institution), total: z.coerce.number() });

/** The body of a request for some institutions that have what is read. */
export function institutionQuery({ countries: country_codes, products }: PlaidSettings, count: number, offset: number) {
  return { count, offset, country_codes, options: { products } };
}

/** A row for each institution, which may be in several of the settings' countries. */
export async function institutionRows(
  settings: PlaidSettings,
  { http, signal }: { readonly http: HttpClient; readonly signal: AbortSignal },
): Promise<readonly ProviderConnector[]> {
  const roomy: HttpClient = { request: (request) => http.request({ ...request, max_bytes: MAX_PAGE_BYTES }) };
  const rows = new Map<string, ProviderConnector>();
  for await (const { institutions } of pagesToEnd("institutions of Plaid", readPage))
    for (const one of institutions) {
      const row = rowOf(one, settings);
      // The list may change while it is read.
      if (row !== null) rows.set(row.id, row);
    }
  return [...rows.values()];

  async function readPage(at: string | null) {
    const offset = Number(at ?? 0);
    const query = institutionQuery(settings, PAGE, offset);
    const options = { ...query.options, include_optional_metadata: true };
    // Each page has a limit of bytes to itself.
    const api = openUnlimited(settings, { http: roomy, signal });
    const { institutions, total } = await api.send("POST", "/institutions/get", pageSchema, { ...query, options });
    // A page may be short, since institutions without the client's products are left out of it.
    return { institutions, next: offset + PAGE < total ? String(offset + PAGE) : null };
  }
}

function rowOf(
  { institution_id, name, country_codes, url }: z.output<typeof institution>,
  settings: PlaidSettings,
): ProviderConnector | null {
  const within = settings.countries.filter((code) => country_codes.includes(code)).map((code) => countries[code]);
  if (within[0] === undefined) return null;
  const domain = domainOf(url);
  return {
    id: `${within[0]}:plaid-${institution_id}`,
    name,
    countries: within,
    type: "e-banking",
    provider_ref: institution_id,
    ...(domain !== null && { identifiers: { domain } }),
  };
}
