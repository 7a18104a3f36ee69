import {
  createMemoryStorage,
  createMemoryTenantAccess,
  createTestRuntime,
  directoryOf,
  samples,
} from "@org/core/testing";
import type { BankProvider, Notified } from "@org/provider-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RevocationReport } from "../src/connections/revocations.js";
import {
  createCredentials,
  createNotifications,
  createRevocations,
  createTenants,
  idField,
  type Uuid,
} from "../src/index.js";

const MINUTE = 60_000;

/** A provider whose revocations fail as often as the access says. Waits end immediately. */
function world() {
  const storage = createMemoryStorage();
  const runtime = createTestRuntime();
  const asked: string[] = [];
  const kept: (readonly unknown[])[] = [];
  const reports: RevocationReport[] = [];
  const waits: number[] = [];
  const tenant = { tenant_id: runtime.newId(), application_id: "a", trace_id: null, address: null };
  let notified: Notified = { kind: "unverified" };
  const provider = {
    name: "scripted",
    revoke: async ({ access, provider_ref, kept_accesses }) => {
      kept.push(kept_accesses ?? []);
      const question = JSON.stringify([access, provider_ref]);
      asked.push(question);
      const { fails = 0 } = access as { fails?: number };
      if (asked.filter((one) => one === question).length <= fails) throw new Error("the institution is away");
    },
    notify: async () => notified,
  } as Partial<BankProvider> as BankProvider;
  const providers = directoryOf(provider, {
    ...provider,
    name: "silent",
    notify: undefined,
    revoke: undefined,
  } as never);
  const revocations = createRevocations({
    runtime,
    providers,
    connectors: { find: async () => null },
    onRevocation: (report) => reports.push(report),
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  const connect = async (access: object, over: object = {}): Promise<Uuid> => {
    const connection_id = runtime.newId();
    const context = { purpose: "connection-access", row: connection_id };
    const sealed_access = await runtime.vault.seal(JSON.stringify(access), context);
    const record = samples.connection({ connection_id, provider: "scripted", sealed_access, ...over });
    await storage.inTenant(tenant.tenant_id, async ({ connections, refreshes }) => {
      await connections.create(record);
      await refreshes.plan(connection_id, samples.plan(new Date(runtime.clock().getTime() + 600 * MINUTE)));
    });
    return connection_id;
  };
  const made = storage.tenants.create({ tenant_id: tenant.tenant_id, name: "One", created_at: runtime.clock() });
  return {
    storage,
    runtime,
    providers,
    revocations,
    asked,
    kept,
    reports,
    waits,
    tenant,
    connect,
    made,
    credentials: createCredentials({ storage, runtime, revocations }),
    tenants: createTenants({ storage, runtime, access: createMemoryTenantAccess(), revocations }),
    notifications: createNotifications({ storage, runtime, providers }),
    says: (answer: Notified) => {
      notified = answer;
    },
  };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("[C-5.64] the access of a removed connection", () => {
  it("is given back once the connection is gone, in a few tries", async () => {
    const { made, connect, credentials, tenant, reports, waits, asked, revocations, storage } = world();
    await made;
    for (const fails of [0, 2, 9]) {
      const id = await connect({ fails });
      await credentials.remove(tenant, id, true);
      expect(await storage.inTenant(tenant.tenant_id, ({ connections }) => connections.find(id))).toBeNull();
    }
    await expect.poll(() => reports.length).toBe(3);
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual(["failed", "revoked", "revoked"]);
    expect(asked).toHaveLength(1 + 3 + 4);
    expect(waits.sort((a, b) => a - b)).toEqual([5_000, 5_000, 30_000, 30_000, 120_000]);
    expect(JSON.stringify(reports)).not.toContain("fails");
    await revocations.close(0);
  });

  it("is left alone while the connection stays, where there is none, and where nobody takes it back", async () => {
    const { made, connect, credentials, tenant, reports, asked } = world();
    await made;
    const id = await connect({});
    await expect(credentials.remove(tenant, id, false)).rejects.toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    await credentials.remove(tenant, await connect({}, { sealed_access: null }), true);
    await credentials.remove(tenant, await connect({}, { provider: "silent" }), true);
    await credentials.remove(tenant, await connect({}, { provider: "gone" }), true);
    expect([asked, reports]).toEqual([[], []]);
  });

  it("[C-5.227] is given back with those that the institution refers to alike", async () => {
    const { made, connect, credentials, tenant, kept, storage } = world();
    await made;
    const [one, other, third] = [await connect({ of: "one" }), await connect({ of: "other" }), await connect({})];
    const plan = (id: Uuid, reference_hash: string | null) =>
      storage.inTenant(tenant.tenant_id, ({ refreshes }) =>
        refreshes.plan(id, { ...samples.plan(samples.now), reference_hash }),
      );
    await plan(one, "shared");
    await plan(other, "shared");
    await plan(third, "third");
    await credentials.remove(tenant, one, true);
    await expect.poll(() => kept).toEqual([[{ of: "other" }]]);
    await credentials.remove(tenant, other, true);
    await expect.poll(() => kept).toEqual([[{ of: "other" }], []]);
  });

  it("is given back when its tenant is deleted, and not when that fails", async () => {
    const { made, connect, tenants, tenant, reports, storage } = world();
    await made;
    for (let made = 0; made < 12; made += 1) await connect({ made });
    const { remove } = storage.tenants;
    Object.assign(storage.tenants, { remove: async () => Promise.reject(new Error("away")) });
    await expect(tenants.remove(tenant, tenant.tenant_id, true)).rejects.toThrow("away");
    expect(reports).toEqual([]);
    Object.assign(storage.tenants, { remove });
    await tenants.remove(tenant, tenant.tenant_id, true);
    await expect.poll(() => reports.length).toBe(12);
    expect(new Set(reports.map(({ connection_id, outcome }) => `${connection_id} ${outcome}`)).size).toBe(12);
  });

  it("[C-9.243] waits for nobody who waits: an institution that is away, or a tenant with many, has its share of the calls", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const runtime = createTestRuntime();
    const [mine, other] = [runtime.newId(), runtime.newId()];
    const under: string[] = [];
    const provider = {
      name: "scripted",
      revoke: ({ connector_id, signal }) => {
        under.push(connector_id);
        if (connector_id === "esp:away") return Promise.reject(new Error("away"));
        return connector_id === "esp:slow" ? untilAborted(signal) : Promise.resolve();
      },
    } as Partial<BankProvider> as BankProvider;
    const reports: RevocationReport[] = [];
    const revocations = createRevocations({
      runtime,
      providers: directoryOf(provider),
      connectors: { find: async () => null },
      onRevocation: (report) => reports.push(report),
      // Waits before a retry never end.
      sleep: async (milliseconds, signal) => (milliseconds > 0 && signal ? untilAborted(signal) : undefined),
    });
    const remove = async (tenantId: string, connector_id: string, count: number) => {
      const gone = Array.from({ length: count }, async () => {
        const connection_id = runtime.newId();
        const sealed_access = await runtime.vault.seal("{}", { purpose: "connection-access", row: connection_id });
        return samples.connection({ connection_id, connector_id, provider: "scripted", sealed_access });
      });
      revocations.of(tenantId, await Promise.all(gone))();
    };
    await remove(mine, "esp:away", 100);
    await remove(mine, "esp:slow", 100);
    await remove(other, "esp:bank", 1);
    await expect.poll(() => reports.map(({ outcome }) => outcome)).toEqual(["revoked"]);
    const calls = (connector: string) => under.filter((one) => one === connector).length;
    await expect.poll(() => calls("esp:away")).toBe(100);
    expect(calls("esp:slow")).toBeLessThanOrEqual(8);
    // Hundreds of waits for the shutdown signal do not cause a leak warning.
    expect(warnings).toEqual([]);
    await revocations.close(0);
  });

  it("is told of when the server stops before it was given back", async () => {
    const { made, connect, credentials, tenant, reports, revocations } = world();
    await made;
    await revocations.close(0);
    await credentials.remove(tenant, await connect({}), true);
    await expect.poll(() => reports.map(({ outcome }) => outcome)).toEqual(["cut_off"]);
  });
});

describe("a notification", () => {
  const sent = { headers: {}, body: new Uint8Array(), signal: new AbortController().signal, tenant_id: null };

  it("[C-5.66] of a provider that is not there, takes none, or of a tenant that has none is unknown", async () => {
    const { notifications, tenant } = world();
    for (const provider of ["nobody", "silent"])
      expect(await notifications.take({ ...sent, provider })).toEqual({ kind: "unknown" });
    for (const tenant_id of [tenant.tenant_id, idField.parse("no tenant")])
      expect(await notifications.take({ ...sent, provider: "scripted", tenant_id })).toEqual({ kind: "unknown" });
  });

  it("[C-5.65] makes due whom it names, once it is verified", async () => {
    const { made, connect, notifications, storage, runtime, tenant, says } = world();
    await made;
    const id = await connect({});
    const login = {
      since: null,
      connection_id: id,
      provider: "scripted",
      result: { throttled: { retry_after: 3_600 } },
    } as const;
    const step = { kind: "authenticated", user_key: "ada", access: {}, reference: "item-7" } as const;
    const { refreshPlanAfterLogin } = await import("../src/connections/refresh-plan.js");
    const plan = await refreshPlanAfterLogin(runtime, { ...login, step });
    const replan = () => storage.inTenant(tenant.tenant_id, ({ refreshes }) => refreshes.plan(id, plan));
    const take = () => notifications.take({ ...sent, provider: "scripted" });
    expect(JSON.stringify(plan)).not.toMatch(/ada|item-7/);
    for (const [answer, taken] of [
      [{ kind: "unverified" }, { kind: "unverified" }],
      [{ kind: "changed" }, { kind: "taken", connections: 0 }],
      [
        { kind: "changed", user_keys: ["item-7", "bob"] },
        { kind: "taken", connections: 0 },
      ],
      [
        { kind: "changed", user_keys: ["ada"], references: ["item-7"] },
        { kind: "taken", connections: 1 },
      ],
      [
        { kind: "changed", references: ["item-7"] },
        { kind: "taken", connections: 1 },
      ],
    ] as const) {
      await replan();
      says(answer);
      expect(await take()).toEqual(taken);
      const due = (await storage.refreshQueue.backlog(runtime.clock())).due;
      expect(due).toBe("connections" in taken ? taken.connections : 0);
    }
  });
});
