import { expect, it } from "vitest";
import { MAX_HISTORY } from "../../letters/letter-store.js";
import type { ClientOrder } from "../../schemas/client.js";
import type { Storage } from "../../storage.js";
import { connection, later, letter, letterQuery, move, newId, newTenant, now, session } from "../fixture.js";

const all = { name: null, client_refs: null, order: "client_ref", page: 1, page_size: 9 } as const;

/** Cases of `TenantClientStore`, and of the references on connections, letters and sessions. */
export function clientCases(storage: () => Storage): void {
  /** A tenant with two clients: A has two connections, a letter and a session. */
  async function tenantWithClients() {
    const tenant = await newTenant(storage());
    await tenant.run(async ({ clients }) => {
      expect(await clients.note("B", now)).toBe(true);
      expect(await clients.note("A", later(1))).toBe(true);
      expect(await clients.note("A", later(2))).toBe(false);
    });
    const connections = [await tenant.connect({ client_ref: "A" }), await tenant.connect({ client_ref: "A" })] as const;
    const own = letter({ client_ref: "A" });
    const visit = session({ client_ref: "A" });
    await tenant.run(async ({ letters, sessions }) => {
      await letters.create(own, [], move(own));
      await sessions.create(visit);
    });
    const references = () =>
      tenant.run(async (stores) => [
        (await stores.connections.find(connections[0].connection_id))?.client_ref,
        (await stores.connections.find(connections[1].connection_id))?.client_ref,
        (await stores.letters.find(own.letter_id))?.client_ref,
        (await stores.sessions.find(visit.session_id))?.client_ref,
      ]);
    return { tenant, connections, own, references };
  }

  it("[C-14.992] of a letter that was changed very often the last changes are read, oldest first", async () => {
    const tenant = await newTenant(storage());
    const before = letter();
    const notes = Array.from({ length: MAX_HISTORY + 1 }, (_, nth) =>
      move(before, { event: "assign", from: "Signed", at: later(nth + 1) }),
    );
    await tenant.run(async ({ letters, letterMoves }) => {
      await letters.create(before, [], move(before));
      for (const [version, note] of notes.entries()) await letterMoves.record({ ...before, version }, note);
    });
    expect(await tenant.run(({ letterMoves }) => letterMoves.history(before.letter_id))).toEqual(notes.slice(1));
  });

  it("[C-14.800] a client is made once, with the numbers of connections and letters; lists are by reference", async () => {
    const { tenant } = await tenantWithClients();
    const a = { client_ref: "A", name: null, created_at: later(1), connections: 2, letters: 1 };
    const b = { client_ref: "B", name: null, created_at: now, connections: 0, letters: 0 };
    await tenant.run(async ({ clients }) => {
      expect(await clients.find("A")).toEqual(a);
      expect(await clients.find("a")).toBeNull();
      expect(await clients.list({ ...all, page_size: 1 })).toEqual({
        items: [a],
        total: 2,
      });
      expect(await clients.list({ ...all, page: 2, page_size: 1 })).toEqual({
        items: [b],
        total: 2,
      });
      expect(await clients.list({ ...all, page: 3, page_size: 1 })).toEqual({
        items: [],
        total: 2,
      });
      const only = (client_refs: string[]) => clients.list({ ...all, client_refs });
      expect([await only(["B", "C"]), await only([])]).toEqual([
        { items: [b], total: 1 },
        { items: [], total: 0 },
      ]);
    });
    const other = await newTenant(storage());
    await other.run(async ({ clients }) => {
      expect(await clients.find("A")).toBeNull();
      expect(await clients.list(all)).toEqual({
        items: [],
        total: 0,
      });
    });
  });

  it("[C-14.1053] they are listed by reference or by name, one way and the other; pages hold each once", async () => {
    const tenant = await newTenant(storage());
    const names = { "M-2": "Zoë", "M-10": "Özil", "m-1": "zoe", "Q-7": null, "A-1": "Zoe", "O-5": null };
    await tenant.run(async ({ clients }) => {
      for (const [client_ref, name] of Object.entries(names)) {
        await clients.note(client_ref, now);
        await clients.update(client_ref, { name });
      }
      const paged = async (order: ClientOrder, name: string | null = null) => {
        const found: string[] = [];
        for (let page = 1; ; page++) {
          const { items, total } = await clients.list({ ...all, name, order, page, page_size: 2 });
          found.push(...items.map(({ client_ref }) => client_ref));
          if (found.length >= total) return found;
        }
      };
      const byName = ["O-5", "M-10", "Q-7", "A-1", "M-2", "m-1"];
      expect(await paged("client_ref")).toEqual(Object.keys(names).sort());
      expect(await paged("-client_ref")).toEqual(Object.keys(names).sort().reverse());
      expect(await paged("name")).toEqual(byName);
      expect(await paged("-name")).toEqual(byName.toReversed());
      expect(await paged("-name", "ZO")).toEqual(["m-1", "M-2", "A-1"]);
    });
  });

  it("[C-14.800] they are found by a part of name or reference, whatever its case and accents, and no pattern", async () => {
    const tenant = await newTenant(storage());
    const found = (name: string) =>
      tenant.run(async ({ clients }) => {
        const { items } = await clients.list({ ...all, name });
        return items.map(({ client_ref }) => client_ref);
      });
    await tenant.run(async ({ clients }) => {
      for (const reference of ["M-17", "Z_1", "ä%"]) await clients.note(reference, now);
      expect(await clients.update("M-17", { name: "Größe & Söhne" })).toBe("changed");
    });
    expect(await found("GROSSE")).toEqual(["M-17"]);
    expect(await found("m-1")).toEqual(["M-17"]);
    expect(await found("_")).toEqual(["Z_1"]);
    expect(await found("A%")).toEqual(["ä%"]);
    expect(await found("17g")).toEqual([]);
    await tenant.run(({ clients }) => clients.update("M-17", { name: null }));
    expect(await found("grosse")).toEqual([]);
  });

  it("[C-14.887] a few are looked up by the beginnings of words of name and reference, by reference, in their tenant only", async () => {
    const [tenant, other] = [await newTenant(storage()), await newTenant(storage())];
    await tenant.run(async ({ clients }) => {
      for (const reference of ["Z-9", "M-17", "M-2"]) await clients.note(reference, now);
      await clients.update("Z-9", { name: "Familie Öztürk-Groß" });
    });
    const lookUp = async (words: readonly string[], limit = 9, { tenant_id } = tenant) => {
      const found = await storage().connectionAdmin.lookUpClients(tenant_id, words, limit);
      return found.map(({ client_ref }) => client_ref);
    };
    expect(await lookUp(["ozt"])).toEqual(["Z-9"]);
    expect(await lookUp(["gross", "fam"])).toEqual(["Z-9"]);
    expect(await lookUp(["m"])).toEqual(["M-17", "M-2"]);
    expect(await lookUp(["m"], 1)).toEqual(["M-17"]);
    expect(await lookUp(["m", "17"])).toEqual(["M-17"]);
    expect(await lookUp(["turk"])).toEqual([]);
    expect(await lookUp(["m"], 9, other)).toEqual([]);
  });

  it("[C-14.800] a new reference is everywhere at once; one that is taken changes nothing", async () => {
    const { tenant, references } = await tenantWithClients();
    const update = (from: string, client_ref: string) =>
      tenant.run(({ clients }) => clients.update(from, { client_ref, name: "Meier" }));
    expect(await update("A", "B")).toBe("taken");
    expect(await update("C", "D")).toBe("unknown");
    expect(await references()).toEqual(["A", "A", "A", "A"]);
    expect(await update("A", "A")).toBe("changed");
    expect(await update("A", "C")).toBe("changed");
    expect(await references()).toEqual(["C", "C", "C", "C"]);
    await tenant.run(async ({ clients }) => {
      expect(await clients.find("A")).toBeNull();
      expect(await clients.find("C")).toMatchObject({
        name: "Meier",
        created_at: later(1),
        connections: 2,
        letters: 1,
      });
    });
  });

  it("[C-14.800] a removed client leaves its reference nowhere", async () => {
    const { tenant, references } = await tenantWithClients();
    expect(await tenant.run(({ clients }) => clients.remove("A"))).toBe(true);
    expect(await tenant.run(({ clients }) => clients.remove("A"))).toBe(false);
    expect(await references()).toEqual([null, null, null, null]);
  });

  it("[C-14.800] what is a client's is read in order of ids, a few at a time", async () => {
    const { tenant, connections, own } = await tenantWithClients();
    const [one, two] = connections.map(({ connection_id }) => connection_id);
    await tenant.connect({ client_ref: "B" });
    await tenant.run(async ({ clients }) => {
      expect(await clients.connectionsOf("A", null, 1)).toEqual([one]);
      expect(await clients.connectionsOf("A", one as typeof two & string, 9)).toEqual([two]);
      expect(await clients.lettersOf("A", null, 9)).toEqual([own.letter_id]);
      expect(await clients.lettersOf("B", null, 9)).toEqual([]);
    });
  });

  it("[C-14.800] a connection and a letter can be given to another client, or to none", async () => {
    const { tenant, connections, own } = await tenantWithClients();
    const [{ connection_id }] = connections;
    await tenant.run(async (stores) => {
      expect(await stores.connections.assign(connection_id, "B")).toBe(true);
      expect(await stores.connections.assign(newId(), "B")).toBe(false);
      // Whoever moves a letter may know an old reference.
      await stores.letterMoves.record({ ...own, client_ref: "C" }, move(own));
      expect((await stores.letters.find(own.letter_id))?.client_ref).toBe("A");
      const moved = { ...own, version: own.version + 1, client_ref: "B" };
      await stores.letterMoves.record(moved, move(own, { event: "assign" }));
      expect(await stores.clients.find("B")).toMatchObject({ connections: 1, letters: 1 });
      expect(await stores.connections.assign(connection_id, null)).toBe(true);
      expect(await stores.clients.find("B")).toMatchObject({ connections: 0, letters: 1 });
    });
    await expect(tenant.run((stores) => stores.connections.assign(connection_id, "C"))).rejects.toThrow();
    await expect(tenant.run((stores) => stores.connections.create(connection({ client_ref: "C" })))).rejects.toThrow();
  });

  it("[C-14.801] letters are found by their clients, with and without other criteria", async () => {
    const tenant = await newTenant(storage());
    const of = (client_ref: string | null, labels = {}) => letter({ client_ref, labels });
    const letters = [of("A"), of("B"), of(null), of("A", { desk: "north" })] as const;
    await tenant.run(async (stores) => {
      for (const reference of ["A", "B"]) await stores.clients.note(reference, now);
      for (const one of letters) await stores.letters.create(one, [], move(one));
    });
    const search = async (over: Parameters<typeof letterQuery>[0]) => {
      const { items, total } = await storage().letterFinder.search(tenant.tenant_id, letterQuery(over));
      expect(items).toHaveLength(total);
      return items.map(({ letter_id, client_ref }) => [
        letters.findIndex((one) => one.letter_id === letter_id),
        client_ref,
      ]);
    };
    expect(await search({})).toEqual([
      [3, "A"],
      [2, null],
      [1, "B"],
      [0, "A"],
    ]);
    expect(await search({ client_ref_in: ["A"] })).toEqual([
      [3, "A"],
      [0, "A"],
    ]);
    expect(await search({ client_ref_in: ["A", "B"], status_in: ["Signed"] })).toEqual([
      [3, "A"],
      [1, "B"],
      [0, "A"],
    ]);
    expect(await search({ client_ref_in: ["A"], labels: { desk: "north" } })).toEqual([[3, "A"]]);
    expect(await search({ client_ref_in: ["B"], labels: { desk: "north" } })).toEqual([]);
    expect(await search({ client_ref_in: [] })).toEqual([]);
    const { items, total } = await storage().letterAdmin.search({
      ...letterQuery({ client_ref_in: ["A"] }),
      ...{ tenant_id: tenant.tenant_id, in_status_before: null, words: [], without_mail: null },
      ...{ order: "newest", offset: 0, after: null },
    });
    expect([total, ...items.map(({ client_ref }) => client_ref)]).toEqual([2, "A", "A"]);
  });

  it("[C-14.800] of renamings and new connections at once each finds the other", async () => {
    const tenant = await newTenant(storage());
    await tenant.run(({ clients }) => clients.note("R0", now));
    const connects = Array.from({ length: 8 }, (_, n) =>
      tenant.run(async ({ clients, connections }) => {
        const client_ref = n % 2 ? "R0" : "R1";
        await clients.note(client_ref, now);
        await connections.create(connection({ client_ref }));
      }),
    );
    const renames = Array.from({ length: 3 }, () =>
      tenant.run(({ clients }) => clients.update("R0", { client_ref: "R2" })),
    );
    await Promise.all([...connects, ...renames]);
    const { items } = await tenant.run(({ clients }) => clients.list(all));
    expect(items.reduce((sum, { connections }) => sum + connections, 0)).toBe(8);
  });
}
