import { describe, expect, it } from "vitest";
import {
  applyConnectorFilter,
  type Connector,
  type ConnectorFilter,
  type ConnectorFilterRule,
  compileConnectorFilter,
  explainConnector,
  prepareCatalog,
} from "./index.js";

const catalogue = [
  { id: "esp:bbva", name: "BBVA", type: "e-banking", countries: ["esp"], available: true },
  { id: "esp:caixa", name: "CaixaBank", type: "psd2", countries: ["esp"] },
  { id: "fra:bnp", name: "BNP Paribas", type: "e-banking", countries: ["fra"], available: true },
  { id: "deu:flatex", name: "flatex", type: "datafeed", countries: ["deu", "aut"], available: true },
  { id: "che:ubs", name: "UBS", type: "datafeed", countries: ["che", "lux"], available: true },
  { id: "fra:closed", name: "Closed", type: "psd2", countries: ["fra"], available: false },
] satisfies Connector[];

const everything = ["esp:bbva", "esp:caixa", "fra:bnp", "deu:flatex", "che:ubs"];

type Value = ConnectorFilterRule["value"];
const include = (field: ConnectorFilterRule["field"], value: Value): ConnectorFilterRule => ({
  action: "include",
  field,
  value,
});
const exclude = (field: ConnectorFilterRule["field"], value: Value): ConnectorFilterRule => ({
  action: "exclude",
  field,
  value,
});
const excludeAll = exclude("connector_id", "*");

describe.each<[string, (filter?: ConnectorFilter) => readonly Connector[]]>([
  ["applyConnectorFilter", (filter) => applyConnectorFilter(catalogue, filter)],
  ["compileConnectorFilter", (filter) => catalogue.filter(compileConnectorFilter(filter ?? { rules: [] }))],
  ["prepareCatalog", (filter) => prepareCatalog(catalogue).apply(filter)],
  ["explainConnector", (filter) => catalogue.filter((connector) => explainConnector(connector, filter).included)],
])("%s", (_, run) => {
  it.each<[string, ConnectorFilterRule[] | undefined, string[]]>([
    ["[S2-4.31] without a filter every available connector is shown", undefined, everything],
    ["[S2-4.27] [C-6.2] evaluation starts from all available connectors", [], everything],
    ["[S2-4.28] exclude removes", [exclude("type", "datafeed")], ["esp:bbva", "esp:caixa", "fra:bnp"]],
    [
      "[S2-4.28] include adds back from the full available set, what an earlier rule removed too",
      [excludeAll, exclude("countries", "fra"), include("countries", "fra")],
      ["fra:bnp"],
    ],
    ["[S2-4.28] include of what is there changes nothing", [include("countries", "fra")], everything],
    [
      "[S2-4.28] rules apply in list order",
      [include("connector_id", "che:ubs"), exclude("countries", "lux")],
      everything.slice(0, 4),
    ],
    ["[S2-4.28] the other way round", [exclude("countries", "lux"), include("connector_id", "che:ubs")], everything],
    [
      "[S2-4.28] rules on every type override what was said of ids before",
      [exclude("connector_id", ["esp:bbva", "esp:caixa"]), include("type", ["psd2", "datafeed", "e-banking"])],
      everything,
    ],
    [
      "[S2-4.28] of a type that none names it stays",
      [exclude("connector_id", ["esp:bbva", "esp:caixa"]), include("type", ["datafeed", "e-banking"])],
      everything.filter((id) => id !== "esp:caixa"),
    ],
    [
      "[S2-4.29] any overlap of lists matches",
      [excludeAll, include("countries", ["aut", "lux"])],
      ["deu:flatex", "che:ubs"],
    ],
    [
      "[S2-4.29] text matches on equality, not on a part",
      [exclude("type", "data"), exclude("connector_id", "esp")],
      everything,
    ],
    ["[S2-4.30] [S2-2.20] * matches all connectors", [excludeAll], []],
    ["[S2-4.30] * includes none that is not available", [excludeAll, include("connector_id", ["*"])], everything],
    [
      "[S2-4.33] exclude all, include some, exclude further types",
      [excludeAll, include("connector_id", "che:ubs"), include("countries", "esp"), exclude("type", "psd2")],
      ["esp:bbva", "che:ubs"],
    ],
    [
      "[C-6.5] a list for a text field matches any of its entries",
      [excludeAll, include("type", ["psd2", "datafeed"])],
      everything.filter((id) => !["esp:bbva", "fra:bnp"].includes(id)),
    ],
    [
      "[C-6.4] case does not matter",
      [excludeAll, include("connector_id", "ESP:BBVA"), include("type", "DataFeed")],
      ["esp:bbva", "deu:flatex", "che:ubs"],
    ],
    [
      "[C-6.6] countries by alpha-2, alpha-3 and name",
      [excludeAll, include("countries", ["ES", "Fra", "switzerland"])],
      ["esp:bbva", "esp:caixa", "fra:bnp", "che:ubs"],
    ],
    [
      "[S2-2.19] a value of another field matches nothing",
      [exclude("type", "esp"), exclude("countries", "psd2")],
      everything,
    ],
    [
      "what nobody has matches nothing",
      [exclude("connector_id", "ita:none"), exclude("countries", "Atlantis")],
      everything,
    ],
    [
      "the catalogue's order stays, whatever the rules'",
      [excludeAll, include("connector_id", ["che:ubs", "esp:bbva"])],
      ["esp:bbva", "che:ubs"],
    ],
  ])("%s", (_, rules, ids) => {
    expect(run(rules && { rules }).map(({ id }) => id)).toEqual(ids);
  });
});

