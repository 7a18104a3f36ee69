import { describe, expect, it } from "vitest";
import { install, json } from "./harness.js";

const METADATA = { redirect_uris: ["https://client.example/callback"] };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("[C-1.41] RFC 7591 §3: REGISTRATION=token", () => {
  it("takes registrations with an initial access token of the operator only, for as long as it lives", async () => {
    const at = await install({ registration: "token" });
    const { token, registration_token } = await at.registrationTokens.create({ name: "Laptops", days: 1 });
    expect(token).toMatch(/^wci_[\w-]{43}$/);
    const without = await at.register(METADATA);
    expect(without).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect(without.headers.get("www-authenticate")).toBe("Bearer");
    const wrong = await at.register(METADATA, bearer("wci_wrong"));
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(wrong.text).not.toContain("wci_wrong");

    const { status, body } = await at.register(METADATA, bearer(token));
    expect(status).toBe(201);
    const { token_id } = registration_token;
    expect(at.events.slice(-2)).toMatchObject([
      { action: "registration_token.created", detail: token_id },
      { action: "client.registered", client_id: body.client_id, detail: token_id },
    ]);
    at.advance(24 * 3600);
    expect((await at.register(METADATA, bearer(token))).status).toBe(401);
    expect(await at.registrationTokens.list()).toEqual([]);
    expect((await json(`${at.issuer}/.well-known/oauth-authorization-server`)).registration_endpoint).toBe(
      `${at.issuer}/register`,
    );
  });

  it("a token that is withdrawn opens nothing, and clients that it registered stay", async () => {
    const at = await install({ registration: "token" });
    const { token, registration_token } = await at.registrationTokens.create({ name: "Laptops", days: 30 });
    const { client_id } = (await at.register(METADATA, bearer(token))).body;
    expect(await at.registrationTokens.list()).toEqual([registration_token]);
    expect(await at.registrationTokens.revoke(registration_token.token_id, { actor: "operator" })).toBe(true);
    expect(await at.registrationTokens.revoke(registration_token.token_id)).toBe(false);
    expect((await at.register(METADATA, bearer(token))).status).toBe(401);
    expect(await at.store.clients.findClient(client_id)).not.toBeNull();
    expect(at.events.at(-1)).toMatchObject({ action: "registration_token.revoked", actor: "operator" });
  });

  it("keeps a hash of a token, never itself", async () => {
    const at = await install({ registration: "token" });
    const { token } = await at.registrationTokens.create({ name: "Laptops", days: 30 });
    const stored = JSON.stringify(await at.store.clients.listRegistrationTokens(at.clock()));
    expect(stored).not.toContain(token.slice(4));
    expect(JSON.stringify(at.events)).not.toContain(token.slice(4));
  });

  it("guesses at tokens are limited, and the right one gets in", async () => {
    const at = await install({ registration: "token" });
    const { token } = await at.registrationTokens.create({ name: "Laptops", days: 30 });
    for (let guess = 0; guess < 10; guess++)
      expect((await at.register(METADATA, bearer(`wci_${guess}`))).status).toBe(401);
    expect((await at.register(METADATA, bearer("wci_10"))).status).toBe(429);
    expect((await at.register(METADATA, bearer(token))).status).toBe(201);
  });
});

describe("[C-1.41] REGISTRATION=off", () => {
  it("takes none, and metadata name no registration endpoint", async () => {
    const at = await install({ registration: "off" });
    expect(await at.register(METADATA)).toMatchObject({ status: 403, body: { error: "access_denied" } });
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/mcp"])
      expect(await json(at.issuer + path)).not.toHaveProperty("registration_endpoint");
  });
});
