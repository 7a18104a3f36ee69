import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { RegisteredClient, RegistrationToken } from "../ports/client-store.js";
import { atOnce, type Cases, hash, later, noon, orderedId } from "./conformance-fixture.js";

const cutoff = { at: noon, usedBefore: new Date(1_000), createdBefore: new Date(2_000) };

/** Cases of self-registered clients, and of their assertions. */
export function clientCases(cases: () => Cases): void {
  const clients = () => cases().store.clients;
  const register = async (change: Partial<RegisteredClient> = {}) => {
    const client = clientOf(change);
    await clients().registerClient(client);
    return client;
  };
  const reapAll = async () => {
    while ((await clients().reapClients(cutoff, 10)) > 0);
  };

  it("keeps a client with everything it registered", async () => {
    const plain = await register();
    const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x: "AA" }] };
    const full = await register({
      client_name: "Ein Client ✓",
      token_endpoint_auth_method: "private_key_jwt",
      jwks,
      secret_hash: "1.hash",
      metadata: { client_uri: "https://client.example", contacts: ["a", "b"] },
    });
    const byAddress = await register({ jwks_uri: "https://client.example/jwks.json" });
    for (const client of [plain, full, byAddress]) expect(await clients().findClient(client.client_id)).toEqual(client);
    expect(await clients().findClient(`wcd_${randomUUID()}`)).toBeNull();
    await expect(clients().registerClient(plain)).rejects.toThrow();
  });

  it("moves the last use forward only", async () => {
    const client = await register();
    await clients().markClientUsed(client.client_id, later(50));
    await clients().markClientUsed(client.client_id, later(20));
    await clients().markClientUsed(`wcd_${randomUUID()}`, later(50));
    expect(await clients().findClient(client.client_id)).toEqual({ ...client, last_used_at: later(50) });
  });

  it("[security.md] reaps idle clients without live grants", async () => {
    const at = (created: number, used = created) => ({ created_at: new Date(created), last_used_at: new Date(used) });
    const neverUsed = await register(at(1_500));
    const idle = await register(at(0, 500));
    const used = await register(at(0, 1_500));
    const young = await register(at(2_500));
    const [alive, ended, expired] = [await register(at(0, 1)), await register(at(0, 1)), await register(at(0, 1))];
    const application = await cases().application();
    await cases().grant(application, { client_id: alive.client_id });
    const over = await cases().grant(application, { client_id: ended.client_id });
    await cases().store.grants.endGrant(over.grant_id, noon);
    await cases().grant(application, { client_id: expired.client_id, created_at: later(-100), refresh_seconds: 100 });
    await reapAll();
    for (const { client_id } of [neverUsed, idle, ended, expired])
      expect(await clients().findClient(client_id)).toBeNull();
    for (const { client_id } of [used, young, alive]) expect(await clients().findClient(client_id)).not.toBeNull();
  });

  it("[C-1.41] keeps initial access tokens until they expire or are removed", async () => {
    const token = (change: Partial<RegistrationToken> = {}): RegistrationToken => ({
      token_id: orderedId(),
      name: "Our laptops",
      token_hash: hash(),
      created_at: noon,
      expires_at: later(60),
      ...change,
    });
    const [one, other, old] = [token(), token(), token({ expires_at: new Date(0) })];
    for (const each of [one, other, old]) await clients().addRegistrationToken(each);
    expect(await clients().findRegistrationToken([hash(), one.token_hash], later(59))).toEqual(one);
    expect(await clients().findRegistrationToken([one.token_hash], later(60))).toBeNull();
    expect(await clients().findRegistrationToken([hash()], noon)).toBeNull();
    const listed = (await clients().listRegistrationTokens(noon)).map(({ token_id }) => token_id);
    expect(listed.filter((id) => [one, other, old].some(({ token_id }) => token_id === id))).toEqual([
      one.token_id,
      other.token_id,
    ]);
    expect(await clients().removeRegistrationToken(one.token_id)).toBe(true);
    expect(await clients().removeRegistrationToken(one.token_id)).toBe(false);
    expect(await clients().removeRegistrationToken(orderedId())).toBe(false);
    expect(await clients().findRegistrationToken([one.token_hash], noon)).toBeNull();
    expect(await clients().reapRegistrationTokens(new Date(1), 10)).toBe(1);
    expect(await clients().findRegistrationToken([other.token_hash], noon)).toEqual(other);
  });

  it("accepts an assertion once, of ten at once one, per client", async () => {
    const [one, other, jti] = [randomUUID(), randomUUID(), randomUUID()];
    const answers = await atOnce(10, () => clients().useAssertion(one, jti, later(60)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await clients().useAssertion(other, jti, later(60))).toBe(true);
    expect(await clients().useAssertion(one, jti, later(60))).toBe(false);
    await clients().useAssertion(one, "old", new Date(0));
    while ((await clients().reapAssertions(new Date(1), 10)) > 0);
    expect(await clients().useAssertion(one, "old", later(60))).toBe(true);
    expect(await clients().useAssertion(one, jti, later(60))).toBe(false);
  });
}

function clientOf(change: Partial<RegisteredClient>): RegisteredClient {
  return {
    client_id: `wcd_${randomUUID()}`,
    client_name: null,
    redirect_uris: ["http://127.0.0.1/callback", "cursor://anysphere.cursor-mcp/oauth/callback"],
    token_endpoint_auth_method: "none",
    secret_hash: null,
    jwks: null,
    jwks_uri: null,
    metadata: {},
    created_at: noon,
    last_used_at: noon,
    ...change,
  };
}