describe("results", () => {
  const filter: ConnectorFilter = { rules: [exclude("countries", "esp")] };

  it("[C-10.2] [C-6.3] are the catalogue's own objects; neither catalogue nor filter change", () => {
    const frozen = Object.freeze(catalogue.map((connector) => Object.freeze({ ...connector })));
    const before = JSON.stringify([frozen, filter]);
    for (const result of [applyConnectorFilter(frozen, filter), prepareCatalog(frozen).apply(filter)]) {
      expect(result).toHaveLength(3);
      for (const connector of result) expect(frozen).toContain(connector);
    }
    expect(JSON.stringify([frozen, filter])).toBe(before);
  });

  it("[C-10.2] are the caller's own lists", () => {
    const prepared = prepareCatalog(catalogue);
    applyConnectorFilter(catalogue).length = 0;
    prepared.apply().length = 0;
    expect(applyConnectorFilter(catalogue)).toHaveLength(5);
    expect(prepared.apply()).toHaveLength(5);
    expect(catalogue).toHaveLength(6);
  });

  it("[C-10.4] a prepared catalogue serves many filters and stays as it was", () => {
    const connectors: Connector[] = [...catalogue];
    const prepared = prepareCatalog(connectors);
    connectors.length = 0;
    expect(prepared.apply(filter)).toHaveLength(3);
    expect(prepared.apply({ rules: [excludeAll] })).toHaveLength(0);
    expect(prepared.apply()).toHaveLength(5);
  });

  it("are the same in whatever order connectors come: each may be decided by rules further back than the one before", () => {
    const rules = [
      excludeAll,
      include("connector_id", ["esp:caixa", "fra:bnp"]),
      include("type", "datafeed"),
      exclude("connector_id", ["che:ubs", "FRA:BNP"]),
      include("countries", "esp"),
      exclude("connector_id", "esp:bbva"),
    ];
    const left = ["deu:flatex", "esp:caixa"];
    const passes = compileConnectorFilter({ rules });
    for (const connectors of [catalogue, catalogue.toReversed(), catalogue])
      expect(
        connectors
          .filter(passes)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(left);
    expect(
      applyConnectorFilter(catalogue.toReversed(), { rules })
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(left);
  });

  it("keep every connector of an id, whatever its case", () => {
    const twins = ["a:b", "A:B", "a:b"].map((id) => ({ id, type: "t", countries: [] }));
    const rules = [excludeAll, include("connector_id", "A:b")];
    expect(applyConnectorFilter(twins, { rules })).toEqual(twins);
    expect(prepareCatalog(twins).apply({ rules })).toEqual(twins);
  });

  it("hold for connectors and rules with the names of Object.prototype", () => {
    const odd = ["__proto__", "constructor", "toString"].map((id) => ({ id, type: id, countries: [id] }));
    const rules = [
      exclude("connector_id", "__proto__"),
      exclude("type", "constructor"),
      exclude("countries", "toString"),
    ];
    expect(applyConnectorFilter(odd, { rules })).toEqual([]);
    expect(prepareCatalog(odd).apply({ rules })).toEqual([]);
    expect(applyConnectorFilter(odd, { rules: [exclude("type", "valueOf")] })).toEqual(odd);
  });

  it.each([
    ["İstanbul:şube", "i̇STANBUL:ŞUBE", "a letter that grows in lower case"],
    ["\u0130abcde", "i\u0307ABCDE", "the same where a hash does not look"],
    ["kor:ban\u212A-of-all-the-koreas", "KOR:BANK-OF-ALL-THE-KOREAS", "a Kelvin sign, which is a k in lower case"],
    ["x:\ud800", "X:\ud800", "half a surrogate pair"],
  ])("fold %s and %s alike: %s", (id, value) => {
    const one = [{ id, type: "t", countries: [] }];
    for (const rules of [[exclude("connector_id", value)], [exclude("connector_id", [value, "plain:ascii"])]]) {
      expect(applyConnectorFilter(one, { rules })).toEqual([]);
      expect(prepareCatalog(one).apply({ rules })).toEqual([]);
    }
  });

  it("refuse a filter that nobody has parsed", () => {
    const wrong = { rules: [{ action: "hide", field: "type", value: "psd2" }] } as unknown as ConnectorFilter;
    for (const run of [
      () => applyConnectorFilter(catalogue, wrong),
      () => compileConnectorFilter(wrong),
      () => prepareCatalog(catalogue).apply(wrong),
      () => explainConnector(catalogue[0] as Connector, wrong),
    ])
      expect(run).toThrow("connector_filter.rules[0].action must be include or exclude");
  });
});

describe("explainConnector", () => {
  const rules = [excludeAll, include("countries", ["Spain", "DEU"]), exclude("type", "psd2")];

  it.each<[string, ConnectorFilterRule[] | undefined, boolean, number | null, string]>([
    ["fra:bnp", rules, false, 0, "rule 0 matches last: exclude connector_id"],
    ["esp:bbva", rules, true, 1, "rule 1 matches last: include countries"],
    ["esp:caixa", rules, false, 2, "rule 2 matches last: exclude type"],
    ["fra:bnp", [exclude("type", "psd2")], true, null, "no rule matches"],
    ["fra:bnp", undefined, true, null, "no rule matches"],
    ["fra:closed", [include("connector_id", "*")], false, null, "not available"],
  ])("[C-6.8] [C-10.5] %s under %j: %s by rule %s", (id, list, included, rule, reason) => {
    const connector = catalogue.find((each) => each.id === id) as Connector;
    expect(explainConnector(connector, list && { rules: list })).toEqual({ included, rule, reason });
  });
});
