import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naiveFilter, naiveRule, spellings } from "../test/naive-filter.js";
import {
  applyConnectorFilter,
  type Connector,
  type ConnectorFilter,
  type ConnectorFilterRule,
  compileConnectorFilter,
  explainConnector,
  parseConnectorFilter,
  prepareCatalog,
} from "./index.js";
import { findEmptyingRule } from "./warnings.js";

/** Strings that easily go wrong because of case or normalization, besides plain ones. */
const odd = [
  "İstanbul:şube",
  "i̇stanbul:şube",
  "ban\u212A:of-everything-there-is",
  "ΟΔΟΣ",
  "οδος",
  "straße",
  "\ud800",
  "__proto__",
  "*",
];
const words = ["esp:bbva", "esp:bbva-2", "fra:bnp", "deu:sparkasse-koeln-bonn", "a", "abcdef", "e-banking", "psd2"];

const inAnyCase = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.infiniteStream(fc.boolean()))
    .map(([one, capitals]) =>
      Array.from(one, (letter) => (capitals.next().value ? letter.toUpperCase() : letter)).join(""),
    );
const anyText = inAnyCase(
  fc.oneof(fc.constantFrom(...words), fc.constantFrom(...odd), fc.string({ minLength: 1, maxLength: 8 })),
);
const anyCountry = inAnyCase(
  fc.oneof({ arbitrary: fc.constantFrom(...spellings.flat()), weight: 4 }, { arbitrary: anyText, weight: 1 }),
);

const anyConnector: fc.Arbitrary<Connector> = fc.record(
  {
    id: anyText,
    name: fc.string(),
    type: anyText,
    countries: fc.array(anyCountry, { maxLength: 3 }),
    available: fc.boolean(),
  },
  { requiredKeys: ["id", "type", "countries"] },
);

const oneOrMore = (text: fc.Arbitrary<string>): fc.Arbitrary<string | string[]> => {
  const value = text.filter((one) => one !== "*");
  return fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }));
};
const anyRule: fc.Arbitrary<ConnectorFilterRule> = fc
  .oneof(
    fc.record({
      field: fc.constant("connector_id" as const),
      value: fc.oneof(oneOrMore(anyText), fc.constantFrom("*", ["*"])),
    }),
    fc.record({ field: fc.constant("type" as const), value: oneOrMore(anyText) }),
    fc.record({ field: fc.constant("countries" as const), value: oneOrMore(anyCountry) }),
  )
  .chain((rule) => fc.constantFrom("include" as const, "exclude" as const).map((action) => ({ action, ...rule })));

const anyFilter = fc.option(fc.record({ rules: fc.array(anyRule, { maxLength: 8 }) }), { nil: undefined });
const anyCatalogue = fc.array(anyConnector, { maxLength: 12 });

/** Evaluates a filter in every way that the package offers. */
function everyAnswer(catalogue: readonly Connector[], filter: ConnectorFilter | undefined) {
  const passes = compileConnectorFilter(filter ?? { rules: [] });
  return {
    apply: applyConnectorFilter(catalogue, filter),
    parsed: applyConnectorFilter(catalogue, filter && parseConnectorFilter(structuredClone(filter))),
    compile: catalogue.filter(passes),
    compile_again: catalogue.filter(passes),
    prepare: prepareCatalog(catalogue).apply(filter),
    explain: catalogue.filter((connector) => explainConnector(connector, filter).included),
  };
}

describe("any filter over any catalogue", () => {
  it("[S2-1.6] [S2-4.28] gives what the rules give when they are read one after the other", () => {
    fc.assert(
      fc.property(anyCatalogue, anyFilter, (catalogue, filter) => {
        const expected = naiveFilter(catalogue, filter);
        for (const [way, answer] of Object.entries(everyAnswer(catalogue, filter))) {
          expect([way, answer]).toEqual([way, expected]);
          expect(answer.every((connector, index) => connector === expected[index])).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("[C-6.8] [C-10.5] is explained by the last rule that matches", () => {
    fc.assert(
      fc.property(anyConnector, anyFilter, (connector, filter) => {
        expect(explainConnector(connector, filter).rule).toBe(naiveRule(connector, filter));
      }),
      { numRuns: 1_000 },
    );
  });

  it("[C-6.12] is emptied by the rule after which, one after the other, nothing is there any more", () => {
    fc.assert(
      fc.property(anyCatalogue, anyFilter, (catalogue, filter = { rules: [] }) => {
        const { rules } = filter;
        const counts = [...rules.keys(), rules.length].map(
          (count) => naiveFilter(catalogue, { rules: rules.slice(0, count) }).length,
        );
        const last = counts.findLastIndex((count) => count > 0);
        expect(findEmptyingRule(catalogue, filter)).toBe(last < 0 || last === rules.length ? null : last);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives one answer for a prepared catalogue, whatever was asked before", () => {
    fc.assert(
      fc.property(anyCatalogue, fc.array(anyFilter, { maxLength: 5 }), (catalogue, filters) => {
        const prepared = prepareCatalog(catalogue);
        for (const filter of filters) expect(prepared.apply(filter)).toEqual(naiveFilter(catalogue, filter));
      }),
    );
  });
});

describe("a large catalogue", () => {
  const types = ["e-banking", "PSD2", "datafeed"];
  const catalogue = Array.from({ length: 20_000 }, (_, index) => ({
    id: `${["esp", "FRA", "deu"][index % 3]}:bank-number-${index}`,
    type: types[index % 3] ?? "",
    countries: spellings[index % spellings.length]?.slice(0, 1 + (index % 2)) ?? [],
    available: index % 20 !== 0,
  }));

  it("is filtered by id whatever the case, with thousands of ids and of types that no memory holds", () => {
    const ids = catalogue.filter((_, index) => index % 7 === 0).map(({ id }) => id.toUpperCase());
    const manyTypes = catalogue.map((connector, index) => ({ ...connector, type: `Type ${index}` }));
    for (const connectors of [catalogue, manyTypes]) {
      const filter: ConnectorFilter = {
        rules: [
          { action: "exclude", field: "connector_id", value: "*" },
          { action: "include", field: "connector_id", value: ids },
          { action: "exclude", field: "type", value: ["psd2", "TYPE 7", "type 14000"] },
          { action: "include", field: "countries", value: ["Ukraine"] },
        ],
      };
      const expected = expectedBySets(connectors, new Set(ids.map((id) => id.toLowerCase())));
      expect(applyConnectorFilter(connectors, filter)).toEqual(expected);
      expect(prepareCatalog(connectors).apply(filter)).toEqual(expected);
    }
  });

  function expectedBySets(connectors: typeof catalogue, ids: ReadonlySet<string>) {
    const excluded = new Set(["psd2", "type 7", "type 14000"]);
    return connectors.filter(({ id, type, countries, available }) => {
      const included = ids.has(id.toLowerCase()) && !excluded.has(type.toLowerCase());
      return available && (included || countries[0] === "UKR");
    });
  }
});
