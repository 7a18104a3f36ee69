import { createKeyring } from "@org/keyring";
import { describe, expect, it } from "vitest";
import type { StoredSigningKey } from "../ports/signing-key-store.js";
import { generateSigningKey, openPublicKey, type SigningAlgorithm } from "./generate-signing-key.js";

const vault = createKeyring([{ id: "test", key: new Uint8Array(32).fill(9) }]);
const times = { created_at: new Date("2026-01-15T12:00:00Z"), signs_from: null };
const algorithms = ["ES256", "RS256", "Ed25519"] as const satisfies readonly SigningAlgorithm[];

describe("[security.md] the public half of a signing key", () => {
  it.each(algorithms)("is the one of the sealed private key (%s)", async (algorithm) => {
    const key = await generateSigningKey(vault, algorithm, times);
    expect(await openPublicKey(vault, key)).toEqual(key.public_jwk);
    // With its members in the order in which the database returns them.
    expect(await openPublicKey(vault, { ...key, public_jwk: reversed(key.public_jwk) })).toEqual(key.public_jwk);
  });

  const forgeries: [string, (own: StoredSigningKey, other: StoredSigningKey) => Partial<StoredSigningKey>][] = [
    ["another key's public half", (_own, { public_jwk }) => ({ public_jwk })],
    ["another key under its own kid", ({ kid }, { public_jwk }) => ({ public_jwk: { ...public_jwk, kid } })],
    ["a member more", ({ public_jwk }) => ({ public_jwk: { ...public_jwk, x5c: ["AA"] } })],
    ["a member less", ({ public_jwk: { x: _, n: __, ...rest } }) => ({ public_jwk: rest })],
    ["another algorithm", () => ({ algorithm: "PS256" })],
    ["the sealed half of another key", (_own, { sealed_private_key }) => ({ sealed_private_key })],
    ["nothing that opens", () => ({ sealed_private_key: "sealed" })],
    ["both halves of another key under a new kid", (_own, other) => ({ ...other, kid: "new" })],
  ];
  for (const algorithm of algorithms)
    it.each(forgeries)(`is refused when the row holds %s (${algorithm})`, async (_name, forge) => {
      const [own, other] = await Promise.all([
        generateSigningKey(vault, algorithm, times),
        generateSigningKey(vault, algorithm, times),
      ]);
      await expect(openPublicKey(vault, { ...own, ...forge(own, other) })).rejects.toThrow();
    });
});

function reversed(jwk: StoredSigningKey["public_jwk"]): StoredSigningKey["public_jwk"] {
  return Object.fromEntries(Object.entries(jwk).reverse());
}
