import { createHash } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { type BearerVerifierOptions, createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import { countingStore, type Installation, install, machine, type Settings } from "./harness.js";
import { type ClientKey, clientKey, type ProofChange } from "./proofs.js";

let key: ClientKey;
let other: ClientKey;
let rsa: { readonly jwk: object; readonly privateKey: CryptoKey };
beforeAll(async () => {
  [key, other] = [await clientKey(), await clientKey()];
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  rsa = { jwk: await exportJWK(publicKey), privateKey };
});

type Fault = string | ((at: Installation, accessToken?: string) => Promise<string> | string);

/** A proof with one fault. */
const faulty =
  (change: (at: Installation) => ProofChange | Promise<ProofChange>): Exclude<Fault, string> =>
  async (at, accessToken) =>
    key.proof(at, { ...(await change(at)), ...(accessToken !== undefined && { accessToken }) });
const withClaims = (claims: Readonly<Record<string, unknown>>) => faulty(() => ({ claims }));
const withHeader = (header: Readonly<Record<string, unknown>>) => faulty(() => ({ header }));
const aged = (seconds: number) => faulty((at) => ({ claims: { iat: at.clock().getTime() / 1000 + seconds } }));
const privateJwk = async () => ({ header: { jwk: await exportJWK(key.privateKey) } });

/** Each check of RFC 9449 §4.3 fails once: the fault as the audit trail names it, what is wrong, and the proof. */
const faults: readonly (readonly [fault: string, what: string, proof: Fault])[] = [
  ["malformed", "an empty header", ""],
  ["malformed", "no JWT", "let-me-in"],
  ["malformed", "two headers", async (at, token) => `${await proofOf(at, token)}, ${await proofOf(at, token)}`],
  ["malformed", "two headers, the second empty", async (at, token) => `${await proofOf(at, token)}, `],
  ["malformed", "one that is too long", withClaims({ padding: "x".repeat(4096) })],
  ["type", "another type", withHeader({ typ: "at+jwt" })],
  ["type", "no type", withHeader({ typ: undefined })],
  ["algorithm", "no signature algorithm", (at) => unsigned(at, { alg: "none" })],
  ["algorithm", "a symmetric algorithm", (at) => unsigned(at, { alg: "HS256" })],
  [
    "algorithm",
    "an algorithm that is not offered",
    faulty(() => ({ header: { alg: "RS256", jwk: rsa.jwk }, signer: rsa.privateKey })),
  ],
  ["key", "no key", withHeader({ jwk: undefined })],
  ["key", "a private key", faulty(privateJwk)],
  ["key", "a symmetric key", withHeader({ jwk: { kty: "oct", k: "AAAA" } })],
  ["key", "an RSA key", faulty(() => ({ header: { jwk: rsa.jwk } }))],
  ["key", "a point that is not on the curve", faulty(() => ({ header: { jwk: { ...key.jwk, y: key.jwk.x } } }))],
  // [C-3.67] The same key, written another way.
  [
    "key",
    "bits to spare in a coordinate",
    faulty(() => ({ header: { jwk: { ...key.jwk, x: respelled(key.jwk.x) } } })),
  ],
  [
    "key",
    "a key of another kind than the algorithm's",
    withHeader({ jwk: { kty: "OKP", crv: "Ed25519", x: "A".repeat(43) } }),
  ],
  ["header", "an extension", (at) => unsigned(at, { alg: "ES256", crit: ["exp"], exp: 1 })],
  ["signature", "a signature by another key", faulty(() => ({ signer: other.privateKey }))],
  ["signature", "a changed signature", async (at, token) => (await proofOf(at, token)).replace(/.{4}$/, "AAAA")],
  ["claims", "no id", withClaims({ jti: undefined })],
  ["claims", "an empty id", withClaims({ jti: "" })],
  ["claims", "an id that cannot be stored", withClaims({ jti: "a\u0000" })],
  ["claims", "an id of 201 characters", withClaims({ jti: "x".repeat(201) })],
  ["claims", "no method", withClaims({ htm: undefined })],
  ["claims", "no address", withClaims({ htu: undefined })],
  ["claims", "no time", withClaims({ iat: undefined })],
  ["claims", "a time as text", withClaims({ iat: "1768478400" })],
  ["method", "another method", withClaims({ htm: "GET" })],
  ["method", "the method in lower case", withClaims({ htm: "post" })],
  ["address", "another path", faulty((at) => ({ claims: { htu: `${at.issuer}/register` } }))],
  ["address", "another host", withClaims({ htu: "https://other.example/token" })],
  ["address", "a path alone", withClaims({ htu: "/token" })],
  ["address", "credentials in the address", faulty((at) => ({ claims: { htu: at.issuer.replace("//", "//me@") } }))],
  ["time", "61 seconds old", aged(-61)],
  ["time", "61 seconds ahead", aged(61)],
];

/** The same bytes as another base64url text: its last character has two bits that mean nothing. */
function respelled(text = ""): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) ^ 1];
}

