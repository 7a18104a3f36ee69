import type { LetterStatus } from "@org/letter-lifecycle";
import type { Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";
import type { ContactInfo, DocumentKind } from "../schemas/letter.js";

/** An authorization letter. */
export interface LetterRecord {
  readonly letter_id: Uuid;
  readonly connector_id: string;
  readonly status: LetterStatus;
  /** Where a blocked letter resumes. */
  readonly previous_status: LetterStatus | null;
  readonly ever_connected: boolean;
  readonly labels: Labels;
  readonly contact_info: ContactInfo;
  readonly connection_id: Uuid | null;
  readonly observations: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Since when it has been in its status. */
  readonly status_since: Date;
  /** Counts its changes; a change is made on the version that was read. */
  readonly version: number;
}

/**
 * What a PDF shows of a signature, which is never a statement that it is valid: nobody's certificate is checked. `none`: no
 * signature in it; `present`: one is; `intact`: moreover the file is as it was when it was signed last.
 */
export const signatureEvidences = ["none", "present", "intact"] as const;
export type SignatureEvidence = (typeof signatureEvidences)[number];

/** What is known of a stored document: the SHA-256 (hex) and size of its plain bytes, and what it shows of a signature. */
export interface DocumentFacts {
  readonly kind: DocumentKind;
  readonly sha256: string;
  readonly size: number;
  readonly signature: SignatureEvidence;
}

/** A stored document: encrypted bytes, or the key of the bucket's object that has them, with what opens them. */
export interface LetterDocument extends DocumentFacts {
  readonly sealed_key: string;
  /** Null where they are in the bucket. */
  readonly ciphertext: Uint8Array | null;
  /** Null where they are here. */
  readonly object_key: string | null;
}

/** One move of a letter, or a note on it. */
export interface LetterMove {
  readonly move_id: string;
  readonly letter_id: Uuid;
  readonly at: Date;
  readonly actor: string;
  readonly event: string;
  readonly from: LetterStatus | null;
  readonly to: LetterStatus;
  readonly note: string | null;
  /** The connection that the letter then had: of the move that ends it, the one that went with it. */
  readonly connection_id: Uuid | null;
}

/** Search criteria, all ANDed; lists are ORed inside, an empty list matches nothing, null matches all. Times: start inclusive, end exclusive. */
export interface LetterQuery {
  readonly connector_id_in: readonly string[] | null;
  readonly status_in: readonly string[] | null;
  readonly id_in: readonly Uuid[] | null;
  /** Every pair must be on the letter. */
  readonly labels: Labels;
  readonly created_from: Date | null;
  readonly created_before: Date | null;
  readonly updated_from: Date | null;
  readonly updated_before: Date | null;
  readonly page: number;
  readonly page_size: number;
}

/** Remembers the answer to an `Idempotency-Key` of an application for 24 hours. */
export interface IdempotencyRecord {
  readonly application_id: string;
  readonly key: string;
  /** SHA-256 hex of the request. */
  readonly request_hash: string;
  readonly letter_id: Uuid;
  readonly expires_at: Date;
}

/** Letters of one tenant: how they come in, and finding one of them. */
export interface LetterStore {
  /** Claims an idempotency key; when it is taken and not expired at `now`, answers the record that holds it. Waits for a claim in flight. */
  claimKey(
    record: IdempotencyRecord,
    now: Date,
  ): Promise<{ claimed: true } | { claimed: false; holder: IdempotencyRecord }>;
  /** Keeps a new letter with its documents and its first move. Rejects a document whose object nobody expects any more. */
  create(letter: LetterRecord, documents: readonly LetterDocument[], move: LetterMove): Promise<void>;
  /**
   * Letters of the tenant and the bytes of their documents, with those of this transaction. Until its end nobody else who asks adds
   * any, so that a limit is never passed by two at once.
   */
  used(): Promise<{ readonly letters: number; readonly document_bytes: number }>;
  find(letterId: Uuid): Promise<LetterRecord | null>;
  /** The letter that made this connection, if one did. */
  findByConnection(connectionId: Uuid): Promise<LetterRecord | null>;
}

/**
 * Searches among one tenant's letters, outside any transaction: each has its own consistent view of what has been committed. Whoever changes
 * letters finds them by their ids, so that no transaction has to search among what it has itself written.
 */
export interface LetterFinder {
  /** Newest first (`created_at`, then `letter_id`, both descending), with the exact total. */
  search(tenantId: string, query: LetterQuery): Promise<{ items: readonly LetterRecord[]; total: number }>;
}

/** The moves of one tenant's letters. */
export interface LetterMoveStore {
  /** {@link LetterStore.find}, and nobody else moves the letter until the end of the transaction. */
  lock(letterId: Uuid): Promise<LetterRecord | null>;
  /**
   * Saves a letter that was moved, or noted something on, and adds that to its history, if it is still in the version that was read;
   * false, changing nothing, if not. The stored letter is one version on then.
   */
  record(letter: LetterRecord, move: LetterMove): Promise<boolean>;
  /** Oldest first. */
  history(letterId: Uuid): Promise<readonly LetterMove[]>;
}

/** Which document of a tenant's. */
export interface DocumentPlace {
  readonly letter_id: Uuid;
  readonly kind: DocumentKind;
}

/** What is kept sealed of one tenant's letters: their documents, and who a generated one is for. */
export interface LetterDocumentStore {
  document(letterId: Uuid, kind: DocumentKind): Promise<LetterDocument | null>;
  /** What is known of a letter's documents, the letter itself first. */
  documents(letterId: Uuid): Promise<readonly DocumentFacts[]>;
  /** Notes an object that is about to be written: unless a document with its key is kept by then, it goes at `until`. */
  expectObject(objectKey: string, until: Date): Promise<void>;
  /** Lets an object that is still expected go at `at`; does nothing about one that a document has, or may yet have. */
  dropExpected(objectKey: string, at: Date): Promise<void>;
  /** Adds a document, in the place of one of its kind, whose object is to go. */
  attach(letterId: Uuid, document: LetterDocument): Promise<void>;
  /** How many documents have their bytes here and not in the bucket, and how many bytes these are. */
  countHere(): Promise<{ readonly documents: number; readonly bytes: number }>;
  /** The next `limit` of them after `after` (null = the first ones), by letter and kind. */
  listHere(after: DocumentPlace | null, limit: number): Promise<readonly DocumentPlace[]>;
  /**
   * Puts an object in the place of a document's encrypted bytes, if these still are what `ciphertextSha256` (hex) says; false, changing
   * nothing, if not. Rejects an object that nobody expects any more.
   */
  moveToBucket(place: DocumentPlace, ciphertextSha256: string, objectKey: string): Promise<boolean>;
  /** Who a generated letter is for, sealed; null when there is nothing, or no more. */
  details(letterId: Uuid): Promise<string | null>;
  /** The same of many letters; without those that have nothing. */
  detailsOf(letterIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>>;
  storeDetails(letterId: Uuid, sealed: string): Promise<void>;
  /** Deletes the letter's documents and details, and which files came for it; the documents' objects are to go. */
  erase(letterId: Uuid): Promise<void>;
}
