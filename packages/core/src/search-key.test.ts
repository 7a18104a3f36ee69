import fc from "fast-check";
import { expect, it } from "vitest";
import { searchKey } from "./search-key.js";

it.each([
  ["Banco Ñandú", "banco nandu"],
  ["Crédit Agricole d’Île-de-France", "credit agricole d'ile-de-france"],
  ["Sparkasse Gießen", "sparkasse giessen"],
  ["GIESSEN", "giessen"],
  ["Møns Bank", "mons bank"],
  ["Łódź", "lodz"],
  ["İş Bankası", "is bankasi"],
  ["Þórsbanki Ísafjörður", "thorsbanki isafjordur"],
  ["Cœur Æther", "coeur aether"],
  ["Ελληνική Τράπεζα Αθηνάς", "ελληνικη τραπεζα αθηνασ"],
  ["Йошкар-Ола", "иошкар-ола"],
  ["Ｂａｎｋ\u00a0ﬁrst", "bank first"],
  ["Cre\u0301dit", "credit"],
  ["みずほ銀行", "みすほ銀行".normalize("NFKD").replace("す", "ず".normalize("NFKD"))],
  ["  A&B 100%_\\ ", "a&b 100%_\\"],
])("[C-4.63] %s is searched by %s", (name, key) => {
  expect(searchKey(name)).toBe(key);
});

it("a key is its own key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(searchKey(searchKey(text))).toBe(searchKey(text));
    }),
  );
});

it("whatever stands in a name finds it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-composite" }), fc.string(), fc.string(), (part, before, after) => {
      expect(searchKey(`${before} ${part} ${after}`)).toContain(searchKey(part));
    }),
  );
});

it("accents that are piled up on one letter cost no time", () => {
  const began = process.cpuUsage();
  expect(searchKey(`a${"\u0301\u0323".repeat(100_000)}`)).toBe("a");
  const { user, system } = process.cpuUsage(began);
  // Without the limit this takes ten seconds.
  expect((user + system) / 1e6).toBeLessThan(1);
});
