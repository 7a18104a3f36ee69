import { createHash } from "node:crypto";
import { type Fault, invalidValue } from "../errors.js";
import type { LetterDocument } from "../ports/letter-store.js";
import type { Vault } from "../ports/vault.js";

/** Looks into a PDF: null when it parses, has a page and is not encrypted, else the rule it breaks. Injected, so that core has no PDF parser. */
export type PdfInspector = (bytes: Uint8Array) => Promise<string | null>;

/** A document as read from a request, or why it cannot be taken. */
export type ReadDocument = { readonly bytes: Uint8Array } | { readonly fault: Fault; readonly tooLarge: boolean };

/** Reads a strict Base64 PDF of at most `maxBytes` decoded bytes (contract §7). `field` is `data` or `annex`. */
export async function readDocument(
  field: string,
  base64: string,
  maxBytes: number,
  inspect: PdfInspector,
): Promise<ReadDocument> {
  if (Math.floor((base64.length / 4) * 3) > maxBytes + 2)
    return { fault: invalidValue(field, `the decoded document must have at most ${maxBytes} bytes`), tooLarge: true };
  const bytes = decodeStrict(base64);
  if (bytes === null)
    return { fault: invalidValue(field, "must be Base64 (RFC 4648 §4, padded, without line breaks)"), tooLarge: false };
  if (bytes.length > maxBytes)
    return { fault: invalidValue(field, `the decoded document must have at most ${maxBytes} bytes`), tooLarge: true };
  const rule = frameFault(bytes) ?? (await inspect(bytes));
  return rule === null ? { bytes } : { fault: invalidValue(field, rule), tooLarge: false };
}

/** Encrypts a document for the letter that it belongs to. */
export async function sealDocument(
  vault: Vault,
  letterId: string,
  kind: LetterDocument["kind"],
  bytes: Uint8Array,
): Promise<LetterDocument> {
  const { key, ciphertext } = await vault.sealBytes(bytes, documentContext(letterId, kind));
  return {
    kind,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.length,
    sealed_key: key,
    ciphertext,
  };
}

/** Decrypts a document of a letter. */
export function openDocument(vault: Vault, letterId: string, document: LetterDocument): Promise<Uint8Array> {
  const { kind, sealed_key, ciphertext } = document;
  return vault.openBytes({ key: sealed_key, ciphertext }, documentContext(letterId, kind));
}

/** Context under which a letter's document is sealed. */
const documentContext = (letterId: string, kind: LetterDocument["kind"]) => ({
  purpose: `letter-${kind}`,
  row: letterId,
});

function decodeStrict(base64: string): Uint8Array | null {
  if (base64 === "" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, "base64");
  // The last quantum may hold bits that decode to nothing; strict Base64 has them zero, so it must encode to itself.
  const tail = bytes.subarray(bytes.length - (bytes.length % 3 || 3));
  return tail.toString("base64") === base64.slice(-4) ? bytes : null;
}

function frameFault(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, 1024).includes("%PDF-")) return "must be a PDF: no %PDF- within the first 1024 bytes";
  if (!buffer.subarray(-2048).includes("%%EOF")) return "must be a whole PDF: no %%EOF near the end";
  return null;
}
