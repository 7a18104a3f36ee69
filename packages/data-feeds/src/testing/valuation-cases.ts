import type { Storage } from "@org/core";
import { expect, it } from "vitest";
import { cash, depot, feedOf } from "./account-view-cases.js";

/** Cases of what accounts were worth, day by day, as files state it. */
export function valuationCases(storage: () => Storage): void {
  const daysOf = async ({ facts }: Awaited<ReturnType<typeof feedOf>>) =>
    (await facts()).accounts.map(({ name, valuations }) => [
      name,
      ...valuations.map(({ day, balance, holdings }) => `${day} ${balance} ${holdings?.map((one) => one.balance)}`),
    ]);

  it("[C-9.608] every statement of a file is a valuation of its day, late and corrected ones too; each account keeps its own", async () => {
    const feed = await feedOf(storage());
    await feed.send(depot({ day: 3, balance: "100" }));
    await feed.send(depot({ day: 5, balance: "105" }));
    // Late, then corrected.
    await feed.send(depot({ day: 4, balance: "90" }));
    await feed.send(depot({ day: 4, balance: "104" }));
    const statements = ["2026-02-03 100 100", "2026-02-04 104 104", "2026-02-05 105 105"];
    expect(await daysOf(feed)).toEqual([["D1 CHF", ...statements]]);
    await feed.link("C1", "D1");
    await feed.send(cash({ day: 4, balance: "7", movements: 1 }));
    await feed.send(cash({ day: 6, balance: "7" }));
    expect((await daysOf(feed)).sort()).toEqual([
      ["C1 CHF", "2026-02-04 7 7", "2026-02-06 7 7"],
      ["D1 CHF", ...statements],
    ]);
    const { accounts, movements } = await feed.facts();
    const [own] = accounts.filter(({ name }) => name.startsWith("D1"));
    expect(accounts.map(({ shown_as }) => shown_as)).toEqual([own?.portfolio_id, own?.portfolio_id]);
    expect(accounts.flatMap(({ valuations }) => valuations.map(({ read_at }) => read_at))).toEqual(Array(5).fill(null));
    expect(movements).toMatchObject([{ first_read_at: null }]);
    await feed.unlink("C1");
    const apart = (await feed.facts()).accounts;
    expect(apart.map(({ shown_as }) => shown_as)).toEqual(apart.map(({ portfolio_id }) => portfolio_id));
  });

  it("[C-9.609] a file of movements only is no valuation, and several days in one file are one each", async () => {
    const feed = await feedOf(storage());
    await feed.sendTogether([
      depot({ day: 2, balance: "1" }),
      depot({ day: 1, balance: "2" }),
      depot({ day: 3, balance: "3" }),
    ]);
    const days = [["D1 CHF", "2026-02-01 2 2", "2026-02-02 1 1", "2026-02-03 3 3"]];
    expect(await daysOf(feed)).toEqual(days);
    const { portfolios, ...moved } = depot({ day: 4, balance: "9" });
    await feed.send({
      ...moved,
      portfolios: (portfolios ?? []).map((one) => ({ ...one, holdings_unknown: true })),
      holdings: [],
    });
    expect(await daysOf(feed)).toEqual(days);
  });
}
