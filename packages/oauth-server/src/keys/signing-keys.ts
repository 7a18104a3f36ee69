import { createPrivateKey, type JsonWebKey } from "node:crypto";
import { type CryptoKey, importJWK, type JWK } from "jose";
import type { SigningKeyStore, StoredSigningKey } from "../ports/signing-key-store.js";
import {
  generateSigningKey,
  type KeyVault,
  openPrivateKey,
  openPublicKey,
  type SigningAlgorithm,
} from "./generate-signing-key.js";
import type { KeySource, SigningKey, TokenVerificationKey } from "./key-source.js";
import { nextStateChange, type SigningKeyState, signingKeyStates } from "./signing-key-state.js";

/** A key as operators see it. */
export interface SigningKeyInfo extends Pick<StoredSigningKey, "kid" | "algorithm" | "created_at" | "signs_from"> {
  readonly state: SigningKeyState;
}

/** The keys of the server, shared with all replicas through the store and reloaded every two seconds. */
export interface SigningKeys extends KeySource {
  signer(): Promise<SigningKey>;
  /** The signer if it was determined before and neither a reload nor the clock has changed a key's state since. */
  recentSigner(): SigningKey | null;
  /** The JWKS document (RFC 7517 §5): every key whose signatures may still be valid, and the next one to sign. */
  jwks(): Promise<{ keys: readonly JWK[] }>;
  list(): Promise<readonly SigningKeyInfo[]>;
  /**
   * Makes the next key sign, now or once it has been published for {@link PUBLISHED_BEFORE_SECONDS}, and publishes its
   * successor. Concurrent calls on several replicas result in one rotation.
   */
  rotate(): Promise<readonly SigningKeyInfo[]>;
  /**
   * Removes a key immediately: every replica refuses its signatures once it has reloaded the keys, and another key signs. Null
   * when there is no such key.
   */
  revoke(kid: string): Promise<readonly SigningKeyInfo[] | null>;
  /** Removes expired keys. Returns their number. */
  reap(): Promise<number>;
}

/** Dependencies of the keys. */
export interface SigningKeysOptions {
  readonly store: SigningKeyStore;
  readonly keyring: KeyVault;
  readonly algorithm: SigningAlgorithm;
  readonly clock: () => Date;
  /** Called once for each stored key that is not used, because its halves do not match or cannot be opened. */
  readonly onUnsoundKey?: (kid: string, reason: unknown) => void;
}

