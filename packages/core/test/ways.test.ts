import { type CoreError, createConnectors } from "@org/core";
import { createMemoryStorage, createTestRuntime } from "@org/core/testing";
import { describe, expect, it } from "vitest";

const LEI = { ubs: "BFM8T61CT2L1QCEMIK50", db: "7LTWFZYICNSX8D621K86" };

/** A catalogue of these rows, with providers in this order; datafeeds come last. */
async function catalogueOf(...rows: readonly Readonly<Record<string, unknown>>[]) {
  const storage = createMemoryStorage();
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: createTestRuntime().mac,
    defaultProvider: "own",
    providers: { serves: () => true, offering: () => "", names: ["own", "wealth", "portal", "links"] },
  });
  const lines = (all: readonly Readonly<Record<string, unknown>>[]) =>
    all.map((row) => JSON.stringify({ name: "A bank", country: "CHE", ...row }));
  await connectors.importLines(lines(rows));
  return {
    connectors,
    again: (...all: readonly Readonly<Record<string, unknown>>[]) => connectors.importLines(lines(all)),
    /** The ways of each connector that has several. */
    async ways() {
      const all = await connectors.all(null);
      return Object.fromEntries(all.flatMap(({ id, ways }) => (ways ? [[id, ways]] : [])));
    },
  };
}

const each = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, ids]));

