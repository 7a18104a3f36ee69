import { decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import { createSigningKeys } from "../src/keys/signing-keys.js";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";
import { type Installation, install, json, keyring, machine, noon } from "./harness.js";

async function tokenAt(at: Installation, url: string) {
  const { body } = await at.token(machine(await at.application()), { at: url });
  return { token: body.access_token as string, kid: decodeProtectedHeader(body.access_token).kid };
}
const published = async (url: string): Promise<string[]> =>
  (await json(`${url}/.well-known/jwks.json`)).keys.map((key: { kid: string }) => key.kid);

describe("[security.md] signing keys: next, active, retiring", () => {
  it("replicas that start at once agree on one key", async () => {
    const store = createMemoryOAuthStore().signingKeys;
    const replicas = Array.from({ length: 5 }, () =>
      createSigningKeys({ store, keyring, algorithm: "ES256", clock: () => noon }),
    );
    const kids = await Promise.all(replicas.map(async (keys) => (await keys.signer()).kid));
    expect(new Set(kids).size).toBe(1);
    expect(await store.listSigningKeys()).toHaveLength(2);
  });

  it("keeps the private half encrypted, bound to its key", async () => {
    const at = await install();
    await tokenAt(at, at.issuer);
    const [one, two] = await at.store.signingKeys.listSigningKeys();
    expect(JSON.stringify(one)).not.toContain('"d"');
    const open = (sealed = "", row = "") => keyring.open(sealed, { purpose: "oauth-signing-key", row });
    expect(JSON.parse(await open(one?.sealed_private_key, one?.kid))).toHaveProperty("d");
    await expect(open(one?.sealed_private_key, two?.kid)).rejects.toMatchObject({ code: "wrong_context" });
  });

  it("rotates without a restart on every replica, invalidating nobody", async () => {
    const at = await install();
    const other = await at.replica();
    const verifier = createBearerVerifier({
      issuer: at.issuer,
      audience: at.issuer,
      keys: other.server.signingKeys,
      clock: at.clock,
    });
    const before = await tokenAt(at, at.issuer);
    expect((await tokenAt(at, other.url)).kid).toBe(before.kid);
    const next = (await published(other.url)).find((kid) => kid !== before.kid);

    at.advance(60);
    await at.server.rotateSigningKey();
    const after = await tokenAt(at, at.issuer);
    expect(after.kid).toBe(next);
    expect(await verifier.verify(`Bearer ${before.token}`)).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    expect(await verifier.verify(`Bearer ${after.token}`)).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    at.advance(10);
    expect((await tokenAt(at, other.url)).kid).toBe(next);
    expect(await published(other.url)).toHaveLength(3);
    expect(at.events.map((event) => event.action)).toContain("signing_key.rotated");
  });

  it("publishes a key for 30 s before it signs", async () => {
    const at = await install();
    const before = await tokenAt(at, at.issuer);
    at.advance(10);
    const keys = await at.server.rotateSigningKey();
    expect(keys.map((key) => key.state).sort()).toEqual(["active", "next", "next"]);
    expect((await tokenAt(at, at.issuer)).kid).toBe(before.kid);
    at.advance(20);
    expect((await tokenAt(at, at.issuer)).kid).not.toBe(before.kid);
  });

  it("rotates once when two replicas are asked at once", async () => {
    const at = await install();
    const other = await at.replica();
    await Promise.all([tokenAt(at, at.issuer), tokenAt(at, other.url)]);
    at.advance(60);
    await Promise.all([at.server.rotateSigningKey(), other.server.rotateSigningKey()]);
    const states = (await at.server.signingKeys.list()).map((key) => key.state);
    expect(states.sort()).toEqual(["active", "next", "retiring"]);
  });

  it("publishes a replaced key until the last token it signed has expired, then reaps it", async () => {
    const at = await install();
    const { kid } = await tokenAt(at, at.issuer);
    at.advance(60);
    await at.server.rotateSigningKey();
    at.advance(3600 + 60);
    expect(await published(at.issuer)).toContain(kid);
    expect(await at.server.reap(10)).toMatchObject({ signing_keys: 0 });
    at.advance(60);
    expect(await published(at.issuer)).not.toContain(kid);
    expect(await at.server.reap(10)).toMatchObject({ signing_keys: 1 });
    expect(await at.server.reap(10)).toMatchObject({ signing_keys: 0 });
  });

  it("after a change of the algorithm the former keys retire and go, and come back fresh when it is changed back", async () => {
    const { signingKeys: store } = createMemoryOAuthStore();
    let now = noon;
    const advance = (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
    };
    const server = (algorithm: "ES256" | "RS256") => createSigningKeys({ store, keyring, algorithm, clock: () => now });
    const before = server("ES256");
    const { kid: former } = await before.signer();
    advance(3600);
    const after = server("RS256");
    expect((await after.signer()).algorithm).toBe("RS256");
    expect(await after.publicKey(former)).not.toBeNull();
    // A server that still runs with the former one goes on signing while servers are being replaced.
    advance(300);
    expect((await before.signer()).kid).toBe(former);
    advance(3600);
    expect(await after.publicKey(former)).toBeNull();
    expect((await after.list()).filter(({ state }) => state !== "expired").map(({ algorithm }) => algorithm)).toEqual([
      "RS256",
      "RS256",
    ]);
    const back = server("ES256");
    const { kid, algorithm } = await back.signer();
    expect([algorithm, kid === former]).toEqual(["ES256", false]);
    await after.reap();
    expect((await server("ES256").signer()).kid).toBe(kid);
  });

  it("reads the keys again for an unknown key id, at most once a second", async () => {
    const store = createMemoryOAuthStore().signingKeys;
    let reads = 0;
    let now = noon;
    const counted = {
      ...store,
      listSigningKeys: () => {
        reads += 1;
        return store.listSigningKeys();
      },
    };
    const keys = createSigningKeys({ store: counted, keyring, algorithm: "ES256", clock: () => now });
    await keys.signer();
    reads = 0;
    for (const kid of ["a", "b", "c"]) expect(await keys.publicKey(kid)).toBeNull();
    expect(reads).toBe(0);
    now = new Date(now.getTime() + 1000);
    await Promise.all(["a", "b", "c"].map((kid) => keys.publicKey(kid)));
    expect(reads).toBe(1);
  });
});
