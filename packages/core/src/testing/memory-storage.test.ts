import { expect, it } from "vitest";
import { describeStorage } from "./describe-storage.js";
import { newTenant } from "./fixture.js";
import { createMemoryStorage } from "./memory-storage.js";

describeStorage("in memory", () => {
  const storage = createMemoryStorage();
  return { storage, eventsOf: storage.eventsOf };
});

it("storages in memory go into one another, none into itself, however far in", async () => {
  const [one, other] = await Promise.all([newTenant(createMemoryStorage()), newTenant(createMemoryStorage())]);
  const work = one.run(() =>
    other.run(async () => {
      await expect(one.run(async () => undefined)).rejects.toThrow(/must not nest/);
      await expect(other.run(async () => undefined)).rejects.toThrow(/must not nest/);
      return "done";
    }),
  );
  expect(await work).toBe("done");
});
