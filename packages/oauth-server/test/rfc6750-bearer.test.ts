import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import { createRemoteKeys } from "../src/bearer/remote-keys.js";
import type { KeySource } from "../src/keys/key-source.js";
import { bearing, countingStore, type Installation, install, json, keyring, machine, noon, TENANT } from "./harness.js";

const seconds = noon.getTime() / 1000;

function verifierOf(
  at: Installation,
  change: { audience?: string | string[]; cacheSize?: number; keys?: KeySource } = {},
) {
  const { signingKeys, endedGrants } = at.server;
  const facts = { issuer: at.issuer, audience: `${at.issuer}/mcp`, keys: signingKeys, endedGrants, clock: at.clock };
  return createBearerVerifier({ ...facts, ...change });
}
async function tokenOf(at: Installation, more: Record<string, string> = {}) {
  const client = await at.application();
  return { client, token: (await at.token(machine(client, more))).body.access_token as string };
}
/** Signs claims chosen by the test with the server's own key. */
async function forge(at: Installation) {
  await tokenOf(at);
  const [stored] = (await at.store.signingKeys.listSigningKeys()).filter((key) => key.signs_from);
  if (!stored) throw new Error("no key signs");
  const context = { purpose: "oauth-signing-key", row: stored.kid };
  const key = await importJWK(JSON.parse(await keyring.open(stored.sealed_private_key, context)) as JWK, "ES256");
  const claims = {
    iss: at.issuer,
    sub: "app",
    aud: [`${at.issuer}/mcp`],
    client_id: "wca_x",
    tenant: TENANT,
    scope: "letters:read",
    iat: seconds,
    exp: seconds + 3600,
    jti: "j",
    gid: "g",
  };
  const header = { alg: "ES256", typ: "at+jwt", kid: stored.kid };
  return (claim: object = {}, protect: object = {}, signer = key) =>
    new SignJWT({ ...claims, ...claim }).setProtectedHeader({ ...header, ...protect }).sign(signer);
}

/** The server's keys, with a counter of the calls. */
function countedKeys(at: Installation) {
  let count = 0;
  const publicKey = (kid: string) => {
    count += 1;
    return at.server.signingKeys.publicKey(kid);
  };
  const isTrusted = (kid: string) => at.server.signingKeys.isTrusted(kid);
  return { keys: { publicKey, isTrusted }, looked: () => count };
}

