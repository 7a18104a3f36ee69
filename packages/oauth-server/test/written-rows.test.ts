import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import type { RememberedCredentials } from "../src/ports/authorization-store.js";
import type { StoredSigningKey } from "../src/ports/signing-key-store.js";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";
import type { Uuid } from "../src/uuid.js";
import { authorization } from "./authorization.js";
import { bearing, install, machine } from "./harness.js";

describe("[security.md] who can write rows of one table and has credentials of their own", () => {
  it("does not become another application by giving it the hash of their own secret", async () => {
    const at = await install();
    const [victim, own] = [await at.application(), await at.application()];
    const stored = await at.store.applications.findByClientId(own.client_id);
    const secret_id = victim.secret_id as Uuid;
    const written = { ...stored?.secrets[0], secret_id, created_at: at.clock() };
    await at.store.applications.removeSecret(victim.application_id, secret_id, at.clock());
    await at.store.applications.addSecret(victim.application_id, { secret_hash: "", ...written });
    const forged = { ...victim, client_secret: own.client_secret };
    expect((await at.token(machine(forged))).body).toMatchObject({ error: "invalid_client" });
    expect((await at.token(machine(own))).status).toBe(200);
  });

  it("does not become another application by letting their own cookie stand for its remembered credentials", async () => {
    const store = createMemoryOAuthStore();
    const at = await install({ store });
    const rows: RememberedCredentials[] = [];
    const { rememberCredentials } = store.remembered;
    Object.assign(store.remembered, {
      rememberCredentials: (row: RememberedCredentials) => {
        rows.push(row);
        return rememberCredentials(row);
      },
    });
    const victim = await authorization(at);
    await victim.signIn(await at.application({ name: "Victim" }));
    const attacker = await authorization(at);
    await attacker.signIn(await at.application({ name: "Attacker" }));
    const [ofVictim, ofAttacker] = rows as [RememberedCredentials, RememberedCredentials];

    expect((await attacker.browser.open(attacker.url())).text).toContain("Attacker");
    await store.remembered.forgetRemembered(ofVictim.cookie_hash);
    await store.remembered.forgetRemembered(ofAttacker.cookie_hash);
    expect(await rememberCredentials({ ...ofVictim, cookie_hash: ofAttacker.cookie_hash })).toBe(true);
    expect((await attacker.browser.open(attacker.url())).text).not.toContain("Victim");
    expect(attacker.browser.form("sign-in")).toBeDefined();
  });

  it("does not sign tokens with a key of their own, written into the table or over a stored one", async () => {
    const { signingKeys: rows, ...store } = createMemoryOAuthStore();
    let written: readonly StoredSigningKey[] = [];
    const listSigningKeys = async () => [...(await rows.listSigningKeys()), ...written];
    const at = await install({ store: { ...store, signingKeys: { ...rows, listSigningKeys } } });
    const { body } = await at.token(machine(await at.application()));
    const [real] = await rows.listSigningKeys();
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const kid = "forged";
    const public_jwk = { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" };
    written = [{ ...(real as StoredSigningKey), kid, public_jwk }];
    at.advance(60);
    const forged = await new SignJWT(decodeJwt(body.access_token))
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
      .sign(privateKey);
    const verifier = createBearerVerifier({
      issuer: at.issuer,
      audience: `${at.issuer}/mcp`,
      clock: at.clock,
      keys: at.server.signingKeys,
    });
    expect(await verifier.verify(bearing(`Bearer ${forged}`))).toEqual({ refusal: "invalid" });
    expect(await verifier.verify(bearing(`Bearer ${body.access_token}`))).toHaveProperty("principal");
    const published = await (await fetch(`${at.issuer}/.well-known/jwks.json`)).json();
    expect(JSON.stringify(published)).not.toContain(public_jwk.x);
    expect(at.log).toHaveLength(1);
  });
});
