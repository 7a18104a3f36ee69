import { expect, it } from "vitest";
import { type ApplicationSecret, MAX_LIVE_SECRETS } from "../ports/application-store.js";
import type { Uuid } from "../uuid.js";
import { atOnce, type Cases, later, newGrant, noon, orderedId, secret } from "./conformance-fixture.js";

/** Cases of the application and secret stores. */
export function applicationCases(cases: () => Cases): void {
  const applications = () => cases().store.applications;

  it("keeps an application with its first secret and finds it by client id", async () => {
    const tenantId = await cases().createTenant();
    const first = secret();
    const record = {
      application_id: orderedId(),
      tenant_id: tenantId,
      client_id: `wca_${first.secret_id}`,
      name: "Ünïcode, 'quotes'",
      scopes: ["letters:write", "letters:read"],
      redirect_urls: ["https://a.example/back?x=1"],
      created_at: later(0.123),
    };
    await applications().create({ ...record, secret: first });
    expect(await applications().findByClientId(record.client_id)).toEqual({
      ...record,
      enabled: true,
      tenant_enabled: true,
      secrets: [first],
      client_refs: null,
      dpop_bound_access_tokens: false,
    });
    expect(await applications().findByClientId(`${record.client_id}x`)).toBeNull();
  });

  it("rejects a second application with the same client id and keeps the first", async () => {
    const known = await cases().application();
    const { enabled: _, tenant_enabled: __, secrets: ___, ...record } = known;
    await expect(
      applications().create({ ...record, application_id: orderedId(), name: "Twin", secret: secret() }),
    ).rejects.toThrow();
    expect(await applications().findByClientId(known.client_id)).toEqual(known);
  });

  it("[C-14.880] limits an application to clients, some or none, and tells all verifiers that it is limited", async () => {
    const tenantId = await cases().createTenant();
    const free = await cases().application(tenantId);
    const { enabled: _, tenant_enabled: __, secrets: ___, ...record } = free;
    const own = { application_id: orderedId(), client_id: `${free.client_id}2` };
    await applications().create({ ...record, ...own, secret: secret(), client_refs: ["B", "A"] });
    const refs = () => applications().clientRefsOf(own.application_id);
    const limited = async () =>
      (await cases().store.grants.endedGrants(null, noon)).limited.map(({ client_id }) => client_id);
    expect([...((await refs()) ?? [])].sort()).toEqual(["A", "B"]);
    expect(await applications().clientRefsOf(free.application_id)).toBeNull();
    expect(await applications().clientRefsOf(orderedId())).toEqual([]);
    expect(await limited()).toContain(own.client_id);
    expect(await limited()).not.toContain(free.client_id);
    const endings = cases().store.grants.endings();
    expect(await applications().limitToClients(own.application_id, [], noon)).toBe(true);
    expect(cases().store.grants.endings()).toBeGreaterThan(endings);
    expect([await refs(), (await applications().findByClientId(own.client_id))?.client_refs]).toEqual([[], []]);
    expect(await limited()).toContain(own.client_id);
    await applications().limitToClients(own.application_id, ["C"], noon);
    expect(
      (await applications().list({ tenant_id: tenantId, limit: 9 })).map(({ client_refs }) => client_refs),
    ).toEqual([null, ["C"]]);
    await applications().limitToClients(own.application_id, null, noon);
    expect(await refs()).toBeNull();
    expect(await limited()).not.toContain(own.client_id);
    expect(await applications().limitToClients(orderedId(), ["C"], noon)).toBe(false);
  });

  it("lists by owner, oldest first, page by page", async () => {
    const tenantId = await cases().createTenant();
    const three = [await cases().application(tenantId), await cases().application(tenantId)];
    const operator = await cases().application(null);
    three.push(await cases().application(tenantId));
    expect(await applications().list({ tenant_id: tenantId, limit: 10 })).toEqual(three);
    expect(await applications().list({ tenant_id: tenantId, limit: 2 })).toEqual(three.slice(0, 2));
    const after = three[1]?.application_id as Uuid;
    expect(await applications().list({ tenant_id: tenantId, after, limit: 2 })).toEqual(three.slice(2));
    const operators = await applications().list({ tenant_id: null, limit: 1_000 });
    expect(operators).toContainEqual(operator);
    expect(operators.every((application) => application.tenant_id === null)).toBe(true);
    expect(await applications().list({ limit: 1_000 })).toEqual(expect.arrayContaining([...three, operator]));
  });

  it("tells whose client ids are, and leaves out what names no application", async () => {
    const tenantId = await cases().createTenant();
    const own = await cases().application(tenantId);
    const operator = await cases().application(null);
    const owners = await applications().ownersOf([own.client_id, "wca_nobody", operator.client_id]);
    expect(Object.fromEntries(owners)).toEqual({
      [own.client_id]: { application_id: own.application_id, tenant_id: tenantId },
      [operator.client_id]: { application_id: operator.application_id, tenant_id: null },
    });
    expect((await applications().ownersOf([])).size).toBe(0);
  });

  it("lists the tenants that are switched off", async () => {
    const [off, on] = [await cases().createTenant(), await cases().createTenant()];
    for (const tenantId of [off, on]) await applications().setTenantEnabled(tenantId, false, noon);
    await applications().setTenantEnabled(on, true, noon);
    const disabled = await applications().disabledTenants();
    expect([off, on].map((tenantId) => disabled.includes(tenantId))).toEqual([true, false]);
  });

  it("replaces the redirect URLs", async () => {
    const { application_id, client_id } = await cases().application();
    expect(await applications().setRedirectUrls(application_id, ["https://b.example/", "http://localhost/"])).toBe(
      true,
    );
    expect((await applications().findByClientId(client_id))?.redirect_urls).toEqual([
      "https://b.example/",
      "http://localhost/",
    ]);
    expect(await applications().setRedirectUrls(orderedId(), [])).toBe(false);
  });

  it("adds scopes that an application does not have", async () => {
    const { application_id, client_id, scopes } = await cases().application();
    expect(await applications().addScopes(application_id, ["events:read", scopes[0] ?? "", "events:write"])).toBe(true);
    expect(await applications().addScopes(application_id, ["events:read"])).toBe(true);
    const found = await applications().findByClientId(client_id);
    expect(found?.scopes).toEqual([...new Set([...scopes, "events:read", "events:write"])]);
    expect(await applications().addScopes(orderedId(), ["events:read"])).toBe(false);
  });

  it("gives the last place for a secret to exactly one of ten that race for it", async () => {
    const { application_id, client_id } = await cases().application();
    const outcomes = await atOnce(10, () => applications().addSecret(application_id, secret(later(60))));
    expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(9);
    const found = await applications().findByClientId(client_id);
    expect(found?.secrets).toHaveLength(MAX_LIVE_SECRETS);
    expect(found?.secrets.map((known) => known.created_at)).toEqual([noon, later(60)]);
    expect(await applications().addSecret(orderedId(), secret())).toBe("unknown_application");
  });

  it("ends the grants of a removed secret, and no others", async () => {
    const application = await cases().application();
    const second = secret(later(1));
    await applications().addSecret(application.application_id, second);
    const [first] = application.secrets as [ApplicationSecret];
    const old = await cases().grant(application);
    const young = await cases().grant(application, { secret_id: second.secret_id });
    expect(await applications().removeSecret(application.application_id, first.secret_id, later(5))).toBe(true);
    expect(await applications().removeSecret(application.application_id, first.secret_id, later(6))).toBe(false);
    const other = await cases().application();
    expect(await applications().removeSecret(other.application_id, second.secret_id, later(6))).toBe(false);
    expect((await applications().findByClientId(application.client_id))?.secrets).toEqual([second]);
    expect((await cases().store.grants.findGrant(old.grant_id))?.ended_at).toEqual(later(5));
    expect((await cases().store.grants.findGrant(young.grant_id))?.ended_at).toBeNull();
    expect(await cases().store.grants.issueGrant(newGrant(application))).toBe("not_allowed");
  });

  it("ends the grants of a disabled application for good", async () => {
    const application = await cases().application();
    const grant = await cases().grant(application);
    expect(await applications().setEnabled(application.application_id, false, later(5))).toBe(true);
    expect(await applications().findByClientId(application.client_id)).toMatchObject({ enabled: false });
    expect(await cases().store.grants.issueGrant(newGrant(application))).toBe("not_allowed");
    expect(await applications().setEnabled(application.application_id, true, later(6))).toBe(true);
    expect((await cases().store.grants.findGrant(grant.grant_id))?.ended_at).toEqual(later(5));
    expect(await cases().store.grants.issueGrant(newGrant(application))).toBe("issued");
    expect(await applications().setEnabled(orderedId(), true, later(6))).toBe(false);
  });

  it("switches a whole tenant off and on, each application keeping its own switch", async () => {
    const tenantId = await cases().createTenant();
    const [a, b] = [await cases().application(tenantId), await cases().application(tenantId)];
    const stranger = await cases().application();
    const grants = [await cases().grant(a), await cases().grant(stranger)] as const;
    await applications().setEnabled(b.application_id, false, later(1));
    await applications().setTenantEnabled(tenantId, false, later(2));
    expect(await applications().findByClientId(a.client_id)).toMatchObject({ enabled: true, tenant_enabled: false });
    expect(await cases().store.grants.issueGrant(newGrant(a))).toBe("not_allowed");
    expect((await cases().store.grants.findGrant(grants[0].grant_id))?.ended_at).toEqual(later(2));
    expect((await cases().store.grants.findGrant(grants[1].grant_id))?.ended_at).toBeNull();
    await applications().setTenantEnabled(tenantId, true, later(3));
    expect(await cases().store.grants.issueGrant(newGrant(a))).toBe("issued");
    expect(await cases().store.grants.issueGrant(newGrant(b))).toBe("not_allowed");
  });
}