describe("RFC 6750 §2.1 verification", () => {
  it("answers whom a token speaks for", async () => {
    const at = await install();
    const { client, token } = await tokenOf(at, { scope: "letters:read investments:read" });
    expect(await verifierOf(at).verify(bearing(`Bearer ${token}`))).toEqual({
      principal: {
        application_id: client.application_id,
        client_id: client.client_id,
        tenant_id: TENANT,
        scopes: new Set(["investments:read", "letters:read"]),
        grant_id: expect.any(String),
        expires_at: new Date((seconds + 3600) * 1000),
      },
    });
    expect(await verifierOf(at).verify(bearing(`bearer  ${token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
  });

  it("answers an operator without tenant", async () => {
    const at = await install();
    const { body } = await at.token(machine(await at.application({ tenant_id: null })));
    const result = await verifierOf(at).verify(bearing(`Bearer ${body.access_token}`));
    expect(result).toMatchObject({ principal: { tenant_id: null, scopes: new Set(["operator"]) } });
  });

  it.each([undefined, "", "Basic Zm9vOmJhcg==", "token"])("%j is no bearer token: missing", async (authorization) => {
    expect(await verifierOf(await install()).verify(bearing(authorization))).toEqual({ refusal: "missing" });
  });

  it.each([
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Bearer a.b.c",
    "Bearer e30.e30.e30",
    `Bearer ${"x".repeat(10_000)}`,
    "Bearer a b",
  ])("%j is an invalid token", async (authorization) => {
    expect(await verifierOf(await install()).verify(bearing(authorization))).toEqual({ refusal: "invalid" });
  });

  it("[C-3.6] accepts any of its audiences and no other", async () => {
    const at = await install();
    const [mcp, api] = [`${at.issuer}/mcp`, at.issuer];
    const { token } = await tokenOf(at, { resource: api });
    expect(await verifierOf(at, { audience: mcp }).verify(bearing(`Bearer ${token}`))).toEqual({ refusal: "invalid" });
    expect(await verifierOf(at, { audience: [mcp, api] }).verify(bearing(`Bearer ${token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
  });

  const forged: [string, object, object?][] = [
    ["another issuer", { iss: "https://other.example" }],
    ["another audience", { aud: "https://other.example" }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
    ["an expiry in words", { exp: "tomorrow" }],
    ["an expiry past the leeway", { exp: seconds - 5 }],
    ["a start in the future", { nbf: seconds + 60 }],
    ["no grant", { gid: undefined }],
    ["no subject", { sub: undefined }],
    ["no client", { client_id: undefined }],
    ["no scope", { scope: undefined }],
    ["no jti", { jti: undefined }],
    ["a tenant that is no text", { tenant: 1 }],
    ["type JWT", {}, { typ: "JWT" }],
    ["no type", {}, { typ: undefined }],
    ["no key id", {}, { kid: undefined }],
    ["an unknown key id", {}, { kid: "other" }],
  ];
  it.each(forged)("RFC 9068 §4: refuses a token of our own key with %s", async (_, claims, header = {}) => {
    const at = await install();
    const sign = await forge(at);
    const verifier = verifierOf(at);
    expect(await verifier.verify(bearing(`Bearer ${await sign(claims, header)}`))).toEqual({ refusal: "invalid" });
    expect(await verifier.verify(bearing(`Bearer ${await sign()}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
  });

  it("accepts application/at+jwt as type, and an expiry within the leeway of 5 s", async () => {
    const at = await install();
    const sign = await forge(at);
    const verifier = verifierOf(at);
    expect(await verifier.verify(bearing(`Bearer ${await sign({}, { typ: "application/at+jwt" })}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    expect(await verifier.verify(bearing(`Bearer ${await sign({ exp: seconds - 4 })}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
  });

  it("pins the algorithm to the key: neither none, nor HMAC under the public key, nor another", async () => {
    const at = await install();
    const sign = await forge(at);
    const good = await sign();
    const [header = "", payload = "", signature = ""] = good.split(".");
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
    const { keys } = await json(`${at.issuer}/.well-known/jwks.json`);
    const hmac = await new SignJWT(JSON.parse(Buffer.from(payload, "base64url").toString()))
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid })
      .sign(new TextEncoder().encode(JSON.stringify(keys[0])));
    const renamed = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: "at+jwt", kid })).toString("base64url");
    for (const token of [hmac, `${renamed("none")}.${payload}.`, `${renamed("RS256")}.${payload}.${signature}`])
      expect(await verifierOf(at).verify(bearing(`Bearer ${token}`))).toEqual({ refusal: "invalid" });
  });

  it("ignores keys that the token brings along: jwk, jku, x5u", async () => {
    const at = await install();
    const sign = await forge(at);
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const own = { jwk, jku: `${at.issuer}/evil.json`, x5u: `${at.issuer}/evil.pem` };
    const token = await sign({}, own, privateKey);
    expect(await verifierOf(at).verify(bearing(`Bearer ${token}`))).toEqual({ refusal: "invalid" });
    expect(await verifierOf(at).verify(bearing(`Bearer ${await sign({}, own)}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
  });
});

describe("[security.md] verified tokens are cached", () => {
  it("reads no key and no database for a known one", async () => {
    const { store, calls } = countingStore();
    const at = await install({ store });
    const { token } = await tokenOf(at);
    const { keys, looked } = countedKeys(at);
    const verifier = verifierOf(at, { keys });
    // Whether this process has ended grants is no query.
    const queries = () => calls.filter((name) => name !== "endings");
    await verifier.verify(bearing(`Bearer ${token}`));
    calls.length = 0;
    for (let count = 0; count < 100; count++) await verifier.verify(bearing(`Bearer ${token}`));
    expect([looked(), queries()]).toEqual([1, []]);
    at.advance(2);
    await Promise.all(Array.from({ length: 100 }, () => verifier.verify(bearing(`Bearer ${token}`))));
    expect([looked(), queries()]).toEqual([1, ["endedGrants"]]);
  });

  it("[C-9.460] answers a known one at once, and with a promise only when keys and ended grants are read again", async () => {
    const at = await install();
    const { token } = await tokenOf(at);
    const verifier = verifierOf(at);
    const principal = { grant_id: expect.any(String) };
    expect(await verifier.verify(bearing(`Bearer ${token}`))).toMatchObject({ principal });
    expect(verifier.verify(bearing(`Bearer ${token}`))).toMatchObject({ principal });
    at.advance(2);
    const again = verifier.verify(bearing(`Bearer ${token}`));
    expect(again).toBeInstanceOf(Promise);
    expect(await again).toMatchObject({ principal });
    expect(verifier.verify(bearing(`Bearer ${token}`))).toMatchObject({ principal });
  });

  it("looks at the expiry of a known one", async () => {
    const at = await install();
    const { token } = await tokenOf(at);
    const verifier = verifierOf(at);
    expect(await verifier.verify(bearing(`Bearer ${token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    at.advance(3604);
    expect(await verifier.verify(bearing(`Bearer ${token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    at.advance(1);
    expect(await verifier.verify(bearing(`Bearer ${token}`))).toEqual({ refusal: "invalid" });
  });

  it("forgets the one used least lately when it is full", async () => {
    const at = await install();
    const tokens = await Promise.all([tokenOf(at), tokenOf(at), tokenOf(at)]);
    const { keys, looked } = countedKeys(at);
    const verifier = verifierOf(at, { keys, cacheSize: 2 });
    for (const index of [0, 1, 0, 2, 0, 1]) await verifier.verify(bearing(`Bearer ${tokens[index]?.token}`));
    expect(looked()).toBe(4);
  });

  it("fails rather than trusts when it cannot learn what has ended", async () => {
    const at = await install();
    const { token } = await tokenOf(at);
    const verifier = verifierOf(at);
    await verifier.verify(bearing(`Bearer ${token}`));
    Object.assign(at.store.grants, { endedGrants: () => Promise.reject(new Error("down")) });
    at.advance(2);
    await expect(verifier.verify(bearing(`Bearer ${token}`))).rejects.toThrow("down");
  });
});

describe("a resource server of its own", () => {
  it("[C-10.9] verifies with the published keys alone, without anything of the server that issued the token", async () => {
    const at = await install();
    const { token } = await tokenOf(at);
    const keys = createRemoteKeys({ jwksUri: `${at.issuer}/.well-known/jwks.json`, clock: at.clock });
    const verifier = createBearerVerifier({ issuer: at.issuer, audience: at.issuer, keys, clock: at.clock });
    expect(await verifier.verify(bearing(`Bearer ${token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
    at.advance(60);
    await at.server.rotateSigningKey();
    const { body } = await at.token(machine(await at.application()));
    expect(await verifier.verify(bearing(`Bearer ${body.access_token}`))).toMatchObject({
      principal: { grant_id: expect.any(String) },
    });
  });
});
