import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type FeedMappingError, feedMappingJsonSchema, parseFeedMapping, shippedMappings } from "./index.js";

const sound = {
  language: 1,
  name: "fernbank",
  title: "Fern Bank",
  recognise: { line: "Day" },
  delimiter: ";",
  values: { date: { column: "Day" }, cash: { column: "Amount" }, currency: { constant: "CHF" } },
  tables: [{ rows: [{ is: "transaction" }] }],
};
const faultsOf = (changes: object) => {
  try {
    parseFeedMapping({ ...sound, ...changes });
  } catch (error) {
    return (error as FeedMappingError).faults.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
};

it.each([
  [{ language: 2 }, ["language: must be 1"]],
  [{ code: "x" }, ["code: is not a field here"]],
  [{ dates: ["dd/MM/yyyy", "MM/dd/yyyy"] }, [expect.stringMatching(/^dates: .*day first/)]],
  [{ dates: ["dd/MM"] }, [expect.stringMatching(/^dates\[0\]: /)]],
  [{ dates: ["dd.MM.yyyy dd"] }, [expect.stringMatching(/^dates\[0\]: .*nothing twice/)]],
  [{ dates: ["ddMMyyyyy"] }, [expect.stringMatching(/^dates\[0\]: must be made of/)]],
  [{ dates: ["yyyy-MM-dd", "dd.MM.yyyy", "yyyyMMdd", "dd/MM/yy HH:mm:ss.SSS", "MMMM d, yyyy*"] }, []],
  [{ delimiter: undefined }, [expect.stringMatching(/^tables\[0\]\.columns: is required/)]],
  [
    { values: {} },
    [
      "tables[0].rows[0].values: must have currency, or the account has to have one",
      "tables[0].rows[0].values: must have date",
      "tables[0].rows[0].values: must have units or cash",
    ],
  ],
  [{ values: { ...sound.values, cash: {} } }, [expect.stringMatching(/^values\.cash: must have exactly one source/)]],
  [
    { values: { ...sound.values, cash: { column: "a", constant: "b" } } },
    [expect.stringMatching(/^values\.cash: must have exactly one source/)],
  ],
  [{ values: { ...sound.values, cash: { context: "nowhere" } } }, ['values.cash.context: "nowhere" is not in context']],
  [
    { values: { ...sound.values, kind: { column: "a", map: { K: "bought" } } } },
    [expect.stringMatching(/^tables\[0\]\.rows\[0\]\.values\.kind: "bought" is none of buy/)],
  ],
  [
    { tables: [{ rows: [{ is: "transaction", when: { column: "a", is: "b", empty: true } }] }] },
    [expect.stringMatching(/^tables\[0\]\.rows\[0\]\.when: must be all/)],
  ],
  [
    { tables: [{ header: false, columns: [{ name: "Day" }], rows: [{ is: "transaction" }] }] },
    ['values.cash.column: "Amount" is not among columns'],
  ],
])("[C-9.190] a mapping is checked: every fault with its path %#", (changes, faults) => {
  expect(faultsOf(changes)).toEqual(faults);
});

it("[C-9.190] a mapping that is too deep or too large is refused before it is looked at", () => {
  let deep: unknown = { column: "a" };
  for (let level = 0; level < 5_000; level += 1) deep = { concat: [deep] };
  expect(faultsOf({ values: { cash: deep } })).toEqual(["mapping: is larger or deeper than a mapping may be"]);
  expect(faultsOf({ context: Array.from({ length: 30_000 }, () => 1) })).toHaveLength(1);
});

it("[C-9.190] formats of days made to take long are refused at once", () => {
  const began = process.cpuUsage();
  expect(faultsOf({ dates: [`${"M".repeat(30)}X`] })).not.toEqual([]);
  expect(faultsOf({ dates: [`${"d".repeat(36)}yyM`] })).not.toEqual([]);
  const many = Array.from({ length: 8_000 }, (_, index) => `dd${String.fromCodePoint(0x4e00 + index)}MM.yyyy`);
  expect(faultsOf({ dates: many })).not.toEqual([]);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});

it("[C-9.190] of the wrong words of a value that hundreds of rules share the first thousand are told", () => {
  const map = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`w${n}`, `wrong ${n}`]));
  const values = { ...sound.values, kind: { column: "Kind", map } };
  const faults = faultsOf({ values, tables: [{ rows: Array.from({ length: 200 }, () => ({ is: "transaction" })) }] });
  expect(faults).toHaveLength(1_000);
  expect(faults[0]).toMatch(/^tables\[0\]\.rows\[0\]\.values\.kind: "wrong 0" is none of /);
});

it("the JSON Schema takes what the check takes", () => {
  const schema = feedMappingJsonSchema();
  expect(schema).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["language", "name", "recognise", "tables"]),
  });
  expect(readFileSync(new URL("./mapping-value.ts", import.meta.url), "utf8")).not.toContain("RegExp(");
});

it("[C-9.600] the shipped mappings are what a check would make of them, and have names of their own", () => {
  const mappings = shippedMappings();
  expect(mappings).toEqual(mappings.map(parseFeedMapping));
  const names = mappings.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(10);
});
