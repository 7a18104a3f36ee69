import { createHash } from "node:crypto";
import type { Steps } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import { CoreError } from "../errors.js";
import { createEventLoopYielder, runInSteps } from "../event-loop-yielder.js";
import { systemActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import type { Uuid } from "../schemas/identifier.js";
import type { DocumentKind } from "../schemas/letter.js";
import type { DocumentPlace, LetterDocument, SignatureEvidence } from "./letter-store.js";
import type { LetterStorage } from "./storage.js";

/**
 * Stores letters' documents encrypted: in the bucket if there is one, otherwise in the database. Facts and sealed keys are always
 * in the database.
 */
export interface DocumentSafe {
  /**
   * Encrypts documents of a letter. Not to be called inside a transaction, which may run twice: the given bytes may be overwritten.
   * An object in the bucket is deleted after a day unless a row names it by then.
   * @throws CoreError UNAVAILABLE when the bucket does not accept objects now
   */
  seal(
    letter: { readonly tenant_id: string; readonly letter_id: Uuid },
    documents: readonly PlainDocument[],
  ): Promise<LetterDocument[]>;
  /** Releases documents that may not have been stored; the next clean-up deletes objects that no row names. */
  release(tenantId: string, documents: readonly LetterDocument[]): Promise<void>;
  /** @throws CoreError UNAVAILABLE when the bucket cannot be read now */
  open(letterId: string, document: LetterDocument): Promise<Uint8Array>;
  /**
   * Moves a document from the database to the bucket. The object is read back and compared before the row is changed. `gone`: it
   * was moved, replaced or deleted meanwhile; `unreadable`: it cannot be decrypted, or its hash differs, so it stays in the
   * database.
   * @throws CoreError UNAVAILABLE when the bucket is unavailable; the document stays where it was
   */
  moveToBucket(tenantId: string, place: DocumentPlace): Promise<"moved" | "gone" | "unreadable">;
}

/** A document as it was sent or typeset. */
export interface PlainDocument {
  readonly kind: DocumentKind;
  readonly bytes: Uint8Array;
  /** Of the bytes, where it is known. */
  readonly sha256?: string;
  readonly signature: SignatureEvidence;
}

const NO_BUCKET = "the document is in a bucket, and this process has none (DOCUMENTS_URL)";

/** How long an object may exist before a row names it. */
const WAIT_MS = 24 * 60 * 60 * 1000;

export function createDocumentSafe({
  storage,
  runtime,
}: {
  readonly storage: LetterStorage;
  readonly runtime: Runtime;
}): DocumentSafe {
  const { vault, bucket } = runtime;
  return {
    async seal({ tenant_id, letter_id }, documents) {
      const sealed: LetterDocument[] = [];
      for (const { kind, bytes, sha256, signature } of documents) {
        const facts = { kind, sha256: sha256 ?? (await hashOfDocument(bytes)), size: bytes.length, signature };
        const { key: sealed_key, ciphertext } = await vault.sealBytes(bytes, contextOf(letter_id, kind), {
          mayOverwrite: true,
        });
        const object_key = bucket ? await put(tenant_id, letter_id, ciphertext) : null;
        sealed.push({ ...facts, sealed_key, ciphertext: object_key === null ? ciphertext : null, object_key });
      }
      return sealed;
    },

    release: (tenantId, documents) =>
      release(
        tenantId,
        documents.flatMap(({ object_key }) => object_key ?? []),
      ),

    async open(letterId, { kind, size, sealed_key: key, ciphertext, object_key }) {
      const found = ciphertext ?? (await fetched(object_key as string, size));
      return vault.openBytes({ key, ciphertext: found }, contextOf(letterId, kind));
    },

    async moveToBucket(tenantId, place) {
      const { letter_id, kind } = place;
      const document = await storage.inTenant(tenantId, ({ letterDocuments }) =>
        letterDocuments.document(letter_id, kind),
      );
      if (!document?.ciphertext) return "gone";
      const { ciphertext, sealed_key: key } = document;
      const plain = await vault.openBytes({ key, ciphertext }, contextOf(letter_id, kind)).catch(() => null);
      if (plain === null || (await hashOfDocument(plain)) !== document.sha256) return "unreadable";
      const objectKey = await put(tenantId, letter_id, ciphertext);
      const digest = await hashOfDocument(ciphertext);
      if ((await hashOfDocument(await fetched(objectKey, document.size))) !== digest)
        throw new Error(`the bucket has other bytes in ${objectKey} than were written`);
      const isMoved = await storage.inTenant(tenantId, ({ letterDocuments }) =>
        letterDocuments.moveToBucket(place, digest, objectKey),
      );
      if (!isMoved) await release(tenantId, [objectKey]);
      return isMoved ? "moved" : "gone";
    },
  };

  /** Writes an object that no row names yet, and returns its key. */
  async function put(tenant_id: string, letter_id: Uuid, ciphertext: Uint8Array): Promise<string> {
    if (!bucket) throw new Error(NO_BUCKET);
    const object_key = `${tenant_id}/${letter_id}/${runtime.newId()}`;
    const until = new Date(runtime.clock().getTime() + WAIT_MS);
    await storage.inTenant(tenant_id, ({ letterDocuments }) => letterDocuments.expectObject(object_key, until));
    await bucket.put(object_key, ciphertext).catch(away("documents cannot be kept now; nothing was kept"));
    return object_key;
  }

  async function release(tenantId: string, objectKeys: readonly string[]): Promise<void> {
    if (objectKeys.length === 0) return;
    await storage.inTenant(tenantId, async ({ letterDocuments }) => {
      for (const key of objectKeys) await letterDocuments.dropExpected(key, runtime.clock());
    });
  }

  async function fetched(objectKey: string, size: number): Promise<Uint8Array> {
    if (!bucket) throw new Error(NO_BUCKET);
    const found = await bucket.get(objectKey, size).catch(away("documents cannot be read now"));
    if (found === null) throw new Error(`the bucket has no object ${objectKey} of ${size} bytes`);
    return found;
  }
}

function away(message: string) {
  return (cause: unknown): never => {
    throw new CoreError("UNAVAILABLE", message, { retryAfterSeconds: RETRY_SECONDS, cause });
  };
}

/** When to retry after the bucket was unavailable. */
const RETRY_SECONDS = 60;

/** SHA-256 of a document in hex, made in steps: of 100 MB it takes a tenth of a second. */
export function hashOfDocument(bytes: Uint8Array): Promise<string> {
  return runInSteps(hashing(bytes), createEventLoopYielder());
}

/** A generator of steps. Each hashes a megabyte. */
export function* hashing(bytes: Uint8Array): Steps<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    yield;
    hash.update(bytes.subarray(at, at + STEP_BYTES));
  }
  return hash.digest("hex");
}

