import { createHash } from "node:crypto";
import { CoreError } from "../errors.js";
import type { LetterDocument, SignatureEvidence } from "../ports/letter-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import type { Uuid } from "../schemas/identifier.js";
import type { DocumentKind } from "../schemas/letter.js";

/**
 * Letters' documents, encrypted: in the bucket where there is one, else in the database with what is known of them. What opens a
 * document is in the database always.
 */
export interface DocumentSafe {
  /**
   * Encrypts documents for the letter that they belong to. Never inside a transaction, which may be begun again: the given bytes are
   * not to be used afterwards. An object in the bucket goes again after a day, unless a row names it by then.
   * @throws CoreError UNAVAILABLE when the bucket takes nothing now
   */
  seal(
    letter: { readonly tenant_id: string; readonly letter_id: Uuid },
    documents: readonly PlainDocument[],
  ): Promise<LetterDocument[]>;
  /** Lets go of documents that may have been taken by no row: objects that no row names go with the next clean-up. */
  letGo(tenantId: string, documents: readonly LetterDocument[]): Promise<void>;
  /** @throws CoreError UNAVAILABLE when the bucket cannot be read now */
  open(letterId: string, document: LetterDocument): Promise<Uint8Array>;
}

/** A document as it is sent or set. */
export interface PlainDocument {
  readonly kind: DocumentKind;
  readonly bytes: Uint8Array;
  readonly signature: SignatureEvidence;
}

/** For how long an object waits for the row that names it. */
const WAIT_MS = 24 * 60 * 60 * 1000;

export function createDocumentSafe({
  storage,
  runtime,
}: {
  readonly storage: Storage;
  readonly runtime: Runtime;
}): DocumentSafe {
  const { vault, bucket } = runtime;
  return {
    async seal({ tenant_id, letter_id }, documents) {
      const sealed: LetterDocument[] = [];
      for (const { kind, bytes, signature } of documents) {
        const facts = { kind, sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length, signature };
        const { key: sealed_key, ciphertext } = await vault.sealBytes(bytes, contextOf(letter_id, kind), {
          mayOverwrite: true,
        });
        sealed.push({ ...facts, sealed_key, ...(await place(tenant_id, letter_id, ciphertext)) });
      }
      return sealed;
    },

    async letGo(tenantId, documents) {
      const keys = documents.flatMap(({ object_key }) => object_key ?? []);
      if (keys.length === 0) return;
      await storage.inTenant(tenantId, async ({ letterDocuments }) => {
        for (const key of keys) await letterDocuments.dropExpected(key, runtime.clock());
      });
    },

    async open(letterId, { kind, size, sealed_key: key, ciphertext, object_key }) {
      const found = ciphertext ?? (await fetched(object_key as string, size));
      return vault.openBytes({ key, ciphertext: found }, contextOf(letterId, kind));
    },
  };

  async function place(tenant_id: string, letter_id: Uuid, ciphertext: Uint8Array) {
    if (!bucket) return { ciphertext, object_key: null };
    const object_key = `${tenant_id}/${letter_id}/${runtime.newId()}`;
    const until = new Date(runtime.clock().getTime() + WAIT_MS);
    await storage.inTenant(tenant_id, ({ letterDocuments }) => letterDocuments.expectObject(object_key, until));
    await bucket.put(object_key, ciphertext).catch(away("documents cannot be kept now; nothing was kept"));
    return { ciphertext: null, object_key };
  }

  async function fetched(objectKey: string, size: number): Promise<Uint8Array> {
    if (!bucket) throw new Error("the document is in a bucket, and this process has none (DOCUMENTS_URL)");
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

/** When a bucket that is away is worth another try. */
const RETRY_SECONDS = 60;

/** Context under which a letter's document is sealed. */
const contextOf = (letterId: string, kind: DocumentKind) => ({ purpose: `letter-${kind}`, row: letterId });

/** Objects asked for at once. */
const BATCH = 500;

/** Removes from the bucket what no document's row names any more. Returns how many objects. */
export async function removeLooseObjects(
  {
    storage: { upkeep },
    runtime: { bucket, clock },
  }: { readonly storage: Pick<Storage, "upkeep">; readonly runtime: Runtime },
  stopping: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (bucket && !stopping.aborted) {
    const loose = await upkeep.looseObjects(clock(), BATCH);
    if (loose.length === 0) break;
    await bucket.remove(loose.map(({ object_key }) => object_key));
    await upkeep.forgetObjects(loose);
    removed += loose.length;
  }
  return removed;
}
