import { CoreError, decodeDocument, type Fault, invalidAll, type ReceivedDocument } from "@org/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonObject } from "./json.js";
import { readLetterBody } from "./letter-body.js";

const MAX = 64;

async function* inPieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** Reads the body as a whole and decodes its strings afterwards: the result that the reader must match. */
function readWhole(text: string) {
  const body = parseWhole(text) as Record<string, unknown>;
  const received: Record<string, ReceivedDocument> = {};
  const rest: Record<string, unknown> = { ...body };
  for (const field of ["data", "annex"]) {
    const value = body[field];
    if (typeof value !== "string") continue;
    received[field] = decodeDocument(value, MAX);
    delete rest[field];
  }
  return { rest, received };
}

/** A document that could not be stored as text is not Base64, and is refused for that, together with any other faults. */
function parseWhole(text: string): object {
  try {
    return parseJsonObject(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    const isDocument = ({ field, rule }: Fault) => /^(data|annex)$/.test(field) && rule?.startsWith("must be text");
    const others = error.details?.filter((fault) => !isDocument(fault)) ?? [];
    if (others.length > 0) throw invalidAll(others);
    return JSON.parse(text);
  }
}

async function read(text: string, size = text.length || 1, declared = 0) {
  const { body, received } = await readLetterBody(inPieces(Buffer.from(text), size), MAX, declared);
  const rest = { ...(body as Record<string, unknown>) };
  for (const field of Object.keys(received)) {
    expect(typeof rest[field]).toBe("string");
    delete rest[field];
  }
  return { rest, received };
}

/** For a string that is both too long and not Base64, the two may report different failures. Both are right. */
const outcome = async (work: () => ReturnType<typeof readWhole> | ReturnType<typeof read>) => {
  try {
    const { rest, received } = await work();
    const decoded = Object.entries(received).map(([field, document]) => [field, "bytes" in document && document.bytes]);
    return { rest, decoded: Object.fromEntries(decoded) };
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return error.details?.map(({ field, rule }) => [field, rule?.replace(/ \(fault at position \d+\)$/, "")]);
  }
};

const texts = fc.oneof(
  fc.uint8Array({ maxLength: MAX + 4 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  fc.base64String({ maxLength: 100 }),
  fc.string({ unit: fc.constantFrom(...'AZaz09+/=\\"é\u0000{}[],: \n'), maxLength: 20 }),
);
const values = fc.oneof(texts, fc.jsonValue({ maxDepth: 3 }));
const keys = fc.constantFrom("data", "annex", "connector_id", "labels", "Data", "__proto__");
/** Escapes characters that need no escape, as some encoders do. */
const written = (text: string, how: number) =>
  how === 0
    ? text
    : how === 1
      ? text.replaceAll("/", "\\/")
      : text.replace(/[+/A]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`);
const pairs = fc.tuple(keys, values, fc.integer({ min: 0, max: 2 }));
const gaps = fc.constantFrom("", " ", "\n\t");
type Pairs = (typeof pairs extends fc.Arbitrary<infer Pair> ? Pair : never)[];

const bodyOf = (members: Pairs, gap: string) =>
  `{${members.map(([key, value, how]) => `${gap}${written(JSON.stringify(key), how)}${gap}:${gap}${typeof value === "string" ? written(JSON.stringify(value), how) : JSON.stringify(value)}${gap}`).join(",")}}`;
/** Returns the first document key that is repeated. */
const givenTwice = (members: Pairs) =>
  members.map(([key]) => key).find((key, at, all) => /^(data|annex)$/.test(key) && all.indexOf(key) < at);

describe("the body of a submission", () => {
  it("[C-7.2] [C-7.22] read piece by piece comes to what it comes to when it is read whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(pairs, { maxLength: 6 }),
        gaps,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(200),
        async (members, gap, size, declared) => {
          const text = bodyOf(members, gap);
          const twice = givenTwice(members);
          const expected = twice ? [[twice, "must not be given twice"]] : await outcome(() => readWhole(text));
          expect(await outcome(() => read(text, size, declared))).toEqual(expected);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("[C-7.2] so does a long document, sound or with anything in it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 150, maxLength: 3_000 }),
        fc.nat(),
        fc.constantFrom("", "A", "=", "-", "_", "%", " ", "é", "\\/", "\\u0041", "\\n"),
        fc.integer({ min: 1, max: 30 }),
        async (document, at, inserted, size) => {
          const sound = Buffer.from(document).toString("base64");
          const place = at % sound.length;
          const text = `{"data":"${sound.slice(0, place)}${inserted}${sound.slice(place)}"}`;
          expect(await outcome(() => read(text))).toEqual(await outcome(() => read(text, size)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("[C-7.22] so does one that is broken anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(pairs, { maxLength: 6, selector: ([key]) => key }),
        gaps,
        fc.nat(),
        fc.constantFrom("", '"', "\\", "{", "}", "]", ",", ":", "\n", "\u0000", "\\x", "\\u00"),
        fc.integer({ min: 1, max: 40 }),
        async (members, gap, where, fault, size) => {
          const text = bodyOf(members, gap);
          const at = where % (text.length + 1);
          const broken = `${text.slice(0, at)}${fault}${text.slice(at + (fault === "" ? 1 : 0))}`;
          expect(await outcome(() => read(broken, size))).toEqual(await outcome(() => readWhole(broken)));
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ["slashes escaped", '{"data":"ab\\/\\/"}', { data: { bytes: Buffer.from("ab//", "base64") } }],
    ["a key with an escape", '{"d\\u0061ta":"QUJD"}', { data: { bytes: Buffer.from("ABC") } }],
    ["a byte order mark before the body", '\ufeff{"data":"QUJD"}', { data: { bytes: Buffer.from("ABC") } }],
    ["a byte order mark in the key", '{"\ufeffdata":"QUJD"}', {}],
    ["a key that only begins like one", '{"data\\u0020":"QUJD","dat":"QUJD"}', {}],
    [
      "every character escaped",
      `{"data":"${"\\u0051\\u0055\\u004a\\u0044"}"}`,
      { data: { bytes: Buffer.from("ABC") } },
    ],
    ["half a surrogate pair", '{"data":"QUJD\\ud83d"}', { data: { failure: "not_base64" } }],
    ["a character beyond the first plane", '{"data":"QUJD🙂"}', { data: { failure: "not_base64" } }],
    ["their names as values", '{"connector_id":"data","labels":"annex"}', {}],
    ["deeper fields of the same name", '{"labels":{"data":"QUJD"},"x":[{"annex":"QUJD"}]}', {}],
    ["a line end in it", '{"data":"QU\\nJD"}', { data: { failure: "not_base64" } }],
    ["letters beyond Latin that end in the same byte", '{"data":"QU\\u014aD"}', { data: { failure: "not_base64" } }],
    [
      "too much",
      `{"data":"${"QUJD".repeat(30)}","annex":"QUJD"}`,
      { data: { failure: "too_large" }, annex: { bytes: Buffer.from("ABC") } },
    ],
    ["too much, and then no Base64", `{"data":"${"QUJD".repeat(30)}%%"}`, { data: { failure: "too_large" } }],
    [
      "exactly as much as may be",
      `{"data":"${Buffer.alloc(MAX).toString("base64")}"}`,
      { data: { bytes: Buffer.alloc(MAX) } },
    ],
  ])("documents with %s", async (_name, text, received) => {
    for (const size of [1, 2, 3, 7, 1_000]) expect((await read(text, size)).received).toEqual(received);
  });

  it.each([
    ["text after text", '{"data":"QUJD","data":"REVG"}', "data"],
    ["the same", '{"annex":"QUJD","annex":"QUJD"}', "annex"],
    ["a number after text", '{"data":"QUJD","data":5}', "data"],
    ["text after a number", '{"data":5,"data":"QUJD"}', "data"],
    ["an escape in the second key", '{"data":"QUJD","d\\u0061ta":"QUJD"}', "data"],
    ["the other one between them", '{"data":"","annex":"","connector_id":"x","data":""}', "data"],
    ["text that never ends after text that is no Base64", '{"data":"%","data":"QUJD', "data"],
  ])("[C-7.22] a document given twice, with %s, is refused by its name", async (_name, text, field) => {
    for (const size of [1, 2, 3, 7, 1_000])
      expect(await outcome(() => read(text, size))).toEqual([[field, "must not be given twice"]]);
  });

  it.each([
    ["their names in lists", '["data","data","annex","annex"]'],
    ["a list of objects", '[{"data":"QUJD"},{"data":"QUJD"}]'],
  ])("[C-7.22] a body of %s is refused as a whole", async (_name, text) => {
    expect(await outcome(() => read(text))).toEqual([["body", "must be a JSON object"]]);
  });

  it("of other keys that are given twice the last one counts, at every depth", async () => {
    const { rest, received } = await read(
      '{"labels":{"data":"QUJD","data":"x"},"connector_id":"a","data":"QUJD","connector_id":"b"}',
    );
    expect([rest, received]).toEqual([
      { labels: { data: "x" }, connector_id: "b" },
      { data: { bytes: Buffer.from("ABC") } },
    ]);
  });

  it.each([
    ["in a document", Buffer.from('{"data":"QU\xc3("}', "latin1")],
    ["in a document, around Base64", Buffer.from('{"data":"\xc3A\xa9"}', "latin1")],
    ["half a surrogate pair in a document", Buffer.from('{"data":"\xed\xa0\xbd"}', "latin1")],
    ["in a key", Buffer.from('{"da\xffta":"QUJD"}', "latin1")],
    ["at the end", Buffer.from('{"data":"QUJD"}\xe2\x82', "latin1")],
  ])("[C-7.22] bytes that are not UTF-8 %s are refused", async (_name, bytes) => {
    for (const size of [1, 2, 1_000])
      await expect(readLetterBody(inPieces(bytes, size), MAX, 0)).rejects.toThrow("body: must be UTF-8");
  });
});
