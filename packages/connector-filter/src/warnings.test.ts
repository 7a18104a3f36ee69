import { describe, expect, it, vi } from "vitest";
import type { ConnectorFilterRule } from "./connector.js";
import { ConnectorFilterError, parseConnectorFilter } from "./parse.js";
import { prepareCatalog } from "./prepare.js";
import { connectorFilterWarnings, findEmptyingRule, prepareWarnings } from "./warnings.js";

const catalogue = [
  { id: "esp:bbva", type: "e-banking", countries: ["esp"] },
  { id: "xk:bank", type: "psd2", countries: ["Kosovo region", "FR"] },
  { id: "deu:closed", type: "datafeed", countries: ["deu"], available: false },
];
const all = { action: "exclude", field: "connector_id", value: "*" } as const;
const include = (field: ConnectorFilterRule["field"], value: string | string[]) =>
  ({ action: "include", field, value }) as const;
const exclude = (field: ConnectorFilterRule["field"], value: string | string[]) =>
  ({ action: "exclude", field, value }) as const;

describe("warnings", () => {
  const warningsOf = (...rules: ConnectorFilterRule[]) =>
    connectorFilterWarnings(catalogue, { rules }).map(({ path, message }) => [path, message]);

  it("[C-6.11] names each country that no available connector has, where it stands", () => {
    expect(warningsOf(all, include("countries", "spian"))).toEqual([
      [
        "connector_filter.rules[1].value",
        "spian is no country that is known by this name or code, and no available connector has it",
      ],
    ]);
    expect(warningsOf(include("countries", ["Spain", "ES", "France", "DE", "kosovo region", "Iceland"]))).toEqual([
      ["connector_filter.rules[0].value[3]", "no available connector is in DE"],
      ["connector_filter.rules[0].value[5]", "no available connector is in Iceland"],
    ]);
  });

  it("[C-6.11] names each id and type that no available connector has, in any case", () => {
    expect(
      warningsOf(
        exclude("type", "ebanking"),
        include("type", ["PSD2", "datafeed"]),
        include("connector_id", ["ESP:BBVA", "esp:bvba", "deu:closed"]),
        exclude("connector_id", ["*"]),
      ),
    ).toEqual([
      ["connector_filter.rules[0].value", "no available connector has the type ebanking"],
      ["connector_filter.rules[1].value[1]", "no available connector has the type datafeed"],
      ["connector_filter.rules[2].value[1]", "no available connector has the id esp:bvba"],
      ["connector_filter.rules[2].value[2]", "no available connector has the id deu:closed"],
    ]);
  });

  it("has nothing to say of no rules, repeats little of a long text, and refuses what is no filter", () => {
    expect(warningsOf()).toEqual([]);
    const [[, message = ""] = []] = warningsOf(exclude("countries", "x".repeat(10_000)));
    expect(message.length).toBeLessThan(200);
    const wrong = { rules: [{ action: "hide" }] } as never;
    expect(() => connectorFilterWarnings(catalogue, wrong)).toThrow(ConnectorFilterError);
    expect(() => findEmptyingRule(catalogue, wrong)).toThrow(ConnectorFilterError);
  });
});

describe("[C-6.12] the rule that leaves nothing", () => {
  it.each<[string, number | null, ConnectorFilterRule[]]>([
    ["no rule", null, []],
    ["a rule that leaves a connector", null, [exclude("type", "psd2")]],
    ["one for all, with nothing added back", 0, [all, include("countries", "spian"), exclude("type", "psd2")]],
    ["one for all, with a connector added back", null, [all, include("countries", "Spain")]],
    [
      "the last of several that remove a part each",
      2,
      [
        exclude("countries", "Spain"),
        exclude("countries", "DE"),
        exclude("type", "psd2"),
        exclude("connector_id", "esp:bbva"),
      ],
    ],
    ["one that takes what was added back", 2, [all, include("countries", "Spain"), exclude("type", "E-Banking"), all]],
  ])("%s: %s", (_what, index, rules) => {
    expect(findEmptyingRule(catalogue, { rules })).toBe(index);
  });

  it("is none where no connector is available before the first rule", () => {
    expect(findEmptyingRule(catalogue.slice(2), { rules: [all] })).toBeNull();
  });
});

describe("[C-9.402] what a filter costs", () => {
  const fold = vi.spyOn(String.prototype, "normalize");
  const codes = catalogue.slice(0, 1);
  const [prepared, checks] = [prepareCatalog(codes), prepareWarnings(codes)];
  /** Returns how often a text was folded while a filter went through everything that a server asks of it. */
  function foldsOf(...rules: ConnectorFilterRule[]): number {
    const filter = parseConnectorFilter({ rules });
    fold.mockClear();
    checks.warnings(filter);
    checks.emptyingRule(filter);
    prepared.apply(filter);
    return fold.mock.calls.length;
  }
  // Loads the names of countries.
  foldsOf(exclude("countries", "Spain"));

  it("each name of a country is folded once", () => {
    expect(foldsOf(include("countries", ["Atlantis", "Lemuria"]), exclude("countries", "Mu land"), all)).toBe(3);
  });

  it("a text that is too long for the name of a country is not folded, and matches as it is written", () => {
    const long = `Republic ${"x\u0301".repeat(60)}`;
    expect(foldsOf(all, include("countries", [long, long.toUpperCase()]))).toBe(0);
    const there = { id: "xyz:bank", type: "psd2", countries: [long] };
    expect(prepareCatalog([there]).apply({ rules: [all, include("countries", long.toUpperCase())] })).toEqual([there]);
  });
});
