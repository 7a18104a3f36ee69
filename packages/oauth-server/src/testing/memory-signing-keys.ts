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
    async removeSigningKeys(kids) {
      for (const kid of kids) tables.signingKeys.delete(kid);
    },
  };
}

function byAge(a: StoredSigningKey, b: StoredSigningKey): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.kid < b.kid ? -1 : 1);
}
