import { isDeepStrictEqual } from "node:util";
import type { Keyring } from "@org/keyring";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { StoredSigningKey } from "../ports/signing-key-store.js";

/** Algorithms for signing access tokens. */
export type SigningAlgorithm = "ES256" | "RS256" | "Ed25519";

/** Seals and opens stored values, such as a keyring of `@org/keyring`. */
export type KeyVault = Pick<Keyring, "seal" | "open">;

/** Generates a key pair and seals its private half for storage. The kid is the thumbprint (RFC 7638). */
export async function generateSigningKey(
  vault: KeyVault,
  algorithm: SigningAlgorithm,
  times: Pick<StoredSigningKey, "created_at" | "signs_from">,
): Promise<StoredSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    algorithm,
    public_jwk: { ...publicJwk, kid, alg: algorithm, use: "sig" },
    sealed_private_key: await vault.seal(JSON.stringify(await exportJWK(privateKey)), privateKeyContext(kid)),
    ...times,
  };
}

/** Opens the private half. Throws the vault's error when the vault lacks the key. */
export async function openPrivateKey(vault: KeyVault, { kid, sealed_private_key }: StoredSigningKey): Promise<JWK> {
  return JSON.parse(await vault.open(sealed_private_key, privateKeyContext(kid)));
}

/**
 * Derives the public half from the private one, which nobody can write without the vault's keys. So write access to the
 * database is not enough to get a signature accepted. Throws the vault's errors, and when `public_jwk` differs.
 */
export async function openPublicKey(vault: KeyVault, key: StoredSigningKey): Promise<JWK> {
  const { kid, algorithm, public_jwk } = key;
  const derived = { ...publicMembersOf(await openPrivateKey(vault, key)), kid, alg: algorithm, use: "sig" };
  if (!isDeepStrictEqual(derived, public_jwk)) throw new Error(`the public half of signing key ${kid} was changed`);
  return derived;
}

/** The members of a public key (RFC 7518 §6.2.1, §6.3.1, RFC 8037 §2). */
function publicMembersOf(jwk: JWK): JWK {
  const members = ["kty", "crv", "x", "y", "n", "e"] as const;
  return Object.fromEntries(members.flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])));
}

function privateKeyContext(kid: string): { purpose: string; row: string } {
  return { purpose: "oauth-signing-key", row: kid };
}
