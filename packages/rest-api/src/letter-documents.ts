import { documentKinds, type Steps, signatureEvidences } from "@org/core";
import { z } from "zod";
import { JsonText } from "./endpoint.js";

/** Facts about a document. `signature` is evidence found in the PDF, not a check of who signed. */
export const letterDocumentSchema = z.object({
  kind: z.enum(documentKinds),
  size: z.int().describe("Bytes of the PDF."),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z
    .enum(signatureEvidences)
    .describe(
      "none: no signature in the PDF; present: there is one; intact: moreover the PDF is as it was when it was last signed. Certificates are not checked.",
    ),
});

/** Bytes of one step; a multiple of three, so that the Base64 of the steps is that of the whole. */
const STEP_BYTES = 3 * 256 * 1024;

/** A generator of steps. An answer of megabytes is written as bytes at once: as a text it would be measured, copied and encoded several times. */
export function* documentAnswer(facts: object, bytes: Uint8Array): Steps<JsonText> {
  const begin = JSON.stringify({ ...facts, data: "" }).slice(0, -2);
  const answer = Buffer.allocUnsafeSlow(begin.length + Math.ceil(bytes.length / 3) * 4 + 2);
  let end = answer.write(begin, "latin1");
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    yield;
    end += answer.write(document.toString("base64", at, at + STEP_BYTES), end, "latin1");
  }
  answer.write('"}', end, "latin1");
  return new JsonText(answer);
}
