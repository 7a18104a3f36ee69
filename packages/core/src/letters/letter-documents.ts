import { CoreError, type Fault, invalidAll, invalidValue } from "../errors.js";
import type { Vault } from "../ports/vault.js";
import type { Uuid } from "../schemas/identifier.js";
import type { DocumentKind } from "../schemas/letter.js";
import { hashOfDocument, type PlainDocument } from "./document-safe.js";
import type { LetterDetails } from "./letter-details.js";
import type { LetterDocument, LetterDocumentStore, SignatureEvidence } from "./letter-store.js";

/**
 * Inspects a PDF. Returns what it shows about a signature if it parses, has a page and is not encrypted; otherwise the rule it
 * breaks. Injected, so that core has no PDF parser. It may transfer the memory of `bytes` to another thread: afterwards only the
 * bytes that it returns are usable. `whose` is the key for fair queueing: a tenant, or the operator.
 * @throws CoreError UNAVAILABLE when it cannot inspect now, RATE_LIMITED when too many documents of `whose` are queued
 */
export type PdfInspector = (
  bytes: Uint8Array,
  whose: string,
) => Promise<{ readonly bytes: Uint8Array; readonly signature: SignatureEvidence } | { readonly rule: string }>;

/**
 * Scans for malicious content and returns the name of what it found, or null. `traceId` is the request's, for the log.
 * @throws CoreError UNAVAILABLE when it cannot scan now
 */
export type DocumentScanner = (bytes: Uint8Array, traceId: string | null) => Promise<string | null>;

/** A document that an adapter decoded from Base64 while receiving it, or why that failed. */
export type ReceivedDocument = { readonly bytes: Uint8Array } | { readonly failure: "not_base64" | "too_large" };

/** How documents are checked. */
export interface DocumentChecks {
  readonly maxBytes: number;
  readonly inspect: PdfInspector;
  readonly scan: DocumentScanner | null;
}

/** A document that passed its checks. */
export interface SoundDocument {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly signature: SignatureEvidence;
}

/** The result of checking a document, or why it is refused. */
type ReadDocument = SoundDocument | { readonly fault: Fault; readonly tooLarge: boolean };

/** Decodes strict Base64 (RFC 4648 §4) of at most `maxBytes` decoded bytes. */
export function decodeDocument(base64: string, maxBytes: number): ReceivedDocument {
  if (Math.floor((base64.length / 4) * 3) > maxBytes + 2) return { failure: "too_large" };
  const bytes = decodeStrict(base64);
  if (bytes === null) return { failure: "not_base64" };
  return bytes.length > maxBytes ? { failure: "too_large" } : { bytes };
}

/**
 * Checks a PDF (contract §7). `field` is `data` or `annex`.
 * @throws CoreError UNAVAILABLE when it cannot be inspected or scanned now
 */
async function checkDocument(
  field: string,
  received: ReceivedDocument,
  { maxBytes, inspect, scan }: DocumentChecks,
  { whose, traceId }: Sender,
): Promise<ReadDocument> {
  const refuse = (rule: string, tooLarge = false) => ({ fault: invalidValue(field, rule), tooLarge });
  if ("failure" in received)
    return received.failure === "too_large"
      ? refuse(`the decoded document must have at most ${maxBytes} bytes`, true)
      : refuse("must be Base64 (RFC 4648 §4, padded, without line breaks)");
  const rule = frameFault(received.bytes);
  if (rule !== null) return refuse(rule);
  const found = await inspect(received.bytes, whose);
  if ("rule" in found) return refuse(found.rule);
  const malware = scan === null ? null : await scan(found.bytes, traceId);
  if (malware === null) return { ...found, sha256: await hashOfDocument(found.bytes) };
  return refuse(`must not hold malicious content: ${malware} was found`);
}

/** Who sent the documents, and with which request. */
interface Sender {
  /** A tenant, or the operator who sends them for one. */
  readonly whose: string;
  readonly traceId: string | null;
}

/** Documents of a submission by their field. */
export type ReceivedDocuments = { readonly [field in "data" | "annex"]?: ReceivedDocument };

/** The result of checking a submission's documents: the sound ones, and every fault of the others. */
export interface CheckedDocuments {
  readonly data?: SoundDocument;
  readonly annex?: SoundDocument;
  readonly faults: readonly Fault[];
  readonly tooLarge: boolean;
  /** The error because of which a document could not be checked now, or null. */
  readonly unavailable: unknown;
}

/**
 * Checks the documents of a submission.
 * @param texts Base64 text by field
 * @param received documents that an adapter has already decoded; they take precedence over the text
 * @param sender who sent them, and with which request
 */
