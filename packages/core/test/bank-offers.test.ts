import type { ConnectorFilter } from "@org/connector-filter";
import type { CatalogueConnector, Connectors } from "@org/core";
import { describe, expect, it } from "vitest";
import { createBankOffers } from "../src/connecting/bank-offers.js";

const bank = (id: string, name: string, more: Partial<CatalogueConnector> = {}): CatalogueConnector => ({
  id,
  name,
  type: "e-banking",
  countries: [id.slice(0, 3)],
  available: true,
  metadata: {},
  provider: "known",
  provider_ref: null,
  ...more,
});

const TENANT = "a tenant";

const catalogue = [
  bank("deu:muenchen", "Münchner Bank", { countries: ["deu", "aut"] }),
  bank("esp:sol", "Banco SOL"),
  bank("esp:other", "Banco Otro", { available: false }),
  bank("fra:feed", "Banque des fichiers", { type: "datafeed" }),
];

/** Offers over a catalogue that `change` replaces; `prepared` counts how often a filter was evaluated. */
function createOffers() {
  let connectors: readonly CatalogueConnector[] = catalogue;
  const counts = { prepared: 0 };
  const offers = createBankOffers({
    connectors: {
      all: async () => connectors,
      allowedBy: async (filter: ConnectorFilter | null) => {
        counts.prepared += 1;
        const available = connectors.filter((connector) => connector.available);
        return filter?.rules.every(({ field }) => field !== "countries") ? available.slice(0, 1) : available;
      },
    } as unknown as Connectors,
    providers: { for: () => null },
  });
  const names = async (
    name: string | null,
    country: string | null = null,
    filter: unknown = null,
    tenant: string = TENANT,
  ) =>
    (await offers.search(filter as never, tenant, { name, country, near: [], page: 1 })).items.map((item) => item.name);
  return { offers, counts, names, change: (next: readonly CatalogueConnector[]) => (connectors = next) };
}

describe("the banks to choose from", () => {
  it.each([
    [null, null, ["Münchner Bank", "Banco SOL", "Banque des fichiers"]],
    ["sol", null, ["Banco SOL"]],
    ["MUNCH", null, ["Münchner Bank"]],
    ["münch", null, ["Münchner Bank"]],
    ["bañcø ßol", null, []],
    ["bañcø söl", null, ["Banco SOL"]],
    [" bank ", null, ["Münchner Bank"]],
    ["", "aut", ["Münchner Bank"]],
    ["sol", "deu", []],
    ["fichiers", null, ["Banque des fichiers"]],
    ["otro", null, []],
  ])(
    "[C-4.63] are found by name %j and country %j, whatever the case and the accents: %j",
    async (name, country, found) => {
      expect(await createOffers().names(name, country)).toEqual(found);
    },
  );

  it("[C-5.12] of one filter are not those of another, neither to see nor to choose", async () => {
    const { names, offers } = createOffers();
    const filter = { rules: [] };
    expect(await names(null)).toHaveLength(3);
    expect(await names(null, null, filter)).toEqual(["Münchner Bank"]);
    expect(await offers.has(null, TENANT, "esp:sol")).toBe(true);
    expect(await offers.has(filter, TENANT, "esp:sol")).toBe(false);
  });

  it("[C-5.30] that need a letter are among those found, and none to choose", async () => {
    const { offers } = createOffers();
    expect(await offers.has(null, TENANT, "fra:feed")).toBe(false);
  });

  it.each([
    ["nobody knows where the customer is", [], null, null, ["deu", "esp", "fra"]],
    ["the browser says where", ["che", "fra", "esp"], null, "fra", ["fra", "deu", "esp"]],
    ["it is where nothing is offered", ["che"], null, null, ["deu", "esp", "fra"]],
    ["the filter names countries", [], ["Spain", "FR"], "esp", ["esp", "deu", "fra"]],
    ["the browser chooses among those it names", ["deu", "fra"], ["ESP", "fra"], "fra", ["fra", "deu", "esp"]],
  ])("[C-5.31] come with those of the customer's country first: %s", async (_, near, value, home, order) => {
    const { offers } = createOffers();
    const filter = value && { rules: [{ action: "include", field: "countries", value }] };
    const found = await offers.search(filter as never, TENANT, { name: null, country: null, near, page: 1 });
    expect([found.home, found.items.map(({ ways }) => ways[0]?.connector_id.slice(0, 3))]).toEqual([home, order]);
  });

  it("are prepared once per filter, however many keys are pressed", async () => {
    const { names, counts } = createOffers();
    for (const typed of ["b", "ba", "ban"]) await names(typed);
    expect(counts.prepared).toBe(1);
  });

  it("are those of the catalogue as it is now", async () => {
    const { names, change } = createOffers();
    await names(null);
    change([...catalogue, bank("ita:nuova", "Banca Nuova")]);
    expect(await names("nuova")).toEqual(["Banca Nuova"]);
  });

  it("are kept for a bounded number of filters, the ones used last", async () => {
    const { names, counts } = createOffers();
    const filter = (number: number) => ({ rules: [{ number }] });
    for (let number = 0; number < 40; number += 1) {
      await names(null, null, filter(number));
      await names(null, null, filter(0));
    }
    expect(counts.prepared).toBe(40);
    await names(null, null, filter(1));
    expect(counts.prepared).toBe(41);
  });

  it("stay prepared for one tenant, however many filters another one has", async () => {
    const { names, counts } = createOffers();
    const filter = (number: number) => ({ rules: [{ number }] });
    await names(null);
    await names(null, null, filter(0));
    for (let number = 1; number <= 100; number += 1) await names(null, null, filter(number), "another tenant");
    expect(counts.prepared).toBe(102);
    await names(null);
    await names(null, null, filter(0));
    expect(counts.prepared).toBe(102);
  });
});
