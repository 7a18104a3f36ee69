import type { HoldingData } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import type { Delivery, ReadablePart } from "./feed-delivery.js";
import { createFileStoring } from "./file-storing.js";

const LARGE = 5 * 1024 * 1024;
const SMALL = 1024;

const delivery = (tenant_id: string) => ({ origin: { tenant_id, feed_id: "feed" } }) as Delivery;

const partsOf = (rows: number): readonly ReadablePart[] => {
  const holdings = Array.from({ length: rows }, () => ({}) as HoldingData);
  return [{ name: null, sha256: "", read: { format: "test", warnings: [], snapshot: { holdings } } } as never];
};

/** Starts reading and storing a file, which lasts until the test ends it. */
function startFile(storing: ReturnType<typeof createFileStoring>, tenant: string, bytes: number, rows = 1) {
  const file = delivery(tenant);
  const seen = { state: "waits", end: () => {} };
  const over = new Promise<void>((resolve) => {
    seen.end = resolve;
  });
  const done = storing.read(file, bytes, async () => {
    seen.state = "read";
    await storing.store(file, partsOf(rows), async () => {
      seen.state = "stored";
      await over;
    });
    seen.state = "done";
  });
  return { seen, done };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("files that are stored", () => {
  it("take turns: of large ones one is read and stored at a time, and small ones of others go past it", async () => {
    const storing = createFileStoring();
    const files = [
      startFile(storing, "a", LARGE),
      startFile(storing, "b", LARGE),
      startFile(storing, "c", SMALL),
      startFile(storing, "d", SMALL, 20_000),
    ];
    await settled();
    files.push(startFile(storing, "a", SMALL));
    await settled();
    expect(files.map(({ seen }) => seen.state)).toEqual(["stored", "waits", "stored", "read", "read"]);
    for (const next of [0, 2, 1, 3, 4]) {
      files[next]?.seen.end();
      await files[next]?.done;
      await settled();
    }
    expect(files.map(({ seen }) => seen.state)).toEqual(files.map(() => "done"));
  });

  it("are not kept in memory in any number once they are read", async () => {
    const storing = createFileStoring();
    const files = ["a", "a", "b", "c"].map((tenant) => startFile(storing, tenant, SMALL, 20_000));
    await settled();
    await expect(startFile(storing, "d", SMALL, 20_000).done).rejects.toMatchObject({ code: "UNAVAILABLE" });
    for (const { seen } of files) seen.end();
    await Promise.all(files.map(({ done }) => done));
    await expect(
      Promise.all(Array.from({ length: 10 }, () => startFile(storing, "a", LARGE).done)),
    ).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});
