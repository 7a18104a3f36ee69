import { expect, it } from "vitest";
import type { ConnectorFilterRule } from "./connector.js";
import { ConnectorFilterError } from "./parse.js";
import { connectorFilterWarnings } from "./warnings.js";

const catalogue = [
  { id: "esp:bbva", type: "e-banking", countries: ["esp"] },
  { id: "xk:bank", type: "psd2", countries: ["Kosovo region", "FR"] },
  { id: "deu:closed", type: "e-banking", countries: ["deu"], available: false },
];

const warningsOf = (...rules: ConnectorFilterRule[]) =>
  connectorFilterWarnings(catalogue, { rules }).map(({ path, message }) => [path, message]);

it("[C-6.11] names each country that no available connector has, where it stands", () => {
  const all = { action: "exclude", field: "connector_id", value: "*" } as const;
  expect(warningsOf(all, { action: "include", field: "countries", value: "spian" })).toEqual([
    [
      "connector_filter.rules[1].value",
      "spian is no country that is known by this name or code, and no available connector has it",
    ],
  ]);
  expect(
    warningsOf({
      action: "include",
      field: "countries",
      value: ["Spain", "ES", "France", "DE", "kosovo region", "Iceland"],
    }),
  ).toEqual([
    ["connector_filter.rules[0].value[3]", "no available connector is in DE"],
    ["connector_filter.rules[0].value[5]", "no available connector is in Iceland"],
  ]);
});

it("has nothing to say of ids and types, repeats little of a long text, and refuses what is no filter", () => {
  expect(warningsOf({ action: "exclude", field: "type", value: "spian" })).toEqual([]);
  expect(warningsOf()).toEqual([]);
  const [[, message = ""] = []] = warningsOf({ action: "exclude", field: "countries", value: "x".repeat(10_000) });
  expect(message.length).toBeLessThan(200);
  const wrong = { rules: [{ action: "hide" }] } as never;
  expect(() => connectorFilterWarnings(catalogue, wrong)).toThrow(ConnectorFilterError);
});