const STEP_BYTES = 1024 * 1024;

/** The context in which a letter's document is sealed. */
const contextOf = (letterId: string, kind: DocumentKind) => ({ purpose: `letter-${kind}`, row: letterId });

/** Orphaned objects read per batch. */
const OBJECT_BATCH = 500;

/** Removes from the bucket the objects that no document's row names any more. Returns how many. */
export async function removeOrphanedObjects(
  {
    storage: { upkeep },
    runtime: { bucket, clock },
  }: { readonly storage: Pick<LetterStorage, "upkeep">; readonly runtime: Runtime },
  stopping: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (bucket && !stopping.aborted) {
    const loose = await upkeep.orphanedObjects(clock(), OBJECT_BATCH);
    if (loose.length === 0) break;
    await bucket.remove(loose.map(({ object_key }) => object_key));
    await upkeep.forgetObjects(loose);
    removed += loose.length;
  }
  return removed;
}

/** Documents whose bytes are in the database. */
export interface DatabaseDocuments {
  readonly documents: number;
  readonly bytes: number;
}

/** The result of moving documents to the bucket. */
export interface DocumentsMoved {
  readonly moved: number;
  /** Documents that stay in the database, because they cannot be decrypted or their hash differs. */
  readonly unreadable: readonly (DocumentPlace & { readonly tenant_id: string })[];
}

/** Documents listed per batch, and documents moved concurrently. */
const PLACE_BATCH = 100;
const MOVE_CONCURRENCY = 4;

/** Counts the documents of all tenants whose bytes are in the database. */
export async function countDatabaseDocuments({
  storage,
}: {
  readonly storage: LetterStorage;
}): Promise<DatabaseDocuments> {
  const all = { documents: 0, bytes: 0 };
  for (const { tenant_id } of await storage.tenants.list()) {
    const here = await storage.inTenant(tenant_id, ({ letterDocuments }) => letterDocuments.countHere());
    all.documents += here.documents;
    all.bytes += here.bytes;
  }
  return all;
}

/**
 * Moves letters' documents from the database to the bucket, tenant by tenant, while servers are running. It can be interrupted at
 * any time: each document is in one place or the other, and the next run does the rest. How many were moved is in each tenant's
 * audit trail.
 * @param onMoved called after each document with the number moved so far
 * @throws CoreError UNAVAILABLE when the bucket is unavailable
 */
export async function moveDocuments(
  deps: { readonly storage: LetterStorage; readonly runtime: Runtime },
  onMoved: (moved: number) => void = () => undefined,
): Promise<DocumentsMoved> {
  const { storage, runtime } = deps;
  const safe = createDocumentSafe(deps);
  const unreadable: (DocumentPlace & { tenant_id: string })[] = [];
  let moved = 0;

  async function moveOf(tenant_id: string): Promise<void> {
    const before = moved;
    const moveSome = async (places: Iterable<DocumentPlace>) => {
      for (const place of places) {
        const done = await safe.moveToBucket(tenant_id, place);
        if (done === "unreadable") unreadable.push({ tenant_id, ...place });
        if (done !== "moved") continue;
        moved += 1;
        onMoved(moved);
      }
    };
    try {
      let last: DocumentPlace | null = null;
      do {
        const page: readonly DocumentPlace[] = await pageAfter(tenant_id, last);
        const left = page.values();
        const tried = await Promise.allSettled(Array.from({ length: MOVE_CONCURRENCY }, () => moveSome(left)));
        for (const one of tried) if (one.status === "rejected") throw one.reason;
        last = page.at(-1) ?? null;
      } while (last !== null);
    } finally {
      if (moved > before) {
        const entry = auditEntry(runtime, systemActor, "document.move", "tenant", tenant_id, { moved: moved - before });
        await storage.auditTrail.append([{ tenant_id, ...entry }]);
      }
    }
  }

  const pageAfter = (tenant_id: string, last: DocumentPlace | null) =>
    storage.inTenant(tenant_id, ({ letterDocuments }) => letterDocuments.listHere(last, PLACE_BATCH));

  for (const { tenant_id } of await storage.tenants.list()) await moveOf(tenant_id);
  return { moved, unreadable };
}
