import { expect, it } from "vitest";
import { INSTALLATION_LOG, type NewEvent } from "../schemas/event.js";
import { letter, letterQuery, move, newId, newTenant, type StorageFixture } from "./fixture.js";

/** Cases of the event log, as far as core writes it. */
export function eventLogCases(fixture: () => StorageFixture): void {
  const ended = (over: Partial<NewEvent> = {}): NewEvent => {
    const grant_id = newId();
    return {
      type: "grant.ended",
      object_id: grant_id,
      data: { grant_id, client_id: 'it\'s \\ "a client"', reason: "revoked" },
      ...over,
    } as NewEvent;
  };

  it("[C-11.1] keeps events with their transaction, in the order in which they were appended", async () => {
    const { storage, eventsOf } = fixture();
    const tenant = await newTenant(storage);
    const events = Array.from({ length: 30 }, () => ended());
    const labelled = ended({ labels: { desk: "no'rth", quote: '"\\' } });
    await tenant.run(async (stores) => {
      await stores.events.append([]);
      for (const event of events.slice(0, 10)) await stores.events.append([event]);
      await stores.events.append(events.slice(10));
    });
    await tenant.run((stores) => stores.events.append([labelled]));
    expect(await eventsOf(tenant.tenant_id)).toEqual([...events, labelled]);
  });

  it("[C-11.1] keeps nothing of a transaction that failed", async () => {
    const { storage, eventsOf } = fixture();
    const tenant = await newTenant(storage);
    const failed = tenant.run(async (stores) => {
      await stores.events.append([ended()]);
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    expect(await eventsOf(tenant.tenant_id)).toEqual([]);
  });

  it("[C-8.205] past events of a client have its reference of today, and null once it is deleted", async () => {
    const { storage, eventsOf } = fixture();
    const [tenant, other] = [await newTenant(storage), await newTenant(storage)];
    const changed = (client_ref: string | null): NewEvent => {
      const connection_id = newId();
      const data = { connection_id, client_ref, snapshot_revision: 1, products: [] };
      return { type: "data.changed", object_id: connection_id, data } as unknown as NewEvent;
    };
    for (const each of [tenant, other])
      await each.run(async ({ clients, events }) => {
        for (const reference of ["A", "B"]) await clients.note(reference, new Date(0));
        await events.append([changed("A"), changed("B"), changed(null)]);
      });
    const references = async ({ tenant_id } = tenant) =>
      (await eventsOf(tenant_id)).map(({ data }) => (data as { client_ref?: string | null }).client_ref);
    await tenant.run(({ clients }) => clients.update("A", { name: "Meier" }));
    expect(await references()).toEqual(["A", "B", null]);
    await tenant.run(({ clients }) => clients.update("A", { client_ref: "C" }));
    expect(await references()).toEqual(["C", "B", null]);
    await tenant.run(({ clients }) => clients.update("B", { client_ref: "A" }));
    await tenant.run(({ clients }) => clients.remove("C"));
    expect(await references()).toEqual([null, "A", null]);
    expect(await references(other)).toEqual(["A", "B", null]);
  });

  it("[C-9.652] [C-7.205] what is past of a client is forgotten in pieces, with the label that names it, and nothing else", async () => {
    const { storage, eventsOf } = fixture();
    const tenant = await newTenant(storage);
    await tenant.run(async ({ clients }) => {
      for (const reference of ["A", "B"]) await clients.note(reference, new Date(0));
    });
    const labels = { client: "A", desk: "client=A" };
    // The second letter was given to another client since; the third has nothing to do with this one.
    const own = [
      letter({ client_ref: "A", labels }),
      letter({ client_ref: "B", labels }),
      letter({ client_ref: "B", labels: { client: "B", of: "A" } }),
    ];
    const { connection_id } = await tenant.connect({ client_ref: "B", labels });
    const session_id = newId();
    const told = (one: (typeof own)[number]): NewEvent => {
      const { letter_id, connector_id, client_ref, status } = one;
      const data = { letter_id, connector_id, client_ref, status, from: null, to: status, labels: one.labels };
      return { type: "letter.created", object_id: letter_id, labels: one.labels, data } as unknown as NewEvent;
    };
    const others = [
      { type: "data.changed", object_id: connection_id, labels, data: { connection_id, client_ref: "B" } },
      { type: "session.finished", object_id: session_id, labels, data: { connection_id, client_ref: null } },
    ] as unknown as NewEvent[];
    await tenant.run(async ({ letters, events }) => {
      for (const one of own) await letters.create(one, [], move(one));
      for (let round = 0; round < 3; round += 1) await events.append([...own.map(told), ...others]);
    });
    const forget = () => storage.connectionAdmin.forgetClient(tenant.tenant_id, "A", "client", 2);
    for (let calls = 0; (await forget()) > 0; calls += 1) expect(calls).toBeLessThan(20);

    const kept = (await eventsOf(tenant.tenant_id)).map(({ labels: all, data }) => ({
      labels: all,
      client_ref: (data as { client_ref?: string | null }).client_ref,
      ...("labels" in data && { shown: data.labels }),
    }));
    const desk = { desk: "client=A" };
    const expected = [
      { labels: desk, client_ref: null, shown: desk },
      { labels: desk, client_ref: "B", shown: desk },
      { labels: own[2]?.labels, client_ref: "B", shown: own[2]?.labels },
      { labels: desk, client_ref: "B" },
      { labels: desk, client_ref: null },
    ];
    expect(kept).toEqual([...expected, ...expected, ...expected]);
    const found = await tenant.run(async ({ letters, connections }) => [
      ...(await Promise.all(own.map(({ letter_id }) => letters.find(letter_id)))).map((one) => one?.labels),
      (await connections.find(connection_id))?.labels,
    ]);
    expect(found).toEqual([desk, desk, own[2]?.labels, desk]);
    const searched = await storage.letterFinder.search(tenant.tenant_id, letterQuery({ labels: { client: "A" } }));
    expect(searched.total).toBe(0);
  });

  it("[C-11.2] puts what is for operators into the installation's log, whosever transaction it is", async () => {
    const { storage, eventsOf } = fixture();
    const tenant = await newTenant(storage);
    const [mail_id, letter_id] = [newId(), newId()];
    const failed: NewEvent = {
      type: "mail.failed",
      object_id: mail_id,
      data: { tenant_id: tenant.tenant_id, mail_id, letter_id, kind: "authorization_letter" },
    };
    const own = ended();
    await tenant.run((stores) => stores.events.append([failed, own]));
    expect(await eventsOf(tenant.tenant_id)).toEqual([own]);
    expect(await eventsOf(INSTALLATION_LOG)).toContainEqual(failed);
    const degraded: NewEvent = {
      type: "provider.degraded",
      object_id: `provider ${mail_id}`,
      data: { tenant_id: null, provider: "sandbox", connector_id: null },
    };
    await storage.inTenant(INSTALLATION_LOG, (stores) => stores.events.append([degraded]));
    expect(await eventsOf(INSTALLATION_LOG)).toContainEqual(degraded);
  });
}
