import { createCredentials, createInvestmentData, type DataReader, type TenantActor, type Uuid } from "@org/core";
import { createMemoryStorage, createTestRuntime, samples } from "@org/core/testing";
import { describe, expect, it } from "vitest";

const page = { page: 1, page_size: 50 };
const notFound = (message: RegExp) =>
  expect.objectContaining({ code: "NOT_FOUND", message: expect.stringMatching(message) });

/** Clients A, with two connections, B, with one, and C, with none; one connection is nobody's. Each connection has a portfolio with its name. */
async function world() {
  const storage = createMemoryStorage();
  const tenant = await samples.newTenant(storage);
  await tenant.run(async ({ clients }) => {
    for (const reference of ["A", "B", "C"]) await clients.note(reference, samples.now);
  });
  const ids: Record<string, Uuid> = {};
  for (const [bank, client_ref] of [
    ["one", "A"],
    ["two", "B"],
    ["three", "A"],
    ["four", null],
  ] as const) {
    const { connection_id } = await tenant.connect({ bank, client_ref });
    ids[bank] = connection_id;
    const portfolios = [{ ...samples.portfolio(), name: bank, balance: "10.00" }];
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: samples.now, published_at: samples.now, portfolios }),
    );
  }
  const calls: string[] = [];
  const reader: DataReader = {
    ...storage.reader,
    connectionsOf: (...args) => {
      calls.push("connectionsOf");
      return storage.reader.connectionsOf(...args);
    },
    portfolios: (...args) => {
      calls.push("portfolios");
      return storage.reader.portfolios(...args);
    },
  };
  const runtime = createTestRuntime(samples.now);
  const actor = { tenant_id: tenant.tenant_id } as TenantActor;
  const data = createInvestmentData({ reader, runtime });
  const credentials = createCredentials({ storage, runtime });
  const read = async (request: object) => {
    const answer = await data.portfolios(actor, { ...page, fields: ["name"], ...request });
    return (JSON.parse(answer.items_json) as { name: string }[]).map(({ name }) => name);
  };
  return { storage, tenant, actor, data, credentials, ids, calls, read };
}

describe("data of clients", () => {
  it("[C-14.811] are those of one client or of several, with their totals and sources alone", async () => {
    const { actor, data, read } = await world();
    expect(await read({ client_ref: "A" })).toEqual(["one", "three"]);
    expect(await read({ client_ref: ["B", "A", "B"] })).toEqual(["one", "two", "three"]);
    expect(await read({ client_ref: "C" })).toEqual([]);
    const answer = await data.portfolios(actor, { ...page, client_ref: "A" });
    expect(answer).toMatchObject({ total: 2, totals: [{ balance: "20.00" }], source_counts: { ok: 2 } });
    const empty = await data.portfolios(actor, { ...page, client_ref: "C" });
    expect(empty).toMatchObject({ total: 0, totals: [], sources: [], source_counts: { ok: 0 } });
  });

  it("[C-14.811] a connection named as well is read if it is the client's; what does not exist is named", async () => {
    const { ids, read } = await world();
    expect(await read({ client_ref: "A", credentials_token: [ids.three, ids.two] })).toEqual(["three"]);
    expect(await read({ client_ref: "A", credentials_token: ids.two })).toEqual([]);
    await expect(read({ client_ref: ["A", "a", "Z"] })).rejects.toEqual(notFound(/^no such client_ref: "a", "Z"$/));
    const gone = "01900000-0000-7000-8000-00000000dead";
    await expect(read({ client_ref: "A", credentials_token: gone })).rejects.toEqual(notFound(/credentials_token/));
  });

  it("[C-14.811] a connection that is deleted between two statements is left out", async () => {
    const { storage, tenant, actor, ids } = await world();
    let isFirst = true;
    const reader: DataReader = {
      ...storage.reader,
      async connectionsOf(...args) {
        const found = await storage.reader.connectionsOf(...args);
        if (isFirst) await tenant.run(({ connections }) => connections.remove(ids.three as Uuid));
        isFirst = false;
        return found;
      },
    };
    const data = createInvestmentData({ reader, runtime: createTestRuntime(samples.now) });
    expect((await data.portfolios(actor, { ...page, client_ref: "A" })).total).toBe(1);
  });

  it("[C-14.812] a read without clients makes one statement, and one with them two", async () => {
    const { calls, read } = await world();
    await read({});
    expect(calls.splice(0)).toEqual(["portfolios"]);
    await read({ client_ref: "A" });
    expect(calls).toEqual(["connectionsOf", "portfolios"]);
  });
});

it("[C-14.813] connections say whose they are, and are listed by client", async () => {
  const { actor, credentials } = await world();
  const list = async (query: object) => {
    const { items } = await credentials.list(actor, {
      ...{ bank: null, ready_only: false, include_status: false, ...page },
      ...query,
    });
    return items.map(({ bank, client_ref }) => [bank, client_ref]);
  };
  expect(await list({})).toEqual([
    ["one", "A"],
    ["two", "B"],
    ["three", "A"],
    ["four", null],
  ]);
  expect(await list({ client_ref: ["A", "C"], bank: "th" })).toEqual([["three", "A"]]);
  expect(await list({ client_ref: "A", attention_only: true })).toEqual([
    ["one", "A"],
    ["three", "A"],
  ]);
  await expect(list({ client_ref: "Z" })).rejects.toEqual(notFound(/^no such client_ref: "Z"$/));
});
