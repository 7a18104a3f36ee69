import { type CatalogueConnector, createConnectors, createProviderGuard, type Uuid } from "@org/core";
import { createMemoryStorage, createTestRuntime } from "@org/core/testing";
import { defineProvider, HttpFailure, type ProviderDefinition, secret } from "@org/provider-kit";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createProviderOperations } from "../src/provider-operations.js";
import { createProviderRegistry, type ProviderStanding } from "../src/provider-registry.js";
import { createSharedPace } from "../src/shared-pace.js";

const operator = { application_id: "operator", trace_id: null, address: null };
const KEY = "a-key-of-the-installation";
const pause = async () => undefined;
/** Waits that end only with their signal, or when a test ends them. */
const waits: { readonly milliseconds: number; readonly end: () => void }[] = [];
const sleep = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    waits.push({ milliseconds, end: resolve });
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

type Create = ProviderDefinition["create"];
const working: Create = () => ({
  login: async () => ({ kind: "rejected" }),
  fetch: async () => ({ refused: "rejected" }),
});
const lighthouse = (create: Create = working, more: Partial<ProviderDefinition> = {}) =>
  defineProvider({
    name: "lighthouse",
    title: "Lighthouse Bank",
    settings: z.strictObject({ base_url: z.url(), keys: z.array(z.strictObject({ key: secret() })).min(1) }),
    connectors: () => [{ id: "esp:light", name: "Lighthouse", country: "ES", provider_ref: "l-1" }],
    create,
    ...more,
  } as ProviderDefinition);
const harmless = (more: Partial<ProviderDefinition> = {}) =>
  defineProvider({ name: "harmless", title: "Harmless", settings: z.strictObject({}), create: working, ...more });
const settings = (key = KEY) => ({ base_url: "https://bank.example/v1", keys: [{ key }] });

let storage: ReturnType<typeof createMemoryStorage>;
let runtime: ReturnType<typeof createTestRuntime>;
let tenant: Uuid;
beforeEach(async () => {
  storage = createMemoryStorage();
  runtime = createTestRuntime();
  waits.length = 0;
  const [one] = [runtime.newId()];
  tenant = one;
  await storage.tenants.create({ tenant_id: one, name: "One", created_at: runtime.clock() });
});

/** A server with these providers over the shared storage. */
function server(...definitions: readonly ProviderDefinition[]) {
  const told: ProviderStanding[] = [];
  const servicesFor = () => ({
    http: { request: async () => Promise.reject(new Error("no way out")) },
    clock: runtime.clock,
    random: (bytes: number) => new Uint8Array(bytes),
    sleep: pause,
    log: { info: () => undefined, warn: () => undefined },
    pace: async () => null,
    close: async () => undefined,
  });
  const guard = createProviderGuard({ clock: runtime.clock, random: () => 0, sleep });
  const registry = createProviderRegistry({
    definitions,
    store: storage.providerSettings,
    runtime,
    guard,
    servicesFor,
    sleep,
    onStanding: (standing) => told.push(standing),
  });
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: runtime.mac,
    defaultProvider: null,
    providers: registry,
  });
  const operations = createProviderOperations({ registry, storage, runtime, connectors, servicesFor, sleep });
  const stateOf = (name: string, tenantId: string | null = null) =>
    registry.standings().find((each) => each.name === name && each.tenant_id === tenantId)?.state;
  return { registry, connectors, operations, told, stateOf };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string; details?: { field: string }[]; message?: string }) => ({
      code: error.code,
      fields: error.details?.map(({ field }) => field),
    }),
  );
const row = (id: string, more: Partial<CatalogueConnector> = {}): CatalogueConnector => ({
  id,
  name: id,
  type: "e-banking",
  countries: ["esp"],
  available: true,
  provider: "lighthouse",
  provider_ref: null,
  metadata: {},
  ...more,
});

