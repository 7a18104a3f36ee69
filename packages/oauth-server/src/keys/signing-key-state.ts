import type { StoredSigningKey } from "../ports/signing-key-store.js";
import { ACCESS_TOKEN_SECONDS } from "./key-source.js";

/**
 * next: published, does not sign yet. active: signs. retiring: published until the last token it signed has expired.
 * expired: of no use to anybody.
 */
export type SigningKeyState = "next" | "active" | "retiring" | "expired";

/**
 * The state of each key at a moment, as one function of the stored times: every replica comes to the same answer by itself,
 * and a switch from one key to the next needs no write at the moment when it happens. A key is replaced by the next one that
 * signs, whatever its algorithm: after a change of the algorithm nothing goes on being trusted that nobody signs with.
 */
export function signingKeyStates(
  keys: readonly StoredSigningKey[],
  at: Date,
): ReadonlyMap<StoredSigningKey, SigningKeyState> {
  return new Map(keys.map((key) => [key, stateOf(key, keys, at)]));
}

function stateOf(key: StoredSigningKey, keys: readonly StoredSigningKey[], at: Date): SigningKeyState {
  const siblings = keys.filter((other) => other !== key);
  if (key.signs_from === null) return isAwaited(key, keys, at) ? "next" : "expired";
  // The first key of all signs at once, also on a replica whose clock lags behind the one that made it.
  const waits = key.signs_from > at && siblings.some((other) => signsAfter(key, other));
  if (waits) return "next";
  const replacedAt = siblings
    .filter((other) => signsAfter(other, key))
    .map((other) => (other.signs_from as Date).getTime())
    .filter((time) => time <= at.getTime());
  if (replacedAt.length === 0) return "active";
  const lastExpiry = Math.min(...replacedAt) + (ACCESS_TOKEN_SECONDS + LATE_SIGNATURE_SECONDS) * 1000;
  return lastExpiry > at.getTime() ? "retiring" : "expired";
}

/** A waiting key goes with the last key of its algorithm that signed: it would follow nobody. */
function isAwaited(key: StoredSigningKey, keys: readonly StoredSigningKey[], at: Date): boolean {
  const signing = keys.filter((other) => other.algorithm === key.algorithm && other.signs_from !== null);
  return signing.length === 0 || signing.some((other) => stateOf(other, keys, at) !== "expired");
}

function signsAfter(other: StoredSigningKey, key: StoredSigningKey): boolean {
  if (other.signs_from === null || key.signs_from === null) return false;
  const later = other.signs_from.getTime() - key.signs_from.getTime();
  return later > 0 || (later === 0 && other.kid > key.kid);
}

/** How long a replica that has not read the keys again, or whose clock lags, may still sign with a replaced one. */
const LATE_SIGNATURE_SECONDS = 120;
