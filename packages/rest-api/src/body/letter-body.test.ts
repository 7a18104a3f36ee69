import { CoreError, decodeDocument, type ReceivedDocument } from "@org/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonObject } from "./json.js";
import { readLetterBody } from "./letter-body.js";

const MAX = 64;

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** What reading it whole and decoding its texts afterwards comes to: what the reader has to agree with. */
function readWhole(text: string) {
  const body = parseJsonObject(Buffer.from(text)) as Record<string, unknown>;
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

async function read(text: string, size = text.length || 1, declared = 0) {
  const { body, received } = await readLetterBody(inPieces(Buffer.from(text), size), MAX, declared);
  const rest = { ...(body as Record<string, unknown>) };
  for (const field of Object.keys(received)) {
    expect(typeof rest[field]).toBe("string");
    delete rest[field];
  }
  return { rest, received };
}

/** Of a text that is too long and no Base64 either, the two may name different ends: both are right. */
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
/** Escapes what need not be escaped, as some encoders do. */
const written = (text: string, how: number) =>
  how === 0
    ? text
    : how === 1
      ? text.replaceAll("/", "\\/")
      : text.replace(/[+/A]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`);
const bodies = fc
  .tuple(
    fc.array(fc.tuple(keys, values, fc.integer({ min: 0, max: 2 })), { maxLength: 6 }),
    fc.constantFrom("", " ", "\n\t"),
  )
  .map(
    ([pairs, gap]) =>
      `{${pairs.map(([key, value, how]) => `${gap}${written(JSON.stringify(key), how)}${gap}:${gap}${typeof value === "string" ? written(JSON.stringify(value), how) : JSON.stringify(value)}${gap}`).join(",")}}`,
  );

describe("the body of a submission", () => {
  it("[C-7.2] [C-7.22] read piece by piece comes to what it comes to when it is read whole", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.integer({ min: 1, max: 40 }), fc.nat(200), async (text, size, declared) => {
        expect(await outcome(() => read(text, size, declared))).toEqual(await outcome(() => readWhole(text)));
      }),
      { numRuns: 1_500 },
    );
  });

  it("[C-7.22] so does one that is broken anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.nat(),
        fc.constantFrom("", '"', "\\", "{", "}", "]", ",", ":", "\n", "\u0000", "\\x", "\\u00"),
        fc.integer({ min: 1, max: 40 }),
        async (text, where, fault, size) => {
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
    ["the last of two", '{"data":"QUJD","data":"REVG"}', { data: { bytes: Buffer.from("DEF") } }],
    ["a number after a text", '{"data":"QUJD","data":5}', {}],
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
});
