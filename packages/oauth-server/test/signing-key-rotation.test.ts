import { decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import { createSigningKeys } from "../src/keys/signing-keys.js";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";
import { bearing, type Installation, install, json, keyring, machine, noon } from "./harness.js";

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
    expect(await verifier.verify(bearing(`Bearer ${before.token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    expect(await verifier.verify(bearing(`Bearer ${after.token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    at.advance(10);
    expect((await tokenAt(at, other.url)).kid).toBe(next);
    expect(await published(other.url)).toHaveLength(3);
    expect(at.events.map((event) => event.action)).toContain("signing_key.rotated");
  });

  it("[C-8.20] what was read before a change and comes after it does not take the place of the keys of today", async () => {
    const { signingKeys: store } = createMemoryOAuthStore();
    let slow = Promise.resolve();
    const listSigningKeys = async () => {
      const [found] = await Promise.all([store.listSigningKeys(), slow]);
      return found;
    };
    let now = noon;
    const keys = createSigningKeys({
      store: { ...store, listSigningKeys },
      keyring,
      algorithm: "ES256",
      clock: () => now,
    });
    const { kid } = await keys.signer();
    for (const change of [() => keys.rotate(), () => keys.revoke(kid)]) {
      now = new Date(now.getTime() + 60_000);
      let arrive = () => {};
      slow = new Promise((resolve) => {
        arrive = resolve;
      });
      const late = keys.jwks();
      slow = Promise.resolve();
      const kids = (await store.listSigningKeys()).map((key) => key.kid);
      const changed = (await change())?.map((key) => key.kid);
      expect(changed).not.toEqual(kids);
      arrive();
      await late;
      expect((await keys.list()).map((key) => key.kid)).toEqual(changed);
    }
    expect(keys.isTrusted(kid)).toBe(false);
  });

  it("[C-8.20] a key that is revoked is trusted no more on any replica within 5 s, also for tokens that are known, and the next one signs", async () => {
    const at = await install();
    const other = await at.replica();
    const verifiers = [at.server, other.server].map(({ signingKeys: keys }) =>
      createBearerVerifier({ issuer: at.issuer, audience: at.issuer, keys, clock: at.clock }),
    );
    const accepted = (token: string) =>
      Promise.all(
        verifiers.map(async (verifier) => "principal" in (await verifier.verify(bearing(`Bearer ${token}`)))),
      );
    const stolen = await tokenAt(at, at.issuer);
    expect(await accepted(stolen.token)).toEqual([true, true]);
    const next = (await published(other.url)).find((kid) => kid !== stolen.kid);

    const left = await at.server.revokeSigningKey(stolen.kid ?? "", { actor: "operator" });
    expect(left?.map(({ state }) => state).sort()).toEqual(["active", "next"]);
    expect(await published(at.issuer)).not.toContain(stolen.kid);
    const after = await tokenAt(at, at.issuer);
    expect(after.kid).toBe(next);
    at.advance(2);
    expect(await accepted(stolen.token)).toEqual([false, false]);
    expect(await accepted(after.token)).toEqual([true, true]);
    expect((await tokenAt(at, other.url)).kid).toBe(next);
    expect(await published(other.url)).toEqual(await published(at.issuer));
    expect(await published(at.issuer)).toHaveLength(2);
    expect(at.events).toContainEqual(
      expect.objectContaining({ action: "signing_key.revoked", actor: "operator", detail: stolen.kid }),
    );
    expect(await at.server.revokeSigningKey(stolen.kid ?? "")).toBeNull();
  });

  it("[C-8.20] refresh tokens outlive a revoked key", async () => {
    const at = await install();
    const { body } = await at.token(machine(await at.application()));
    await at.server.revokeSigningKey(decodeProtectedHeader(body.access_token).kid ?? "");
    const { status, body: second } = await at.token({ grant_type: "refresh_token", refresh_token: body.refresh_token });
    expect(status).toBe(200);
    expect(decodeProtectedHeader(second.access_token).kid).not.toBe(decodeProtectedHeader(body.access_token).kid);
  });

  it("[C-8.20] the next key, one that is about to sign and a retiring one can be revoked too", async () => {
    const at = await install();
    const { kid } = await tokenAt(at, at.issuer);
    const byState = async (state: string) =>
      (await at.server.signingKeys.list()).filter((key) => key.state === state).map((key) => key.kid);
    const [waiting = ""] = await byState("next");
    await at.server.revokeSigningKey(waiting);
    expect(await byState("next")).toEqual([expect.not.stringContaining(waiting)]);
    // Rotated too early: the next key signs in 30 s, and another one waits.
    await at.server.rotateSigningKey();
    expect(await byState("next")).toHaveLength(2);
    const scheduled = (await at.server.signingKeys.list()).find((key) => key.state === "next" && key.signs_from);
    await at.server.revokeSigningKey(kid ?? "");
    expect(await byState("active")).toEqual([scheduled?.kid]);
    expect(await byState("next")).toHaveLength(1);
    at.advance(60);
    await at.server.rotateSigningKey();
    expect(await byState("retiring")).toEqual([scheduled?.kid]);
    const [active] = await byState("active");
    await at.server.revokeSigningKey(scheduled?.kid ?? "");
    expect([await byState("retiring"), await byState("active")]).toEqual([[], [active]]);
  });

  it("[C-8.20] revoked once when two replicas are asked at once", async () => {
    const at = await install();
    const other = await at.replica();
    const { kid = "" } = await tokenAt(at, at.issuer);
    await tokenAt(at, other.url);
    const both = await Promise.all([at.server.revokeSigningKey(kid), other.server.revokeSigningKey(kid)]);
    expect(both.filter((left) => left === null)).toHaveLength(1);
    expect((await at.server.signingKeys.list()).map((key) => key.state).sort()).toEqual(["active", "next"]);
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
    // A server still configured with the former algorithm keeps signing while servers are being replaced.
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

  it("remembers who signs until a reload or the clock changes a state", async () => {
    const store = createMemoryOAuthStore().signingKeys;
    let now = noon;
    const advance = (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
    };
    const server = () => createSigningKeys({ store, keyring, algorithm: "ES256", clock: () => now });
    const [here, there] = [server(), server()];
    expect(here.recentSigner()).toBeNull();
    const first = await here.signer();
    expect(here.recentSigner()).toEqual(first);
    advance(2);
    expect(here.recentSigner()).toBeNull();
    await here.signer();
    // The next key is scheduled, and takes over by the clock between two reloads.
    await there.rotate();
    advance(27);
    await here.list();
    expect(here.recentSigner()).toBeNull();
    expect((await here.signer()).kid).toBe(first.kid);
    advance(0.5);
    expect(here.recentSigner()?.kid).toBe(first.kid);
    advance(0.5);
    expect(here.recentSigner()).toBeNull();
    const second = await here.signer();
    expect(second.kid).not.toBe(first.kid);
    // What another replica revokes is forgotten with the next reload, what this one revokes at once.
    await there.revoke(second.kid);
    advance(2);
    await here.list();
    expect(here.recentSigner()).toBeNull();
    const third = await here.signer();
    await here.revoke(third.kid);
    expect(here.recentSigner()).toBeNull();
    advance(-1);
    expect(here.recentSigner()).toBeNull();
  });
});
