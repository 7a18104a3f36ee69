import { randomUUID } from "node:crypto";
import { auditEntry, type Named, systemActor, type Uuid } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import { INSTALLATION } from "@org/people";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPeopleStores } from "./people/people-stores.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { createNameReader } from "./queries/name-reader.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";
import { createEndpointStore } from "./webhooks/endpoint-store.js";

const runtime = createTestRuntime(samples.now);
const newId = () => randomUUID() as Uuid;

describe.each(testBackends)("the names of ids on $name", ({ create }) => {
  let database: TestDatabase;
  let made: Awaited<ReturnType<typeof makeTenants>>;
  beforeAll(async () => {
    database = await create();
    made = await makeTenants();
  });
  afterAll(() => database?.close());

  const brief = ({ kind, name, of }: Named) => [kind, name, of].filter((part) => part !== null).join(" ");

  it("[C-14.840] an operator learns the names of all tenants' things and of operators; what is gone is left out", async () => {
    const { reader, own, other, operator } = made;
    const asked = [
      ...own.things,
      ...other.things,
      { tenant_id: own.id, id: operator },
      { tenant_id: null, id: newId() },
    ];
    const found = await reader.find(null, asked);
    expect(found.map(brief).sort()).toEqual(
      [
        "connector Bank one",
        "person The operator",
        ...[own, other].flatMap(({ name }) => [
          `application Bot of ${name}`,
          `application Bot of ${name}`,
          "connection Banco Ejemplo",
          "letter 4711 Bank one",
          `person Anna of ${name}`,
          `tenant ${name}`,
          "webhook_endpoint hooks.test",
        ]),
      ].sort(),
    );
  });

  it("[C-14.841] a tenant's person learns no name of another tenant, whichever tenant is asked for, and none of operators", async () => {
    const { reader, own, other, operator } = made;
    const things = [...other.things, { tenant_id: own.id, id: operator }, { tenant_id: INSTALLATION, id: operator }];
    const claimed = other.things.map(({ id }) => ({ tenant_id: own.id, id }));
    expect((await reader.find(own.id, [...things, ...claimed])).map(brief)).toEqual(["connector Bank one"]);
    expect((await reader.find(own.id, own.things)).length).toBe(8);
  });

  /** Two tenants with one thing of each kind. */
  async function makeTenants() {
    const transactions = createTransactions(database.pool);
    const storage = createPostgresStorage(transactions);
    const people = createPeopleStores(transactions).directory;
    const invite = async (tenant_id: Uuid, name: string, role: "operator" | "admin") => {
      const person_id = newId();
      await people.add(
        {
          tenant_id,
          person_id,
          email: `${person_id}@a.test`,
          name,
          role,
          identity: null,
          created_at: samples.now,
          joined_at: null,
        },
        { invitation_hash: newId(), expires_at: samples.now },
        100,
        auditEntry(runtime, systemActor, "person.invite", "person", person_id),
      );
      return person_id;
    };
    const tenantWith = async () => {
      const tenant = await samples.newTenant(storage);
      const id = tenant.tenant_id as Uuid;
      const name = `Tenant ${id}`;
      const letter = samples.letter({ connector_id: "one", labels: { reference: "4711" } });
      const connection = samples.connection();
      await tenant.run(async ({ letters, connections }) => {
        await letters.create(letter, [], samples.move(letter));
        await connections.create(connection);
      });
      const endpoint_id = newId();
      await createEndpointStore(transactions).create(
        id,
        {
          ...{
            endpoint_id,
            url: "https://hooks.test/in",
            types: ["*"],
            labels: {},
            description: null,
            is_enabled: true,
          },
          ...{ created_at: samples.now, sealed_secret: "s" },
        },
        100,
        auditEntry(runtime, systemActor, "webhook.create", "webhook_endpoint", endpoint_id),
      );
      const [application, client] = [newId(), `wca_${newId()}`];
      await database.pool.query(
        "insert into applications (application_id, tenant_id, client_id, name, scopes, redirect_urls, created_at) values ($1, $2, $3, $4, '{}', '{}', now())",
        [application, id, client, `Bot of ${name}`],
      );
      const ids = [id, await invite(id, `Anna of ${name}`, "admin"), application, client, endpoint_id, "one"];
      const things = [...ids, letter.letter_id, connection.connection_id].map((one) => ({ tenant_id: id, id: one }));
      return { id, name, things };
    };
    await database.pool.query(
      "insert into connectors (connector_id, name, type, countries, available, provider, metadata) values ('one', 'Bank one', 'bank', '{CH}', true, 'sandbox', '{}')",
    );
    const operator = await invite(INSTALLATION, "The operator", "operator");
    return { reader: createNameReader(transactions), own: await tenantWith(), other: await tenantWith(), operator };
  }
});
