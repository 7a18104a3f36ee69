import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { plural } from "./plural.js";

const source = fileURLToPath(new URL("..", import.meta.url));
const MILLION = 1_000_000;

describe("[C-14.984] a count is put into words as the language does", () => {
  const words = {
    en: ["1 letter", "{n} letters"],
    de: ["1 Vollmacht", "{n} Vollmachten"],
    fr: ["{n} lettre", "{n} lettres"],
    es: ["1 carta", "{n} cartas"],
  } as const;
  it.each([
    ["en", ["0 letters", "1 letter", "2 letters", "1,234 letters", "1,000,000 letters"]],
    ["de", ["0 Vollmachten", "1 Vollmacht", "2 Vollmachten", "1.234 Vollmachten", "1.000.000 Vollmachten"]],
    ["fr", ["0 lettre", "1 lettre", "2 lettres", "1 234 lettres", "1 000 000 de lettres"]],
    ["es", ["0 cartas", "1 carta", "2 cartas", "1234 cartas", "1.000.000 de cartas"]],
  ] as const)("%s", (language, expected) => {
    const [one, other] = words[language];
    const said = [0, 1, 2, 1_234, MILLION].map((count) => plural[language](count, one, other).replace(/\s/g, " "));
    expect(said).toEqual(expected);
  });

  it("French elides before a vowel, and what is no noun has its own form", () => {
    expect(plural.fr(MILLION, "{n} entrée", "{n} entrées")).toMatch(/000 d’entrées$/);
    expect(plural.fr(MILLION, "{n} est refusée", "{n} sont refusées", "{n} sont refusées")).toMatch(
      /000 sont refusées$/,
    );
  });
});

/** Words whose number is no count of what follows it, or that stand beside it without agreeing with it. */
const neutral = new Set([
  "around",
  "assignMany",
  "chosenOf",
  "column",
  "every",
  "holdingsShown",
  "left",
  "moreFaults",
  "moreFilters",
  "notComplete",
  "moveChosen",
  "oldestOf",
  "out",
  "ran",
  "rate",
  "rule",
  "seconds",
  "summary",
  "synced",
  "takenNow",
  "times",
  "typeCount",
]);

describe("[C-14.984] every sentence of the console with a count agrees with it", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(words|terms|sentences|to-dos)[\w-]*\.ts$/.test(file) && !file.endsWith(".test.ts"),
  );

  it("none chooses its form by itself", () => {
    expect(files.length).toBeGreaterThan(35);
    const found = files.flatMap((file) =>
      [...readFileSync(`${source}/${file}`, "utf8").matchAll(/.*(?:===|<=|>|!==) 1\b.*/g)].map(
        ([line]) => `${file}: ${line.trim()}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it("none puts a count before a noun without asking for its form", () => {
    const found = files.flatMap((file) =>
      functionsIn(readFileSync(`${source}/${file}`, "utf8")).flatMap(({ name, counts, body }) => {
        if (neutral.has(name)) return [];
        const bare = body.replace(/plural\.\w+\(\w+,/g, "");
        return counts.some((count) => bare.includes(`\${${count}}`)) ? [`${file}: ${name}`] : [];
      }),
    );
    expect(found).toEqual([]);
    const planted = `    rows: (count: number) => \`\${count} rows\`,\n    next: (n: number, to: string) => to,\n`;
    expect(functionsIn(planted)).toMatchObject([{ name: "rows", counts: ["count"] }, { name: "next" }]);
  });
});

/** The functions of a words file that take a number. */
function functionsIn(code: string) {
  const heads = [...code.matchAll(/(\w+): \(([^()]*: number[^()]*)\)\s*=>/g)];
  return heads.map(({ 1: name = "", 2: parameters = "", index, 0: head }, at) => ({
    name,
    counts: [...parameters.matchAll(/(\w+): number/g)].map(([, count = ""]) => count),
    body: code.slice(index + head.length, heads[at + 1]?.index).split(/,\n {4,8}\w+: /)[0] ?? "",
  }));
}
