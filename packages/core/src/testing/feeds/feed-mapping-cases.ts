import { expect, it } from "vitest";
import type { Storage } from "../../storage.js";
import { auditEntry, connection, later, newId, newTenant, now } from "../fixture.js";

/** Cases of `FeedMappingStore`. */
export function feedMappingCases(storage: () => Storage): void {
  it("[C-9.195] mappings are kept for connectors and for connections apart, each change with its line, and go with their connection", async () => {
    const { feedMappings: store } = storage();
    const tenant = await newTenant(storage());
    const { tenant_id } = tenant;
    const record = connection();
    await tenant.run(({ connections }) => connections.create(record));
    const own = { tenant_id, connection_id: record.connection_id };
    const shared = { connector_id: `che:${newId()}` };
    const made = (owner: typeof own | typeof shared, name: string, title: string, changed_at = now) => ({
      owner,
      name,
      changed_at,
      mapping: { name, title },
    });
    const entry = () => auditEntry({ audit_id: newId(), action: "feed_mapping.set" });
    expect(await store.keep(made(shared, "b", "one"), entry())).toBe("kept");
    expect(await store.keep(made(shared, "a", "two"), entry())).toBe("kept");
    expect(await store.keep(made(shared, "b", "three", later(60)), entry())).toBe("kept");
    expect(await store.keep(made(own, "a", "four"), entry())).toBe("kept");
    expect(await store.keep(made({ ...own, connection_id: newId() }, "a", "none"), entry())).toBe("unknown");
    expect(await store.of(shared)).toEqual([made(shared, "a", "two"), made(shared, "b", "three", later(60))]);
    expect(await store.of(own)).toEqual([made(own, "a", "four")]);
    for (const owner of [shared, own]) {
      // [C-14.126] Of several callers that saw the same state, only one succeeds.
      const isNew = (there: unknown) => there === null;
      const many = Array.from({ length: 5 }, (_, index) => store.keep(made(owner, "z", `${index}`), entry(), isNew));
      expect((await Promise.all(many)).sort()).toEqual(["kept", ...Array(4).fill("overtaken")]);
      const kept = (await store.of(owner)).at(-1);
      expect(await store.keep(made(owner, "z", "more"), entry(), () => false)).toBe("overtaken");
      expect((await store.of(owner)).at(-1)).toEqual(kept);
      const isKept = (there: object | null) => JSON.stringify(there) === JSON.stringify(kept);
      expect(await store.keep(made(owner, "z", "more"), entry(), isKept)).toBe("kept");
      expect(await store.remove(owner, "z", entry())).toBe(true);
    }
    const both = { connector_ids: [shared.connector_id], connection_ids: [own.connection_id] };
    expect(await store.ofAny(both)).toHaveLength(3);
    expect(await store.ofAny({ ...both, connector_ids: [] })).toEqual([made(own, "a", "four")]);
    expect(await store.ofAny({ ...both, connection_ids: [newId()] })).toEqual(await store.of(shared));
    expect(await store.list(1_000)).toEqual(expect.arrayContaining([made(own, "a", "four"), made(shared, "a", "two")]));
    expect(await store.list(1)).toHaveLength(1);
    expect(await store.remove(shared, "c", entry())).toBe(false);
    expect(await store.remove(shared, "a", entry())).toBe(true);
    expect(await store.remove(shared, "b", entry())).toBe(true);
    await tenant.run(({ connections }) => connections.remove(own.connection_id));
    expect(await store.of(own)).toEqual([]);
  });
}
