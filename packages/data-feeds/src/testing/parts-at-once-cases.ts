import type { Storage } from "@org/core";
import type { SnapshotData } from "@org/provider-kit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { feedOf } from "./account-view-cases.js";

/** Cases of files within files, which are published together as far as possible. */
export function partsAtOnceCases(storage: () => Storage): void {
  it("[C-9.260] parts of one file show what they would show one after the other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 6 }), async (stated) => {
        const snapshots = stated.map(snapshotOf);
        const [apart, together] = [await feedOf(storage()), await feedOf(storage())];
        for (const snapshot of snapshots) await apart.send(snapshot);
        await together.sendTogether(snapshots);
        expect(await together.shown()).toEqual(await apart.shown());
        expect(await together.movements()).toBe(await apart.movements());
        expect(await together.sums()).toEqual(await apart.sums());
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it("[C-9.260] [C-9.166] statements of several days in one file are each compared with the one before", async () => {
    const { sendTogether, reconcile } = await feedOf(storage());
    const days = [2, 3, 4].map((day) => snapshotOf({ accounts: ["A"], day, units: day, moved: false }));
    expect(await sendTogether(days)).toMatchObject({ differences: 2 });
    expect((await reconcile()).differences).toMatchObject([
      { before: "3", stated: "4", to_day: "2026-02-04" },
      { before: "2", stated: "3", to_day: "2026-02-03" },
    ]);
  });

  it("[C-4.111] a file with statements of several days asks once for the usual interval", async () => {
    let asked = 0;
    const counting: Storage = {
      ...storage(),
      inTenant: (tenantId, work) =>
        storage().inTenant(tenantId, (stores) => {
          const latestFileDays: typeof stores.snapshots.latestFileDays = (...of) => {
            asked += 1;
            return stores.snapshots.latestFileDays(...of);
          };
          return work({ ...stores, snapshots: { ...stores.snapshots, latestFileDays } });
        }),
    };
    const { sendTogether } = await feedOf(counting);
    const days = [2, 3, 4].map((day) => snapshotOf({ accounts: ["A"], day, units: day, moved: false }));
    await sendTogether(days);
    expect(asked).toBe(1);
  });

  it("[C-9.260] what is older than what is known is told of its part", async () => {
    const { send, sendTogether } = await feedOf(storage());
    await send(snapshotOf({ accounts: ["B"], day: 4, units: 1, moved: false }));
    const { warnings } = await sendTogether(
      ["A", "B"].map((account) => snapshotOf({ accounts: [account], day: 3, units: 1, moved: false })),
    );
    expect(warnings).toMatchObject([{ place: "part 1: file", message: expect.stringMatching(/is older.*"B"/) }]);
  });
}

interface Part {
  readonly accounts: readonly string[];
  readonly day: number;
  readonly units: number;
  /** The part states movements, and not holdings. */
  readonly moved: boolean;
}

const part: fc.Arbitrary<Part> = fc.record({
  accounts: fc.subarray(["A", "B", "C"], { minLength: 1 }),
  day: fc.integer({ min: 2, max: 4 }),
  units: fc.integer({ min: 1, max: 9 }),
  moved: fc.boolean(),
});

function snapshotOf({ accounts, day, units, moved }: Part): SnapshotData {
  const date = `2026-02-0${day}`;
  const common = { isin: null, balance: null, currency: "CHF" };
  const facts = { name: null, balance: null, currency: "CHF", ref_account: null, type: "S" as const };
  return {
    as_of: new Date(`${date}T00:00:00Z`),
    portfolios: accounts.map((key) => ({ ...facts, key, name: key, ...(moved && { holdings_unknown: true }) })),
    holdings: moved
      ? []
      : accounts.map((portfolio_key) => ({
          ...common,
          key: "S",
          portfolio_key,
          name: `Share ${units}`,
          amount: `${units}`,
          valuation_date: date,
          type: "VI" as const,
          subtype: null,
        })),
    transactions: accounts.map((portfolio_key) => ({
      key: moved ? `${units}` : null,
      portfolio_key,
      holding_key: "S",
      operation_date: date,
      description: "Trade",
      amount: null,
      balance: `${units}`,
      currency: "CHF",
      unit_price: null,
    })),
  };
}
