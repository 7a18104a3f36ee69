import { describe, expect, it } from "vitest";
import { messagesIn } from "./languages.js";

/** Returns every sentence with its key; functions are called for one and for several. */
function sentences(value: unknown, key = ""): [string, string][] {
  if (typeof value === "string") return [[key, value]];
  if (typeof value === "function") return [1, 2].map((count) => [`${key}(${count})`, value(count, 9)]);
  return Object.entries(value as object).flatMap(([name, inner]) => sentences(inner, `${key}.${name}`));
}

/** Sentences that are rightly the same in two languages. */
const shared: Record<string, readonly string[]> = {
  es: [".errorPrefix"],
  fr: [".answer", ".pageOf(1)", ".pageOf(2)"],
  de: [".answer"],
};

describe.each(["es", "fr", "de"] as const)("the table in %s", (language) => {
  const english = new Map(sentences(messagesIn.en));

  it("says everything in its own words", () => {
    const copied = sentences(messagesIn[language])
      .filter(([key, text]) => text === english.get(key))
      .map(([key]) => key);
    expect(copied.filter((key) => !shared[language]?.includes(key))).toEqual([]);
  });

  it("names the values it is given", () => {
    expect(messagesIn[language].credentialsTitle("Banco Sol")).toContain("Banco Sol");
    expect(messagesIn[language].attemptsLeft(2)).toContain("2");
    expect(messagesIn[language].pageOf(3, 7)).toMatch(/3.*7/);
    expect(messagesIn[language].banksFound(1)).not.toBe(messagesIn[language].banksFound(2).replace("2", "1"));
  });
});
