import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { authorization } from "./authorization.js";
import { documentServer } from "./document-server.js";
import { basic, countingStore, type Installation, install } from "./harness.js";

const REDIRECT = "https://client.example/callback";
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface Pair {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}
const pairs: Record<string, Pair> = {};
beforeAll(async () => {
  for (const alg of ["ES256", "ES384", "RS256", "PS256", "EdDSA", "Ed25519", "ES512", "RS512", "other"]) {
    const { publicKey, privateKey } = await generateKeyPair(alg === "other" ? "ES256" : alg, { extractable: true });
    pairs[alg] = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${alg}` } };
  }
});
const pair = (alg: string) => pairs[alg] as Pair;

let count = 0;
/** A valid assertion of a client, apart from what a test changes; undefined claims are omitted. */
async function assertion(
  at: Installation,
  client_id: string,
  { alg = "ES256", key = pair(alg).privateKey, header = {}, claims = {} }: Change = {},
): Promise<string> {
  const now = Math.floor(at.clock().getTime() / 1000);
  const payload = { iss: client_id, sub: client_id, aud: at.issuer, exp: now + 60, iat: now, jti: `jti-${count++}` };
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg, kid: `key-${alg}`, ...header } as JWTHeaderParameters)
    .sign(key);
}
interface Change {
  readonly alg?: string;
  readonly key?: CryptoKey | Uint8Array;
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

/** A registered client with these keys, and a function that sends an assertion: revocation answers 200 and needs nothing else. */
async function registered(keys: readonly JWK[] = [pair("ES256").jwk], settings: Parameters<typeof install>[0] = {}) {
  const at = await install(settings);
  const answer = await at.register({
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys },
  });
  expect(answer.status).toBe(201);
  const { client_id } = answer.body;
  const send = (client_assertion: string, more: Record<string, string> = {}, url = at.issuer) =>
    at.revoke({ token: "x", client_assertion, client_assertion_type: TYPE, ...more }, { at: url });
  const attempt = async (change: Change = {}) => (await send(await assertion(at, client_id, change))).status;
  return { at, client_id, send, attempt, registration: answer.body };
}

describe("[security.md] RFC 7523 private_key_jwt", () => {
  it("[C-3.20] carries a client from the page to tokens and through a refresh, without any secret", async () => {
    const { at, client_id, registration } = await registered();
    expect(registration).not.toHaveProperty("client_secret");
    const flow = await authorization(at, { client_id: "wcd_other" });
    const code = await flow.approve(await at.application(), { client_id });
    const proof = async () => ({ client_assertion: await assertion(at, client_id), client_assertion_type: TYPE });
    expect((await flow.exchange(code, { client_id })).body.error).toBe("invalid_client");
    expect((await flow.exchange(code, { client_id, client_secret: "wcs_x" })).body.error).toBe("invalid_client");
    const { status, body } = await flow.exchange(code, { client_id, ...(await proof()) });
    expect(status).toBe(200);
    const { refresh_token } = body;
    const broken = { ...(await proof()), client_assertion: "e30.e30.e30" };
    const refresh = { grant_type: "refresh_token", refresh_token };
    expect((await at.token({ ...refresh, ...broken })).body.error).toBe("invalid_client");
    expect((await at.token({ ...refresh, client_id })).body.error).toBe("invalid_client");
    expect((await at.revoke({ token: refresh_token })).body.error).toBe("invalid_client");
    expect((await at.token({ ...refresh, ...(await proof()) })).status).toBe(200);
  });

  it.each(["ES256", "ES384", "RS256", "PS256", "EdDSA", "Ed25519"])("%s is accepted", async (alg) => {
    const { attempt } = await registered([pair("other").jwk, pair(alg).jwk]);
    expect(await attempt({ alg })).toBe(200);
  });

  it.each(["ES512", "RS512"])("%s is not", async (alg) => {
    const { attempt } = await registered([pair(alg).jwk]);
    expect(await attempt({ alg })).toBe(401);
  });

  it("the client_id may be left out (RFC 7521 §4.2), and must not differ", async () => {
    const { at, client_id, send } = await registered();
    expect((await send(await assertion(at, client_id), { client_id })).status).toBe(200);
    expect((await send(await assertion(at, client_id))).status).toBe(200);
    const other = await registered();
    const differing = await send(await assertion(at, client_id), { client_id: other.client_id });
    expect(differing.status).toBe(401);
  });

  const now = 1_768_478_400;
  const accepted: [string, (issuer: string) => Record<string, unknown>][] = [
    ["the token endpoint as audience", (issuer) => ({ aud: `${issuer}/token` })],
    ["a list of one audience", (issuer) => ({ aud: [issuer] })],
    ["ten minutes of life", () => ({ exp: now + 600 })],
    ["an end four seconds ago", () => ({ exp: now - 4 })],
    ["a beginning in four seconds", () => ({ nbf: now + 4, iat: now + 4 })],
    ["no iat", () => ({ iat: undefined })],
    ["a jti of 200 characters", () => ({ jti: "j".repeat(200) })],
  ];
  it.each(accepted)("accepts %s", async (_, claims) => {
    const { at, attempt } = await registered();
    expect(at.clock().getTime()).toBe(now * 1000);
    expect(await attempt({ claims: claims(at.issuer) })).toBe(200);
  });

  const refused: [string, (issuer: string) => Record<string, unknown>][] = [
    ["another audience", () => ({ aud: "https://other.example" })],
    ["the audience with a slash", (issuer) => ({ aud: `${issuer}/` })],
    ["the revocation endpoint as audience", (issuer) => ({ aud: `${issuer}/revoke` })],
    ["two audiences", (issuer) => ({ aud: [issuer, "https://other.example"] })],
    ["the right audience twice", (issuer) => ({ aud: [issuer, issuer] })],
    ["no audience", () => ({ aud: undefined })],
    ["an empty list of audiences", () => ({ aud: [] })],
    ["another issuer", () => ({ iss: "wcd_other" })],
    ["no issuer", () => ({ iss: undefined })],
    ["another subject", () => ({ sub: "wcd_other" })],
    ["no subject", () => ({ sub: undefined })],
    ["no exp", () => ({ exp: undefined })],
    ["an end five seconds ago", () => ({ exp: now - 5 })],
    ["more than ten minutes of life", () => ({ exp: now + 606 })],
    ["exp as text", () => ({ exp: String(now + 60) })],
    ["a beginning in six seconds", () => ({ nbf: now + 6 })],
    ["an iat in six seconds", () => ({ iat: now + 6 })],
    ["no jti", () => ({ jti: undefined })],
    ["an empty jti", () => ({ jti: "" })],
    ["a jti of 201 characters", () => ({ jti: "j".repeat(201) })],
    ["a jti with a NUL character", () => ({ jti: "a\0" })],
    ["a jti that is a number", () => ({ jti: 1 })],
  ];
  it.each(refused)("refuses %s", async (_, claims) => {
    const { at, attempt, client_id, send } = await registered();
    const change = { claims: claims(at.issuer) };
    expect(await attempt(change)).toBe(401);
    expect((await send(await assertion(at, client_id, change), { client_id })).status).toBe(401);
    expect(await attempt()).toBe(200);
  });

  it("refuses an assertion that was used, on any replica, however many come at once", async () => {
    const { at, client_id, send } = await registered();
    const { url } = await at.replica();
    const once = await assertion(at, client_id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(once, {}, index % 2 ? url : at.issuer)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
    at.advance(64);
    await at.server.reap(100);
    expect((await send(once)).status).toBe(401);
  });

  it("a jti of one client is free for another, and a refused assertion uses none up", async () => {
    const { at, client_id, send, attempt } = await registered();
    const registration = { redirect_uris: [REDIRECT], token_endpoint_auth_method: "private_key_jwt" };
    const other = (await at.register({ ...registration, jwks: { keys: [pair("other").jwk] } })).body.client_id;
    const claims = { jti: "same" };
    expect(await attempt({ claims, alg: "ES256", key: pair("other").privateKey })).toBe(401);
    expect((await send(await assertion(at, client_id, { claims: { ...claims, aud: "x" } }))).status).toBe(401);
    expect(await attempt({ claims })).toBe(200);
    const theirs = { claims, key: pair("other").privateKey, header: { kid: "key-other" } };
    expect((await send(await assertion(at, other, theirs))).status).toBe(200);
  });

  it("[C-3.70] used assertions are reaped a minute after they have expired", async () => {
    const { at, attempt } = await registered();
    await attempt();
    at.advance(125);
    expect((await at.server.reap(100)).assertions).toBe(0);
    at.advance(1);
    expect((await at.server.reap(100)).assertions).toBe(1);
  });

  it("takes the key by kid, or the only one that fits, never one that the assertion brings", async () => {
    const { jwk } = pair("ES256");
    const { kid: _, ...unnamed } = jwk;
    const stranger = pair("other");
    const lone = await registered([unnamed, pair("ES384").jwk]);
    expect(await lone.attempt({ header: { kid: undefined } })).toBe(200);
    const two = await registered([jwk, stranger.jwk]);
    expect(await two.attempt()).toBe(200);
    expect(await two.attempt({ header: { kid: undefined } })).toBe(401);
    expect(await two.attempt({ header: { kid: "key-other" } })).toBe(401);
    expect(await two.attempt({ header: { kid: "unknown" } })).toBe(401);
    const one = await registered([jwk]);
    const brought = { jwk: stranger.jwk, jku: "https://client.example/keys", x5u: "https://client.example/keys" };
    expect(await one.attempt({ key: stranger.privateKey, header: brought })).toBe(401);
    expect(await one.attempt({ header: brought })).toBe(200);
  });

  it("takes no key that is for something else", async () => {
    const { jwk } = pair("ES256");
    for (const change of [{ use: "enc" }, { alg: "ES384" }, { key_ops: ["encrypt"] }])
      expect(await (await registered([{ ...jwk, ...change }])).attempt()).toBe(401);
  });

  it("takes no public key for a shared secret, no unsigned assertion, and nothing that is no JWT", async () => {
    const { at, client_id, send, attempt } = await registered();
    const key = new TextEncoder().encode(JSON.stringify(pair("ES256").jwk));
    expect(await attempt({ alg: "HS256", key, header: { kid: "key-ES256" } })).toBe(401);
    const [, payload] = (await assertion(at, client_id)).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const text of [`${none}.${payload}.`, "x", "a.b.c", `e30.${payload}.AAAA`, "e".repeat(2000)])
      expect((await send(text, { client_id })).status).toBe(401);
    expect((await send("e".repeat(16_385), { client_id })).status).toBe(400);
    expect(at.log).toEqual([]);
  });

  it("needs the right type and one way alone", async () => {
    const { at, client_id, send } = await registered();
    const good = () => assertion(at, client_id);
    const saml = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer";
    expect((await send(await good(), { client_assertion_type: saml })).status).toBe(401);
    expect((await send(await good(), { client_assertion_type: "" })).status).toBe(401);
    expect((await send("", { client_id })).status).toBe(401);
    expect((await send(await good(), { client_secret: "wcs_x" })).body.error).toBe("invalid_request");
    const headers = { authorization: basic(client_id, "wcs_x") };
    const two = { token: "x", client_assertion: await good(), client_assertion_type: TYPE };
    expect((await at.revoke(two, { headers })).body.error).toBe("invalid_request");
  });

  it("proves no other kind of client, and is counted as no guess", async () => {
    const { store, calls } = countingStore();
    const { at, client_id, send } = await registered([pair("ES256").jwk], { store });
    const application = (await at.application()).client_id;
    const metadata = { redirect_uris: [REDIRECT], jwks: { keys: [pair("ES256").jwk] } };
    const secret = (await at.register(metadata)).body.client_id;
    const open = (await at.register({ ...metadata, token_endpoint_auth_method: "none" })).body.client_id;
    for (const id of [application, secret, open, "wcd_nobody"])
      expect((await send(await assertion(at, id))).status).toBe(401);
    calls.length = 0;
    for (let index = 0; index < 12; index++) await send("e30.e30.e30", { client_id });
    expect(calls).not.toContain("recordFailure");
    expect((await send(await assertion(at, client_id))).status).toBe(200);
  });
});

describe("[security.md] RFC 7523 keys at jwks_uri, as of a client with a metadata document", () => {
  async function hosted(served: () => unknown, headers: Record<string, string> = { "cache-control": "max-age=3600" }) {
    const site = { isUp: true };
    const server = await documentServer((req, res) => {
      if (!site.isUp) return void res.writeHead(503).end();
      res.writeHead(200, { "content-type": "application/json", ...headers });
      res.end(JSON.stringify(req.url === "/keys.json" ? served() : document));
    });
    const client_id = server.url("/client.json");
    const document = {
      client_id,
      client_name: "Client",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: server.url("/keys.json"),
    };
    const at = await install({ clientDocuments: server.options });
    const send = async (change: Change = {}) => {
      const client_assertion = await assertion(at, client_id, change);
      return at.revoke({ token: "x", client_assertion, client_assertion_type: TYPE });
    };
    const attempt = async (change: Change = {}) => (await send(change)).status;
    const fetched = () => server.asked.filter((path) => path === "/keys.json").length;
    return { at, server, site, send, attempt, fetched };
  }

  it("are fetched once, and again for a new key id, ten seconds apart", async () => {
    let keys = [pair("ES256").jwk];
    const { at, attempt, fetched } = await hosted(() => ({ keys }));
    expect([await attempt(), await attempt(), fetched()]).toEqual([200, 200, 1]);
    keys = [pair("RS256").jwk];
    expect([await attempt({ alg: "RS256" }), fetched()]).toEqual([401, 1]);
    at.advance(11);
    expect([await attempt({ alg: "RS256" }), fetched()]).toEqual([200, 2]);
    expect([await attempt(), fetched()]).toEqual([401, 2]);
    at.advance(11);
    expect([await attempt({ header: { kid: "invented" } }), fetched()]).toEqual([401, 3]);
  });

  it("stay good while they are fresh, when a fetch for an invented key id fails", async () => {
    const { at, site, server, attempt, fetched } = await hosted(() => ({ keys: [pair("ES256").jwk] }));
    expect(await attempt()).toBe(200);
    at.advance(60);
    site.isUp = false;
    expect([await attempt({ header: { kid: "invented" } }), fetched()]).toEqual([401, 2]);
    expect([await attempt(), await attempt({ header: { kid: "other" } }), fetched()]).toEqual([200, 401, 2]);
    at.advance(10);
    server.addresses = () => [];
    expect([await attempt({ header: { kid: "invented" } }), await attempt()]).toEqual([401, 200]);
  });

  it("are fetched for one network thirty times a minute; beyond that nobody is told to be unknown", async () => {
    const { at, attempt, send, fetched } = await hosted(() => ({ keys: [pair("ES256").jwk] }), {
      "cache-control": "no-store",
    });
    for (let index = 0; index < 15; index++) expect(await attempt()).toBe(200);
    const refused = await send();
    expect([refused.status, refused.body.error]).toEqual([429, "temporarily_unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(fetched()).toBe(15);
    at.advance(60);
    expect(await attempt()).toBe(200);
  });

  it("are not fetched for an algorithm that is not accepted", async () => {
    const { attempt, fetched } = await hosted(() => ({ keys: [pair("ES512").jwk] }));
    expect([await attempt({ alg: "ES512" }), fetched()]).toEqual([401, 0]);
  });

  it.each([
    ["no set of keys", () => ({})],
    ["private keys", () => ({ keys: [{ ...pair("ES256").jwk, d: "x" }] })],
    ["broken keys", () => ({ keys: [{ ...pair("ES256").jwk, x: "!", y: 1 }] })],
  ])("that are %s prove nothing", async (_, served) => {
    const { at, attempt } = await hosted(served);
    expect(await attempt()).toBe(401);
    expect(at.log).toEqual([]);
  });

  it("are held to the rules of fetching: a private address is not reached", async () => {
    const { attempt, server, fetched } = await hosted(() => ({ keys: [pair("ES256").jwk] }));
    let looked = 0;
    server.addresses = () => (looked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]);
    expect([await attempt(), fetched()]).toEqual([401, 0]);
    expect(server.asked).toEqual(["/client.json"]);
  });

  it("a registered client may have them too", async () => {
    const { at, server } = await hosted(() => ({ keys: [pair("ES256").jwk] }));
    const { body } = await at.register({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: server.url("/keys.json"),
    });
    const client_assertion = await assertion(at, body.client_id);
    const { status } = await at.revoke({ token: "x", client_assertion, client_assertion_type: TYPE });
    expect(status).toBe(200);
  });
});
