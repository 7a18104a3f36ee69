import { afterAll, beforeAll, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";

let server: TestServer;
let other: TestTenant;

beforeAll(async () => {
  // What is to be sent is sent because somebody asked for it, and not because its job was due.
  const schedule = { events: 3_600_000, webhooks: 3_600_000 };
  server = await startTestServer({ backend: "embedded", schedule });
  other = await server.createTenant("Other");
}, START_TIMEOUT);
afterAll(() => server?.remove());

const URL = "https://crm.invalid/hooks?key=secret-part";
const call = (tenant: TestTenant, name: string, body: object) => tenant.post(`/events/v1/${name}`, body);

it("[C-11.49] an endpoint is made, listed, changed, tested, replayed to, given another secret and deleted, each with its audit line", async () => {
  const settings = { url: URL, types: ["letter.*"], labels: { desk: "zurich" } };
  const { status, body } = await call(server.demo, "create-endpoint", settings);
  expect(status).toBe(200);
  const { endpoint, secret } = body;
  expect(endpoint).toMatchObject({ ...settings, enabled: true, description: null, disabled_reason: null });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id } = endpoint;
  expect((await call(server.demo, "list-endpoints", {})).body).toEqual({ items: [endpoint] });
  const { event_id } = (await call(server.demo, "test-endpoint", { id })).body;
  await expect
    .poll(async () => (await call(server.demo, "list-deliveries", { query: { endpoint_id: id } })).body.items, {
      timeout: 60_000,
    })
    .toMatchObject([{ event_id, type: "webhook.test", attempt: 1 }]);
  const change = { id, description: "for the desk", labels: {}, types: ["*"], enabled: null };
  expect((await call(server.demo, "update-endpoint", change)).body.endpoint).toMatchObject({
    url: URL,
    description: "for the desk",
    labels: {},
    types: ["*"],
    enabled: true,
  });
  const rotated = (await call(server.demo, "rotate-secret", { id })).body;
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  expect((await call(server.demo, "rotate-secret", { id })).status).toBe(200);
  const third = await call(server.demo, "rotate-secret", { id });
  expect([third.status, third.body.error.details]).toEqual([
    429,
    [expect.objectContaining({ limit: "webhook_secrets", value: 3, ends_at: expect.any(String) })],
  ]);
  const endsIn = Date.parse(third.body.error.details[0].ends_at) - Date.parse(rotated.previous_until);
  expect(Math.abs(endsIn)).toBeLessThan(2_000);
  expect((await call(server.demo, "replay", { endpoint_id: id, since: "2001-01-01" })).body).toEqual({
    queued: expect.any(Number),
    next_after: null,
  });
  await call(server.demo, "update-endpoint", { id, enabled: false });
  expect((await call(server.demo, "test-endpoint", { id })).status).toBe(409);
  expect((await call(server.demo, "replay", { endpoint_id: id })).status).toBe(409);
  expect((await call(server.demo, "delete-endpoint", { id })).body).toEqual({ success: true });
  expect((await call(server.demo, "list-endpoints", {})).body).toEqual({ items: [] });
  const { items } = await server.operate("/operator/v1/audit/list", { object_id: id });
  const actions = items.map(({ action }: { action: string }) => action);
  for (const action of ["create", "test", "update", "rotate", "replay", "delete"])
    expect(actions).toContain(`webhook.${action}`);
  for (const said of [JSON.stringify(items), server.output()]) {
    expect(said).not.toContain(secret);
    expect(said).not.toContain("secret-part");
  }
});

it("[C-11.50] an endpoint, its deliveries and the events that it may be sent again are its tenant's only", async () => {
  const { id } = (await call(server.demo, "create-endpoint", { url: URL })).body.endpoint;
  const mine = (await call(other, "create-endpoint", { url: URL })).body.endpoint.id;
  const { event_id } = (await call(server.demo, "test-endpoint", { id })).body;
  for (const [name, body] of [
    ["update-endpoint", { id, url: "https://evil.example/" }],
    ["delete-endpoint", { id }],
    ["test-endpoint", { id }],
    ["rotate-secret", { id }],
    ["list-deliveries", { query: { endpoint_id: id } }],
    ["replay", { endpoint_id: id }],
  ] as const)
    expect([name, (await call(other, name, body)).status]).toEqual([name, 404]);
  expect((await call(other, "list-deliveries", { query: { endpoint_id: mine, event_id } })).body.items).toEqual([]);
  const foreign = await call(other, "replay", { endpoint_id: mine, event_ids: [event_id], after: event_id });
  expect(foreign.status).toBe(400);
  expect(foreign.body.error.details.map(({ field }: { field: string }) => field)).toEqual(["event_ids[0]", "after"]);
  expect((await call(server.demo, "delete-endpoint", { id })).status).toBe(200);
});

