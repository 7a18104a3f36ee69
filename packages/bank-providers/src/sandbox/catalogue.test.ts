import { connectorId } from "@org/core";
import { expect, it } from "vitest";
import { sandboxCatalogue } from "./catalogue.js";

const catalogue = sandboxCatalogue();
const countries = new Set(catalogue.flatMap((connector) => connector.countries));

it("[C-5.20] has at least 60 connectors over at least 12 countries and all three types", () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(60);
  expect(countries.size).toBeGreaterThanOrEqual(12);
  expect(new Set(catalogue.map(({ type }) => type))).toEqual(new Set(["e-banking", "psd2", "datafeed"]));
});

it("[C-5.20] ids are unique and have the shape <country>:<provider>, countries are lower-case alpha-3", () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  for (const { id, countries: served, provider } of catalogue) {
    expect(connectorId.safeParse(id).success).toBe(true);
    expect(id).toMatch(/^[a-z]{3}:[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(served[0]).toBe(id.slice(0, 3));
    for (const country of served) expect(country).toMatch(/^[a-z]{3}$/);
    expect(provider).toBe("sandbox");
  }
});

it("[C-5.20] a few are not available, and a few work in several countries", () => {
  expect(catalogue.filter(({ available }) => !available).length).toBeGreaterThanOrEqual(3);
  expect(catalogue.filter(({ countries: served }) => served.length > 1).length).toBeGreaterThanOrEqual(2);
});

it.each(["esp", "fra"])("[C-9.28] %s is in every type", (country) => {
  const types = catalogue
    .filter((connector) => connector.available && connector.countries.includes(country))
    .map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(["e-banking", "psd2", "datafeed"]));
});

it("[C-4.8] is in catalogue order: by id", () => {
  const ids = catalogue.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
});
