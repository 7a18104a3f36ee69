import type { LetterStatus } from "@org/letter-lifecycle";
import type { Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";
import type { ContactInfo, DocumentKind } from "../schemas/letter.js";

/** So many of a letter's moves and changes are read at once, the last ones. */
export const MAX_HISTORY = 500;

/** An authorization letter. */
export interface LetterRecord {
  readonly letter_id: Uuid;
  readonly connector_id: string;
  readonly status: LetterStatus;
  /** The status to which a blocked letter returns. */
  readonly previous_status: LetterStatus | null;
  readonly ever_connected: boolean;
  readonly labels: Labels;
  readonly contact_info: ContactInfo;
  readonly connection_id: Uuid | null;
  readonly observations: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** When it entered its status. */
  readonly status_since: Date;
  /** Increases with every change; a change names the version that it is based on. */
  readonly version: number;
  /** Whose it is, by the tenant's reference. */
  readonly client_ref: string | null;
}

/**
 * What a PDF shows about a signature. It never means that the signature is valid, because no certificate is checked. `none`: there
 * is no signature; `present`: there is one; `intact`: there is one, and the file has not changed since it was last signed.
 */
export const signatureEvidences = ["none", "present", "intact"] as const;
export type SignatureEvidence = (typeof signatureEvidences)[number];

/** Facts about a stored document: SHA-256 (hex) and size of its plain bytes, and what it shows about a signature. */
export interface DocumentFacts {
  readonly kind: DocumentKind;
  readonly sha256: string;
  readonly size: number;
  readonly signature: SignatureEvidence;
}

/** A stored document: the encrypted bytes, or the key of the bucket object that has them, and the sealed key that opens them. */
export interface LetterDocument extends DocumentFacts {
  readonly sealed_key: string;
  /** Null if the bytes are in the bucket. */
  readonly ciphertext: Uint8Array | null;
  /** Null if the bytes are in the database. */
  readonly object_key: string | null;
}

/** One entry of a letter's history: a move, or a change without a move. */
export interface LetterMove {
  readonly move_id: string;
  readonly letter_id: Uuid;
  readonly at: Date;
  readonly actor: string;
  readonly event: string;
  readonly from: LetterStatus | null;
  readonly to: LetterStatus;
  readonly note: string | null;
  /** The letter's connection at that time; for the move that ends the letter, the connection that was removed with it. */
  readonly connection_id: Uuid | null;
}

/**
 * Search criteria. All are ANDed; a list is ORed, an empty list matches nothing, null matches everything. Time ranges include the
 * start and exclude the end.
 */
export interface LetterQuery {
  readonly connector_id_in: readonly string[] | null;
  readonly status_in: readonly string[] | null;
  readonly id_in: readonly Uuid[] | null;
  /** The letter must have every pair. */
  readonly labels: Labels;
  readonly client_ref_in: readonly string[] | null;
  readonly created_from: Date | null;
  readonly created_before: Date | null;
  readonly updated_from: Date | null;
  readonly updated_before: Date | null;
  readonly page: number;
  readonly page_size: number;
}

/** Stores the answer to an `Idempotency-Key` of an application for 24 hours. */
export interface IdempotencyRecord {
  readonly application_id: string;
  readonly key: string;
  /** SHA-256 hex of the request. */
  readonly request_hash: string;
  readonly letter_id: Uuid;
  readonly expires_at: Date;
}

/** Creates and finds the letters of one tenant. */
export interface LetterStore {
  /** Claims an idempotency key. If it is taken and not expired at `now`, returns the record that holds it. Waits for a concurrent claim. */
  claimKey(
    record: IdempotencyRecord,
    now: Date,
  ): Promise<{ claimed: true } | { claimed: false; holder: IdempotencyRecord }>;
  /** Stores a new letter with its documents and its first move. Rejects a document whose object is no longer expected. */
  create(letter: LetterRecord, documents: readonly LetterDocument[], move: LetterMove): Promise<void>;
  /**
   * Counts the tenant's letters and the bytes of their documents, including those of this transaction. Until the transaction ends,
   * other callers wait here, so that two concurrent ones cannot exceed a limit together.
   */
  used(): Promise<{ readonly letters: number; readonly document_bytes: number }>;
  find(letterId: Uuid): Promise<LetterRecord | null>;
  /** Returns the letter that created this connection, if one did. */
  findByConnection(connectionId: Uuid): Promise<LetterRecord | null>;
}

/**
 * Searches one tenant's letters outside any transaction; each search has its own consistent view of what is committed. Services
 * that change letters find them by id, so no transaction has to search its own writes.
 */
export interface LetterFinder {
  /** Newest first (`created_at`, then `letter_id`, both descending), with the exact total. */
  search(tenantId: string, query: LetterQuery): Promise<{ items: readonly FoundLetterRecord[]; total: number }>;
}

/** A letter in a list. */
export interface FoundLetterRecord extends LetterRecord {
  readonly client_name: string | null;
}

/** The moves of one tenant's letters. */
export interface LetterMoveStore {
  /** Like {@link LetterStore.find}, and locks the letter against other moves until the transaction ends. */
  lock(letterId: Uuid): Promise<LetterRecord | null>;
  /**
   * Saves a letter that was moved or changed and adds the move to its history, if the letter still has the version that was read;
   * otherwise changes nothing and returns false. The stored version is then one higher.
   */
  record(letter: LetterRecord, move: LetterMove): Promise<boolean>;
  /** Oldest first, the last {@link MAX_HISTORY}: a tenant's programs can make any number. */
  history(letterId: Uuid): Promise<readonly LetterMove[]>;
}

/** Identifies a document of a tenant. */
export interface DocumentPlace {
  readonly letter_id: Uuid;
  readonly kind: DocumentKind;
}

/** The sealed data of one tenant's letters: their documents, and the details of generated letters. */
export interface LetterDocumentStore {
  document(letterId: Uuid, kind: DocumentKind): Promise<LetterDocument | null>;
  /** Returns the facts of a letter's documents, the letter itself first. */
  documents(letterId: Uuid): Promise<readonly DocumentFacts[]>;
  /** Records an object that is about to be written. It is deleted at `until` unless a document with its key is stored by then. */
  expectObject(objectKey: string, until: Date): Promise<void>;
  /** Has an expected object deleted at `at`. Does nothing if a document has the object, or may still get it. */
  dropExpected(objectKey: string, at: Date): Promise<void>;
  /** Adds a document and replaces the one of the same kind, whose object is then to be deleted. */
  attach(letterId: Uuid, document: LetterDocument): Promise<void>;
  /** Counts the documents whose bytes are in the database, and those bytes. */
  countHere(): Promise<{ readonly documents: number; readonly bytes: number }>;
  /** Lists the next `limit` of these documents after `after` (null = from the first), by letter and kind. */
  listHere(after: DocumentPlace | null, limit: number): Promise<readonly DocumentPlace[]>;
  /**
   * Replaces a document's encrypted bytes by an object, if their SHA-256 (hex) still is `ciphertextSha256`; otherwise changes
   * nothing and returns false. Rejects an object that is no longer expected.
   */
  moveToBucket(place: DocumentPlace, ciphertextSha256: string, objectKey: string): Promise<boolean>;
  /** Returns the sealed details of a generated letter; null if there are none, or no longer any. */
  details(letterId: Uuid): Promise<string | null>;
  /** The same for many letters; letters without details are not in the map. */
  detailsOf(letterIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>>;
  storeDetails(letterId: Uuid, sealed: string): Promise<void>;
  /** Deletes the letter's documents and details, and the record of the files that came for it. Its objects are deleted later. */
  erase(letterId: Uuid): Promise<void>;
}
