import { messageKinds, type RefusedIssue, zodMessages } from "@org/validation-messages";
import { describe, expect, it } from "vitest";
import { languages } from "../language/language.js";
import { faultIn, faultWords } from "./fault-words.js";
import { faultSaid, loadRefusals } from "./refusals.js";

const sizes = [...messageKinds.sizes, "number", "date"];
const bounds: readonly RefusedIssue[] = [0, 1, 2, 60, 1_000_000].flatMap((bound) =>
  sizes.flatMap((origin) =>
    [{ exact: true }, { inclusive: true }, ...(bound > 0 ? [{ inclusive: false }] : [])].flatMap((how) => [
      { code: "too_small", origin, minimum: bound, ...how },
      { code: "too_big", origin, maximum: bound, ...how },
    ]),
  ),
);
const wrong = (first: string, second: string) => [[{ path: [], message: first }], [{ path: [], message: second }]];

/** One issue for each sentence that the server has for what a schema refuses. */
const issues: readonly RefusedIssue[] = [
  ...[...messageKinds.types, "never", "symbol"].map((expected) => ({ code: "invalid_type", input: 1, expected })),
  ...[...messageKinds.formats, "ulid"].map((format) => ({ code: "invalid_format", format })),
  ...bounds,
  { code: "invalid_type" },
  { code: "invalid_value", input: 1, values: ["*"] },
  { code: "invalid_value", input: 1, values: ["move", "keep or drop"] },
  { code: "not_multiple_of", divisor: 3 },
  { code: "unrecognized_keys" },
  { code: "invalid_key" },
  { code: "invalid_element" },
  { code: "invalid_union" },
  { code: "invalid_union", errors: wrong("must be a string", "must be a list") },
  { code: "invalid_union", errors: wrong("must be true or false", "must be one of a, b") },
  { code: "custom" },
];
const sentences = [...new Set(issues.map(zodMessages))];

describe.each(languages.filter((language) => language !== "en"))("[C-14.986] in %s", (language) => {
  const words = faultWords[language];
  const said = (sentence: string) => words && faultIn(words, sentence);

  it("each sentence about a field has words, with its numbers and names", () => {
    expect(sentences.length).toBeGreaterThan(70);
    expect(sentences.filter((sentence) => said(sentence) === undefined)).toEqual([]);
    expect(
      sentences.filter((sentence) => /\b(must|has|is|at least|undefined)\b|\{/.test(said(sentence) ?? "")),
    ).toEqual([]);
    expect(said("must be one of move, keep")).toContain("move, keep");
    expect(said("must have at most 60 characters")).toMatch(/\b60\b/);
    expect(said("must be at least 1970-01-01T00:00:00.001Z")).toContain("1970-01-01T00:00:00.001Z");
  });

  it("no word is missing that another language has", () => {
    const keys = (own: typeof words) =>
      own && [own.sentences, own.things, own.bounds, own.counts].map((group) => Object.keys(group).sort());
    expect(keys(words)).toEqual(keys(faultWords.de));
  });

  it("a sentence that is not known stays as it is", () => {
    for (const sentence of ["must be good enough", "must be a string or good enough", "wants 3 rows", "constructor"])
      expect(said(sentence)).toBeUndefined();
  });
});

it("[C-14.986] what the page shows is in its language, and without words the server's own", async () => {
  expect(faultSaid("de", "must be an e-mail address")).toBe("must be an e-mail address");
  await loadRefusals();
  expect(faultSaid("en", "must be an e-mail address")).toBe("must be an e-mail address");
  expect(faultSaid("de", "must be an e-mail address")).toBe("muss eine E-Mail-Adresse sein");
  expect(faultSaid("fr", "must have at most 60 characters")).toBe("doit avoir au plus 60 caractères");
  expect(faultSaid("es", "must be a string or a list")).toBe("debe ser un texto o una lista");
  expect(faultSaid("de", "must be good enough")).toBe("must be good enough");
});