export async function checkDocuments(
  texts: { readonly [field in "data" | "annex"]?: string | undefined },
  received: ReceivedDocuments,
  checks: DocumentChecks,
  sender: Sender,
): Promise<CheckedDocuments> {
  const sound: { data?: SoundDocument; annex?: SoundDocument } = {};
  const faults: Fault[] = [];
  let tooLarge = false;
  let unavailable: unknown = null;
  for (const field of ["data", "annex"] as const) {
    const text = texts[field];
    if (text === undefined) continue;
    try {
      const given = received[field] ?? decodeDocument(text, checks.maxBytes);
      const document = await checkDocument(field, given, checks, sender);
      if ("bytes" in document) sound[field] = document;
      else {
        faults.push(document.fault);
        tooLarge ||= document.tooLarge;
      }
    } catch (error) {
      unavailable ??= error;
    }
  }
  return { ...sound, faults, tooLarge, unavailable };
}

/**
 * Refuses a submission with all of its faults.
 * @throws CoreError VALIDATION_ERROR, TOO_LARGE; if there is no fault, the error because of which a document could not be checked
 */
export function refuseFaults(faults: readonly Fault[], checked: CheckedDocuments, maxBytes: number): void {
  const all = [...faults, ...checked.faults];
  if (checked.tooLarge) throw new CoreError("TOO_LARGE", `documents have at most ${maxBytes} bytes`, { details: all });
  // Report faults before unavailability: a retry would fail with the same faults.
  if (all.length > 0) throw invalidAll(all);
  if (checked.unavailable !== null) throw checked.unavailable;
}

/** Returns the sound documents of a submission with the kind under which each is stored. */
export function signedDocuments({ data, annex }: Pick<CheckedDocuments, "data" | "annex">): PlainDocument[] {
  return [
    ...(data ? [{ kind: "letter", ...data } as const] : []),
    ...(annex ? [{ kind: "annex", ...annex } as const] : []),
  ];
}

function decodeStrict(base64: string): Uint8Array | null {
  if (base64 === "" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, "base64");
  // The last quantum may contain unused bits. Strict Base64 requires them to be zero, so it must encode back to itself.
  const tail = bytes.subarray(bytes.length - (bytes.length % 3 || 3));
  return tail.toString("base64") === base64.slice(-4) ? bytes : null;
}

function frameFault(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, 1024).includes("%PDF-")) return "must be a PDF: no %PDF- within the first 1024 bytes";
  if (!buffer.subarray(-2048).includes("%%EOF")) return "must be a whole PDF: no %%EOF near the end";
  return null;
}

/** The values that a generated letter contains. */
export interface LetterText {
  readonly letter_id: string;
  readonly connector_id: string;
  /** Name of the custodian. */
  readonly bank: string;
  /** Who is authorized to receive the data: the tenant, with its legal name and postal address if known. */
  readonly authorized: { readonly name: string; readonly address: readonly string[] };
  readonly details: LetterDetails;
  /** The date of the letter. */
  readonly date: Date;
}

/**
 * Typesets the letter as a PDF. Injected, so that core has no typesetter.
 * @throws CoreError VALIDATION_ERROR when a text has characters that cannot be printed
 */
export type LetterTemplate = (text: LetterText) => Promise<Uint8Array>;

/** Opens the details of a letter. */
export async function openDetails(vault: Vault, letterId: string, sealed: string): Promise<LetterDetails> {
  return JSON.parse(await vault.open(sealed, detailsContext(letterId)));
}

/** Seals the details of a letter. */
export function sealDetails(vault: Vault, letterId: string, details: LetterDetails): Promise<string> {
  return vault.seal(JSON.stringify(details), detailsContext(letterId));
}

const detailsContext = (letterId: string) => ({ purpose: "letter-details", row: letterId });

/** Whether a letter has these documents already: a client that got no answer sends them again. */
export async function hasDocuments(
  letterDocuments: LetterDocumentStore,
  letterId: Uuid,
  sent: readonly LetterDocument[],
): Promise<boolean> {
  const kept = await letterDocuments.documents(letterId);
  return sent.every(({ kind, sha256 }) =>
    kept.some((document) => document.kind === kind && document.sha256 === sha256),
  );
}

/** A decrypted document of a letter. */
export interface OpenedDocument {
  readonly letter_id: string;
  readonly kind: DocumentKind;
  readonly sha256: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** Returns the details of a generated letter. @throws CoreError NOT_FOUND with message `LetterNotFound` */
export async function detailsIn(
  { letterDocuments }: { readonly letterDocuments: LetterDocumentStore },
  vault: Vault,
  letterId: Uuid,
): Promise<LetterDetails> {
  const sealed = await letterDocuments.details(letterId);
  if (sealed === null) throw new CoreError("NOT_FOUND", "LetterNotFound");
  return openDetails(vault, letterId, sealed);
}
