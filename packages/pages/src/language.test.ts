import { expect, it } from "vitest";
import { acceptedLanguage, firstLanguage } from "./language.js";

it.each([
  [undefined, "en"],
  ["", "en"],
  ["de", "de"],
  ["de-AT, en;q=0.5", "de"],
  ["ja, FR-CH;q=0.9, es;q=0.8", "fr"],
  ["en;q=0.2, es; q=0.7", "es"],
  ["de;q=0, fr", "fr"],
  ["ja, *;q=0.5, de;q=0.1", "en"],
  ["den, ;;, q=1, x;q=y", "en"],
])("Accept-Language %j is read as %s (RFC 9110, 12.5.4)", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

it("of a list of tags the first known one counts", () => {
  expect(firstLanguage(["it", "fr-CA", "de"])).toBe("fr");
  expect(firstLanguage(["it", ""])).toBeNull();
});
