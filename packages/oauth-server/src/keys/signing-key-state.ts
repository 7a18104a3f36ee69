import type { StoredSigningKey } from "../ports/signing-key-store.js";
import { ACCESS_TOKEN_SECONDS } from "./key-source.js";

/**
 * next: published, does not sign yet. active: signs. retiring: published until the last token it signed has expired. expired:
 * no longer needed.
 */
export type SigningKeyState = "next" | "active" | "retiring" | "expired";

/**
 * Computes the state of each key at a time from the stored times alone. Every replica gets the same result, and a switch to the
 * next key needs no write when it happens. The next key to sign replaces a key whatever its algorithm, so that after a change
 * of the algorithm no unused key stays trusted.
 */
export function signingKeyStates(
  keys: readonly StoredSigningKey[],
  at: Date,
): ReadonlyMap<StoredSigningKey, SigningKeyState> {
  return new Map(keys.map((key) => [key, stateOf(key, keys, at)]));
}

/** When a state may change next after a time, in milliseconds; infinity when none will. */
export function nextStateChange(keys: readonly StoredSigningKey[], at: Date): number {
  const changes = keys.flatMap(({ signs_from }) =>
    signs_from === null ? [] : [signs_from.getTime(), signs_from.getTime() + RETIRING_MS],
  );
  return Math.min(...changes.filter((change) => change > at.getTime()));
}

function stateOf(key: StoredSigningKey, keys: readonly StoredSigningKey[], at: Date): SigningKeyState {
  const siblings = keys.filter((other) => other !== key);
  if (key.signs_from === null) return isAwaited(key, keys, at) ? "next" : "expired";
  // The very first key signs immediately, even on a replica whose clock is behind that of its creator.
  const waits = key.signs_from > at && siblings.some((other) => signsAfter(key, other));
  if (waits) return "next";
  const replacedAt = siblings
    .filter((other) => signsAfter(other, key))
    .map((other) => (other.signs_from as Date).getTime())
    .filter((time) => time <= at.getTime());
  if (replacedAt.length === 0) return "active";
  const lastExpiry = Math.min(...replacedAt) + RETIRING_MS;
  return lastExpiry > at.getTime() ? "retiring" : "expired";
}

/** A waiting key expires with the last signing key of its algorithm, because it would have no key to replace. */
function isAwaited(key: StoredSigningKey, keys: readonly StoredSigningKey[], at: Date): boolean {
  const signing = keys.filter((other) => other.algorithm === key.algorithm && other.signs_from !== null);
  return signing.length === 0 || signing.some((other) => stateOf(other, keys, at) !== "expired");
}

function signsAfter(other: StoredSigningKey, key: StoredSigningKey): boolean {
  if (other.signs_from === null || key.signs_from === null) return false;
  const later = other.signs_from.getTime() - key.signs_from.getTime();
  return later > 0 || (later === 0 && other.kid > key.kid);
}

/** How long a replica with an old key list or a slow clock may still sign with a replaced key. */
const LATE_SIGNATURE_SECONDS = 120;
/** How long a replaced key is retiring. */
const RETIRING_MS = (ACCESS_TOKEN_SECONDS + LATE_SIGNATURE_SECONDS) * 1000;
