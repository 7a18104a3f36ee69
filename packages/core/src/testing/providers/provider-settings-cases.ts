import { expect, it } from "vitest";
import type { CallLimit } from "../../providers/provider-settings-store.js";
import type { Storage } from "../../storage.js";
import { auditEntry, later, newId, newTenant, now } from "../fixture.js";

/** Cases of `ProviderSettingsStore` and `CallTurns`. */
export function providerSettingsCases(storage: () => Storage): void {
  it("settings of providers are kept for the installation and for tenants apart, each change with its line and a revision", async () => {
    const { providerSettings: store, auditTrail } = storage();
    const tenant = await newTenant(storage());
    const { tenant_id } = tenant;
    const made = (owner: string | null, provider: string, sealed: string, changed_at = now) => ({
      tenant_id: owner,
      provider,
      sealed,
      changed_at,
    });
    const entry = () => auditEntry({ audit_id: newId(), action: "provider.set" });
    const revisions = [await store.revision()];
    await store.keep(made(null, "lighthouse", "one"), entry());
    revisions.push(await store.revision());
    await store.keep(made(tenant_id, "lighthouse", "two"), entry());
    await store.keep(made(tenant_id, "lighthouse", "three", later(60)), entry());
    const all = await store.all();
    revisions.push(all.revision);
    expect(all.settings).toHaveLength(2);
    expect(all.settings).toEqual(
      expect.arrayContaining([made(null, "lighthouse", "one"), made(tenant_id, "lighthouse", "three", later(60))]),
    );
    expect(await store.remove(tenant_id, "harbour", entry())).toBe(false);
    expect(await store.remove(null, "lighthouse", entry())).toBe(true);
    expect(await store.remove(null, "lighthouse", entry())).toBe(false);
    expect((await store.all()).settings).toEqual([made(tenant_id, "lighthouse", "three", later(60))]);
    revisions.push(await store.revision());
    expect(new Set(revisions).size).toBe(revisions.length);
    expect(await tenant.run(({ audit }) => audit.list({ limit: 9 }))).toHaveLength(2);
    const own = await auditTrail.list({
      tenant_id: null,
      from: null,
      before: null,
      actor: null,
      object_id: null,
      trace_id: null,
      after: null,
      action: "provider.set",
      order: "newest",
      limit: 9,
    });
    expect(own).toHaveLength(2);
    await store.remove(tenant_id, "lighthouse", entry());
  });

  it("[C-14.126] of those who set what they saw at once one does", async () => {
    const { providerSettings: store } = storage();
    const { tenant_id } = await newTenant(storage());
    for (const owner of [null, tenant_id]) {
      const keep = (sealed: string, precondition: Parameters<typeof store.keep>[2]) =>
        store.keep(
          { tenant_id: owner, provider: "mole", sealed, changed_at: now },
          auditEntry({ audit_id: newId() }),
          precondition,
        );
      const sealed = async () => (await store.all()).settings.find(({ provider }) => provider === "mole")?.sealed;
      const many = Array.from({ length: 5 }, (_, index) => keep(`${index}`, (there) => there === null));
      expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
      const first = await sealed();
      expect(await keep("another", (there) => there?.sealed === "none")).toBe(false);
      expect(await sealed()).toBe(first);
      expect(await keep("another", (there) => there?.sealed === first)).toBe(true);
      expect(await sealed()).toBe("another");
      await store.remove(owner, "mole", auditEntry({ audit_id: newId() }));
    }
  });

  it("turns to call an institution keep to every limit, however many ask at once; one too far away is not taken", async () => {
    const key = newId();
    const limits = [
      { every_ms: 1_000, calls: 1 },
      { every_ms: 60_000, calls: 3 },
    ];
    const taken = await Promise.all(Array.from({ length: 5 }, () => storage().callTurns.take(key, limits, 30_000)));
    const waits = taken.map(({ wait_ms }) => wait_ms).sort((a, b) => a - b);
    expect(taken.filter(({ granted }) => granted)).toHaveLength(3);
    for (const [index, wait] of waits.entries()) {
      // Each wait is shorter by the time since the first call.
      const least = index < 3 ? index * 1_000 : 60_000;
      expect(wait).toBeLessThanOrEqual(least);
      expect(wait).toBeGreaterThan(least - 30_000);
    }
    expect((await storage().callTurns.take(newId(), limits, 0)).granted).toBe(true);
  });

  it("[C-5.281] a call that may use more of a limit does not wait behind turns for later, and no window has too many", async () => {
    const key = newId();
    const limit = { every_ms: 3_600_000, calls: 4 };
    const spread = { every_ms: 600_000, calls: 1 };
    const take = async (more: readonly CallLimit[], longestMs: number) =>
      (await storage().callTurns.take(key, [limit, ...more], longestMs)).granted;
    expect(await take([spread], 0)).toBe(true);
    expect(await take([spread], 0)).toBe(false);
    expect(await take([spread], 600_000)).toBe(true);
    // The second turn is ten minutes away; these two are now, and with it and the first they are four.
    expect([await take([], 0), await take([], 0)]).toEqual([true, true]);
    expect(await take([], 0)).toBe(false);
    expect(await take([], 3_600_000)).toBe(true);
  });
}
