import { expect, it } from "vitest";
import type { TransactionRow, TransactionSlice } from "../../data/snapshot-store.js";
import type { Storage } from "../../storage.js";
import { newTenant, now, transaction, transactionQuery } from "../fixture.js";

/** Cases of `SnapshotStore` about publications that have all transactions of a period. */
export function completePeriodCases(storage: () => Storage): void {
  it.each(["one list", "slices"])("[C-8.90] of a complete period what is not stated is withdrawn: %s", async (how) => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const on = (operation_date: string, balance: string) =>
      transaction({ operation_date, description: balance, balance });
    const [before, first, second, third] = [
      on("2026-01-31", "1"),
      on("2026-02-01", "20"),
      on("2026-02-02", "300"),
      on("2026-02-03", "4000"),
    ];
    async function* slicesOf(rows: readonly TransactionRow[]): AsyncGenerator<TransactionSlice> {
      for (const row of rows) yield { transactions: [row], withdrawn: [], replaces: true };
    }
    const publish = (rows: readonly TransactionRow[], complete_from?: string) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          ...{ connection_id, as_of: now, published_at: now },
          ...{ transactions: how === "slices" ? slicesOf(rows) : rows, ...(complete_from && { complete_from }) },
        }),
      );
    const { reader } = storage();
    const shown = async (more: object = {}) => {
      const page = await reader.transactions(tenant.tenant_id, transactionQuery({ fields: ["description"], ...more }));
      if (page.kind !== "page") throw new Error(page.kind);
      const rows: { description: string }[] = JSON.parse(page.items_json);
      expect(page).toMatchObject({ total: rows.length });
      return [page.totals[0]?.balance, ...rows.map(({ description }) => description)];
    };
    // A first publication has nothing to withdraw.
    const published = await publish([before, first, second, third], "2026-01-01");
    expect(published).toMatchObject({ corrected: 0, withdrawn: 0 });
    expect(await publish([third], "2026-02-02")).toMatchObject({
      changed: ["transaction"],
      corrected: 0,
      withdrawn: 1,
    });
    expect(await shown()).toEqual(["4021", "4000", "20", "1"]);
    expect(await shown({ revision: published.revision })).toEqual(["4321", "4000", "300", "20", "1"]);
    // One that moves to a day before the period is corrected, not withdrawn.
    const moved = { ...third, operation_date: "2026-01-30" };
    expect(await publish([moved, second], "2026-02-01")).toMatchObject({ corrected: 1, withdrawn: 1 });
    expect(await shown()).toEqual(["4301", "300", "1", "4000"]);
    expect(await publish([second], "2026-02-01")).toMatchObject({ changed: [], corrected: 0, withdrawn: 0 });
    expect(await publish([], "2026-02-01")).toMatchObject({ changed: ["transaction"], withdrawn: 1 });
    expect(await publish([])).toMatchObject({ changed: [], withdrawn: 0 });
    expect(await shown()).toEqual(["4001", "1", "4000"]);
  });
}
