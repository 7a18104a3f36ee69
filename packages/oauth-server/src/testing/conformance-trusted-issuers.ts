import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Application } from "../ports/application-store.js";
import type { AssertedGrant } from "../ports/grant-store.js";
import type { TrustedIssuer } from "../ports/trusted-issuer-store.js";
import type { Uuid } from "../uuid.js";
import { atOnce, type Cases, later, newGrant, noon, orderedId } from "./conformance-fixture.js";

const MANY = 1_000_000;

/** Cases of trusted identity providers, and of grants for which they vouch. */
export function trustedIssuerCases(cases: () => Cases): void {
  const issuers = () => cases().store.trustedIssuers;
  const grants = () => cases().store.grants;
  const keep = async (change: Partial<TrustedIssuer> = {}) => {
    const kept = await issuers().storeTrustedIssuer(trustedIssuer(change), MANY);
    if (kept.outcome !== "kept") throw new Error(`the issuer was ${kept.outcome}`);
    return kept;
  };
  const listed = async (issuer: string) =>
    (await issuers().listTrustedIssuers()).find((trusted) => trusted.issuer === issuer);

  it("[C-3.31] keeps an issuer with everything that is trusted of it, by issuer", async () => {
    const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x: "AA", kid: "1" }] };
    const rules = [
      { claims: { groups: "Desk", "https://a.example/org": "1" }, client_id: "wca_x", scopes: ["a", "b"] },
    ];
    const tenant_id = await cases().createTenant();
    const full = trustedIssuer({ jwks, rules, tenant_id, takes_public_clients: true, client_ids: ["a", "b"] });
    const plain = trustedIssuer({ jwks_uri: "https://idp.example/keys" });
    for (const trusted of [full, plain]) {
      expect(await keep(trusted)).toEqual({ outcome: "kept", trusted, ended: 0 });
      expect(await listed(trusted.issuer)).toEqual(trusted);
    }
    const all = (await issuers().listTrustedIssuers()).map(({ issuer }) => issuer);
    expect(all).toEqual([...all].sort());
  });

  it("[C-3.31] replaces an issuer for its owner only, and no more than there may be", async () => {
    const { trusted } = await keep();
    const again = { ...trusted, trust_id: orderedId(), token_seconds: 60, created_at: later(9), changed_at: later(9) };
    expect(await keep(again)).toMatchObject({ trusted: { ...again, created_at: noon } });
    const others = { ...again, tenant_id: await cases().createTenant() };
    expect(await issuers().storeTrustedIssuer(others, MANY)).toEqual({ outcome: "other_owner" });
    expect(await issuers().storeTrustedIssuer(again, 0)).toMatchObject({ outcome: "kept" });
    expect(await issuers().storeTrustedIssuer(trustedIssuer(), 0)).toEqual({ outcome: "full" });
  });

  it("[C-14.126] replaces a trust only by who has seen it, of ten at once one", async () => {
    const { trusted } = await keep();
    const replace = (replaces: string | null) =>
      issuers().storeTrustedIssuer({ ...trusted, trust_id: orderedId() }, MANY, replaces);
    expect(await replace(null)).toEqual({ outcome: "overtaken" });
    const outcomes = (await atOnce(10, () => replace(trusted.trust_id))).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(["kept", ...Array(9).fill("overtaken")]);
    const other = trustedIssuer();
    expect(await issuers().storeTrustedIssuer(other, MANY, trusted.trust_id)).toEqual({ outcome: "overtaken" });
    expect(await issuers().storeTrustedIssuer(other, MANY, null)).toMatchObject({ outcome: "kept" });
  });

  it("[C-3.36] issues for an assertion once, of ten at once one", async () => {
    const application = await cases().application();
    const { trusted } = await keep();
    const assertion = { issuer: `(${randomUUID()})`, jti: "a", usable_until: later(60) };
    const ask = () => grants().issueAssertedGrant(assertedGrant(application, trusted, { assertion }));
    const outcomes = await atOnce(10, ask);
    expect(outcomes.sort()).toEqual(["issued", ...Array(9).fill("replayed")]);
    expect(await ask()).toBe("replayed");
    const other = { ...assertion, issuer: `(${randomUUID()})` };
    const grant = assertedGrant(application, trusted, { assertion: other });
    expect(await grants().issueAssertedGrant(grant)).toBe("issued");
    expect(await grants().findGrant(grant.grant_id)).toMatchObject({
      flow: "asserted",
      secret_id: trusted.trust_id,
      is_confidential: false,
      refresh_expires_at: later(600),
    });
  });

  it("[C-3.36] a grant that is refused uses nothing up", async () => {
    const application = await cases().application();
    const { trusted } = await keep();
    const assertion = { issuer: `(${randomUUID()})`, jti: "a", usable_until: later(60) };
    const ask = (change: Partial<AssertedGrant> = {}, atMost?: number) =>
      grants().issueAssertedGrant(assertedGrant(application, trusted, { assertion, ...change }), atMost);
    expect(await ask({}, 0)).toBe("full");
    expect(await ask({ secret_id: randomUUID() })).toBe("not_allowed");
    expect(await ask({ secret_id: application.secrets[0]?.secret_id ?? "" })).toBe("not_allowed");
    expect(await ask({ client_id: `wca_${randomUUID()}` })).toBe("not_allowed");
    expect(await ask({ application_id: randomUUID() })).toBe("not_allowed");
    expect(await ask({}, 1)).toBe("issued");
  });

  it("[C-3.33] the issuer of one tenant gives nobody another's data", async () => {
    const [own, other] = [await cases().application(), await cases().application()];
    const { trusted } = await keep({ tenant_id: own.tenant_id });
    expect(await grants().issueAssertedGrant(assertedGrant(other, trusted))).toBe("not_allowed");
    const disguised = assertedGrant(other, trusted, { tenant_id: own.tenant_id });
    expect(await grants().issueAssertedGrant(disguised)).toBe("not_allowed");
    expect(await grants().issueAssertedGrant(assertedGrant(own, trusted))).toBe("issued");
  });

  it("[C-3.37] ends what was granted when the trust is changed or withdrawn, also what is just being made", async () => {
    const application = await cases().application();
    const { trusted } = await keep();
    const [first, second, third] = [0, 1, 2].map(() => assertedGrant(application, trusted));
    const ofProgram = await cases().grant(application);
    expect(await grants().issueAssertedGrant(first as AssertedGrant)).toBe("issued");
    const changed = { ...trusted, trust_id: orderedId(), changed_at: later(5) };
    expect((await keep(changed)).ended).toBe(1);
    expect((await grants().findGrant(first?.grant_id as Uuid))?.ended_at).toEqual(later(5));
    expect(await grants().issueAssertedGrant(second as AssertedGrant)).toBe("not_allowed");

    const again = { ...(third as AssertedGrant), secret_id: changed.trust_id };
    const [issued, removed] = await Promise.all([
      grants().issueAssertedGrant(again),
      issuers().removeTrustedIssuer(trusted.issuer, later(6)),
    ]);
    expect(removed?.ended).toBe(issued === "issued" ? 1 : 0);
    expect((await grants().findGrant(again.grant_id))?.ended_at ?? later(6)).toEqual(later(6));
    expect(await issuers().removeTrustedIssuer(trusted.issuer, later(7))).toBeNull();
    expect(await listed(trusted.issuer)).toBeUndefined();
    expect((await grants().findGrant(ofProgram.grant_id))?.ended_at).toBeNull();
  });

  it("[C-3.37] ends with its application, its client and its tenant", async ({ skip }) => {
    const [owner, client] = [await cases().application(), await cases().application()];
    const { trusted } = await keep({ tenant_id: owner.tenant_id });
    const grant = assertedGrant(owner, trusted, { client_id: client.client_id });
    expect(await grants().issueAssertedGrant(grant)).toBe("issued");
    await cases().store.applications.setEnabled(client.application_id, false, later(1));
    expect((await grants().findGrant(grant.grant_id))?.ended_at).toEqual(later(1));
    const next = () => assertedGrant(owner, trusted, { client_id: client.client_id });
    expect(await grants().issueAssertedGrant(next())).toBe("not_allowed");
    const remove = cases().removeTenant;
    if (!remove || owner.tenant_id === null) return skip("this backend removes no tenants");
    await cases().store.applications.setTenantEnabled(owner.tenant_id, false, later(2));
    await remove(owner.tenant_id);
    expect(await listed(trusted.issuer)).toBeUndefined();
  });

  it("[C-3.36] marks a client that registered itself as used", async () => {
    const application = await cases().application();
    const { trusted } = await keep();
    const client_id = `wcd_${randomUUID()}`;
    await cases().store.clients.registerClient({
      client_id,
      client_name: null,
      redirect_uris: [],
      token_endpoint_auth_method: "client_secret_post",
      secret_hash: null,
      jwks: null,
      jwks_uri: null,
      metadata: {},
      created_at: noon,
      last_used_at: noon,
    });
    await grants().issueAssertedGrant(assertedGrant(application, trusted, { client_id, created_at: later(7_200) }));
    expect((await cases().store.clients.findClient(client_id))?.last_used_at).toEqual(later(7_200));
  });
}

function trustedIssuer(change: Partial<TrustedIssuer> = {}): TrustedIssuer {
  return {
    trust_id: orderedId(),
    issuer: `https://${randomUUID()}.example`,
    tenant_id: null,
    jwks_uri: null,
    jwks: null,
    algorithms: ["ES256"],
    client_ids: ["wcd_a"],
    takes_public_clients: false,
    max_assertion_seconds: 300,
    token_seconds: 600,
    rules: [],
    created_at: noon,
    changed_at: noon,
    ...change,
  };
}

function assertedGrant(
  application: Application,
  { trust_id, token_seconds }: TrustedIssuer,
  change: Partial<AssertedGrant> = {},
): AssertedGrant {
  const { flow: _, refresh_token_hash: __, ...grant } = newGrant(application, { client_id: "wcd_a" });
  return {
    ...grant,
    secret_id: trust_id,
    refresh_seconds: token_seconds,
    assertion: { issuer: `(${randomUUID()})`, jti: "jti", usable_until: later(60) },
    ...change,
  };
}
