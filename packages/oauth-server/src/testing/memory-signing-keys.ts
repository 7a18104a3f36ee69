import type { SigningKeyStore, StoredSigningKey } from "../ports/signing-key-store.js";
import type { MemoryTables } from "./memory-tables.js";

/** Signing keys in memory. */
export function memorySigningKeys(tables: MemoryTables): SigningKeyStore {
  return {
    async listSigningKeys() {
      return [...tables.signingKeys.values()].sort(byAge);
    },
    async insertFirstSigningKeys(algorithm, keys) {
      if ([...tables.signingKeys.values()].some((key) => key.algorithm === algorithm)) return false;
      for (const key of keys) tables.signingKeys.set(key.kid, key);
      return true;
    },
    async promoteSigningKey(kid, signs_from, successor) {
      const waiting = tables.signingKeys.get(kid);
      if (waiting?.signs_from !== null) return false;
      tables.signingKeys.set(kid, { ...waiting, signs_from });
      tables.signingKeys.set(successor.kid, successor);
      return true;
    },
    async revokeSigningKey(kid, { at, signs_now, successors }) {
      const next = signs_now === null ? null : tables.signingKeys.get(signs_now);
      const isNext = next === null || (next !== undefined && (next.signs_from === null || next.signs_from > at));
      if (!isNext || !tables.signingKeys.delete(kid)) return false;
      if (next) tables.signingKeys.set(next.kid, { ...next, signs_from: at });
      for (const key of successors) tables.signingKeys.set(key.kid, key);
      return true;
    },
    async removeSigningKeys(kids) {
      for (const kid of kids) tables.signingKeys.delete(kid);
    },
  };
}

function byAge(a: StoredSigningKey, b: StoredSigningKey): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.kid < b.kid ? -1 : 1);
}
