import { createTenantLimits, createTenants } from "@org/core";
import { createMemoryStorage, createMemoryTenantAccess, createTestRuntime } from "@org/core/testing";
import { afterEach, expect, it, vi } from "vitest";
import { tenantLimits } from "../src/features/tenant-limits.js";
import { schedule } from "../src/schedule.js";

afterEach(() => void vi.useRealTimers());

it("[C-1.48] a lowered limit holds within five seconds on a replica that nobody asked meanwhile", async () => {
  const [storage, runtime] = [createMemoryStorage(), createTestRuntime()];
  const operator = { application_id: "operator", trace_id: null, address: null };
  const tenants = createTenants({ storage, runtime, access: createMemoryTenantAccess() });
  const { tenant_id } = await tenants.create(operator, "One");
  vi.useFakeTimers();
  const { limits, close } = await tenantLimits({
    storage,
    runtime,
    clock: runtime.clock,
    schedule,
    historyDays: 3_660,
  });
  await createTenantLimits({ storage, runtime }).change(operator, tenant_id, { set: { letters: 1 }, reset: [] });
  runtime.advance(5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(limits.of(tenant_id).letters).toBe(1);
  await close?.();
});
