import { sumsOfHoldings } from "@org/wealth";
import { expect, it } from "vitest";
import type { HoldingRow, StatedValuation } from "../../data/snapshot-store.js";
import type { Storage } from "../../storage.js";
import { holding, newTenant, portfolio } from "../fixture.js";

/** What `WealthReader` says of holdings at one close, instead of the holdings. */
export function holdingSumCases(storage: () => Storage): void {
  it("[C-9.640] what holdings of a type and currency are worth is known at a close, whichever way they came", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const depot = portfolio();
    const { portfolio_id } = depot;
    const types = ["F", "L", "VI", 'an "odd" type'];
    const balances = ["1.50", "-0.250", "2", "123456789012345678.9", "0.00", null, "-1.50"];
    const held = Array.from({ length: 60 }, (_, n) =>
      holding({
        ...{ portfolio_id, type: types[n % 4] as HoldingRow["type"], currency: ["EUR", "USD", "JPY"][n % 3] ?? "" },
        ...{ balance: balances[(n * 5) % 7] ?? null, ...(n % 11 === 0 && { is_notional: true }) },
      }),
    );
    const store = (day: string, rows: readonly HoldingRow[] | null, isShown: boolean) => {
      const as_of = new Date(`${day}T12:00:00Z`);
      const account: StatedValuation = {
        ...{ ...depot, is_cash: false, day, as_of, holdings: isShown ? "shown" : rows },
        source: { kind: "provider", provider: "sandbox" },
      };
      return tenant.run(({ snapshots }) =>
        snapshots.publish({
          ...{
            connection_id,
            as_of,
            published_at: as_of,
            ...(isShown && rows && { portfolios: [depot], holdings: rows }),
          },
          valuations: { read_at: as_of, arrival: 0, complete_on: null, accounts: [account] },
        }),
      );
    };
    const days: [day: string, rows: readonly HoldingRow[] | null, isShown: boolean][] = [
      ["2026-03-02", held, true],
      ["2026-03-03", held.slice(7, 20), true],
      // A notional alone, and none.
      ["2026-03-04", held.slice(0, 1), true],
      ["2026-03-05", [], true],
      ["2026-03-06", held.slice(3), false],
      ["2026-03-07", null, false],
    ];
    for (const args of days) await store(...args);
    for (const [day, rows] of days) {
      const [facts] = await storage().wealthReader.facts(tenant.tenant_id, {
        ...{ connection_ids: null, from: day, to: day, closes: [day], with_movements: false, holdings: "sums" },
      });
      const [found, ...others] = facts?.accounts[0]?.valuations ?? [];
      expect([found?.day, found?.holdings, others]).toEqual([day, undefined, []]);
      expect(found?.holding_sums?.toSorted() ?? null).toEqual(rows && sumsOfHoldings(rows).toSorted());
    }
  });
}
