import { holdingSubtypes, holdingTypes, portfolioTypes } from "@org/core";
import { describe, expect, it } from "vitest";
import { languageOf, messagesIn } from "./languages.js";

describe.each(Object.entries(messagesIn))("the words in %s", (_, { kinds }) => {
  it("have a name for every type and subtype, and for nothing else", () => {
    const codes = new Set<string>([...portfolioTypes, ...holdingTypes, ...holdingSubtypes]);
    expect(new Set(Object.keys(kinds))).toEqual(codes);
  });

  it("tell the types of one tool apart, since sums go by name", () => {
    for (const types of [portfolioTypes, holdingTypes])
      expect(new Set(types.map((type) => kinds[type])).size).toBe(types.length);
  });
});

it.each([
  ["de-CH", "de"],
  ["FR", "fr"],
  ["pt-BR", "en"],
  ["constructor", "en"],
  ["", "en"],
  [undefined, "en"],
  [7, "en"],
])("a host in %s is answered in %s", (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});
