import { describe, expect, it } from "vitest";
import { isTooDeep, jsonFaults, MAX_JSON_DEPTH, MAX_JSON_NAMES, MAX_VALUES, parseJson } from "./json.js";

const parse = (text: string | Uint8Array) => parseJson(Buffer.from(text as string));
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

describe("[security.md] JSON is read as UTF-8, within bounds", () => {
  it.each([
    ["nothing", "", { error: { code: "empty" } }],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), { error: { code: "not_utf8" } }],
    ["what breaks off", '{"a":', { error: { code: "not_json", position: null } }],
    ["what has a fault at a place", '{"a" 1}', { error: { code: "not_json", position: 5 } }],
    ["a byte order mark and a value", '\ufeff{"a":1}', { value: { a: 1 } }],
    ["two byte order marks", "\ufeff\ufeff{}", { error: { code: "not_json", position: null } }],
    ["as many values as there may be", `[${"1,".repeat(MAX_VALUES - 2)}1]`, { value: expect.any(Array) }],
    ["one value more", `[${"1,".repeat(MAX_VALUES)}1]`, { error: { code: "too_many_values" } }],
  ])("%s", (_name, text, outcome) => expect(parse(text)).toEqual(outcome));

  const named = (names: number) => `{${Array.from({ length: names }, (_, at) => `"name-${at}" : 1`).join()}}`;
  it("[C-9.284] different names are bounded; the same ones over and over, and texts that look like names, are not", () => {
    expect(parse(named(MAX_JSON_NAMES + 100))).toEqual({ error: { code: "too_many_names" } });
    expect(parse(named(MAX_JSON_NAMES - 100))).toEqual({ value: expect.any(Object) });
    expect(parse(`[${'{"a":1},'.repeat(10_000)}1]`)).toEqual({ value: expect.any(Array) });
    const texts = Array.from({ length: 5_000 }, (_, at) => `"${at}\\":,[{"`);
    expect(parse(`[${texts.join()}]`)).toEqual({ value: expect.any(Array) });
    expect(parseJson(Buffer.from(`[${"1,".repeat(20_000)}1]`), { maxValues: 10_000 })).toEqual({
      error: { code: "too_many_values" },
    });
  });

  it("a byte order mark is no JSON where it is refused", () => {
    const bytes = Buffer.from("\ufeff{}");
    expect(parseJson(bytes, { byteOrderMark: "refused" })).toMatchObject({ error: { code: "not_json" } });
  });
});

it.each([
  [MAX_JSON_DEPTH + 1, false],
  [MAX_JSON_DEPTH + 2, true],
  [200_000, true],
])("[security.md] %s lists in each other are too deep: %s", (levels, isRefused) => {
  const value = nested(levels);
  expect(isTooDeep(value)).toBe(isRefused);
  expect(isTooDeep({ a: value })).toBe(isRefused || levels > MAX_JSON_DEPTH);
  expect(jsonFaults(value).length > 0).toBe(isRefused);
});

describe("[C-7.22][security.md] what is valid JSON and no good is a fault with its path", () => {
  const text = "must be text without NUL characters and lone surrogates";
  const name = "names of fields must be text without NUL characters and lone surrogates";
  const number = "is a number too large to be read exactly";
  it.each([
    ["a NUL", '{"a":["x","\\u0000"]}', [{ path: "a[1]", rule: text }]],
    ["a lone surrogate", '{"a":{"b":"\\ud800"}}', [{ path: "a.b", rule: text }]],
    ["a whole pair", '{"a":"\\ud83d\\ude00"}', []],
    ["the outermost value", '"\\u0000"', [{ path: "", rule: text }]],
    ["a NUL in a name", '{"a\\u0000":1}', [{ path: "a\0", rule: name }]],
    [
      "__proto__",
      '{"a":{"__proto__":{"b":"\\u0000"}}}',
      [{ path: "a.__proto__", rule: "__proto__ is not a name of a field" }],
    ],
    ["a number beyond 2^53", '{"a":9007199254740993}', [{ path: "a", rule: number }]],
    ["a number beyond all", '{"a":1e999}', [{ path: "a", rule: number }]],
    ["a fraction", '{"a":0.1}', []],
    [
      "several faults",
      '[["\\u0000"],{"b":1e999}]',
      [
        { path: "[0][0]", rule: text },
        { path: "[1].b", rule: number },
      ],
    ],
  ])("%s", (_name, json, faults) => expect(jsonFaults(JSON.parse(json))).toEqual(faults));

  it("a name longer than any is one fault, and nothing below it another", () => {
    const faults = jsonFaults({ ["k".repeat(100_000)]: Array.from({ length: 400 }, () => "\0") });
    expect(faults).toEqual([{ path: `${"k".repeat(200)}…`, rule: "names of fields have at most 200 characters" }]);
  });

  it("of very many faults the first thousand are listed", () => {
    const faults = jsonFaults({ list: Array.from({ length: 50_000 }, () => "\0") });
    expect(faults).toHaveLength(1_000);
    expect(faults[999]?.path).toBe("list[999]");
    expect(jsonFaults(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${at}\0`, 1])))).toHaveLength(
      1_000,
    );
  });
});
