import type { SnapshotData } from "@org/provider-kit";
import { expect, it } from "vitest";
import { refuseFarAhead } from "./feed-dates.js";

const now = new Date("2026-03-02T09:00:00Z");

/** A snapshot in which everything has the same day, except for the changes. */
function snapshot(changes: { file?: string; portfolio?: string; holding?: string; movement?: string }): SnapshotData {
  const day = "2026-03-02";
  const account = { currency: "EUR", balance: "1", name: "Depot" } as const;
  return {
    as_of: new Date(changes.file ?? day),
    portfolios: [
      { ...account, key: "p1", ref_account: "1", type: "S" },
      { ...account, key: "p2", ref_account: "2", type: "S", as_of: new Date(changes.portfolio ?? day) },
    ],
    holdings: [null, changes.holding ?? day].map((valuation_date) => ({
      ...account,
      key: "h1",
      portfolio_key: "p1",
      name: "Share A",
      isin: null,
      amount: "1",
      valuation_date,
      type: "VI",
      subtype: null,
    })),
    transactions: [
      {
        key: "t1",
        portfolio_key: "p1",
        holding_key: "h1",
        operation_date: changes.movement ?? day,
        description: "Buy ".repeat(30),
        amount: "1",
        balance: "-1",
        currency: "EUR",
        unit_price: null,
      },
    ],
  };
}

it.each([
  [{ file: "2026-03-10" }, 'portfolio "Depot": is dated 2026-03-10, more than 7 days ahead of the clock'],
  [{ portfolio: "2026-03-09T09:00:00.001Z" }, 'portfolio "Depot": is dated 2026-03-09'],
  [{ holding: "2026-03-10" }, 'holding "Share A" of account "p1": is dated 2026-03-10'],
  [{ movement: "2126-02-01" }, /^transaction "Buy .{1,60}…" of account "p1": is dated 2126-02-01/],
])("%j on 2 March 2026 is refused with its place", (changes, refusal) => {
  expect(() => refuseFarAhead(snapshot(changes), now)).toThrow(refusal);
});

it("a file without portfolios is refused as a whole", () => {
  const bare = { as_of: new Date("2026-03-10"), portfolios: null, holdings: null, transactions: null };
  expect(() => refuseFarAhead(bare, now)).toThrow("file: is dated 2026-03-10");
});

it.each([
  {},
  { file: "2026-03-09T09:00:00Z", portfolio: "2026-03-09T09:00:00Z", holding: "2026-03-09", movement: "2026-03-09" },
  { file: "1999-12-31", portfolio: "1999-12-31", holding: "1999-12-31", movement: "1999-12-31" },
])("%j is no more than a week ahead", (changes) => {
  expect(() => refuseFarAhead(snapshot(changes), now)).not.toThrow();
});
