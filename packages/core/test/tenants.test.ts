import { createMemoryStorage, createMemoryTenantAccess, createTestRuntime } from "@org/core/testing";
import { describe, expect, it } from "vitest";
import { createAuditReading, createTenants, type TenantAccess } from "../src/index.js";

const operator = { application_id: "operator", trace_id: "0af7651916cd43dd8448eb211c80319c", address: "203.0.113.7" };

function world(access: TenantAccess = createMemoryTenantAccess()) {
  const storage = createMemoryStorage();
  const runtime = createTestRuntime();
  return { storage, access, runtime, tenants: createTenants({ storage, runtime, access }) };
}

describe("[C-8.5] tenants", () => {
  it("show whether they are switched on", async () => {
    const { tenants } = world();
    const [one, two] = [await tenants.create(operator, "One"), await tenants.create(operator, "Two")];
    expect(await tenants.setEnabled(operator, one.tenant_id.toUpperCase(), false)).toEqual({ ...one, enabled: false });
    expect((await tenants.list()).map(({ enabled }) => enabled)).toEqual([false, true]);
    await tenants.setEnabled(operator, one.tenant_id, true);
    expect(await tenants.list()).toEqual([one, two]);
  });

  it("are deleted with everything but their audit trail, and only once confirmed", async () => {
    const { tenants, storage, access } = world();
    const { tenant_id } = await tenants.create(operator, "One");
    await expect(tenants.remove(operator, tenant_id, false)).rejects.toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect([await tenants.list(), await access.disabled()]).toMatchObject([[{ enabled: true }], new Set()]);
    await tenants.remove(operator, tenant_id, true);
    expect(await tenants.list()).toEqual([]);
    expect(await access.disabled()).toEqual(new Set([tenant_id]));
    const left = await storage.inTenant(tenant_id, ({ audit }) => audit.list({ limit: 9 }));
    expect(left.map(({ action, actor, object_id }) => [action, actor, object_id])).toEqual([
      ["tenant.delete", "operator", tenant_id],
      ["tenant.create", "operator", tenant_id],
    ]);
    await expect(tenants.remove(operator, tenant_id, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await tenants.create(operator, "one")).toMatchObject({ name: "one" });
  });

  it("stay switched off when their deletion fails, and are deleted at the next attempt", async () => {
    const { storage, runtime, access } = world();
    let failing = true;
    const remove: typeof storage.tenants.remove = (...request) =>
      failing ? Promise.reject(new Error("crash")) : storage.tenants.remove(...request);
    const unreliable = { ...storage, tenants: { ...storage.tenants, remove } };
    const tenants = createTenants({ storage: unreliable, runtime, access });
    const { tenant_id } = await tenants.create(operator, "One");
    await expect(tenants.remove(operator, tenant_id, true)).rejects.toThrow("crash");
    expect(await tenants.list()).toMatchObject([{ tenant_id, enabled: false }]);
    failing = false;
    await tenants.remove(operator, tenant_id, true);
    expect(await tenants.list()).toEqual([]);
  });

  it.each([["019b0000-0000-7000-8000-ffffffffffff"], ["no-uuid"]])("%s is unknown", async (id) => {
    const { tenants } = world();
    await expect(tenants.setEnabled(operator, id, false)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(tenants.remove(operator, id, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("[C-8.5] the audit trail as operators read it", () => {
  const search = { order: "newest", page_size: 2 } as const;

  it("comes in pages that new lines do not shift", async () => {
    const { tenants, storage, runtime } = world();
    const reading = createAuditReading({ storage, mac: runtime.mac });
    for (const name of ["1", "2", "3"]) await tenants.create(operator, name);
    const first = await reading.list(search);
    await tenants.create(operator, "4");
    const second = await reading.list({ ...search, page_token: first.next_page_token });
    expect([first.items.length, second.items.length, second.next_page_token]).toEqual([2, 1, null]);
    const ids = [...first.items, ...second.items].map(({ audit_id }) => audit_id);
    const oldest = await reading.list({ order: "oldest", page_size: 3 });
    expect(ids.reverse()).toEqual(oldest.items.map(({ audit_id }) => audit_id));
    expect(oldest.items[0]).toMatchObject({ action: "tenant.create", at: expect.stringMatching(/Z$/), facts: {} });
  });

  it.each([
    ["of another query", { action: "tenant.create" }],
    ["of another order", { order: "oldest" as const }],
  ])("refuses a page token %s", async (_, other) => {
    const { tenants, storage, runtime } = world();
    const reading = createAuditReading({ storage, mac: runtime.mac });
    for (const name of ["1", "2", "3"]) await tenants.create(operator, name);
    const { next_page_token } = await reading.list(search);
    await expect(reading.list({ ...search, ...other, page_token: next_page_token })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: "page_token" }],
    });
    await expect(reading.list({ ...search, page_token: `${next_page_token}x` })).rejects.toThrow("page_token");
  });
});