it("[C-11.51] operators see endpoints of all tenants by their host, disable and enable them, and are in their trail", async () => {
  const { id } = (await call(other, "create-endpoint", { url: URL, description: "private-part" })).body.endpoint;
  await call(other, "test-endpoint", { id });
  const sent = () => server.operate("/operator/v1/webhooks/list-deliveries", { query: { endpoint_id: id } });
  // Once it is disabled nothing is queued for it.
  await expect.poll(async () => (await sent()).items.length, { timeout: 60_000 }).toBe(1);
  const about = { tenant_id: other.tenantId, host: "crm.invalid" };
  const find = async (search: object) =>
    (await server.operate("/operator/v1/webhooks/list", search)).items.filter((item: { id: string }) => item.id === id);
  expect(await find({})).toMatchObject([{ id, ...about }]);
  expect(await find({ tenant_id: server.demo.tenantId })).toEqual([]);
  expect(await find({ tenant_id: other.tenantId, state_in: ["disabled"] })).toEqual([]);
  const off = await server.operate("/operator/v1/webhooks/disable", { id });
  expect(off.endpoint).toMatchObject({ id, ...about, state: "disabled", disabled_reason: "request" });
  expect(await find({ state_in: ["disabled"] })).toEqual([off.endpoint]);
  expect(
    (await call(other, "list-endpoints", {})).body.items.find((item: { id: string }) => item.id === id),
  ).toMatchObject({ enabled: false });
  const on = await server.operate("/operator/v1/webhooks/enable", { id });
  expect(on.endpoint).toMatchObject({ state: "enabled", disabled_reason: null });
  const deliveries = await sent();
  expect(deliveries.items[0]).toMatchObject({ type: "webhook.test" });
  expect(deliveries.items[0]).not.toHaveProperty("answer");
  const { items } = await server.operate("/operator/v1/audit/list", { object_id: id, action: "webhook.update" });
  expect(items).toMatchObject([{ facts: { enabled: true } }, { facts: { enabled: false } }]);
  for (const item of items) expect(item.tenant_id).toBe(other.tenantId);
  const nobodys = await server.operator.post("/operator/v1/webhooks/enable", { id: other.tenantId });
  expect(nobodys.status).toBe(404);
  for (const said of [on, off, deliveries]) expect(JSON.stringify(said)).not.toMatch(/secret-part|private-part|whsec_/);
  expect((await other.post("/operator/v1/webhooks/list", {})).status).toBe(403);
  await call(other, "delete-endpoint", { id });
});

it("[C-11.40] [C-11.41] refuses a type that there is not and an address that is none by their field, and the endpoint over the limit by its limit", async () => {
  const faultsOf = async (body: object) =>
    (await call(other, "create-endpoint", body)).body.error.details.map(({ field }: { field: string }) => field);
  expect(await faultsOf({ url: "http://crm.example/", types: ["letter.*", "letters.*"] })).toEqual(["url", "types[1]"]);
  expect(await faultsOf({ url: "https://a:b@crm.example/" })).toEqual(["url"]);
  expect(await faultsOf({ url: URL, types: [] })).toEqual(["types"]);
  const made = await Promise.all(Array.from({ length: 21 }, () => call(other, "create-endpoint", { url: URL })));
  expect(made.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
  const refused = await call(other, "create-endpoint", { url: URL });
  expect([refused.status, refused.body.error.details]).toEqual([
    429,
    [{ limit: "webhook_endpoints", value: 20, ends_at: null }],
  ]);
  expect((await call(other, "list-endpoints", {})).body.items).toHaveLength(20);
});

it("[C-9.401] endpoints of a tenant, and its test events and replays of an hour, are as many as its operator lets it have; others have their own", async () => {
  const change = (set: object, reset: readonly string[] = []) =>
    server.operate("/operator/v1/tenants/change-limits", { tenant_id: other.tenantId, set, reset });
  const { items } = await change({ webhook_endpoints: 21, webhook_tests_and_replays_per_hour: 2 });
  expect(items).toContainEqual({ name: "webhook_endpoints", value: 21, source: "tenant", used: 20 });
  const { id } = (await call(other, "create-endpoint", { url: URL })).body.endpoint;
  expect((await call(other, "create-endpoint", { url: URL })).body.error.details).toMatchObject([{ value: 21 }]);
  await call(other, "test-endpoint", { id });
  await call(other, "replay", { endpoint_id: id });
  const again = { limit: "webhook_tests_and_replays_per_hour", value: 2, ends_at: expect.any(String) };
  for (const [name, body] of [
    ["test-endpoint", { id }],
    ["replay", { endpoint_id: id }],
  ] as const) {
    const refused = await call(other, name, body);
    expect([refused.status, refused.body.error.details]).toEqual([429, [again]]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const own = (await call(server.demo, "create-endpoint", { url: URL })).body.endpoint.id;
  expect((await call(server.demo, "test-endpoint", { id: own })).status).toBe(200);
  await change({}, ["webhook_endpoints", "webhook_tests_and_replays_per_hour"]);
});
