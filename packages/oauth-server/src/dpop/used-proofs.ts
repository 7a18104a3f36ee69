import { hash } from "node:crypto";
import type { Proof } from "./proof.js";

/** The proofs that were used at a resource and could still be accepted. */
export interface UsedProofs {
  /** Remembers a proof of an owner's token; false when it is remembered already. */
  use(owner: string, proof: Pick<Proof, "jkt" | "jti" | "usableUntil">, at: Date): boolean;
}

/**
 * Remembers as many proofs as `max`, of all owners together. Beyond it, the owner who has most loses their oldest. So whoever sends a flood
 * of proofs makes the server forget their own, and never one of an owner who has fewer.
 */
export function createUsedProofs(max: number): UsedProofs {
  const owners = new Map<string, Map<string, Date>>();
  let size = 0;
  let sweptAt = 0;

  return {
    use(owner, { jkt, jti, usableUntil }, at) {
      // A hash, because an id may be long.
      const id = hash("sha256", `${jkt} ${jti}`, "base64url");
      const own = owners.get(owner) ?? new Map<string, Date>();
      const until = own.get(id);
      if (until && until >= at) return false;
      if (!own.delete(id)) size++;
      own.set(id, usableUntil);
      owners.set(owner, own);
      if (size > max) makeRoom(at);
      return true;
    },
  };

  function makeRoom(at: Date): void {
    if (Math.abs(at.getTime() - sweptAt) >= SWEEP_MS) {
      sweptAt = at.getTime();
      for (const [owner, own] of owners) forgetExpired(owner, own, at);
    }
    if (size <= max) return;
    let largest = new Map<string, Date>();
    for (const own of owners.values()) if (own.size > largest.size) largest = own;
    const [oldest = ""] = largest.keys();
    if (largest.delete(oldest)) size--;
  }

  function forgetExpired(owner: string, own: Map<string, Date>, at: Date): void {
    for (const [id, until] of own) if (until < at && own.delete(id)) size--;
    if (own.size === 0) owners.delete(owner);
  }
}

/** Expired proofs are looked for at most this often, because that reads all of them. */
const SWEEP_MS = 10_000;
