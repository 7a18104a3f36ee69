import { exportJWK, generateKeyPair, type JWK } from "jose";
import { describe, expect, it } from "vitest";
import { createRemoteKeys } from "./remote-keys.js";

async function publicJwk(kid: string, more: object = {}): Promise<JWK> {
  const { publicKey } = await generateKeyPair("ES256");
  return { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig", ...more };
}

/** A JWKS document that the test changes, with a clock that it advances and a counter of fetches. */
function issuer(document: { keys: unknown[] } | unknown, status = 200) {
  const state = { document, status, fetched: 0, now: 0 };
  const fetch = async () => {
    state.fetched += 1;
    return new Response(JSON.stringify(state.document), { status: state.status });
  };
  const keys = createRemoteKeys({ jwksUri: "https://a.example/jwks", clock: () => new Date(state.now), fetch });
  return { state, keys };
}

describe("RFC 7517 keys of an issuer elsewhere", () => {
  it("are read once for many, and again after ten minutes", async () => {
    const { state, keys } = issuer({ keys: [await publicJwk("a")] });
    const found = await Promise.all(Array.from({ length: 5 }, () => keys.publicKey("a")));
    expect(found.every((key) => key?.algorithm === "ES256")).toBe(true);
    expect(state.fetched).toBe(1);
    state.now += 600_000;
    await keys.publicKey("a");
    expect(state.fetched).toBe(2);
  });

  it("are read again for an unknown key id, at most every ten seconds", async () => {
    const { state, keys } = issuer({ keys: [await publicJwk("a")] });
    await keys.publicKey("a");
    state.document = { keys: [await publicJwk("b")] };
    expect(await keys.publicKey("b")).toBeNull();
    state.now += 10_000;
    expect(await keys.publicKey("b")).not.toBeNull();
    expect(state.fetched).toBe(2);
  });

  it("count only when public, for signatures, and pinned to an algorithm", async () => {
    const usable = await publicJwk("a");
    const secret = { kty: "oct", k: "AAAA", kid: "secret", alg: "HS256" };
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const odd = [
      await publicJwk("encryption", { use: "enc" }),
      await publicJwk("any", { alg: undefined }),
      { ...(await exportJWK(privateKey)), kid: "private", alg: "ES256" },
      { kty: "future", kid: "future", alg: "F1" },
      secret,
    ];
    const { keys } = issuer({ keys: [...odd, usable] });
    for (const kid of ["encryption", "any", "private", "future", "secret", ""])
      expect(await keys.publicKey(kid)).toBeNull();
    expect(await keys.publicKey("a")).not.toBeNull();
  });

  it.each([
    [{ keys: "x" }, 200],
    [{ keys: [] }, 503],
    [null, 200],
  ])("reject when the answer is %j with %i", async (document, status) => {
    await expect(issuer(document, status).keys.publicKey("a")).rejects.toThrow();
  });
});
