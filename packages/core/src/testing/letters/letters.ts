import { createHash } from "node:crypto";
import {
  type DocumentPlace,
  type LetterDocument,
  type LetterDocumentStore,
  type LetterMoveStore,
  type LetterQuery,
  type LetterRecord,
  type LetterStore,
  MAX_HISTORY,
} from "../../letters/letter-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import { clientName, requireClient } from "../connections/clients.js";
import { compareText, insert, isIn, requireTenant, type TenantState } from "../state.js";

/** The number of a tenant's letters, and the total size of their documents. */
export function lettersUsed({ letters, documents }: TenantState) {
  return { letters: letters.size, document_bytes: [...documents.values()].reduce((sum, { size }) => sum + size, 0) };
}

/** {@link LetterStore} over a draft. */
export function memoryLetters(state: TenantState): LetterStore {
  return {
    async claimKey(record, now) {
      requireTenant(state);
      const key = JSON.stringify([record.application_id, record.key]);
      const holder = state.idempotency.get(key);
      if (holder && holder.expires_at > now) return { claimed: false, holder };
      state.idempotency.set(key, { ...record });
      return { claimed: true };
    },

    async create(letter, documents, move) {
      requireTenant(state);
      requireClient(state, letter.client_ref);
      insert(state.letters, letter.letter_id, { ...letter });
      for (const document of documents) {
        claimObject(state, document);
        insert(state.documents, `${letter.letter_id} ${document.kind}`, { ...document });
      }
      insert(state.moves, move.move_id, { ...move });
    },

    async used() {
      return lettersUsed(state);
    },

    async find(letterId) {
      return state.letters.get(letterId) ?? null;
    },

    async findByConnection(connectionId) {
      return [...state.letters.values()].find((letter) => letter.connection_id === connectionId) ?? null;
    },
  };
}

/** {@link LetterMoveStore} over a draft. */
export function memoryLetterMoves(state: TenantState): LetterMoveStore {
  return {
    // Only one transaction has the draft, so every row in it is locked.
    async lock(letterId) {
      return state.letters.get(letterId) ?? null;
    },

    async record(letter, move) {
      const stored = state.letters.get(letter.letter_id);
      if (stored?.version !== letter.version) return false;
      const { connector_id, labels, created_at } = stored;
      const version = stored.version + 1;
      const { client_ref } = move.event === "assign" ? letter : stored;
      requireClient(state, client_ref);
      state.letters.set(letter.letter_id, { ...letter, connector_id, labels, client_ref, created_at, version });
      insert(state.moves, move.move_id, { ...move });
      return true;
    },

    async history(letterId) {
      return [...state.moves.values()]
        .filter((move) => move.letter_id === letterId)
        .sort((a, b) => a.at.getTime() - b.at.getTime() || compareText(a.move_id, b.move_id))
        .slice(-MAX_HISTORY);
    },
  };
}

