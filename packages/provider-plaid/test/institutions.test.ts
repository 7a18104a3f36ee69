import plaid from "@org/provider-plaid";
import { expect, it } from "vitest";
import { providerFor, refusal, startScriptedPlaid } from "./scripted-plaid.js";

const ALL = 12_000;
const institutions = Array.from({ length: ALL }, (_, index) => ({
  institution_id: `ins_${index}`,
  name: `Institution ${index}`,
  products: ["investments"],
  country_codes: index % 10 === 0 ? ["US", "CA"] : [["US"], ["CA"], ["GB"]][index % 3],
  url: index % 2 === 0 ? `https://www.bank-${index}.example/login?x=1` : null,
  logo: null,
}));

it("[C-5.257] 12,000 institutions are rows, 500 a page, each in those of the settings' countries that it is in", async () => {
  const bank = await startScriptedPlaid({
    "/institutions/get": ({ count, offset, country_codes }) => {
      const codes = country_codes as string[];
      const within = institutions.filter((one) => one.country_codes?.some((code) => codes.includes(code)));
      const page = within.slice(offset as number, (offset as number) + (count as number));
      // Institutions without our products are left out of a page.
      return { institutions: page.filter(({ institution_id }) => institution_id !== "ins_7"), total: within.length };
    },
  });
  const { settings, http } = await providerFor(bank.base_url, { countries: ["CA", "US", "GB"] });
  const rows =
    (await plaid.connectors?.(settings, { http, clock: () => new Date(), signal: new AbortController().signal })) ?? [];
  await http.close();
  bank.close();
  expect(rows).toHaveLength(ALL - 1);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(ALL - 1);
  expect(bank.asked).toHaveLength(24);
  expect(bank.asked[1]?.body).toEqual({
    ...{ count: 500, offset: 500, country_codes: ["CA", "US", "GB"] },
    options: { products: ["investments"], include_optional_metadata: true },
  });
  expect(rows[0]).toEqual({
    id: "can:plaid-ins_0",
    name: "Institution 0",
    countries: ["can", "usa"],
    type: "e-banking",
    provider_ref: "ins_0",
    identifiers: { domain: "bank-0.example" },
  });
});

it("[C-5.257] a check says whether Plaid knows the client", async () => {
  let isKnown = true;
  const bank = await startScriptedPlaid({
    "/institutions/get": () =>
      isKnown ? { institutions: [], total: 1 } : refusal(400, "INVALID_INPUT", "INVALID_API_KEYS"),
  });
  const { settings, http } = await providerFor(bank.base_url);
  const check = () => plaid.check?.({ settings, http, clock: () => new Date(), signal: new AbortController().signal });
  expect(await check()).toMatchObject({ ok: true });
  isKnown = false;
  expect(await check()).toMatchObject({ ok: false, cause: "client_refused" });
  await http.close();
  bank.close();
});

it("[C-5.257] settings name the member that is wrong", () => {
  const given = { client_id: "c", secret: "s", countries: ["US"] };
  const faults = (more: object) =>
    plaid.settings.safeParse({ ...given, ...more }).error?.issues.map(({ path }) => path[0]);
  expect(faults({})).toBeUndefined();
  expect(faults({ countries: [] })).toEqual(["countries"]);
  expect(faults({ countries: ["CH"] })).toEqual(["countries"]);
  expect(faults({ products: ["transactions"] })).toEqual(["products"]);
  expect(faults({ base_url: "http://plaid.example" })).toEqual(["base_url"]);
  expect(faults({ client_name: "x".repeat(31) })).toEqual(["client_name"]);
  expect(plaid.hosts?.(plaid.settings.parse({ ...given, environment: "sandbox" }))).toEqual(["sandbox.plaid.com"]);
});