const proofOf = (at: Installation, accessToken?: string) =>
  key.proof(at, accessToken === undefined ? {} : { accessToken });

/** A proof whose header jose refuses to sign. */
function unsigned(at: Installation, header: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const claims = { jti: "1", htm: "POST", htu: `${at.issuer}/token`, iat: at.clock().getTime() / 1000 };
  return `${encode({ typ: "dpop+jwt", jwk: key.jwk, ...header })}.${encode(claims)}.AAAA`;
}

const made = (proof: Fault, at: Installation, accessToken?: string) =>
  typeof proof === "string" ? proof : proof(at, accessToken);

describe("RFC 9449 §4.3 proofs at /token", () => {
  it.each(faults)("[C-3.51] [C-3.67] are refused (%s): %s", async (fault, _, proof) => {
    const { calls, store } = countingStore();
    const at = await install({ store });
    const client = await at.application();
    const answer = await at.token(machine(client), { headers: { dpop: await made(proof, at) } });
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_dpop_proof"]);
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(at.events.at(-1)).toMatchObject({ action: "grant.refused", detail: `dpop_${fault}` });
    expect(calls).not.toContain("issueGrant");
    expect(calls).not.toContain("useAssertion");
  });

  it.each(["ES256", "Ed25519", "EdDSA"])("[C-3.50] are accepted with %s, as the metadata say", async (alg) => {
    const at = await install();
    const own = await clientKey(alg === "EdDSA" ? "Ed25519" : alg);
    const proof = await own.proof(at, { header: { alg } });
    const answer = await at.token(machine(await at.application()), { headers: { dpop: proof } });
    expect(answer.body).toMatchObject({ token_type: "DPoP", access_token: expect.any(String) });
    expect(payloadOf(answer.body.access_token).cnf).toEqual({ jkt: own.jkt });
  });

  it.each([
    ["a query and a fragment", (url: string) => `${url}?a=1#b`],
    [
      "another writing of the same address",
      (url: string) => url.replace("http:", "HTTP:").replace("/token", "/x/../token"),
    ],
  ])("[C-3.51] htu may have %s", async (_, change) => {
    const at = await install();
    const proof = await key.proof(at, { claims: { htu: change(`${at.issuer}/token`) } });
    expect(await at.token(machine(await at.application()), { headers: { dpop: proof } })).toMatchObject({
      status: 200,
    });
  });

  it.each([-60, 60])("[C-3.51] iat may be %i seconds away", async (seconds) => {
    const at = await install();
    const dpop = await made(aged(seconds), at);
    expect(await at.token(machine(await at.application()), { headers: { dpop } })).toMatchObject({ status: 200 });
  });

  it("[C-3.52] [C-3.70] are accepted once, on all replicas; of ten at once one", async () => {
    const at = await install();
    const [client, replica] = [await at.application(), await at.replica()];
    const dpop = await key.proof(at);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        at.token(machine(client), { headers: { dpop }, at: index % 2 ? at.issuer : replica.url }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === "invalid_dpop_proof")).toHaveLength(9);
    expect(at.events.filter(({ detail }) => detail === "dpop_replayed")).toHaveLength(9);
    // The same id from another key is another proof.
    const { jti } = payloadOf(dpop);
    const others = await other.proof(at, { claims: { jti } });
    expect(await at.token(machine(client), { headers: { dpop: others } })).toMatchObject({ status: 200 });
    // [C-3.70] Not deleted before the clock of a slow server, too, has passed their time.
    at.advance(119);
    expect(await at.server.reap(10)).toMatchObject({ assertions: 0 });
    at.advance(2);
    expect(await at.server.reap(10)).toMatchObject({ assertions: 2 });
  });

  it("[C-3.52] use up nothing before the client has authenticated", async () => {
    const { calls, store } = countingStore();
    const at = await install({ store });
    const client = await at.application();
    const dpop = await key.proof(at);
    const wrong = { ...machine(client), client_secret: "wcs_wrong" };
    expect(await at.token(wrong, { headers: { dpop } })).toMatchObject({ status: 401 });
    expect(calls).not.toContain("useAssertion");
    expect(await at.token(machine(client), { headers: { dpop } })).toMatchObject({ status: 200 });
  });

  it("[C-3.61] appear in no log and no line of the audit trail", async () => {
    const at = await install();
    const client = await at.application();
    const dpop = await key.proof(at);
    for (let time = 0; time < 2; time++) await at.token(machine(client), { headers: { dpop } });
    const written = JSON.stringify([at.events, at.log]);
    for (const part of dpop.split(".")) expect(written).not.toContain(part);
  });
});

