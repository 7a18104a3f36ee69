import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFString,
} from "@cantoo/pdf-lib";
import type { SignatureEvidence } from "@org/core";
import { namesDigest } from "./cms-digest.js";

/** A signature dictionary (ISO 32000-2 §12.8.1). `range`: offset and length of the bytes before the gap and of those after it. */
interface Signature {
  readonly subFilter: string;
  readonly isTimestamp: boolean;
  readonly range: readonly [number, number, number, number];
  /** CMS in DER, padded with zeros. */
  readonly contents: Uint8Array;
}

/** Real documents have a handful. Each one costs a digest of the file. */
const MAX_SIGNATURES = 50;

/**
 * Finds evidence of a signature. It does not validate signatures: neither certificates nor the signature value are checked.
 * - `none`: there is no signature dictionary (a time stamp alone does not count)
 * - `present`: there is one with a /ByteRange
 * - `intact`: in addition, one covers the whole file except its own gap, and the digest in each matches the bytes that it
 *   covers. A file that was changed or extended after the last signature is not intact.
 */
export async function signatureEvidence(context: PDFContext, bytes: Uint8Array): Promise<SignatureEvidence> {
  const signatures = findSignatures(context);
  if (!signatures.some(({ isTimestamp }) => !isTimestamp)) return "none";
  if (signatures.length > MAX_SIGNATURES) return "present";
  if (!signatures.some(({ range }) => range[2] + range[3] === bytes.length)) return "present";
  for (const signature of signatures) if (!(await isIntact(signature, bytes))) return "present";
  return "intact";
}

function findSignatures(context: PDFContext): Signature[] {
  const found = new Set<PDFDict>();
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    // The value of a form field is usually an indirect object, but may be inside the field.
    const value = object.get(PDFName.of("V"));
    for (const candidate of [object, value]) if (candidate instanceof PDFDict) found.add(candidate);
  }
  return [...found].flatMap((dictionary) => readSignature(dictionary) ?? []);
}

function readSignature(dictionary: PDFDict): Signature | null {
  const entry = (name: string): PDFObject | undefined => dictionary.lookup(PDFName.of(name));
  const type = entry("Type") ?? PDFName.of("Sig");
  const isTimestamp = type === PDFName.of("DocTimeStamp");
  if (type !== PDFName.of("Sig") && !isTimestamp) return null;
  const byteRange = entry("ByteRange");
  const contents = entry("Contents");
  if (!(byteRange instanceof PDFArray)) return null;
  if (!(contents instanceof PDFHexString || contents instanceof PDFString)) return null;
  const range = byteRange.asArray().map((item) => (item instanceof PDFNumber ? item.asNumber() : Number.NaN));
  const subFilter = entry("SubFilter");
  return {
    subFilter: subFilter instanceof PDFName ? subFilter.decodeText() : "",
    isTimestamp,
    // A range with several gaps is still a signature, but does not cover the whole file.
    range: range.length === 4 ? (range as [number, number, number, number]) : [0, 0, 0, 0],
    contents: contents.asBytes(),
  };
}

/** Whether the gap is exactly the signature's own value, and the digest in it matches all other covered bytes. */
async function isIntact({ subFilter, range, contents }: Signature, bytes: Uint8Array): Promise<boolean> {
  const [start, before, afterStart, after] = range;
  if (!range.every((number) => Number.isSafeInteger(number) && number >= 0)) return false;
  if (start !== 0 || before === 0 || after === 0 || afterStart <= before || afterStart + after > bytes.length)
    return false;
  const hole = Buffer.from(bytes.buffer, bytes.byteOffset + before, afterStart - before).toString("latin1");
  // A gap anywhere else would leave out bytes that nobody signed.
  if (!/^<[0-9A-Fa-f\s]*>$/.test(hole)) return false;
  if (!Buffer.from(hole.slice(1, -1).replace(/\s/g, ""), "hex").equals(contents)) return false;
  const covered = [bytes.subarray(0, before), bytes.subarray(afterStart, afterStart + after)];
  return namesDigest(contents, subFilter, covered);
}
