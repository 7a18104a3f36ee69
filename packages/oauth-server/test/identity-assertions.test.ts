import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { createTrustedIssuers } from "../src/administration/trusted-issuers.js";
import { createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import { TENANT_SCOPES } from "../src/scopes.js";
import { documentServer } from "./document-server.js";
import {
  bearing,
  type Credentials,
  countingStore,
  type Installation,
  install,
  json,
  type Settings,
} from "./harness.js";
import { clientKey } from "./proofs.js";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const IDP = "https://idp.example";
const METADATA = "/.well-known/oauth-authorization-server";

interface Pair {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}
const pairs: Record<string, Pair> = {};
beforeAll(async () => {
  for (const alg of ["ES256", "ES384", "RS256", "other"]) {
    const { publicKey, privateKey } = await generateKeyPair(alg === "other" ? "ES256" : alg, { extractable: true });
    pairs[alg] = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${alg}` } };
  }
});
const pair = (alg: string) => pairs[alg] as Pair;

let count = 0;
interface Change {
  readonly alg?: string;
  readonly key?: CryptoKey | Uint8Array;
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

/** An installation that trusts a provider for one client, an application of the tenant, and a function that signs as the provider. */
async function trusting(settings: Settings = {}, wish: Record<string, unknown> = {}) {
  const at = await install(settings);
  const [owner, client] = [await at.application(), await at.application({ name: "Assistant" })];
  const { store, clock, events } = at;
  const audit = (event: (typeof events)[number]) => void events.push(event);
  const issuers = createTrustedIssuers({ store, clock, audit, issuerDocuments: settings.issuerDocuments ?? null });
  const request = {
    issuer: IDP,
    tenant_id: null,
    jwks: { keys: [pair("ES256").jwk, pair("RS256").jwk] },
    client_ids: [client.client_id],
    rules: [{ claims: {}, client_id: owner.client_id, scopes: ["investments:read", "letters:read"] }],
    ...wish,
  } as Parameters<typeof issuers.trust>[0];
  const trust = (change: object = {}) => issuers.trust({ ...request, ...change });
  const assertion = async ({ alg = "ES256", key = pair(alg).privateKey, header = {}, claims = {} }: Change = {}) => {
    const now = Math.floor(at.clock().getTime() / 1000);
    const facts = { iss: IDP, sub: "00u1", aud: at.issuer, client_id: client.client_id, jti: `jti-${count++}` };
    return new SignJWT({ ...facts, iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg, typ: "oauth-id-jag+jwt", kid: `key-${alg}`, ...header })
      .sign(key);
  };
  const send = (sent: string, more: Record<string, string> = {}, who: Partial<Credentials> = client) =>
    at.token({ ...form(sent), client_id: who.client_id ?? "", client_secret: who.client_secret ?? "", ...more });
  const attempt = async (change: Change = {}, more = {}) => send(await assertion(change), more);
  return { at, owner, client, issuers, trust, assertion, send, attempt };
}
const form = (assertion: string) => ({ grant_type: JWT_BEARER, assertion });
const detailsOf = (at: Installation) =>
  at.events.filter(({ action }) => action === "grant.refused").map(({ detail }) => detail);

describe("[C-3.30] assertions of an identity provider", () => {
  it("are no grant type, and metadata say nothing of them, while no provider is trusted", async () => {
    const { at, attempt } = await trusting();
    const { status, body } = await attempt();
    expect([status, body]).toEqual([
      400,
      { error: "unsupported_grant_type", error_description: "this grant type is not supported" },
    ]);
    const metadata = await json(at.issuer + METADATA);
    expect(metadata).not.toHaveProperty("authorization_grant_profiles_supported");
    expect(metadata.grant_types_supported).toEqual(["authorization_code", "refresh_token", "client_credentials"]);
  });

  it("[C-3.30] are one as soon as one is, which metadata say without saying whom", async () => {
    const { at, trust, issuers, attempt } = await trusting();
    await trust();
    at.advance(3);
    expect((await attempt()).status).toBe(200);
    const metadata = await json(at.issuer + METADATA);
    expect(metadata).toMatchObject({
      grant_types_supported: ["authorization_code", "refresh_token", "client_credentials", JWT_BEARER],
      authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
    });
    expect(JSON.stringify(metadata)).not.toContain("idp.example");
    await issuers.withdraw(IDP);
    at.advance(3);
    expect((await attempt()).body.error).toBe("unsupported_grant_type");
  });

  it("[C-3.35] give a short token without a refresh token, for the application and its tenant", async () => {
    const { at, trust, owner, client, attempt } = await trusting();
    const { trusted } = await trust();
    const { status, body, headers } = await attempt();
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: "bearer",
      expires_in: 900,
      scope: "investments:read letters:read",
      resource: `${at.issuer}/mcp`,
    });
    const claims = JSON.parse(Buffer.from(body.access_token.split(".")[1], "base64url").toString());
    const now = at.clock().getTime() / 1000;
    expect(claims).toMatchObject({
      sub: owner.application_id,
      client_id: client.client_id,
      tenant: expect.any(String),
      exp: now + 900,
      aud: [`${at.issuer}/mcp`],
    });
    expect(at.events.at(-1)).toMatchObject({
      action: "grant.issued",
      application_id: owner.application_id,
      client_id: client.client_id,
      grant_id: claims.gid,
      detail: trusted.trust_id,
      person: { issuer: IDP, subject: "00u1" },
    });
    expect(JSON.stringify(at.events)).not.toContain("eyJ");
  });

  it("[C-3.38] are recorded without a name: a subject that is an address stands as a hash", async () => {
    const { at, trust, attempt } = await trusting();
    await trust();
    const subjects = [];
    for (const sub of ["jane.doe@acme.example", "Jane Doe", "jane.doe@acme.example"]) {
      await attempt({ claims: { sub } });
      subjects.push(at.events.at(-1)?.person?.subject);
    }
    for (const subject of subjects) expect(subject).toMatch(/^hash:1\.[\w-]{43}$/);
    expect(subjects[0]).toBe(subjects[2]);
    expect(subjects[0]).not.toBe(subjects[1]);
    expect(JSON.stringify(at.events)).not.toMatch(/jane|Jane/);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ["what the provider said", { scope: "letters:read events:read" }, {}, "letters:read"],
    ["what the client asked for", {}, { scope: "letters:read letters:write" }, "letters:read"],
    ["both", { scope: "letters:read" }, { scope: "letters:read investments:read" }, "letters:read"],
  ])("[C-3.35] give the scopes of rule and application that are also in %s", async (_, claims, more, scope) => {
    const { trust, attempt } = await trusting();
    await trust();
    expect((await attempt({ claims }, more)).body.scope).toBe(scope);
  });

  it("[C-3.35] give no scope that the application has not, nor any where none is left", async () => {
    const { at, trust, attempt } = await trusting();
    const narrow = await at.application({ scopes: ["letters:read"] });
    await trust({ rules: [{ claims: {}, client_id: narrow.client_id, scopes: [...TENANT_SCOPES] }] });
    expect((await attempt()).body.scope).toBe("letters:read");
    expect((await attempt({}, { scope: "letters:write" })).body.error).toBe("invalid_scope");
    expect((await attempt({ claims: { scope: "letters:write" } })).body.error).toBe("invalid_scope");
  });

  it("[C-3.80] are refused where they have a scope that the request leaves out, and where one is none of this server", async () => {
    const { at, trust, attempt } = await trusting();
    await trust();
    const scope = "letters:read investments:read";
    const narrower = await attempt({ claims: { scope } }, { scope: "letters:read" });
    expect([narrower.status, narrower.body]).toEqual([
      400,
      {
        error: "invalid_grant",
        error_description: "scope of the assertion has more than the request; request all of it, or no scope",
      },
    ]);
    expect((await attempt({ claims: { scope: "letters:read made:up" } })).body.error).toBe("invalid_grant");
    expect((await attempt({ claims: { scope } }, { scope })).body.scope).toBe("investments:read letters:read");
    expect((await attempt({ claims: { scope } })).body.scope).toBe("investments:read letters:read");
    expect(detailsOf(at)).toEqual(["assertion_scope_not_asked", "assertion_scope"]);
  });

  it("[C-3.81] are for the tenant that they name, and for no other", async () => {
    const { at, trust, owner, attempt } = await trusting();
    await trust();
    const { tenant_id } = (await at.applications.find(owner.client_id)) ?? {};
    expect((await attempt({ claims: { aud_tenant: tenant_id } })).status).toBe(200);
    for (const aud_tenant of ["018f0000-0000-7000-8000-000000000002", "acme", 7, ""])
      expect((await attempt({ claims: { aud_tenant } })).body.error).toBe("invalid_grant");
    expect(new Set(detailsOf(at))).toEqual(new Set(["assertion_tenant"]));
  });

  it("[C-3.82] are recorded with the provider's tenant, in which its subjects are unique", async () => {
    const { at, trust, attempt } = await trusting();
    await trust();
    await attempt({ claims: { tenant: "acme" } });
    expect(at.events.at(-1)?.person).toEqual({ issuer: IDP, subject: "acme|00u1" });
    expect((await attempt({ claims: { tenant: ["acme"] } })).body.error).toBe("invalid_grant");
  });

  it("[C-3.35] give a token for the resource that is named, by the assertion and the request", async () => {
    const { at, trust, attempt } = await trusting();
    await trust();
    const audience = async (resource: unknown, more = {}) => {
      const { body } = await attempt({ claims: { resource } }, more);
      if (body.error) return body.error;
      const { aud } = JSON.parse(Buffer.from(body.access_token.split(".")[1], "base64url").toString());
      expect([body.resource].flat()).toEqual(aud);
      return aud;
    };
    const [mcp, api] = [`${at.issuer}/mcp`, at.issuer];
    expect(await audience(undefined)).toEqual([mcp]);
    expect(await audience(undefined, { resource: api })).toEqual([api]);
    expect(await audience([mcp, api], { resource: api })).toEqual([api]);
    expect(await audience([mcp, api])).toEqual([mcp, api]);
    expect(await audience(mcp, { resource: api })).toBe("invalid_target");
    expect(await audience("https://other.example/mcp")).toBe("invalid_grant");
    expect(await audience(mcp, { resource: "https://other.example" })).toBe("invalid_target");
  });

  it("[C-3.36] are used up: one of several at once, on any replica, and again once more", async () => {
    const { at, trust, assertion, send } = await trusting();
    await trust();
    const one = await assertion();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toEqual({ error: "invalid_grant", error_description: "the assertion has been used" });
    await trust({ token_seconds: 60 });
    at.advance(3);
    expect((await send(one)).body.error).toBe("invalid_grant");
  });

  it.each<[string, Change | ((key: Pair) => Change), string]>([
    ["another key of the same kind", () => ({ key: pair("other").privateKey }), "assertion_signature"],
    ["a key id that is not there", { header: { kid: "other" } }, "assertion_signature"],
    ["another curve", { alg: "ES384" }, "assertion_signature"],
    ["the key of another algorithm", { header: { kid: "key-RS256" } }, "assertion_signature"],
    [
      "a shared secret made of the public key",
      ({ jwk }) => ({ alg: "HS256", key: new TextEncoder().encode(JSON.stringify(jwk)) }),
      "assertion_algorithm",
    ],
    [
      "a key that it brings along",
      () => ({ key: pair("other").privateKey, header: { jwk: pair("other").jwk } }),
      "assertion_signature",
    ],
    [
      "an address of keys that it brings along",
      () => ({ key: pair("other").privateKey, header: { jku: `${IDP}/evil` } }),
      "assertion_signature",
    ],
    ["another issuer", { claims: { iss: "https://other.example" } }, "assertion_issuer"],
    ["an issuer with a slash", { claims: { iss: `${IDP}/` } }, "assertion_issuer"],
  ])("[C-3.34] are refused with %s, in words that tell nobody who is trusted", async (_, change, detail) => {
    const { at, trust, attempt } = await trusting();
    await trust();
    const { status, body } = await attempt(typeof change === "function" ? change(pair("ES256")) : change);
    expect([status, body.error, detailsOf(at)]).toEqual([400, "invalid_grant", [detail]]);
    expect(body.error_description).toBe(
      "the assertion is not one of an identity provider that is trusted here for this client",
    );
  });

  it("[C-3.34] are refused unsigned and encrypted, without alg, and with an algorithm that is not trusted", async () => {
    const { at, trust, assertion, send } = await trusting();
    await trust({ algorithms: ["RS256"] });
    const [, payload = ""] = (await assertion()).split(".");
    const headed = (header: object) => `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}.`;
    const typ = "oauth-id-jag+jwt";
    await send(headed({ alg: "none", typ }));
    await send(`${headed({ alg: "none", typ })}AAAA`);
    await send(`${headed({ typ })}AAAA`);
    await send(await assertion());
    await send("a.b.c.d.e");
    expect(detailsOf(at)).toEqual([
      ...["assertion_malformed", "assertion_algorithm", "assertion_algorithm", "assertion_algorithm"],
      "assertion_malformed",
    ]);
    expect((await send(await assertion({ alg: "RS256" }))).status).toBe(200);
  });

  it("[C-3.32] need the client that they name, which has to authenticate, and which the trust names", async () => {
    const { at, trust, owner, client, assertion, send } = await trusting();
    await trust();
    expect((await send(await assertion(), {}, owner)).body.error).toBe("invalid_grant");
    const wrong = await send(await assertion(), { client_secret: "wcs_wrong" });
    expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_client"]);
    expect((await at.token({ ...form(await assertion()), client_id: client.client_id })).status).toBe(401);
    expect((await at.token(form(await assertion()))).status).toBe(401);
    expect((await send("")).body.error).toBe("invalid_request");
    const { client_id } = (
      await at.register({ redirect_uris: ["https://client.example/cb"], token_endpoint_auth_method: "none" })
    ).body;
    await trust({ client_ids: [client.client_id, client_id] });
    at.advance(3);
    const byPublic = async (claims: object) =>
      at.token({ ...form(await assertion({ claims: { ...claims } })), client_id });
    expect((await byPublic({ client_id })).body).toEqual({
      error: "unauthorized_client",
      error_description: "this client has to authenticate to use this grant type",
    });
    await trust({ client_ids: [client.client_id, client_id], takes_public_clients: true });
    at.advance(3);
    expect((await byPublic({})).body.error_description).toMatch(/^client_id of the assertion is another client/);
    expect((await byPublic({ client_id })).status).toBe(200);
  });

  it("[C-3.33] of a tenant's provider reach no other tenant, whatever they say", async () => {
    const { at, trust, owner, client, attempt, issuers } = await trusting();
    const tenant_id = "018f0000-0000-7000-8000-000000000002";
    const foreign = await at.application({ tenant_id });
    const rule = { claims: { org: "b" }, client_id: foreign.client_id, scopes: ["letters:read"] };
    const ownRule = { claims: { org: "a" }, client_id: owner.client_id, scopes: ["letters:read"] };
    const { tenant_id: ownTenant } = (await at.applications.find(owner.client_id)) ?? {};
    await expect(trust({ tenant_id: ownTenant, rules: [ownRule, rule] })).rejects.toMatchObject({
      code: "invalid_trust",
      issues: [{ path: "rules.1.client_id", message: "must be an application of this tenant" }],
    });
    await trust({ tenant_id: ownTenant, rules: [ownRule] });
    for (const claims of [{ org: "b" }, { tenant: tenant_id }, { aud_tenant: tenant_id, org: ["b"] }, {}])
      expect((await attempt({ claims })).body.error).toBe("invalid_grant");
    expect((await attempt({ claims: { org: "a", tenant: tenant_id } })).status).toBe(200);
    await expect(trust({ tenant_id, rules: [rule] })).rejects.toMatchObject({ code: "issuer_conflict" });
    const operators = await at.application({ tenant_id: null });
    const toOperator = { claims: {}, client_id: operators.client_id, scopes: ["letters:read"] };
    await issuers.withdraw(IDP);
    await expect(trust({ rules: [toOperator] })).rejects.toMatchObject({ code: "invalid_trust" });
    expect(client.client_id).not.toBe(owner.client_id);
  });

  it("[C-3.50] [C-3.55] give a token that is bound to the key of their client; a bad proof uses up no assertion", async () => {
    const { at, trust, client, assertion } = await trusting();
    await trust();
    const key = await clientKey();
    const { client_id, client_secret } = client;
    const fields = { ...form(await assertion()), client_id, client_secret };
    const bad = await key.proof(at, { claims: { htm: "GET" } });
    expect((await at.token(fields, { headers: { dpop: bad } })).body.error).toBe("invalid_dpop_proof");
    const { body } = await at.token(fields, { headers: { dpop: await key.proof(at) } });
    expect(body.token_type).toBe("DPoP");
    expect(decodeJwt(body.access_token).cnf).toEqual({ jkt: key.jkt });
    await at.applications.setDpopBound(client_id, true);
    at.advance(3);
    const next = { ...fields, ...form(await assertion()) };
    expect((await at.token(next)).body.error).toBe("invalid_dpop_proof");
    expect((await at.token(next, { headers: { dpop: await key.proof(at) } })).status).toBe(200);
  });

  it("[C-3.37] stop counting when the trust is changed or withdrawn, and what they gave ends", async () => {
    const { at, trust, issuers, attempt } = await trusting();
    await trust();
    const { signingKeys: keys, endedGrants } = at.server;
    const { verify } = createBearerVerifier({
      issuer: at.issuer,
      audience: `${at.issuer}/mcp`,
      keys,
      endedGrants,
      clock: at.clock,
    });
    const granted = async () => `Bearer ${(await attempt()).body.access_token}`;
    const first = await granted();
    expect(await verify(bearing(first))).toHaveProperty("principal");
    expect((await trust({ token_seconds: 600 })).ended).toBe(1);
    at.advance(3);
    expect(await verify(bearing(first))).toEqual({ refusal: "invalid" });
    const second = await granted();
    expect(await verify(bearing(second))).toHaveProperty("principal");
    expect(await issuers.withdraw(IDP)).toEqual({ ended: 1 });
    at.advance(3);
    expect(await verify(bearing(second))).toEqual({ refusal: "invalid" });
    expect(at.events.filter(({ action }) => action.startsWith("trusted_issuer.")).map(({ detail }) => detail)).toEqual([
      IDP,
      IDP,
      IDP,
    ]);
    await expect(issuers.withdraw(IDP)).rejects.toMatchObject({ code: "untrusted_issuer" });
  });

  it("[C-3.38] that are refused are counted by network, and one that is good gets in all the same", async () => {
    const { trust, attempt } = await trusting();
    await trust();
    const claims = { aud: "https://other.example" };
    const refused = await Promise.all(Array.from({ length: 100 }, () => attempt({ claims })));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]));
    const full = await attempt({ claims });
    expect([full.status, full.body.error, full.headers.has("retry-after")]).toEqual([
      429,
      "temporarily_unavailable",
      true,
    ]);
    expect((await attempt()).status).toBe(200);
  });

  it("[C-3.30] cost other grants nothing: no statement more", async () => {
    const { calls, store } = countingStore();
    const { at, trust, owner } = await trusting({ store });
    await trust();
    const { client_id, client_secret } = owner;
    await at.token({ grant_type: "client_credentials", client_id, client_secret });
    calls.length = 0;
    await at.token({ grant_type: "client_credentials", client_id, client_secret });
    expect(calls).toEqual(["issueGrant"]);
  });
});

describe("[C-3.31] keys of an identity provider", () => {
  /** A provider on the network, whose documents a test changes. */
  async function provider() {
    const documents: Record<string, unknown> = {};
    const server = await documentServer((req, res) => {
      const document = documents[req.url ?? ""];
      if (document === "hangs") return;
      res.statusCode = document === undefined ? 404 : 200;
      res.setHeader("content-type", "application/json").setHeader("cache-control", "max-age=86400");
      res.end(JSON.stringify(document ?? {}));
    });
    const issuer = server.url("", "client.example");
    documents["/.well-known/openid-configuration"] = { issuer, jwks_uri: server.url("/keys") };
    documents["/keys"] = { keys: [pair("ES256").jwk] };
    const wish = { issuer, jwks: null };
    const issuerDocuments = { ...server.options, maxSeconds: 1 };
    const set = await trusting({ issuerDocuments }, wish);
    const attempt = (change: Change = {}) => set.attempt({ ...change, claims: { iss: issuer, ...change.claims } });
    return { ...set, attempt, documents, issuer, server };
  }

  it("are found by its metadata, read once for many, and again after ten minutes", async () => {
    const { at, trust, attempt, server } = await provider();
    const { look } = await trust();
    expect(look).toEqual({ jwks_uri: server.url("/keys"), keys: [{ kid: "key-ES256", kty: "EC", alg: null }] });
    server.asked.length = 0;
    const answers = await Promise.all(Array.from({ length: 5 }, () => attempt()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(server.asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
    at.advance(601);
    expect((await attempt()).status).toBe(200);
    expect(server.asked).toHaveLength(4);
  });

  it("are read again for an unknown key id, at most every ten seconds, and a key that is gone counts no more", async () => {
    const { at, trust, attempt, documents, server } = await provider();
    await trust();
    await attempt();
    documents["/keys"] = { keys: [pair("RS256").jwk] };
    server.asked.length = 0;
    expect((await attempt({ alg: "RS256" })).status).toBe(400);
    at.advance(11);
    expect((await attempt({ alg: "RS256" })).status).toBe(200);
    for (let index = 0; index < 5; index++) await attempt({ alg: "RS256", header: { kid: `made-up-${index}` } });
    expect(server.asked).toEqual(["/keys"]);
    expect((await attempt()).status).toBe(400);
  });

  const CONFIGURATION = "/.well-known/openid-configuration";
  it.each<[string, (at: { issuer: string; url: (path: string) => string }) => Record<string, unknown>, RegExp]>([
    [
      "metadata of another issuer",
      ({ issuer, url }) => ({ [CONFIGURATION]: { issuer: `${issuer}/`, jwks_uri: url("/keys") } }),
      /the issuer in its metadata is another one/,
    ],
    [
      "an address of keys without TLS",
      ({ issuer }) => ({ [CONFIGURATION]: { issuer, jwks_uri: "http://client.example/keys" } }),
      /no https address/,
    ],
    ["no metadata", () => ({ [CONFIGURATION]: undefined }), /status is not 200/],
    ["no keys", () => ({ "/keys": { keys: [] } }), /not a set of public keys/],
    ["a shared secret", () => ({ "/keys": { keys: [{ kty: "oct", k: "AAAA" }] } }), /not a set of public keys/],
    ["silence", () => ({ "/keys": "hangs" }), /cannot be fetched/],
  ])("are not trusted with %s", async (_, change, words) => {
    const { trust, documents, issuer, server, issuers } = await provider();
    Object.assign(documents, change({ issuer, url: (path) => server.url(path) }));
    await expect(trust()).rejects.toMatchObject({ code: "invalid_trust", message: expect.stringMatching(words) });
    expect(await issuers.list()).toEqual([]);
  });

  it("are found by the metadata of RFC 8414 where there is no other", async () => {
    const { trust, documents, issuer, server } = await provider();
    documents[METADATA] = documents[CONFIGURATION];
    documents[CONFIGURATION] = undefined;
    expect((await trust()).look.jwks_uri).toBe(server.url("/keys"));
    expect(server.asked).toContain(METADATA);
    expect(issuer).toMatch(/^https:/);
  });

  it("that cannot be read make a client come again, and use nothing up", async () => {
    const { at, trust, attempt, assertion, send, documents, issuer } = await provider();
    await trust();
    at.advance(3_600);
    documents["/keys"] = undefined;
    const one = await assertion({ claims: { iss: issuer } });
    const { status, body, headers } = await send(one);
    expect([status, body.error, headers.get("retry-after")]).toEqual([503, "temporarily_unavailable", "10"]);
    documents["/keys"] = { keys: [pair("ES256").jwk] };
    at.advance(11);
    expect((await send(one)).status).toBe(200);
    expect((await attempt()).status).toBe(200);
  });
});
