import { CoreError } from "@org/core";
import { describe, expect, it } from "vitest";
import { readLetterBody, restLimit } from "./letter-body.js";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const MAX = 10 * MEBIBYTE;
const CHUNK = 64 * KIBIBYTE;
/** Maximum size of a submission. */
const BODY = Math.ceil((2 * 4 * MAX) / 3) + 64 * KIBIBYTE;

/** Cost of reading a body: chunks requested, buffers allocated, and their bytes. */
interface Cost {
  pieces: number;
  buffers: number;
  bytes: number;
}

const makers = ["alloc", "allocUnsafe", "allocUnsafeSlow", "from", "concat"] as const;

/** Counts buffer allocations until the returned function is called. */
function countBuffers(cost: Cost): () => void {
  const originals = makers.map((name) => [name, Buffer[name] as (...given: unknown[]) => Buffer] as const);
  for (const [name, make] of originals)
    Object.assign(Buffer, {
      [name](...given: unknown[]) {
        const made = make.apply(Buffer, given);
        cost.buffers += 1;
        cost.bytes += made.length;
        return made;
      },
    });
  return () => void Object.assign(Buffer, Object.fromEntries(originals));
}

/** Reads a body of the maximum size: its beginning, one part repeated, its end. */
async function readFilled(begin: string, part: string, end: string, bytes = BODY) {
  const cost: Cost = { pieces: 0, buffers: 0, bytes: 0 };
  const filling = Buffer.from(part.repeat(Math.floor(CHUNK / part.length)));
  const times = Math.floor((bytes - begin.length - end.length) / filling.length);
  const pieces = [Buffer.from(begin), ...Array<Buffer>(times).fill(filling), Buffer.from(end)];
  async function* arriving() {
    for (const piece of pieces) {
      cost.pieces += 1;
      yield piece;
    }
  }
  const stopCounting = countBuffers(cost);
  const outcome = await readLetterBody(arriving(), MAX, bytes)
    .catch((error: unknown) => {
      if (error instanceof CoreError) return error;
      throw error;
    })
    .finally(stopCounting);
  return { outcome, cost, of: pieces.length };
}

const refusal = (code: string, field: string) => ({ code, details: [{ field }] });
const notBase64 = { received: { data: { failure: "not_base64" } }, body: { data: "" } };

describe("what a hostile submission costs", () => {
  it.each([
    ["data", '{"data":"",', '"data":"",', '"connector_id":"x"}'],
    ["annex", '{"annex":"",', '"annex":"",', '"connector_id":"x"}'],
    ["data", '{"data":"%",', '"d\\u0061ta":"%",', '"connector_id":"x"}'],
    ["data", '{"data":0,', '"data":0,', '"connector_id":"x"}'],
  ])(
    "[C-7.22] %s that is given a million times is refused at the second, and no more is read",
    async (field, ...parts) => {
      const { outcome, cost } = await readFilled(...(parts as [string, string, string]));
      expect(outcome).toMatchObject(refusal("VALIDATION_ERROR", field));
      expect(cost.pieces).toBe(2);
      expect(cost.bytes).toBeLessThan(2 * CHUNK);
    },
  );

  it.each([
    ["escapes that are no Base64", "\\n"],
    ["escapes of other letters", "\\u00e9"],
    ["characters that are no Base64", "%"],
    ["letters beyond ASCII between Base64", "é/"],
    ["quotes", '\\"'],
  ])("[C-9.14] of a document full of %s nothing is kept", async (_name, part) => {
    const { outcome, cost, of } = await readFilled('{"data":"QUJD', part, '"}');
    expect(outcome).toMatchObject(notBase64);
    expect(cost.pieces).toBe(of);
    expect(cost.buffers).toBeLessThan(10);
    expect(cost.bytes).toBeLessThan(4 * CHUNK);
  });

  it.each([
    ["as it is", "QUJD", MAX],
    ["with every slash escaped", "\\/\\/\\/\\/", 2 * MAX],
    ["with every character escaped", "\\u0051\\u0055\\u004a\\u0044", BODY],
  ])(
    "[C-9.14] a document %s costs less than three times its size, the smaller buffers included",
    async (_name, part, bytes) => {
      const { outcome, cost } = await readFilled('{"data":"', part, '"}', bytes);
      if (outcome instanceof CoreError || !outcome.received.data || "failure" in outcome.received.data) throw outcome;
      const size = outcome.received.data.bytes.length;
      expect(size).toBeGreaterThan(3 * MEBIBYTE);
      expect(cost.bytes).toBeLessThan(3 * size);
      expect(cost.buffers).toBeLessThan(20);
    },
  );

  it("[C-9.14] room is made for what arrives, whatever length was declared", async () => {
    const { outcome, cost } = await readFilled('{"data":"QUJD","annex":"QUJD"', " ", "}");
    expect(outcome).toMatchObject({ received: { data: { bytes: Buffer.from("ABC") } } });
    expect(cost.bytes).toBeLessThan(3 * CHUNK);
  });

  it.each([
    ["a document in another field", '{"connector_id":"', "QUJD", '"}'],
    ["data in an object", '{"labels":{"data":"', "QUJD", '"}}'],
    ["data in a list", '{"data":["', "QUJD", '"]}'],
    ["a key without end", '{"', "d", '":0}'],
    ["a key of escapes", '{"', "\\u0064", '":0}'],
    ["a number without end", '{"data":1', "0", "}"],
    ["lists in each other", '{"data":', "[", "}"],
    ["objects in each other", '{"data":', '{"data":', "}"],
    ["other keys", '{"data":"QUJD"', ',"a":0', "}"],
    ["another key again and again", '{"data":"QUJD"', ',"Data":""', "}"],
    ["white space between commas", '{"data":"QUJD"', ", \n", "}"],
    ["bytes of nothing", "", "\0", "}"],
    ["closing braces", "{", "}", "}"],
  ])("[C-9.14] a body full of %s is 413 as soon as it is too much, and no more is read", async (_name, ...parts) => {
    const { outcome, cost } = await readFilled(...(parts as [string, string, string]));
    expect(outcome).toMatchObject({
      code: "TOO_LARGE",
      details: [
        { field: "body", error_type: "InvalidValue", rule: expect.stringContaining(`${restLimit.bytes} bytes`) },
      ],
    });
    expect(cost.pieces).toBeLessThan(2 * (restLimit.bytes / CHUNK) + 4);
    expect(cost.bytes).toBeLessThan(3 * restLimit.bytes);
  });

  it.each([
    ["a line end", '{"data":"', "QU\n"],
    ["an escape that there is none of", '{"data":"', "QU\\x"],
    ["an escape cut short", '{"data":"', "QU\\u00"],
  ])(
    "[C-7.22] a document that is no JSON because of %s is refused there, and no more is read",
    async (_name, begin, part) => {
      const { outcome, cost } = await readFilled(begin, part, '"}');
      expect(outcome).toMatchObject(refusal("VALIDATION_ERROR", "body"));
      expect(cost.pieces).toBe(2);
    },
  );
});
