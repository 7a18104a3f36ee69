import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { alpha3Of, countryName } from "./countries.js";
import { countryKey } from "./country.js";
import { applyConnectorFilter } from "./index.js";

/** ISO 3166-1: alpha-2 code, alpha-3 code, English short name. */
const table = readFileSync(new URL("../test/iso-3166-1.tsv", import.meta.url), "utf8");
const countries = table
  .trim()
  .split("\n")
  .map((line) => line.split("\t") as [string, string, string]);

/** Whether a rule with one text finds a connector with the other. */
function isFound(rule: string, connector: string): boolean {
  const one = { id: "x:y", type: "t", countries: [connector] };
  return applyConnectorFilter([one], { rules: [{ action: "exclude", field: "countries", value: rule }] }).length === 0;
}

describe("countries in a filter", () => {
  it("[C-6.6] knows both codes of all 249 countries, in any case", () => {
    expect(countries).toHaveLength(249);
    for (const [alpha2, alpha3] of countries) {
      expect(countryKey(alpha2.toLowerCase())).toBe(countryKey(alpha3));
      expect(countryKey(alpha2)).toBe(countryKey(alpha3.toLowerCase()));
    }
    expect(new Set(countries.map(([alpha2]) => countryKey(alpha2))).size).toBe(249);
  });

  it("takes nothing else of two or three characters for a country", () => {
    const codes = new Set(countries.flatMap(([alpha2, alpha3]) => [alpha2.toLowerCase(), alpha3.toLowerCase()]));
    const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const known = new Set(["uk", "uae"]);
    for (const first of characters) {
      for (const second of characters) {
        for (const text of [first + second, `es${first}`, `${first}sp`, first + second + second]) {
          const lower = text.toLowerCase();
          if (!codes.has(lower) && !known.has(lower) && /^[\x21-\x7e]+$/.test(lower))
            expect(countryKey(text)).toBe(lower);
        }
      }
    }
  });

  it.each([
    ["spain", "ES"],
    ["Spain", "esp"],
    ["UNITED KINGDOM", "GB"],
    ["uk", "gbr"],
    ["Great Britain", "gbr"],
    ["United States", "usa"],
    ["united states of america", "US"],
    ["UAE", "are"],
    ["South Korea", "kor"],
    ["Czech Republic", "cze"],
    ["Czechia", "cze"],
    ["Turkey", "tur"],
    ["Türkiye", "tur"],
    ["Turkiye", "tur"],
    ["Ivory Coast", "civ"],
    ["Cote d'Ivoire", "civ"],
    ["CÔTE D’IVOIRE", "civ"],
    ["Viet Nam", "vnm"],
    ["Russian Federation", "rus"],
    ["Hong Kong", "hkg"],
    ["Macau", "mac"],
    ["Trinidad and Tobago", "tto"],
    ["Trinidad & Tobago", "tto"],
    ["St. Lucia", "lca"],
    ["Saint Lucia", "lca"],
    ["The Bahamas", "bhs"],
    ["Isle of Man", "imn"],
    ["Guinea-Bissau", "gnb"],
    ["\u212Aenya", "ken"],
  ])("[C-6.6] %s is %s, whichever of rule and connector says it", (one, other) => {
    expect([isFound(one, other), isFound(other, one), isFound(one, one.toUpperCase())]).toEqual([true, true, true]);
  });

  it.each([
    ["Atlantis", "ATLANTIS", true],
    ["XK", "xk", true],
    ["XK", "XKX", false],
    ["es", "es ", false],
    ["Spain2", "Spain", false],
    ["Guinea", "Equatorial Guinea", false],
    ["Niger", "Nigeria", false],
    ["South Korea", "North Korea", false],
    ["China", "Hong Kong", false],
    ["e3p", "esp", false],
    ["\u0161rg", "arg", false],
    ["中国", "中国", true],
    ["中国", "日本", false],
  ])("[C-6.6] what names no country compares as written: %s and %s, %s", (one, other, same) => {
    expect([isFound(one, other), isFound(other, one)]).toEqual([same, same]);
  });

  it("takes long hostile text in its stride", () => {
    const long = ", the (".repeat(100_000);
    expect(isFound(long, "esp")).toBe(false);
    expect(isFound(long, long)).toBe(true);
  });
});

describe("alpha3Of", () => {
  it("knows codes and short names of all countries as ISO 3166-1 gives them", () => {
    for (const [alpha2, alpha3, name] of countries) {
      for (const text of [alpha2, alpha3, name, name.toUpperCase(), ` ${name} `])
        expect([text, alpha3Of(text)]).toEqual([text, alpha3.toLowerCase()]);
    }
  });

  it.each([
    ["Republic of Korea", "kor"],
    ["Korea (the Republic of)", "kor"],
    ["Iran (Islamic Republic of)", "irn"],
    ["Swaziland", "swz"],
    ["Burma", "mmr"],
  ])("knows %s turned round or under its earlier name", (name, code) => {
    expect(alpha3Of(name)).toBe(code);
  });

  it.each(["", " ", "12", "Korea", "Atlantis", "xk", "es!", "__proto__", ", the ("])("knows no country %j", (text) => {
    expect(alpha3Of(text)).toBeNull();
  });
});

it("countryName gives the name in a language, or the code", () => {
  expect(countryName("esp", "de")).toBe("Spanien");
  expect(countryName("GB", "fr")).toBe("Royaume-Uni");
  for (const text of ["", "xk", "zzz", "__proto__"]) expect(countryName(text, "en")).toBe(text.toUpperCase());
});

describe("an engine without Intl", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ["no Intl", undefined],
    ["no DisplayNames", {}],
  ])("[C-6.1] (%s) knows codes and the names that are shipped", async (_, intl) => {
    vi.resetModules();
    vi.stubGlobal("Intl", intl);
    const bare = await import("./country.js");
    expect(bare.countryKey("ES")).toBe(bare.countryKey("esp"));
    expect(bare.countryKey("UK")).toBe(bare.countryKey("gbr"));
    expect(bare.countryKey("Turkey")).toBe(bare.countryKey("tur"));
    expect(bare.countryKey("Spain")).toBe("spain");
    expect(bare.countryKey("undefined")).toBe("undefined");
  });
});

it("accents that are piled up on one letter are no country, and cost no time", () => {
  const began = process.cpuUsage();
  expect(alpha3Of(`a${"\u0301\u0323".repeat(100_000)}`)).toBeNull();
  const { user, system } = process.cpuUsage(began);
  // All of it would take ten seconds.
  expect((user + system) / 1e6).toBeLessThan(1);
});
