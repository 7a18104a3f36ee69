import type { LetterRecord } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const statuses = ["Signed", "SentToCustodian", "AcceptedByCustodian", "Cancelled"] as const;
const nothingToReap = {
  now: new Date(0),
  finished_sessions_before: new Date(0),
  replaced_snapshots_before: new Date(0),
  valuations_before: "2000-01-01",
  former_versions_before: new Date(0),
  settled_mails_before: new Date(0),
};

describe.each(testBackends)("kept counts of letters on $name", ({ create }) => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await create();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  it("[C-7.11] are the true numbers after moves at once, refused ones and clean-ups in between; parts do not pile up", async () => {
    const tenant = await samples.newTenant(storage);
    const other = await samples.newTenant(storage);
    const bystander = samples.letter();
    await other.run(({ letters }) => letters.create(bystander, [], samples.move(bystander)));
    const made: LetterRecord[] = Array.from({ length: 60 }, () => samples.letter({ status: "Signed" }));
    const work = made.map((letter, index) => async () => {
      await tenant.run(({ letters }) => letters.create(letter, [], samples.move(letter)));
      let status: LetterRecord["status"] = letter.status;
      for (const [version, to] of statuses.slice(1, 1 + (index % 4)).entries()) {
        const from = status;
        const moved = { ...letter, status: to, version };
        await tenant.run(({ letterMoves }) => letterMoves.record(moved, samples.move(letter, { from, to })));
        status = to;
      }
      const stale = samples.move(letter, { from: "Revoked", to: "Signed" });
      await tenant.run(({ letterMoves }) => letterMoves.record({ ...letter, status: "Signed", version: 99 }, stale));
      if (index % 10 === 0) await storage.upkeep.reap(nothingToReap, 500);
    });
    await Promise.all(work.map((one) => one()));
    const rolledBack = samples.letter();
    await tenant
      .run(async ({ letters }) => {
        await letters.create(rolledBack, [], samples.move(rolledBack));
        throw new Error("changed its mind");
      })
      .catch(() => undefined);

    for (const look of ["before the last clean-up", "after it"]) {
      const kept = await Promise.all(statuses.map((status) => totalOf({ status_in: [status] })));
      expect(kept, look).toEqual([15, 15, 15, 15]);
      expect(await totalOf({}), look).toBe(60);
      expect(await totalOf({ status_in: ["Signed", "Cancelled"] }), look).toBe(30);
      expect(await totalOf({ status_in: [] }), look).toBe(0);
      await storage.upkeep.reap(nothingToReap, 500);
    }
    const { rows } = await database.pool.query(
      "select count(*)::integer as parts from letter_counts where tenant_id = $1",
      [tenant.tenant_id],
    );
    expect(rows[0].parts).toBeLessThanOrEqual(104);
    expect((await storage.letterFinder.search(other.tenant_id, samples.letterQuery())).total).toBe(1);

    async function totalOf(query: object) {
      return (await storage.letterFinder.search(tenant.tenant_id, samples.letterQuery(query))).total;
    }
  });
});