describe("settings of providers", () => {
  it("[C-9.120] count at once where they are set, and on another server with its next look; a tenant's own win", async () => {
    const [here, there] = [server(lighthouse()), server(lighthouse())];
    await Promise.all([here.registry.load(0), there.registry.load(0)]);
    expect(here.stateOf("lighthouse")).toBe("no_settings");
    expect(here.registry.for({ provider: "lighthouse" }, tenant)).toBeNull();
    expect((await here.operations.set(operator, "lighthouse", null, settings())).state).toBe("available");
    const installations = here.registry.for({ provider: "lighthouse" }, tenant);
    expect(installations?.name).toBe("lighthouse");
    await there.registry.load(1_000);
    expect(there.registry.for({ provider: "lighthouse" }, null)).not.toBeNull();
    await here.operations.set(operator, "lighthouse", tenant, settings("a key of the tenant's own"));
    expect(here.registry.for({ provider: "lighthouse" }, tenant)).not.toBe(installations);
    expect(here.registry.for({ provider: "lighthouse" }, runtime.newId())).toBe(installations);
    expect(here.registry.ownOf("lighthouse", runtime.newId())).toBeNull();
    await here.operations.remove(operator, "lighthouse", tenant);
    expect(here.registry.for({ provider: "lighthouse" }, tenant)).toBe(installations);
    await here.operations.remove(operator, "lighthouse", null);
    await there.registry.load(1_000);
    expect(there.stateOf("lighthouse")).toBe("no_settings");
    expect(await failure(here.operations.remove(operator, "lighthouse", null))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("[C-9.121] are refused with every fault and its path; what is shown in place of a secret is none", async () => {
    const { operations, registry } = server(
      lighthouse(working, {
        tenantOnly: (given) => ((given as { keys: unknown[] }).keys.length > 1 ? "two keys" : null),
      }),
    );
    await registry.load(0);
    const set = (given: unknown, tenantId: Uuid | null = null) =>
      failure(operations.set(operator, "lighthouse", tenantId, given));
    expect(await set({ base_url: "no", keys: [{ key: "" }, { other: 1 }], more: 1 })).toEqual({
      code: "VALIDATION_ERROR",
      fields: [
        "settings.base_url",
        "settings.keys[0].key",
        "settings.keys[1].key",
        "settings.keys[1].other",
        "settings.more",
      ],
    });
    expect(await set(settings("set"))).toEqual({ code: "VALIDATION_ERROR", fields: ["settings.keys[0].key"] });
    const two = { ...settings(), keys: [{ key: KEY }, { key: `${KEY}2` }] };
    expect(await set(two)).toEqual({ code: "VALIDATION_ERROR", fields: ["tenant_id"] });
    expect(await set(two, tenant)).toBeNull();
    expect(await set(settings(), runtime.newId())).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(operations.set(operator, "harbour", null, {}))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("[C-9.122] are stored sealed and shown without their secrets; the audit trail has the name only", async () => {
    const { operations, registry } = server(lighthouse());
    await registry.load(0);
    const shown = [
      await operations.set(operator, "lighthouse", null, settings()),
      await operations.show("lighthouse", null),
      await operations.test(operator, "lighthouse", null, undefined),
      await operations.list(null),
      await operations.sync(operator, "lighthouse", null),
    ];
    expect(shown[1]).toMatchObject({ settings: { base_url: "https://bank.example/v1", keys: [{ key: "set" }] } });
    const trail = await storage.auditTrail.list({
      tenant_id: null,
      from: null,
      before: null,
      action: null,
      actor: null,
      object_id: null,
      trace_id: null,
      after: null,
      order: "oldest",
      limit: 50,
    });
    expect(trail.map(({ action, object_id, facts }) => [action, object_id, facts])).toEqual([
      ["provider.set", "lighthouse", {}],
      ["provider.test", "lighthouse", { ok: true }],
      ["provider.sync", "lighthouse", { inserted: 1, updated: 0 }],
    ]);
    expect(JSON.stringify([shown, trail])).not.toContain(KEY);
    await operations.remove(operator, "lighthouse", null);
  });
});

describe("a provider that does not come up", () => {
  it.each<[string, Create, RegExp]>([
    ["throws", () => Promise.reject(new Error(`no ${KEY} at\nhttps://x`)), /^no … at https:\/\/x$/],
    [
      "throws at once",
      () => {
        throw new Error(encodeURIComponent(KEY));
      },
      /^…$/,
    ],
    ["answers nonsense", (() => 7) as never, /no object/],
    ["lacks calls", (() => ({ login: 1, look: {} })) as never, /login, fetch, look/],
  ])(
    "[C-9.123] because its create %s is unavailable and says why, without a secret; others serve",
    async (_, create, why) => {
      const { operations, registry, told, stateOf } = server(lighthouse(create), harmless());
      await registry.load(0);
      const set = await operations.set(operator, "lighthouse", null, settings());
      expect([set.state, set.reason]).toEqual(["unavailable", expect.stringMatching(why)]);
      expect(told).toMatchObject([{ name: "lighthouse", state: "unavailable" }]);
      expect(registry.for({ provider: "lighthouse" }, tenant)).toBeNull();
      expect(stateOf("harmless")).toBe("available");
      expect(await operations.test(operator, "lighthouse", null, undefined)).toEqual({
        ok: false,
        cause: null,
        message: set.reason,
      });
    },
  );

  it("[C-9.123] because its create hangs is unavailable after ten seconds, and what served before serves until then", async () => {
    let hangs = false;
    const { registry, operations, stateOf } = server(
      lighthouse((given) => (hangs ? new Promise(() => undefined) : working(given))),
      harmless(),
    );
    await registry.load(0);
    await operations.set(operator, "lighthouse", null, settings());
    const before = registry.for({ provider: "lighthouse" }, null);
    hangs = true;
    const setting = operations.set(operator, "lighthouse", null, settings("another key"));
    await expect.poll(() => waits.filter(({ milliseconds }) => milliseconds === 10_000).length).toBe(3);
    expect(registry.for({ provider: "lighthouse" }, null)).toBe(before);
    for (const { milliseconds, end } of waits) if (milliseconds === 10_000) end();
    expect((await setting).reason).toBe("it did not come up within 10 s");
    expect([stateOf("lighthouse"), stateOf("harmless")]).toEqual(["unavailable", "available"]);
  });

  it("[C-9.123] is tried again after a minute", async () => {
    let comesUp = false;
    const { registry, operations, told } = server(
      lighthouse((given) => (comesUp ? working(given) : Promise.reject(new Error("down")))),
    );
    await registry.load(0);
    await operations.set(operator, "lighthouse", null, settings());
    comesUp = true;
    await registry.load(0);
    expect(registry.for({ provider: "lighthouse" }, null)).toBeNull();
    runtime.advance(60_000);
    await registry.load(1_000);
    expect(registry.for({ provider: "lighthouse" }, null)).not.toBeNull();
    expect(told.map(({ state }) => state)).toEqual(["unavailable", "available"]);
  });
});

it("[C-9.122] an error of its calls that holds a secret of the settings anywhere loses it, any other stays as it is", async () => {
  const plain = new TypeError("the bank is closed");
  const thrown: unknown[] = [
    plain,
    new Error(`401 for ${KEY}`),
    Object.assign(new Error("401"), { config: { headers: { authorization: `Bearer ${KEY}` } } }),
    new Error("failed", { cause: new Error(Buffer.from(KEY).toString("base64")) }),
    KEY,
  ];
  const { registry, operations } = server(
    lighthouse(() => ({
      login: async () => Promise.reject(thrown.shift()),
      fetch: async () => ({ refused: "rejected" }),
    })),
  );
  await registry.load(0);
  await operations.set(operator, "lighthouse", null, settings());
  const provider = registry.for({ provider: "lighthouse" }, null);
  const login = () =>
    provider?.login({ signal: new AbortController().signal } as never).catch((error: unknown) => error);
  expect(await login()).toBe(plain);
  const told: Error[] = [];
  while (thrown.length > 0) told.push((await login()) as Error);
  expect(told.map(({ message }) => message)).toEqual(["401 for …", "401", "failed", "…"]);
  for (const error of told) expect(JSON.stringify([{ ...error }, error.stack, String(error.cause)])).not.toContain(KEY);
});

describe("what is available", () => {
  it("[C-9.124] [C-9.42] depends on the settings that a tenant has, and on the rows that they serve", async () => {
    const serves: ProviderDefinition["serves"] = (given, { provider_ref }) =>
      (given as { keys: { key: string }[] }).keys.some(({ key }) => key.endsWith(provider_ref ?? "none"));
    const { registry, operations, connectors } = server(lighthouse(working, { serves }), harmless());
    await registry.load(1_000);
    const rows = [row("esp:a", { provider_ref: "bank-a" }), row("esp:b", { provider_ref: "bank-b" })];
    await storage.catalogue.importAll([...rows, row("fra:h", { provider: "harmless" })]);
    const offered = async (tenantId: string | null) => (await connectors.allowedBy(null, tenantId)).map(({ id }) => id);
    expect(await offered(tenant)).toEqual(["fra:h"]);
    await operations.set(operator, "lighthouse", tenant, settings("of bank-a"));
    const other = runtime.newId();
    expect([await offered(tenant), await offered(other)]).toEqual([["esp:a", "fra:h"], ["fra:h"]]);
    expect((await connectors.find("esp:b", tenant))?.available).toBe(false);
    expect(registry.for(rows[1] as CatalogueConnector, tenant)).toBeNull();
    await operations.set(operator, "lighthouse", null, settings("of bank-b"));
    expect([await offered(tenant), await offered(other)]).toEqual([
      ["esp:a", "fra:h"],
      ["esp:b", "fra:h"],
    ]);
    expect(await offered(null)).toEqual(["esp:a", "esp:b", "fra:h"]);
  });

  it("[C-9.125] sync imports the proposed rows, and leaves those of others and what an operator switched off", async () => {
    const proposed = ["esp:new", "esp:off", "esp:off-stated", "esp:taken"].map((id) => ({
      id,
      name: `${id} proposed`,
      country: "ES",
      ...(id === "esp:off-stated" && { available: true }),
    }));
    const { registry, operations } = server(lighthouse(working, { connectors: () => proposed }), harmless());
    await registry.load(0);
    expect(await failure(operations.sync(operator, "lighthouse", null))).toMatchObject({ code: "CONFLICT" });
    expect(await failure(operations.sync(operator, "harmless", null))).toMatchObject({ code: "CONFLICT" });
    await operations.set(operator, "lighthouse", null, settings());
    await storage.catalogue.importAll([
      row("esp:off", { available: false }),
      row("esp:off-stated", { available: false }),
      row("esp:taken", { provider: "harmless" }),
    ]);
    expect(await operations.sync(operator, "lighthouse", null)).toEqual({
      inserted: 1,
      updated: 2,
      unchanged: 0,
      taken_total: 1,
      taken: [{ id: "esp:taken", provider: "harmless" }],
      unproposed_total: 0,
      unproposed: [],
      left_out_total: 0,
      left_out: [],
    });
    const { connectors } = await storage.catalogue.all();
    expect(connectors.map(({ id, name, available, provider }) => [id, name, available, provider])).toEqual([
      ["esp:new", "esp:new proposed", true, "lighthouse"],
      ["esp:off", "esp:off proposed", false, "lighthouse"],
      ["esp:off-stated", "esp:off-stated proposed", false, "lighthouse"],
      ["esp:taken", "esp:taken", true, "harmless"],
    ]);
  });

  it("[C-5.279] a row that a provider no longer proposes stays available and is named; withdrawn, it is offered again once it is proposed", async () => {
    const ids = { served: "esp:served", gone: "esp:gone" };
    const bank = (id: string) => ({
      id,
      name: "A bank",
      country: "ES",
      provider_ref: id,
      identifiers: { bic: "SOLXESMMXXX" },
    });
    let proposed = [bank(ids.served), bank(ids.gone)];
    const serves: ProviderDefinition["serves"] = (_, { connector_id }) => connector_id !== "esp:elsewhere";
    const { registry, operations } = server(lighthouse(working, { connectors: () => proposed, serves }));
    await registry.load(0);
    await operations.set(operator, "lighthouse", null, settings());
    await storage.catalogue.importAll([
      row("esp:elsewhere"),
      row("esp:off", { available: false }),
      row("esp:other", { provider: "harmless" }),
    ]);
    const sync = (withdraw?: boolean) => operations.sync(operator, "lighthouse", null, withdraw);
    const gone = async () => {
      const { available, metadata, provider_ref } = (await storage.catalogue.find(ids.gone)) as CatalogueConnector;
      return { available, metadata, provider_ref };
    };
    const before = { available: true, metadata: { identifiers: { bic: "SOLXESMMXXX" } }, provider_ref: ids.gone };
    expect(await sync()).toMatchObject({ inserted: 2, unproposed_total: 0 });
    expect(await gone()).toMatchObject(before);
    proposed = [bank(ids.served)];
    expect(await sync()).toMatchObject({ updated: 0, unchanged: 1, unproposed_total: 1, unproposed: [ids.gone] });
    expect(await gone()).toMatchObject(before);
    expect(await sync(true)).toMatchObject({ updated: 1, unproposed: [ids.gone] });
    expect(await gone()).toEqual({ ...before, available: false, metadata: { ...before.metadata, withdrawn: true } });
    expect(await sync(true)).toMatchObject({ updated: 0, unproposed_total: 0 });
    proposed = [bank(ids.served), bank(ids.gone)];
    expect(await sync()).toMatchObject({ updated: 1, unproposed_total: 0 });
    expect(await gone()).toEqual(before);
  });

  it("[C-5.235] a row with a fault is left out, counted and named; the others land, and it is not taken for one that is gone", async () => {
    const bank = (id: string, more: object = {}) => ({ id, name: "A bank", country: "ES", ...more });
    let proposed: unknown[] = [bank("esp:one"), bank("esp:two")];
    const { registry, operations } = server(lighthouse(working, { connectors: () => proposed as never }));
    await registry.load(0);
    await operations.set(operator, "lighthouse", null, settings());
    await operations.sync(operator, "lighthouse", null);
    const odd = [bank("esp:one", { name: 7 }), null, bank("esp:nowhere", { country: "Atlantis" })];
    proposed = [odd[0], bank("esp:two", { name: "Another name" }), ...odd.slice(1), bank("esp:three")];
    expect(await operations.sync(operator, "lighthouse", null, true)).toEqual({
      ...{ inserted: 1, updated: 1, unchanged: 0, taken_total: 0, taken: [], unproposed_total: 0, unproposed: [] },
      left_out_total: 3,
      left_out: [
        { id: "esp:one", field: "name", reason: expect.any(String) },
        { id: null, field: "id", reason: expect.any(String) },
        { id: "esp:nowhere", field: "country", reason: expect.stringContaining("Atlantis") },
      ],
    });
    const { connectors } = await storage.catalogue.all();
    expect(connectors.map(({ id, name, available }) => [id, name, available])).toEqual([
      ["esp:one", "A bank", true],
      ["esp:three", "A bank", true],
      ["esp:two", "Another name", true],
    ]);
    proposed = Array.from({ length: 150 }, (_, number) => ({ id: `esp:${number}` })).concat([bank("esp:two")]);
    const { left_out_total, left_out } = await operations.sync(operator, "lighthouse", null);
    expect([left_out_total, left_out.length]).toEqual([150, 100]);
  });

  it("[C-9.125] rows that cannot be had, or are none, are refused with the reason", async () => {
    let rows: unknown = Promise.reject(new Error(`GET bank.example: 403 ${KEY}`));
    const { registry, operations } = server(lighthouse(working, { connectors: () => rows as never }));
    await registry.load(0);
    await operations.set(operator, "lighthouse", null, settings());
    await expect(operations.sync(operator, "lighthouse", null)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "the provider's rows could not be had: GET bank.example: 403 …",
    });
    for (rows of [7, [null], [{ id: "x" }]])
      expect(await failure(operations.sync(operator, "lighthouse", null))).toMatchObject({ code: "CONFLICT" });
  });
});

it("[C-9.126] [C-14.1081] a check says what the institution says; settings may be tried without being stored", async () => {
  const failed = new HttpFailure("tls", "GET bank.example: no trust", { method: "GET", host: "bank.example" });
  const check: ProviderDefinition["check"] = async ({ settings: given }) => {
    const [{ key }] = (given as { keys: [{ key: string }] }).keys;
    if (key === "https") throw failed;
    if (key === "silent") return;
    if (key === "throws") throw new Error(`401 for ${JSON.stringify(key)}`);
    return { ok: key !== "wrong", message: `asked with ${key}` };
  };
  const { registry, operations } = server(lighthouse(working, { check }));
  await registry.load(0);
  const test = (given?: unknown) => operations.test(operator, "lighthouse", null, given);
  expect(await failure(test())).toMatchObject({ code: "CONFLICT" });
  expect(await test(settings())).toEqual({ ok: true, cause: null, message: "asked with …" });
  expect(await test(settings("wrong"))).toEqual({ ok: false, cause: null, message: "asked with …" });
  expect(await test(settings("throws"))).toEqual({ ok: false, cause: null, message: '401 for "…"' });
  expect(await test(settings("https"))).toMatchObject({ ok: false, cause: "tls" });
  expect(await test(settings("silent"))).toMatchObject({ ok: true, cause: "taken" });
  const unchecked = server(lighthouse(working));
  expect(await unchecked.operations.test(operator, "lighthouse", null, settings())).toMatchObject({
    cause: "no_check",
  });
  expect(await failure(test({}))).toMatchObject({ code: "VALIDATION_ERROR" });
  expect((await storage.providerSettings.all()).settings).toEqual([]);
});

it("[C-9.127] servers keep one pace together, a little slower than an institution says; keys are stored as hashes", async () => {
  const slept: number[] = [];
  const keys: string[] = [];
  const { take } = storage.callTurns;
  const turns = {
    take(...given: Parameters<typeof take>) {
      keys.push(given[0]);
      return take(...given);
    },
  };
  const pace = createSharedPace({
    provider: "lighthouse",
    turns,
    mac: runtime.mac,
    sleep: async (milliseconds) => void slept.push(milliseconds),
  });
  const { signal } = new AbortController();
  const limits = [
    { every_ms: 10_000, calls: 1 },
    { every_ms: 60_000, calls: 3 },
  ];
  const answers = await Promise.all([1, 2, 3, 4].map(() => pace("the customer's token", limits, signal)));
  expect(answers).toEqual([null, null, null, { retry_after: expect.any(Number) }]);
  // 10,250, 20,500 and 60,250 ms after the first call, less the time between the calls; the last is rounded up to a second.
  const after = [...slept, (answers[3]?.retry_after ?? 0) * 1_000].map(
    (each, index) => [10_250, 20_500, 61_000][index]! - each,
  );
  expect(after.every((early) => early >= 0 && early < 5_000)).toBe(true);
  expect(keys.join()).not.toContain("token");
});
