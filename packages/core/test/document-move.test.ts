import { createHash } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { countDatabaseDocuments, type DocumentBucket, moveDocuments, type Uuid } from "../src/index.js";
import { createDocumentSafe } from "../src/letters/document-safe.js";
import { createMemoryStorage, createTestRuntime, samples } from "../src/testing/index.js";

let storage: ReturnType<typeof createMemoryStorage>;
let objects: Map<string, Uint8Array>;
/** Called before the next object is written. */
let onPut: () => void | Promise<void>;
const bucket: DocumentBucket = {
  async put(key, ciphertext) {
    await onPut();
    objects.set(key, Uint8Array.from(ciphertext));
  },
  get: async (key, size) => {
    const found = objects.get(key);
    return found?.length === size ? found : null;
  },
  async remove(keys) {
    for (const key of keys) objects.delete(key);
  },
};
const plain = createTestRuntime();
const runtime = { ...plain, bucket };
const words = (text: string) => new Uint8Array(Buffer.from(text));

beforeEach(() => {
  storage = createMemoryStorage();
  objects = new Map();
  onPut = () => undefined;
});

/** A tenant with letters whose documents are in the database. */
async function tenantWith(...texts: readonly string[]) {
  const tenant = await samples.newTenant(storage);
  const { tenant_id } = tenant;
  const safe = createDocumentSafe({ storage, runtime: plain });
  const ids: Uuid[] = [];
  for (const text of texts) {
    const record = samples.letter();
    const documents = await safe.seal({ tenant_id, letter_id: record.letter_id }, [
      { kind: "letter", bytes: words(text), signature: "none" },
      { kind: "annex", bytes: words(`annex of ${text}`), signature: "none" },
    ]);
    await tenant.run(({ letters }) => letters.create(record, documents, samples.move(record)));
    ids.push(record.letter_id);
  }
  const read = async (letter_id: Uuid, kind: "letter" | "annex" = "letter") => {
    const document = await tenant.run(({ letterDocuments }) => letterDocuments.document(letter_id, kind));
    if (document === null) return null;
    const bytes = await createDocumentSafe({ storage, runtime }).open(letter_id, document);
    return [document.object_key === null ? "database" : "bucket", Buffer.from(bytes).toString()];
  };
  return { ...tenant, tenant_id, run: tenant.run.bind(tenant), ids: ids as [Uuid, ...Uuid[]], read };
}

it("[C-8.86] documents of every tenant move, open as before, and move once", async () => {
  const [one, other] = [await tenantWith("first", "second"), await tenantWith("third")];
  expect(await countDatabaseDocuments({ storage })).toEqual({ documents: 6, bytes: 5 + 6 + 5 + 9 * 3 + 5 + 6 + 5 });
  const told: number[] = [];
  expect(await moveDocuments({ storage, runtime }, (moved) => told.push(moved))).toEqual({ moved: 6, unreadable: [] });
  expect(told).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await countDatabaseDocuments({ storage })).toEqual({ documents: 0, bytes: 0 });
  expect(await one.read(one.ids[0])).toEqual(["bucket", "first"]);
  expect(await other.read(other.ids[0], "annex")).toEqual(["bucket", "annex of third"]);
  expect(await storage.upkeep.orphanedObjects(samples.later(1e9), 9)).toEqual([]);
  expect(await moveDocuments({ storage, runtime })).toEqual({ moved: 0, unreadable: [] });
  expect(objects.size).toBe(6);
  const lines = await storage.auditTrail.list({
    tenant_id: one.tenant_id,
    from: null,
    before: null,
    action: null,
    actor: null,
    object_id: null,
    trace_id: null,
    after: null,
    order: "oldest",
    limit: 9,
  });
  expect(lines).toMatchObject([{ actor: "system", action: "document.move", facts: { moved: 4 } }]);
});

it("[C-8.86] a bucket that goes away leaves every document in one place, and the next run does the rest", async () => {
  const tenant = await tenantWith("a", "b", "c", "d");
  let left = 3;
  onPut = () => {
    left -= 1;
    if (left < 0) throw new Error("connection refused");
  };
  await expect(moveDocuments({ storage, runtime })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await countDatabaseDocuments({ storage })).toMatchObject({ documents: 5 });
  for (const id of tenant.ids) expect(await tenant.read(id)).not.toBeNull();
  onPut = () => undefined;
  expect(await moveDocuments({ storage, runtime })).toEqual({ moved: 5, unreadable: [] });
});