describe("connectors of one institution", () => {
  it.each([
    ["the same LEI", { lei: LEI.ubs }, { lei: LEI.ubs.toLowerCase() }],
    ["the same BIC, with the head office's branch or without", { bic: "UBSWCHZH" }, { bic: "ubswchzhxxx" }],
    ["the same domain", { domain: "www.UBS.com" }, { domain: "ubs.com" }],
    ["a provider's own name", { portal: "ref-b" }, {}],
  ])("[C-5.271] are proven by %s, and offered in the order of PROVIDERS", async (_, one, other) => {
    const { ways } = await catalogueOf(
      { id: "che:b", provider: "portal", provider_ref: "ref-b", identifiers: other },
      { id: "che:z", provider: "own", identifiers: one },
    );
    expect(await ways()).toEqual(each("che:z", "che:b"));
  });

  it("[C-5.271] may prove it one through another, and letters come last", async () => {
    const { ways } = await catalogueOf(
      { id: "che:a", type: "datafeed", identifiers: { bic: "UBSWCHZH80A" } },
      { id: "che:b", provider: "links", identifiers: { domain: "ubs.com" } },
      { id: "che:c", provider: "wealth", identifiers: { bic: "UBSWCHZH80A", domain: "ubs.com" } },
      { id: "che:d", provider: "wealth", identifiers: { domain: "other.example" } },
    );
    expect(await ways()).toEqual(each("che:c", "che:b", "che:a"));
  });

  it.each([
    ["names", [{ name: "UBS" }, { name: "UBS", provider: "portal" }]],
    [
      "a value that two rows of one provider have",
      [
        { identifiers: { domain: "schwab.com" } },
        { provider: "portal", identifiers: { domain: "schwab.com" } },
        { provider: "portal", identifiers: { domain: "schwab.com" } },
      ],
    ],
    [
      "a domain where the LEI differs",
      [
        { identifiers: { domain: "bank.example", lei: LEI.ubs } },
        { provider: "portal", identifiers: { domain: "bank.example", lei: LEI.db } },
      ],
    ],
    [
      "a domain where the country of the BIC differs",
      [
        { identifiers: { domain: "ubs.com", bic: "UBSWCHZH" } },
        { provider: "portal", identifiers: { domain: "ubs.com", bic: "UBSWDEFF" } },
      ],
    ],
    [
      "BICs of two branches",
      [{ identifiers: { bic: "GENODEF1M06" } }, { provider: "portal", identifiers: { bic: "GENODEF1M07" } }],
    ],
  ] as const)("[C-5.272] are not proven by %s", async (_, rows) => {
    const { ways } = await catalogueOf(...rows.map((row, index) => ({ id: `che:${index}`, ...row })));
    expect(await ways()).toEqual({});
  });

  it("[C-5.272] are never of one provider because a third row is like both", async () => {
    const { ways } = await catalogueOf(
      { id: "che:a", provider: "portal", identifiers: { domain: "bank.example" } },
      { id: "che:b", provider: "portal", identifiers: { lei: LEI.ubs } },
      { id: "che:c", provider: "own", identifiers: { domain: "bank.example", lei: LEI.ubs } },
    );
    expect(await ways()).toEqual(each("che:c", "che:b"));
  });

  it("[C-5.273] are what an operator decides, in this order, until it is decided otherwise", async () => {
    const { connectors, ways, again } = await catalogueOf(
      { id: "che:a", identifiers: { domain: "bank.example" } },
      { id: "che:b", provider: "portal", identifiers: { domain: "bank.example" } },
      { id: "che:c", type: "datafeed" },
      { id: "che:d", provider: "portal" },
    );
    const decided = await connectors.match(["che:c", "che:a", "che:d"], "one");
    expect(decided.map(({ id, ways: found }) => [id, found])).toEqual(
      ["che:c", "che:a", "che:d"].map((id) => [id, ["che:c", "che:a", "che:d"]]),
    );
    expect(await ways()).toEqual(each("che:c", "che:a", "che:d"));
    // The rows come again, as from a sync, and the decision stays.
    expect(await again({ id: "che:a", identifiers: { domain: "bank.example" } })).toMatchObject({ unchanged: 1 });
    expect(await ways()).toEqual(each("che:c", "che:a", "che:d"));
    // Who is not named is no longer part of it.
    await connectors.match(["che:c", "che:d"], "one");
    expect(await ways()).toEqual({ ...each("che:c", "che:d"), ...each("che:a", "che:b") });
    await connectors.match(["che:c"], "separate");
    expect(await ways()).toEqual(each("che:a", "che:b"));
    await connectors.match(["che:b"], "separate");
    expect(await ways()).toEqual({});
    await connectors.match(["che:b"], "identifiers");
    expect(await ways()).toEqual(each("che:a", "che:b"));
    await connectors.match(["che:b"], "separate");
    expect(
      await again({ id: "che:b", provider: "portal", institution: null, identifiers: { domain: "bank.example" } }),
    ).toMatchObject({ updated: 1 });
    expect(await ways()).toEqual(each("che:a", "che:b"));
  });

  it("[C-5.273] a decision about an unknown connector is refused with its place, and nothing is decided", async () => {
    const { connectors, ways } = await catalogueOf({ id: "che:a" }, { id: "che:b" });
    const error = await connectors.match(["che:a", "che:none"], "one").catch((reason: unknown) => reason);
    expect((error as CoreError).details).toMatchObject([{ field: "connector_ids[1]", error_type: "InvalidValue" }]);
    expect(await ways()).toEqual({});
  });

  it("[C-5.276] one connector is no institution of several: nothing is decided", async () => {
    const { connectors } = await catalogueOf({ id: "che:a" });
    const error = await connectors.match(["che:a", "che:a"], "one").catch((reason: unknown) => reason);
    expect((error as CoreError).details).toMatchObject([
      { field: "connector_ids", rule: "must have at least 2 entries" },
    ]);
  });

  it("[C-5.271] only what is available is a way", async () => {
    const { ways } = await catalogueOf(
      { id: "che:a", identifiers: { domain: "bank.example" }, available: false },
      { id: "che:b", provider: "portal", identifiers: { domain: "bank.example" } },
    );
    expect(await ways()).toEqual({});
  });

  it.each([
    ["identifiers.lei", { lei: "BFM8T61CT2L1QCEMIK51" }],
    ["identifiers.bic", { bic: "UBSW" }],
    ["identifiers.domain", { domain: "https://ubs.com/login" }],
  ])("[C-5.271] a wrong identifier is refused by its name: %s", async (field, identifiers) => {
    const error = await catalogueOf({ id: "che:a", identifiers }).catch((reason: unknown) => reason);
    expect((error as CoreError).details).toMatchObject([{ field: `line 1.${field}`, error_type: "InvalidValue" }]);
  });
});