/** {@link LetterDocumentStore} over a draft. */
export function memoryLetterDocuments(state: TenantState): LetterDocumentStore {
  return {
    async document(letterId, kind) {
      return state.documents.get(`${letterId} ${kind}`) ?? null;
    },

    async documents(letterId) {
      const stored = ["letter", "generated", "annex"].flatMap(
        (kind) => state.documents.get(`${letterId} ${kind}`) ?? [],
      );
      return stored.map(({ kind, sha256, size, signature }) => ({ kind, sha256, size, signature }));
    },

    async expectObject(objectKey, until) {
      insert(state.orphanedObjects, objectKey, until);
    },

    async dropExpected(objectKey, at) {
      if (state.orphanedObjects.has(objectKey)) state.orphanedObjects.set(objectKey, at);
    },

    async attach(letterId, document) {
      if (!state.letters.has(letterId)) throw new Error("there is no such letter");
      claimObject(state, document);
      dropDocument(state, `${letterId} ${document.kind}`);
      state.documents.set(`${letterId} ${document.kind}`, { ...document });
    },

    async countHere() {
      const here = documentsHere(state);
      return { documents: here.length, bytes: here.reduce((sum, { size }) => sum + size, 0) };
    },

    async listHere(after, limit) {
      const placeOf = ({ letter_id, kind }: DocumentPlace) => `${letter_id} ${kind}`;
      return documentsHere(state)
        .map(({ letter_id, kind }) => ({ letter_id, kind }))
        .filter((place) => after === null || placeOf(place) > placeOf(after))
        .sort((a, b) => compareText(placeOf(a), placeOf(b)))
        .slice(0, limit);
    },

    async moveToBucket({ letter_id, kind }, ciphertextSha256, object_key) {
      const stored = state.documents.get(`${letter_id} ${kind}`);
      if (!stored?.ciphertext || sha256Of(stored.ciphertext) !== ciphertextSha256) return false;
      claimObject(state, { ...stored, object_key });
      state.documents.set(`${letter_id} ${kind}`, { ...stored, ciphertext: null, object_key });
      return true;
    },

    details: async (letterId) => state.details.get(letterId) ?? null,
    detailsOf: async (letterIds) =>
      new Map(
        letterIds.flatMap((id) => {
          const sealed = state.details.get(id);
          return sealed === undefined ? [] : [[id, sealed] as const];
        }),
      ),

    async storeDetails(letterId, sealed) {
      if (!state.letters.has(letterId)) throw new Error("there is no such letter");
      state.details.set(letterId, sealed);
    },

    async erase(letterId) {
      state.details.delete(letterId);
      for (const kind of ["letter", "annex", "generated"]) dropDocument(state, `${letterId} ${kind}`);
      for (const key of state.feedArrivals.keys()) if (key.startsWith(`${letterId} `)) state.feedArrivals.delete(key);
    },
  };
}

function documentsHere({ documents }: TenantState): (DocumentPlace & LetterDocument)[] {
  return [...documents].flatMap(([key, document]) =>
    document.ciphertext ? [{ ...document, letter_id: key.split(" ")[0] as Uuid }] : [],
  );
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Marks an expected object as arrived. */
function claimObject({ orphanedObjects }: TenantState, { object_key }: LetterDocument): void {
  if (object_key !== null && !orphanedObjects.delete(object_key))
    throw new Error(`nobody expects the object ${object_key}`);
}

function dropDocument({ documents, orphanedObjects }: TenantState, key: string): void {
  const objectKey = documents.get(key)?.object_key;
  if (objectKey) orphanedObjects.set(objectKey, new Date(0));
  documents.delete(key);
}

/** {@link LetterFinder.search} over committed letters. */
export function searchLetters(state: TenantState, query: LetterQuery) {
  const matching = [...state.letters.values()]
    .filter((letter) => matches(letter, query))
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || compareText(b.letter_id, a.letter_id));
  const start = (query.page - 1) * query.page_size;
  const items = matching
    .slice(start, start + query.page_size)
    .map((letter) => ({ ...letter, client_name: clientName(state, letter.client_ref) }));
  return { items, total: matching.length };
}

/** Whether a letter passes every criterion of a search. */
export function matches(letter: LetterRecord, query: Omit<LetterQuery, "page" | "page_size">): boolean {
  return (
    isIn(query.connector_id_in, letter.connector_id) &&
    isIn(query.status_in, letter.status) &&
    isIn(query.id_in, letter.letter_id) &&
    isIn(query.client_ref_in, letter.client_ref) &&
    Object.entries(query.labels).every(([key, value]) => letter.labels[key] === value) &&
    isWithin(letter.created_at, query.created_from, query.created_before) &&
    isWithin(letter.updated_at, query.updated_from, query.updated_before)
  );
}

function isWithin(at: Date, from: Date | null, before: Date | null): boolean {
  return (from === null || at >= from) && (before === null || at < before);
}