/** Creates the keys on top of a store, and generates the first ones when there are none of `algorithm`. */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { store, keyring, algorithm, clock, onUnsoundKey = () => undefined } = options;
  const reported = new Set<string>();
  const privateKeys = onceEach(async (key) =>
    createPrivateKey({ key: (await openPrivateKey(keyring, key)) as JsonWebKey, format: "jwk" }),
  );
  const publicKeys = onceEach((key) => openPublicKey(keyring, key).then((jwk) => importKey(jwk, key.algorithm)));
  let loaded: { keys: readonly StoredSigningKey[]; kids: ReadonlySet<string>; at: number; turn: number } | undefined;
  let loading: Promise<readonly StoredSigningKey[]> | undefined;
  /** The key that signs as long as the loaded keys and their states are those of `from`. */
  let signing: { key: SigningKey; keys: readonly StoredSigningKey[]; from: number; until: number } | undefined;
  let turns = 0;

  /** Lists the keys whose public half matches the sealed private one. A row written by anyone else is ignored. */
  const listSound = async (): Promise<readonly StoredSigningKey[]> => {
    const keys = await store.listSigningKeys();
    const opened = await Promise.allSettled(keys.map(publicKeys));
    return keys.filter((key, index) => {
      const { reason } = opened[index] as { reason?: unknown };
      if (reason !== undefined && !reported.has(key.kid)) onUnsoundKey(key.kid, reason);
      if (reason !== undefined) reported.add(key.kid);
      return reason === undefined;
    });
  };
  /** Reads the keys. A slow earlier read never replaces the result of a later one. */
  const load = async (): Promise<readonly StoredSigningKey[]> => {
    const at = clock().getTime();
    const turn = ++turns;
    let keys = await listSound();
    if (!keys.some((key) => key.algorithm === algorithm)) {
      await store.insertFirstSigningKeys(algorithm, await firstKeys());
      keys = await listSound();
    } else if (hasLongBeenReplaced(keys) && waitingOf(keys)) {
      // The algorithm was changed and then changed back.
      await promoteNext(keys, clock());
      keys = await listSound();
    }
    if (loaded && loaded.turn > turn) return loaded.keys;
    loaded = { keys, kids: new Set(keys.map(({ kid }) => kid)), at, turn };
    return keys;
  };
  const firstKeys = () => {
    const created_at = clock();
    return Promise.all([newKey({ created_at, signs_from: created_at }), newKey({ created_at, signs_from: null })]);
  };
  const hasLongBeenReplaced = (keys: readonly StoredSigningKey[]) =>
    ![...signingKeyStates(keys, new Date(clock().getTime() - SWITCH_BACK_SECONDS * 1000))].some(
      ([key, state]) =>
        key.algorithm === algorithm && key.signs_from !== null && state !== "retiring" && state !== "expired",
    );
  const waitingOf = (keys: readonly StoredSigningKey[]) =>
    keys.find((key) => key.algorithm === algorithm && key.signs_from === null);
  const promoteNext = async (keys: readonly StoredSigningKey[], now: Date) => {
    const waiting = waitingOf(keys);
    if (!waiting) throw new Error(`no ${algorithm} key is waiting to sign`);
    const published = new Date(waiting.created_at.getTime() + PUBLISHED_BEFORE_SECONDS * 1000);
    const successor = await newKey({ created_at: now, signs_from: null });
    await store.promoteSigningKey(waiting.kid, published > now ? published : now, successor);
  };
  const newKey = (times: Pick<StoredSigningKey, "created_at" | "signs_from">) =>
    generateSigningKey(keyring, algorithm, times);
  /** What must change in the same transaction that removes a key. */
  const replacementOf = async (key: StoredSigningKey, keys: readonly StoredSigningKey[], at: Date) => {
    const state = signingKeyStates(keys, at).get(key);
    const others = keys.filter((other) => other !== key && other.algorithm === key.algorithm);
    const waiting = others.find((other) => other.signs_from === null);
    // Keys of another algorithm are being phased out, or belong to servers that are being replaced.
    if (key.algorithm !== algorithm || (state !== "active" && key.signs_from !== null))
      return { at, signs_now: null, successors: [] };
    const successor = await newKey({ created_at: at, signs_from: null });
    if (state !== "active") return { at, signs_now: null, successors: [successor] };
    const scheduled = others.find((other) => other.signs_from !== null && other.signs_from > at);
    if (scheduled) return { at, signs_now: scheduled.kid, successors: waiting ? [] : [successor] };
    if (waiting) return { at, signs_now: waiting.kid, successors: [successor] };
    return { at, signs_now: null, successors: [await newKey({ created_at: at, signs_from: at }), successor] };
  };
  const reload = (): Promise<readonly StoredSigningKey[]> => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const recent = (maxAgeSeconds: number): readonly StoredSigningKey[] | null =>
    loaded && Math.abs(clock().getTime() - loaded.at) < maxAgeSeconds * 1000 ? loaded.keys : null;
  const current = async (maxAgeSeconds: number): Promise<readonly StoredSigningKey[]> =>
    recent(maxAgeSeconds) ?? reload();
  const states = async () => signingKeyStates(await current(RELOAD_SECONDS), clock());
  const list = async () =>
    [...(await states())].map(([{ kid, algorithm, created_at, signs_from }, state]) => ({
      kid,
      algorithm,
      created_at,
      signs_from,
      state,
    }));

  return {
    list,
    async signer() {
      const keys = await current(RELOAD_SECONDS);
      const at = clock();
      const own = [...signingKeyStates(keys, at)].filter(
        ([key]) => key.algorithm === algorithm && key.signs_from !== null,
      );
      // While servers with another algorithm are being replaced, each server keeps signing with its own.
      const found = (["active", "retiring", "next"] as const).map((state) => own.findLast((one) => one[1] === state));
      const [key] = found.find((one) => one !== undefined) ?? [];
      if (!key) throw new Error(`no ${algorithm} key signs at this time; is the clock behind the other replicas'?`);
      const signer = { kid: key.kid, algorithm, privateKey: await privateKeys(key) };
      signing = { key: signer, keys, from: at.getTime(), until: nextStateChange(keys, at) };
      return signer;
    },
    recentSigner() {
      const now = clock().getTime();
      if (!signing || signing.keys !== recent(RELOAD_SECONDS)) return null;
      return signing.from <= now && now < signing.until ? signing.key : null;
    },
    async publicKey(kid): Promise<TokenVerificationKey | null> {
      const find = (keys: readonly StoredSigningKey[]) =>
        keys.find((key) => key.kid === kid && signingKeyStates(keys, clock()).get(key) !== "expired");
      const key = find(await current(RELOAD_SECONDS)) ?? find(await current(MIN_REFRESH_SECONDS));
      return key ? { algorithm: key.algorithm, publicKey: await publicKeys(key) } : null;
    },
    async jwks() {
      const published = [...(await states())].filter(([, state]) => state !== "expired");
      return { keys: published.map(([key]) => key.public_jwk as JWK) };
    },
    async rotate() {
      await promoteNext(await load(), clock());
      await load();
      return list();
    },
    async revoke(kid) {
      for (;;) {
        const keys = await load();
        const key = keys.find((one) => one.kid === kid);
        if (!key) return null;
        // If it returns false, another replica has just changed the keys: try again.
        if (await store.revokeSigningKey(kid, await replacementOf(key, keys, clock()))) break;
      }
      await load();
      return list();
    },
    isTrusted(kid) {
      if (loaded && clock().getTime() - loaded.at < RELOAD_SECONDS * 1000) return loaded.kids.has(kid);
      return reload().then((keys) => keys.some((key) => key.kid === kid));
    },
    async reap() {
      const expired = [...signingKeyStates(await reload(), clock())].filter(([, state]) => state === "expired");
      if (expired.length > 0) await store.removeSigningKeys(expired.map(([key]) => key.kid));
      return expired.length;
    },
  };
}

/** Imports every key once, and again when its row changes, because opening and importing a key costs more than a signature. */
function onceEach<Key>(load: (key: StoredSigningKey) => Promise<Key>): (key: StoredSigningKey) => Promise<Key> {
  const known = new Map<string, Promise<Key>>();
  return (key) => {
    const id = JSON.stringify([key.kid, key.public_jwk]);
    const pending = known.get(id) ?? load(key);
    known.set(id, pending);
    pending.catch(() => known.delete(id));
    return pending;
  };
}

async function importKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error("a signing key is not a secret key");
  return key;
}

/** How long servers with different algorithms may run side by side before the keys switch back. */
const SWITCH_BACK_SECONDS = 600;
/** How long a key is published before it signs: longer than any replica or JWKS cache keeps an old list. */
const PUBLISHED_BEFORE_SECONDS = 30;

/** `max-age` of the JWKS document. */
export const JWKS_MAX_AGE_SECONDS = 15;

/** Limits how long a replica keeps signing with, or trusting, a revoked key. */
const RELOAD_SECONDS = 2;

/** Tokens with invented key ids make a replica reload the keys at most this often. */
const MIN_REFRESH_SECONDS = 1;
