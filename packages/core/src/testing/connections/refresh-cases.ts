import { expect, it } from "vitest";
import { CONSENT_RENEWAL_MS, type RefreshLease, type RefreshShares } from "../../connections/refresh-store.js";
import type { Storage } from "../../storage.js";
import { newId, newTenant, plan, type TenantUnderTest } from "../fixture.js";

/** Cases of `RefreshStore` and `RefreshQueue`. Each case has a year of its own, so that no other case reaches its plans. */
export function refreshCases(storage: () => Storage): void {
  let years = 2000;
  const newYear = () => {
    years -= 1;
    const year = years;
    return (minute: number) => new Date(Date.UTC(year, 0, 1, 0, minute));
  };
  const planned = async (
    tenant: TenantUnderTest,
    dueAt: Date,
    over: Parameters<typeof plan>[1] = {},
    connector_id = "esp:bank",
  ) => {
    const { connection_id } = await tenant.connect({ connector_id });
    expect(await tenant.run(({ refreshes }) => refreshes.plan(connection_id, plan(dueAt, over)))).toBe(true);
    return connection_id;
  };
  const claim = async (now: Date, until: Date, limit = 100, except_tenants: readonly string[] = []) =>
    (await storage().refreshQueue.claim({ lease: newId(), now, until, limit, except_tenants })).leases;
  const claimWith = async (given: Partial<RefreshShares>, limit: number, now: Date) => {
    const request = { lease: newId(), now, until: new Date(now.getTime() + 1_800_000), limit, except_tenants: [] };
    const shares = { each: 9, held: [], served: [], at_most: {}, closed: [], ...given };
    return (await storage().refreshQueue.claim({ ...request, shares })).leases;
  };
  const idsOf = (leases: readonly RefreshLease[]) => leases.map(({ connection_id }) => connection_id);

  it("a connection has no plan until it is given one, and one that does not exist gets none", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const at = newYear();
    await tenant.run(async ({ refreshes }) => {
      expect(await refreshes.find(connection_id)).toBeNull();
      expect(await refreshes.take(connection_id, { lease: newId(), now: at(0), until: at(5) })).toBe(false);
      const id = newId();
      expect(await refreshes.find(id)).toBeNull();
      expect(await refreshes.plan(id, plan(at(1)))).toBe(false);
      expect(await refreshes.take(id, { lease: newId(), now: at(0), until: at(5) })).toBe(false);
      expect(await refreshes.hold(id, newId())).toBeNull();
    });
  });

  it("what is due is claimed once, longest due first, until its lease ends", async () => {
    const tenants = [await newTenant(storage()), await newTenant(storage())] as const;
    const at = newYear();
    const late = await planned(tenants[0], at(20));
    const first = await planned(tenants[0], at(10));
    const second = await planned(tenants[1], at(11));
    expect(await claim(at(9), at(15))).toEqual([]);
    expect(idsOf(await claim(at(12), at(30), 1))).toEqual([first]);
    const [lease, ...others] = await claim(at(12), at(31));
    expect([lease, others]).toEqual([
      { tenant_id: tenants[1].tenant_id, connection_id: second, connector_id: "esp:bank", lease: lease?.lease },
      [],
    ]);
    expect(await tenants[1].run(({ refreshes }) => refreshes.find(second))).toEqual({
      due_at: at(31),
      lease: lease?.lease,
      failures: 0,
      attempted_at: at(12),
      outcome: null,
      pending: null,
      notified_at: null,
      lost_leases: 0,
    });
    expect(
      await tenants[1].run(({ refreshes }) => refreshes.take(second, { lease: newId(), now: at(30), until: at(60) })),
    ).toBe(false);
    expect(idsOf(await claim(at(29), at(60)))).toEqual([late]);
    expect(idsOf(await claim(at(32), at(60)))).toEqual([first, second]);
  });

  it("of ten claims at once each connection is in one", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const ids: string[] = [];
    for (let made = 0; made < 12; made += 1) ids.push(await planned(tenant, at(made)));
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(at(30), at(60), 2)));
    const rest = await claim(at(30), at(60));
    expect([...claims.flatMap(idsOf), ...idsOf(rest)].sort()).toEqual(ids.sort());
  });

  it("of ten takes at once one gets the lease", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const id = await planned(tenant, at(100));
    const takes = Array.from({ length: 10 }, () =>
      tenant.run(({ refreshes }) => refreshes.take(id, { lease: newId(), now: at(1), until: at(6) })),
    );
    expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(1);
  });

  it("tenants that are switched off are passed over", async () => {
    const [off, on] = [await newTenant(storage()), await newTenant(storage())];
    const at = newYear();
    const waiting = await planned(off, at(1));
    const due = await planned(on, at(2));
    expect(idsOf(await claim(at(3), at(9), 100, [off.tenant_id]))).toEqual([due]);
    expect(idsOf(await claim(at(3), at(9)))).toEqual([waiting]);
  });

  it("[C-9.241] a connector and a tenant have their share of the places; of those that wait whoever has the fewest comes first", async () => {
    const [many, few] = [await newTenant(storage()), await newTenant(storage())];
    const at = newYear();
    const slow: string[] = [];
    for (let made = 0; made < 8; made += 1) slow.push(await planned(many, at(made), {}, "esp:slow"));
    const sameTenant = await planned(many, at(20), {}, "fra:bank");
    const sameConnector = await planned(few, at(21), {}, "esp:slow");
    const stranger = await planned(few, at(22), {}, "fra:bank");
    const held: RefreshLease[] = [];
    const claimed = async (limit: number, at_most: Readonly<Record<string, number>> = {}) => {
      const leases = await claimWith({ each: 3, held: [...held], at_most }, limit, at(30));
      held.push(...leases);
      return idsOf(leases).sort();
    };
    // Those without a place come before the second of many at the slow bank, although they have been due for less time: another tenant, another bank.
    expect(await claimed(3)).toEqual([slow[0], sameTenant, sameConnector].sort());
    // The slow bank has used its share, and so has the tenant.
    expect(await claimed(9)).toEqual([slow[1], stranger].sort());
    expect(await claimed(9)).toEqual([]);
    held.length = 0;
    expect(await claimed(9, { "esp:slow": 1 })).toEqual([slow[2]]);
  });

  it("[C-9.240] connectors that a server leaves alone are left to others: for one tenant, or for all but some", async () => {
    const [one, other] = [await newTenant(storage()), await newTenant(storage())];
    const at = newYear();
    const ofOne = await planned(one, at(1));
    const ofOther = await planned(other, at(2));
    const elsewhere = await planned(one, at(3), {}, "fra:bank");
    const claimed = async (tenant_id: string | null, except_tenants: readonly string[]) => {
      const closed = [{ connector_id: "esp:bank", tenant_id, except_tenants }];
      return idsOf(await claimWith({ closed }, 9, at(9)));
    };
    expect((await claimed(null, [])).sort()).toEqual([elsewhere]);
    const settle = (tenant: TenantUnderTest, id: typeof ofOne) =>
      tenant.run(({ refreshes }) => refreshes.plan(id, plan(at(3))));
    await settle(one, elsewhere);
    expect((await claimed(null, [other.tenant_id])).sort()).toEqual([elsewhere, ofOther].sort());
    await settle(one, elsewhere);
    await settle(other, ofOther);
    expect((await claimed(one.tenant_id, [])).sort()).toEqual([elsewhere, ofOther].sort());
  });

  it("[C-9.242] what loses its lease again and again is put off, longer each time, and a day in the end", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const id = await planned(tenant, at(0));
    const found = () => tenant.run(({ refreshes }) => refreshes.find(id));
    const next = (minute: number) =>
      storage().refreshQueue.claim({
        lease: newId(),
        now: at(minute),
        until: at(minute + 5),
        limit: 9,
        except_tenants: [],
      });
    expect((await next(0)).leases).toHaveLength(1);
    // The first lost lease may be the server's fault.
    expect(await next(5)).toMatchObject({ leases: [{ connection_id: id }], postponed: [] });
    let minute = 10;
    for (const [lost, wait] of [
      [2, 15],
      [3, 30],
      [4, 60],
      [5, 120],
      [6, 24 * 60],
    ] as const) {
      const until = at(minute + wait);
      expect(await next(minute)).toEqual({
        leases: [],
        postponed: [
          { tenant_id: tenant.tenant_id, connection_id: id, connector_id: "esp:bank", lost_leases: lost, until },
        ],
      });
      expect(await found()).toMatchObject({ due_at: until, lease: null, lost_leases: lost, outcome: "postponed" });
      expect((await next(minute + wait - 1)).leases).toEqual([]);
      expect((await next(minute + wait)).leases).toHaveLength(1);
      minute += wait + 5;
    }
    await tenant.run(({ refreshes }) => refreshes.plan(id, plan(at(minute))));
    expect(await found()).toMatchObject({ lost_leases: 0 });
    expect((await next(minute)).leases).toHaveLength(1);
    await tenant.run(({ refreshes }) =>
      refreshes.settle(id, { due_at: at(minute + 9), failures: 0, outcome: "refreshed", pending: null }),
    );
    expect(await found()).toMatchObject({ lost_leases: 0 });
  });

  it("a lease is held until it is settled, planned anew, taken over, or its connection is gone", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const id = await planned(tenant, at(1));
    const holds = (lease: string) => tenant.run(async ({ refreshes }) => (await refreshes.hold(id, lease)) !== null);
    const taken = async (minute: number) => {
      const lease = newId();
      const request = { lease, now: at(minute), until: at(minute + 5) };
      expect(await tenant.run(({ refreshes }) => refreshes.take(id, request))).toBe(true);
      return lease;
    };
    const settled = await taken(1);
    expect([await holds(settled), await holds(newId())]).toEqual([true, false]);
    const known = () => storage().refreshQueue.known({ tenant_id: tenant.tenant_id, connection_id: id });
    const held = await tenant.run(async ({ refreshes, connections }) => ({
      connection: await connections.find(id),
      plan: await refreshes.find(id),
    }));
    expect(await known()).toEqual({ ...held, latest: {} });
    await tenant.run(async ({ refreshes, snapshots }) => {
      expect(await refreshes.hold(id, settled)).toEqual(held);
      const stated = { connection_id: id, as_of: at(1), published_at: at(1), digests: { transaction: "d" } };
      await snapshots.publish({ ...stated, holdings: [], transactions: [] });
      // Locked already.
      expect(await refreshes.hold(id, settled)).toEqual(held);
    });
    expect(await known()).toEqual({
      ...held,
      latest: { investment: { as_of: at(1), digest: null }, transaction: { as_of: at(1), digest: "d" } },
    });
    await tenant.run(async ({ refreshes }) => {
      await refreshes.settle(id, { due_at: at(20), failures: 2, outcome: "failed", pending: null });
    });
    expect(await holds(settled)).toBe(false);
    expect(await tenant.run(({ refreshes }) => refreshes.find(id))).toEqual({
      due_at: at(20),
      lease: null,
      failures: 2,
      attempted_at: at(1),
      outcome: "failed",
      pending: null,
      notified_at: null,
      lost_leases: 0,
    });

    const planned_anew = await taken(21);
    await tenant.run(({ refreshes }) => refreshes.plan(id, plan(at(50))));
    expect(await holds(planned_anew)).toBe(false);
    expect(await tenant.run(({ refreshes }) => refreshes.find(id))).toMatchObject({ due_at: at(50), failures: 0 });

    const overtaken = await taken(51);
    expect(idsOf(await claim(at(57), at(70)))).toEqual([id]);
    expect(await holds(overtaken)).toBe(false);

    const last = await taken(71);
    await tenant.run(({ connections }) => connections.remove(id));
    expect(await holds(last)).toBe(false);
    expect(await tenant.run(({ refreshes }) => refreshes.find(id))).toBeNull();
    expect(await claim(at(90), at(99))).toEqual([]);
  });

  it("[C-2.1] a plan is nobody else's", async () => {
    const [owner, stranger] = [await newTenant(storage()), await newTenant(storage())];
    const at = newYear();
    const id = await planned(owner, at(1));
    const lease = newId();
    await owner.run(({ refreshes }) => refreshes.take(id, { lease, now: at(1), until: at(5) }));
    await stranger.run(async ({ refreshes }) => {
      expect(await refreshes.find(id)).toBeNull();
      expect(await refreshes.plan(id, plan(at(2)))).toBe(false);
      expect(await refreshes.take(id, { lease: newId(), now: at(6), until: at(9) })).toBe(false);
      expect(await refreshes.hold(id, lease)).toBeNull();
      await refreshes.settle(id, { due_at: null, failures: 9, outcome: "failed", pending: null });
    });
    expect(await owner.run(({ refreshes }) => refreshes.hold(id, lease))).toMatchObject({ plan: { lease } });
  });

  it("the backlog counts what is due, and what waits for a re-login", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const before = await storage().refreshQueue.backlog(at(5));
    await planned(tenant, at(4));
    await planned(tenant, at(3));
    await planned(tenant, at(6));
    const waiting = await planned(tenant, at(1));
    await tenant.run(({ refreshes }) =>
      refreshes.settle(waiting, { due_at: null, failures: 0, outcome: "relogin_needed", pending: null }),
    );
    expect(await storage().refreshQueue.backlog(at(5))).toEqual({
      due: before.due + 2,
      oldest_due_at: at(3),
      relogin_needed: before.relogin_needed + 1,
      consents_to_renew: before.consents_to_renew,
    });
    expect(idsOf(await claim(at(5), at(9)))).toHaveLength(2);
    expect(await claim(at(5), at(9))).toEqual([]);
  });

  it("[C-5.60] what an institution prepares stays with the plan: leases come and go, a settled refresh or a new plan replaces it", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const pending = { sealed_state: "sealed state", since: at(0) };
    const id = await planned(tenant, at(1), { pending });
    const found = () => tenant.run(({ refreshes }) => refreshes.find(id));
    expect(await found()).toMatchObject({ pending });
    // The holder of this lease dies.
    expect(idsOf(await claim(at(2), at(5)))).toEqual([id]);
    const [lease] = await claim(at(6), at(9));
    expect(await found()).toMatchObject({ pending, lease: lease?.lease });
    const later = { sealed_state: "another", since: at(0) };
    await tenant.run(({ refreshes }) =>
      refreshes.settle(id, { due_at: at(20), failures: 0, outcome: "pending", pending: later }),
    );
    expect(await found()).toMatchObject({ pending: later, outcome: "pending" });
    await tenant.run(({ refreshes }) => refreshes.plan(id, plan(at(30))));
    expect(await found()).toMatchObject({ pending: null });
  });

  it("[C-5.65] [C-5.132] [C-5.233] a notification makes due whom it names, of any tenant, of all but some or of one, at most once in a while", async () => {
    const [mine, other] = [await newTenant(storage()), await newTenant(storage())];
    const at = newYear();
    const hash = (name: string) => `${name} of ${mine.tenant_id}`;
    const byUser = await planned(mine, at(900), { user_hash: hash("user") });
    const twin = await planned(other, at(900), { user_hash: hash("user") });
    const byReference = await planned(mine, at(900), { reference_hash: hash("item"), user_hash: hash("both") });
    const stranger = await planned(other, at(900), { user_hash: hash("stranger"), reference_hash: hash("user") });
    const expedite = (
      minute: number,
      user: readonly string[],
      reference: readonly string[],
      tenant_id: string | null = null,
      except_tenants: readonly string[] = [],
    ) =>
      storage().refreshQueue.expedite({
        user_hashes: user.map(hash),
        reference_hashes: reference.map(hash),
        tenant_id,
        except_tenants,
        now: at(minute),
        pause_ms: 15 * 60_000,
      });
    const referenced = async (tenant: typeof mine, name: string) =>
      (await tenant.run(({ connections }) => connections.findReferenced(hash(name)))).map((one) => one.connection_id);
    expect(await referenced(mine, "item")).toEqual([byReference]);
    expect(await referenced(other, "user")).toEqual([stranger]);
    expect([await referenced(other, "item"), await referenced(mine, "user")]).toEqual([[], []]);
    const references = [byReference, byUser].map((id) => mine.run(({ refreshes }) => refreshes.referenceOf(id)));
    expect(await Promise.all(references)).toEqual([hash("item"), null]);
    expect(await expedite(1, ["nobody"], ["nothing"])).toBe(0);
    // Tenants with settings of their own are excluded: they are notified under those.
    expect(await expedite(1, ["user"], [], null, [mine.tenant_id, other.tenant_id])).toBe(0);
    expect(await expedite(1, ["both"], ["item"])).toBe(1);
    expect(await expedite(2, ["user"], [], mine.tenant_id)).toBe(1);
    expect(idsOf(await claim(at(3), at(5)))).toEqual([byReference, byUser]);
    expect(await expedite(4, ["user"], [])).toBe(2);
    // A refresh under way keeps its lease and records the notification.
    expect(await mine.run(({ refreshes }) => refreshes.find(byUser))).toMatchObject({
      due_at: at(5),
      notified_at: at(4),
    });
    expect(idsOf(await claim(at(4), at(40)))).toEqual([twin]);
    const settle = (
      tenant: TenantUnderTest,
      id: typeof byUser,
      outcome: "refreshed" | "throttled" | "relogin_needed" | "already_exists",
    ) => {
      const due_at = outcome === "refreshed" || outcome === "throttled" ? at(900) : null;
      return tenant.run(({ refreshes }) => refreshes.settle(id, { due_at, failures: 0, outcome, pending: null }));
    };
    await settle(mine, byUser, "refreshed");
    await settle(other, twin, "throttled");
    await settle(mine, byReference, "relogin_needed");
    // One that waits for its customer is tried once.
    expect(await expedite(6, ["user", "both"], [])).toBe(3);
    expect(await claim(at(17), at(40))).toEqual([]);
    expect(idsOf(await claim(at(18), at(40))).sort()).toEqual([byReference, byUser].sort());
    await settle(mine, byReference, "already_exists");
    expect(await expedite(60, [], ["item"])).toBe(0);
    expect(await other.run(({ refreshes }) => refreshes.find(twin))).toMatchObject({ due_at: at(900) });
    expect(await other.run(({ refreshes }) => refreshes.find(stranger))).toMatchObject({ notified_at: null });
  });

  it("[C-5.67] the backlog counts consents that run out soon, of connections that do not wait for a re-login", async () => {
    const tenant = await newTenant(storage());
    const at = newYear();
    const before = (await storage().refreshQueue.backlog(at(0))).consents_to_renew;
    const ends = (ms: number) => new Date(at(0).getTime() + CONSENT_RENEWAL_MS + ms);
    const soon = await planned(tenant, at(900), { consent_expires_at: ends(-1) });
    const waiting = await planned(tenant, at(900), { consent_expires_at: ends(-1) });
    const far = await planned(tenant, at(900), { consent_expires_at: ends(60_000) });
    const count = async () => (await storage().refreshQueue.backlog(at(0))).consents_to_renew - before;
    expect(await count()).toBe(2);
    const next = { due_at: at(900), failures: 0, outcome: "refreshed", pending: null } as const;
    await tenant.run(async ({ refreshes }) => {
      await refreshes.settle(waiting, { ...next, due_at: null });
      await refreshes.settle(far, next);
    });
    expect(await count()).toBe(1);
    await tenant.run(({ refreshes }) => refreshes.settle(soon, { ...next, consent_expires_at: ends(60_000) }));
    await tenant.run(({ refreshes }) => refreshes.settle(far, { ...next, consent_expires_at: ends(-1) }));
    expect(await count()).toBe(1);
  });
}
