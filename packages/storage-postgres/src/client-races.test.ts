import { type Connectors, createLetters, createTenantClients, type TenantActor, type Uuid } from "@org/core";
import { createMemoryStorage, createTestRuntime, samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const ROUNDS = 8;
const PDF = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
const runtime = createTestRuntime(samples.now);

let database: TestDatabase | undefined;
const backends = [
  { name: "memory", create: async () => createMemoryStorage() },
  ...testBackends.map(({ name, create }) => ({
    name,
    async create() {
      database = await create();
      return createPostgresStorage(createTransactions(database.pool));
    },
  })),
];

describe.each(backends)("letters of a client that is deleted at the same moment, on $name", ({ create }) => {
  let storage: Awaited<ReturnType<typeof create>>;
  beforeAll(async () => {
    storage = await create();
  });
  afterAll(async () => {
    await database?.close();
    database = undefined;
  });

  it.each([
    ["without a limit", false],
    ["limited to it", true],
  ])("[C-14.1048] of a caller %s, each is of a client that there is, or was refused", async (_, isLimited) => {
    const tenant = await samples.newTenant(storage);
    const actor: TenantActor = {
      tenant_id: tenant.tenant_id as Uuid,
      application_id: samples.newId(),
      trace_id: null,
      address: null,
    };
    const connectors = {
      find: async (id: string) => ({ id, name: "Banco Verde", type: "datafeed", available: true, metadata: {} }),
    } as unknown as Connectors;
    const checks = {
      inspect: async (bytes: Uint8Array) => ({ bytes, signature: "none" as const }),
      scan: null,
      maxBytes: 5_000,
    };
    const letters = createLetters({ storage, runtime, connectors, checks });
    const clients = createTenantClients({ storage, runtime });
    const submit = (who: TenantActor, client_ref: string) =>
      letters.createSigned(who, { connector_id: "esp:bank", data: PDF, client_ref }, null);
    for (let round = 0; round < ROUNDS; round += 1) {
      const client_ref = `C-${round}`;
      await submit(actor, client_ref);
      const caller = isLimited ? { ...actor, client_refs: [client_ref] } : actor;
      const several = async () => {
        const asked = [];
        for (let index = 0; index < 3; index += 1)
          asked.push(...(await Promise.allSettled([submit(caller, client_ref)])));
        return asked;
      };
      const [[gone], ...atOnce] = await Promise.all([
        Promise.allSettled([clients.remove(actor, client_ref, true)]),
        several(),
        several(),
      ]);
      const made = [...atOnce.flat(), ...(await several())];
      const reasons = made.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      expect(isLimited ? [] : reasons).toEqual([]);
      for (const reason of reasons)
        expect(reason).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field: "client_ref" }] });
      const left = await tenant.run(async (stores) => {
        const client = await stores.clients.find(client_ref);
        const found = await Promise.all(
          made.flatMap((one) => (one.status === "fulfilled" ? [stores.letters.find(one.value.letter_id)] : [])),
        );
        return { client, live: found.filter((letter) => letter?.status === "Signed") };
      });
      // What is under way is of a client that there is; a limited caller does not bring it back.
      expect(left.live.map((letter) => letter?.client_ref)).toEqual(left.live.map(() => left.client?.client_ref));
      if (isLimited && gone?.status === "fulfilled") expect(left).toEqual({ client: null, live: [] });
    }
  });
});