describe("RFC 9449 §7 access tokens at a resource", () => {
  async function resource(options: Partial<BearerVerifierOptions> = {}, settings: Settings = {}) {
    const at = await install(settings);
    const { signingKeys, endedGrants } = at.server;
    const facts = { issuer: at.issuer, audience: `${at.issuer}/mcp`, keys: signingKeys, endedGrants, clock: at.clock };
    const verifier = () => createBearerVerifier({ ...facts, ...options });
    const client = await at.application();
    const tokenWith = async (dpop?: string, by = client): Promise<string> =>
      (await at.token(machine(by), dpop === undefined ? {} : { headers: { dpop } })).body.access_token;
    const tokenOf = async (by: typeof client) => tokenWith(await key.proof(at), by);
    const token = await tokenWith(await key.proof(at));
    const send = (scheme: string, sent: string, dpop?: string, one = shared) =>
      one.verify({
        headers: { authorization: `${scheme} ${sent}`, ...(dpop !== undefined && { dpop }) },
        method: "POST",
        url: "/mcp?x=1",
      });
    const shared = verifier();
    return { at, client, token, tokenWith, tokenOf, send, verifier };
  }

  it.each(faults)("[C-3.57] are refused when the proof has a fault (%s): %s", async (_, __, proof) => {
    const { at, token, send } = await resource();
    expect(await send("DPoP", token, await made(proof, at, token))).toEqual({
      refusal: "invalid_proof",
      fault: expect.any(String),
    });
  });

  it("[C-3.57] are accepted with a proof that names them, also when they are cached", async () => {
    const { at, client, token, send } = await resource();
    for (const scheme of ["DPoP", "dpop", "DPoP"])
      expect(await send(scheme, token, await key.proof(at, { accessToken: token }))).toMatchObject({
        principal: { client_id: client.client_id, application_id: client.application_id },
      });
  });

  it("[C-3.57] are refused without a proof, with one for another token, and with one of another key", async () => {
    const { at, token, tokenWith, send } = await resource();
    const second = await tokenWith(await key.proof(at));
    const words = (result: object) => ("fault" in result ? result.fault : result);
    expect(words(await send("DPoP", token))).toMatch(/one signed JWT/);
    expect(words(await send("DPoP", token, await key.proof(at, { accessToken: second })))).toMatch(/^ath /);
    const ath = undefined;
    expect(words(await send("DPoP", token, await key.proof(at, { accessToken: token, claims: { ath } })))).toMatch(
      /^ath /,
    );
    expect(words(await send("DPoP", token, await other.proof(at, { accessToken: token })))).toMatch(/another key/);
  });

  it("[C-3.57] are never accepted as the other kind", async () => {
    const { at, token, tokenWith, send } = await resource();
    const bearer = await tokenWith();
    const invalid = { refusal: "invalid" };
    for (let time = 0; time < 2; time++) {
      expect(await send("Bearer", token)).toEqual(invalid);
      expect(await send("Bearer", token, await key.proof(at, { accessToken: token }))).toEqual(invalid);
      expect(await send("DPoP", bearer, await key.proof(at, { accessToken: bearer }))).toEqual(invalid);
      expect(await send("Bearer", bearer)).toHaveProperty("principal");
    }
  });

  it("[C-3.58] a proof is accepted once by a replica, which remembers as many as it is told to", async () => {
    const { at, token, send, verifier } = await resource({ rememberedProofs: 3 });
    const proofs = await Promise.all(Array.from({ length: 4 }, () => key.proof(at, { accessToken: token })));
    const [first = "", ...more] = proofs;
    expect(await send("DPoP", token, first)).toHaveProperty("principal");
    expect(await send("DPoP", token, first)).toMatchObject({ refusal: "invalid_proof", fault: "jti was used before" });
    // Another replica has not seen it.
    expect(await send("DPoP", token, first, verifier())).toHaveProperty("principal");
    for (const proof of more) expect(await send("DPoP", token, proof)).toHaveProperty("principal");
    expect(await send("DPoP", token, first)).toHaveProperty("principal");
    at.advance(61);
    expect(await send("DPoP", token, first)).toMatchObject({ fault: expect.stringMatching(/^iat /) });
  });

  it("[C-3.66] a tenant that sends many proofs makes a replica forget none of a tenant that sends fewer", async () => {
    const { at, token, tokenOf, send } = await resource({ rememberedProofs: 3 });
    const flooding = await tokenOf(await at.application({ tenant_id: "tenant-flood" }));
    const proof = await key.proof(at, { accessToken: token });
    expect(await send("DPoP", token, proof)).toHaveProperty("principal");
    for (let time = 0; time < 10; time++)
      expect(await send("DPoP", flooding, await key.proof(at, { accessToken: flooding }))).toHaveProperty("principal");
    expect(await send("DPoP", token, proof)).toMatchObject({ fault: "jti was used before" });
    // Expired ones give way first, whosever they are.
    at.advance(61);
    const [own, others] = [await key.proof(at, { accessToken: token }), await key.proof(at, { accessToken: flooding })];
    expect(await send("DPoP", token, own)).toHaveProperty("principal");
    expect(await send("DPoP", flooding, others)).toHaveProperty("principal");
    expect(await send("DPoP", flooding, others)).toMatchObject({ fault: "jti was used before" });
  });

  it("[C-3.68] a proof of another key than the token's is refused before its key is looked at", async () => {
    const { at, token, send } = await resource();
    const jwk = { ...other.jwk, y: other.jwk.x };
    const proof = await other.proof(at, { accessToken: token, header: { jwk } });
    expect(await send("DPoP", token, proof)).toMatchObject({ fault: "the access token is bound to another key" });
  });

  it("[C-3.65] an address that is none matches nothing, not even another that is none", async () => {
    const { at, token, send } = await resource({ publicUrl: "no address" });
    const proof = await key.proof(at, { accessToken: token, claims: { htu: "none either" } });
    expect(await send("DPoP", token, proof)).toMatchObject({ fault: expect.stringMatching(/^htu /) });
  });

  it("[C-3.57] end with their grant, and with their time", async () => {
    const { at, token, send } = await resource();
    const proven = async () => send("DPoP", token, await key.proof(at, { accessToken: token }));
    expect(await proven()).toHaveProperty("principal");
    await at.store.grants.endGrant(payloadOf(token).gid, at.clock());
    expect(await proven()).toEqual({ refusal: "invalid" });
    at.advance(3700);
    expect(await proven()).toEqual({ refusal: "invalid" });
  });

  it("[C-3.60] the address of a proof is compared with the public address of the resource, whatever it is asked by", async () => {
    const publicUrl = "https://wealth.example/base";
    const { at, token, send } = await resource({ publicUrl });
    const ath = createHash("sha256").update(token).digest("base64url");
    const own = await key.proof(at, { claims: { htu: `${publicUrl}/mcp`, ath } });
    expect(await send("DPoP", token, own)).toHaveProperty("principal");
    expect(await send("DPoP", token, await key.proof(at, { accessToken: token }))).toMatchObject({
      fault: expect.stringMatching(/^htu /),
    });
  });

  it("a bearer token, and one in the cache, are checked without a promise that they do not need", async () => {
    const { tokenWith, send } = await resource();
    const bearer = await tokenWith();
    await send("Bearer", bearer);
    expect(send("Bearer", bearer)).toHaveProperty("principal");
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look at claims one by one
function payloadOf(token: string): any {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}
