import { createMemoryStorage, createMemoryTenantAccess, createTestRuntime } from "@org/core/testing";
import { expect, it } from "vitest";
import { createTenantLimits, createTenants, idField } from "../src/index.js";

const operator = { application_id: "operator", trace_id: null, address: null };

async function world() {
  const storage = createMemoryStorage();
  const runtime = createTestRuntime();
  const tenants = createTenants({ storage, runtime, access: createMemoryTenantAccess() });
  const [one, other] = [await tenants.create(operator, "One"), await tenants.create(operator, "Other")];
  const limits = createTenantLimits({ storage, runtime });
  return { storage, runtime, limits, one: one.tenant_id, other: other.tenant_id };
}

it("a limit is the tenant's own, else the installation's, else the one built in", async () => {
  const { limits, one, other, storage } = await world();
  await limits.change(operator, null, { set: { letters: 20 }, reset: [] });
  const own = await limits.change(operator, one, { set: { letters: 10, grants: 5 }, reset: [] });
  expect(own.items.slice(1, 5)).toMatchObject([
    { name: "grants", value: 5, source: "tenant", used: 0 },
    { name: "open_sessions", value: 10_000, source: "default", used: 0 },
    { name: "session_bytes", value: 268_435_456, source: "default", used: 0 },
    { name: "letters", value: 10, source: "tenant", used: 0 },
  ]);
  expect([limits.of(one).letters, limits.of(other).letters]).toEqual([10, 20]);
  await limits.change(operator, one, { set: {}, reset: ["letters"] });
  expect(limits.of(one)).toMatchObject({ letters: 20, grants: 5 });
  expect((await limits.show(null)).items[4]).toEqual({
    name: "letters",
    value: 20,
    source: "installation",
    used: null,
  });
  const [line] = await storage.inTenant(one, ({ audit }) => audit.list({ limit: 1 }));
  expect(line).toMatchObject({ action: "tenant.limits", object_id: one, facts: { letters: null } });
  await expect(limits.show(idField.parse("nobody"))).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("a change of another replica counts within seconds", async () => {
  const { storage, runtime, limits, one } = await world();
  expect(limits.of(one).letters).toBe(5_000_000);
  await createTenantLimits({ storage, runtime }).change(operator, one, { set: { letters: 1 }, reset: [] });
  runtime.advance(5_001);
  limits.of(one);
  await new Promise((resolve) => setImmediate(resolve));
  expect(limits.of(one).letters).toBe(1);
});

it("[C-9.472] a change holds at once for whoever made it, also while limits from before it are being read", async () => {
  const { storage, runtime, one } = await world();
  let finish = () => {};
  const delayed = {
    ...storage.limits,
    overrides: async () => {
      const found = await storage.limits.overrides();
      if (found.length === 0) await new Promise<void>((resolve) => (finish = resolve));
      return found;
    },
  };
  const limits = createTenantLimits({ storage: { limits: delayed, tenants: storage.tenants }, runtime });
  void limits.load();
  const changed = limits.change(operator, one, { set: { letters: 1 }, reset: [] });
  await new Promise((resolve) => setTimeout(resolve, 20));
  finish();
  expect((await changed).items).toContainEqual({ name: "letters", value: 1, source: "tenant", used: 0 });
  expect(limits.of(one).letters).toBe(1);
});

it("a tenant sends so many requests in a minute, then as they become free again, and takes nothing from others", async () => {
  const { limits, one, other, runtime } = await world();
  await limits.change(operator, one, { set: { requests_per_minute: 6 }, reset: [] });
  for (let request = 0; request < 6; request += 1) limits.admit(one);
  const refused = { code: "RATE_LIMITED", limit: { name: "requests_per_minute", value: 6 }, retryAfterSeconds: 10 };
  expect(() => limits.admit(one)).toThrow(expect.objectContaining(refused));
  limits.admit(other);
  expect((await limits.show(one)).items[0]).toMatchObject({ used: 6 });
  runtime.advance(10_000);
  limits.admit(one);
  expect(() => limits.admit(one)).toThrow(expect.objectContaining(refused));
});

it("none at all may be sent where the limit is zero", async () => {
  const { limits, one } = await world();
  await limits.change(operator, one, { set: { requests_per_minute: 0 }, reset: [] });
  expect(() => limits.admit(one)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
});

it("[C-9.64] how much tenants have of each limit is counted: who is near it, and what the nearest has of it", async () => {
  const { limits, one, other } = await world();
  await limits.change(operator, one, { set: { requests_per_minute: 5 }, reset: [] });
  for (let request = 0; request < 4; request += 1) limits.admit(one);
  limits.admit(other);
  await limits.change(operator, other, { set: { requests_per_minute: 0, mcp_sessions_ended_per_day: 4 }, reset: [] });
  limits.admitSessionEnd(other);
  const none = { near: 0, highest: 0 };
  expect(await limits.pressure()).toEqual({
    requests_per_minute: { near: 1, highest: 0.8 },
    grants: none,
    open_sessions: none,
    session_bytes: none,
    letters: none,
    document_bytes: none,
    clients: none,
    grants_ended_per_hour: none,
    mcp_sessions_ended_per_day: { near: 0, highest: 0.25 },
    webhook_endpoints: none,
    webhook_tests_and_replays_per_hour: none,
    history_days: none,
  });
});

it("[C-9.79] whoever ends grants again and again gets no new ones for a while, for all replicas remember those that ended", async () => {
  const { limits, one, other, runtime } = await world();
  await limits.change(operator, one, { set: { grants_ended_per_hour: 36 }, reset: [] });
  for (let grant = 0; grant < 36; grant += 1) {
    limits.admitGrant(one);
    limits.grantEnded(one);
  }
  const refused = { code: "RATE_LIMITED", limit: { name: "grants_ended_per_hour", value: 36 } };
  expect(() => limits.admitGrant(one)).toThrow(expect.objectContaining(refused));
  expect(limits.admitGrant(other)).toBeNull();
  runtime.advance(100_000);
  expect(limits.admitGrant(one)).toBeNull();
});

it("[C-9.79] so many MCP sessions can be ended in a day", async () => {
  const { limits, one, other, runtime } = await world();
  await limits.change(operator, one, { set: { mcp_sessions_ended_per_day: 2 }, reset: [] });
  limits.admitSessionEnd(one);
  limits.admitSessionEnd(one);
  const refused = { limit: { name: "mcp_sessions_ended_per_day", value: 2 }, retryAfterSeconds: 43_200 };
  expect(() => limits.admitSessionEnd(one)).toThrow(expect.objectContaining(refused));
  limits.admitSessionEnd(other);
  runtime.advance(43_200_000);
  limits.admitSessionEnd(one);
});

it("[C-9.401] so many test events and replays can be asked for in an hour", async () => {
  const { limits, one, other, runtime } = await world();
  await limits.change(operator, one, { set: { webhook_tests_and_replays_per_hour: 2 }, reset: [] });
  limits.admitResend(one);
  limits.admitResend(one);
  const refused = { limit: { name: "webhook_tests_and_replays_per_hour", value: 2 }, retryAfterSeconds: 1_800 };
  expect(() => limits.admitResend(one)).toThrow(expect.objectContaining(refused));
  limits.admitResend(other);
  runtime.advance(1_800_000);
  limits.admitResend(one);
});

it("few grants are counted with each new one, many once a minute with those issued since", async () => {
  const { storage, runtime, one } = await world();
  let live = 19_998;
  const counted = {
    ...storage.limits,
    use: async () => [
      {
        tenant_id: one,
        grants: live,
        open_sessions: 0,
        session_bytes: 0,
        letters: 0,
        document_bytes: 0,
        clients: 0,
        webhook_endpoints: 0,
      },
    ],
  };
  const limits = createTenantLimits({ storage: { limits: counted, tenants: storage.tenants }, runtime });
  await limits.change(operator, one, { set: { grants: 3 }, reset: [] });
  expect(limits.admitGrant(one)).toEqual({ exactly: 3 });
  await limits.change(operator, one, { set: { grants: 20_000 }, reset: [] });
  expect(limits.admitGrant(one)).toBeNull();
  await new Promise((resolve) => setImmediate(resolve));
  for (let grant = 0; grant < 2; grant += 1) expect(limits.admitGrant(one)).toBeNull();
  const refused = { code: "RATE_LIMITED", limit: { name: "grants", value: 20_000 } };
  expect(() => limits.admitGrant(one)).toThrow(expect.objectContaining(refused));
  live = 10;
  runtime.advance(60_001);
  expect(() => limits.admitGrant(one)).toThrow(expect.objectContaining(refused));
  await new Promise((resolve) => setImmediate(resolve));
  expect(limits.admitGrant(one)).toBeNull();
});