it("[C-8.86] what is written and not kept, as after a crash, goes a day later, and the document is where it was", async () => {
  const tenant = await tenantWith("a");
  const crashing = {
    ...storage,
    inTenant: ((id, work) =>
      storage.inTenant(id, (stores) =>
        work({
          ...stores,
          letterDocuments: {
            ...stores.letterDocuments,
            moveToBucket: async () => {
              throw new Error("killed");
            },
          },
        }),
      )) as typeof storage.inTenant,
  };
  await expect(moveDocuments({ storage: crashing, runtime })).rejects.toThrow("killed");
  expect(await tenant.read(tenant.ids[0])).toEqual(["database", "a"]);
  const written = objects.size;
  expect(written).toBeGreaterThan(0);
  const day = new Date(runtime.clock().getTime() + 24 * 60 * 60 * 1000);
  expect(await storage.upkeep.orphanedObjects(new Date(day.getTime() - 1), 9)).toEqual([]);
  expect(await storage.upkeep.orphanedObjects(day, 9)).toHaveLength(written);
});

it("[C-8.86] a bucket that has other bytes than were written changes no row", async () => {
  const tenant = await tenantWith("abc");
  const lying: DocumentBucket = { ...bucket, get: async (_key, size) => new Uint8Array(size) };
  await expect(moveDocuments({ storage, runtime: { ...runtime, bucket: lying } })).rejects.toThrow("other bytes");
  expect(await tenant.read(tenant.ids[0])).toEqual(["database", "abc"]);
});

it("[C-8.86] a document that does not open, or not to what was stored, stays and is named", async () => {
  const tenant = await tenantWith("good", "bad", "foreign");
  const [good, bad, foreign] = tenant.ids as unknown as [Uuid, Uuid, Uuid];
  await tenant.run(async ({ letterDocuments }) => {
    const [spoilt, other] = [
      await letterDocuments.document(bad, "letter"),
      await letterDocuments.document(good, "annex"),
    ];
    if (!spoilt?.ciphertext || !other) throw new Error("no document");
    await letterDocuments.attach(bad, { ...spoilt, ciphertext: spoilt.ciphertext.map((byte) => byte ^ 1) });
    await letterDocuments.attach(foreign, { ...other, kind: "letter" });
  });
  const { moved, unreadable } = await moveDocuments({ storage, runtime });
  expect(moved).toBe(4);
  expect(unreadable).toEqual(
    [bad, foreign].sort().map((letter_id) => ({ tenant_id: tenant.tenant_id, letter_id, kind: "letter" })),
  );
  expect(await countDatabaseDocuments({ storage })).toMatchObject({ documents: 2 });
});

it("[C-8.86] what is replaced or deleted meanwhile is not overwritten, and two runs at once move each document once", async () => {
  const tenant = await tenantWith("a", "b");
  const [replaced, ended] = tenant.ids as unknown as [Uuid, Uuid];
  let isFirst = true;
  onPut = async () => {
    if (!isFirst) return;
    isFirst = false;
    const [document] = await createDocumentSafe({ storage, runtime: plain }).seal(
      { tenant_id: tenant.tenant_id, letter_id: replaced },
      [{ kind: "letter", bytes: words("new"), signature: "none" }],
    );
    await tenant.run(async ({ letterDocuments }) => {
      if (document) await letterDocuments.attach(replaced, document);
      await letterDocuments.erase(ended);
    });
  };
  const runs = await Promise.all([moveDocuments({ storage, runtime }), moveDocuments({ storage, runtime })]);
  const again = await moveDocuments({ storage, runtime });
  const sum = [...runs, again].reduce((all, { moved }) => all + moved, 0);
  expect(sum).toBe(2);
  expect(await tenant.read(replaced)).toEqual(["bucket", "new"]);
  expect(await tenant.read(replaced, "annex")).toEqual(["bucket", "annex of a"]);
  expect(await tenant.read(ended)).toBeNull();
  // Objects that no row names are released immediately.
  const loose = await storage.upkeep.orphanedObjects(runtime.clock(), 99);
  await bucket.remove(loose.map(({ object_key }) => object_key));
  expect(objects.size).toBe(2);
  expect(createHash("sha256").update("new").digest("hex")).toBe(
    (await tenant.run(({ letterDocuments }) => letterDocuments.document(replaced, "letter")))?.sha256,
  );
});
