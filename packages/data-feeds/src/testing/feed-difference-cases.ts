import type { Storage } from "@org/core";
import type { SnapshotData } from "@org/provider-kit";
import { expect, it } from "vitest";
import { feedOf } from "./account-view-cases.js";

/** Cases that compare statements with those before and the movements between. */
export function feedDifferenceCases(storage: () => Storage): void {
  it("[C-9.166] a statement that is not the one before with the movements between has differences, by holding; nothing is mended", async () => {
    const { send, reconcile, shown } = await feedOf(storage());
    expect(await send(depot("2026-02-02", { A: "10", B: "5.50", C: "1" }))).toMatchObject({
      differences: 0,
      gap_days: 0,
    });
    const moved = [buy("A", "2.5", "2026-02-03"), buy("C", "-1", "2026-02-03"), buy("E", "4", "2026-02-03")];
    expect(await send(depot("2026-02-03", { A: "12.50", B: "5.25", D: "7" }, moved))).toMatchObject({ differences: 3 });
    const { differences, gaps } = await reconcile();
    expect(gaps).toEqual([]);
    expect(differences).toEqual([
      differs("B", { before: "5.50", moved: "0", expected: "5.50", stated: "5.25", difference: "-0.25" }),
      differs("D", { before: "0", moved: "0", expected: "0", stated: "7", difference: "7" }),
      differs("Trade of E", { before: "0", moved: "4", expected: "4", stated: "0", difference: "-4" }),
    ]);
    expect((await shown())["S1 CHF"]?.holdings).toHaveLength(3);
    // The statement before comes again, corrected, and once more as it was.
    expect(await send(depot("2026-02-02", { A: "99", B: "5.50", C: "1" }))).toMatchObject({ differences: 4 });
    expect((await reconcile()).differences).toHaveLength(4);
    expect(await send(depot("2026-02-02", { A: "10", B: "5.50", C: "1" }))).toMatchObject({ differences: 3 });
    expect(await send(depot("2026-02-04", { A: "12.5", B: "5.25", D: "7" }))).toMatchObject({ differences: 0 });
    expect((await reconcile()).differences).toEqual(differences);
  });

  it("[C-9.167] movements that come late explain what was found; a movement counts by the day it was made or settled", async () => {
    const { send, reconcile } = await feedOf(storage());
    await send(depot("2026-02-02", { A: "10", B: "5" }));
    expect(await send(depot("2026-02-03", { A: "12", B: "6" }))).toMatchObject({ differences: 2 });
    expect(await send(movements([buy("A", "2", "2026-02-03")]))).toMatchObject({ differences: 1 });
    await send(depot("2026-02-04", { A: "12", B: "6" }));
    expect((await reconcile()).differences).toMatchObject([{ name: "B", to_day: "2026-02-03" }]);
    await send(movements([{ ...buy("B", "1", "2026-02-01"), settlement_date: "2026-02-03" }]));
    expect((await reconcile()).differences).toEqual([]);
    expect(await send(movements([buy("A", "3", "2026-02-04")]))).toMatchObject({ differences: 1 });
    // The statement of the day is sent again, corrected.
    expect(await send(depot("2026-02-04", { A: "15", B: "6" }))).toMatchObject({ differences: 0 });
    expect((await reconcile()).differences).toEqual([]);
  });

  it("[C-9.168] business days without a statement are told, until one comes after all", async () => {
    const { send, reconcile } = await feedOf(storage());
    await send(depot("2026-02-05", { A: "1" }));
    expect(await send(depot("2026-02-11", { A: "1" }))).toMatchObject({ gap_days: 3, differences: 0 });
    const gap = { account: "S1", from_day: "2026-02-05", to_day: "2026-02-11" };
    expect((await reconcile()).gaps).toMatchObject([{ ...gap, days: ["2026-02-06", "2026-02-09", "2026-02-10"] }]);
    await send(depot("2026-02-09", { A: "1" }));
    await send(depot("2026-02-11", { A: "1.0" }));
    expect((await reconcile()).gaps).toMatchObject([{ ...gap, days: ["2026-02-06", "2026-02-10"] }]);
    await send(depot("2026-02-06", { A: "1" }));
    await send(depot("2026-02-10", { A: "1" }));
    expect(await reconcile()).toMatchObject({ gaps: [], differences: [] });
    // A weekend is not a gap.
    await send(depot("2026-02-13", { A: "1" }));
    expect(await send(depot("2026-02-16", { A: "1" }))).toMatchObject({ gap_days: 0 });
  });

  it("[C-9.623] a late or corrected statement, and a movement that comes or goes, is compared in the pairs around its day, and in no other", async () => {
    const { send, reconcile } = await feedOf(storage());
    const found = async () =>
      (await reconcile()).differences.map((one) => `${one.from_day} ${one.to_day} ${one.name} ${one.difference}`);
    await send(depot("2026-02-02", { A: "10" }));
    await send(depot("2026-02-06", { A: "30" }));
    await send(depot("2026-02-09", { A: "31" }));
    const last = "2026-02-06 2026-02-09 A 1";
    expect(await found()).toEqual([last, "2026-02-02 2026-02-06 A 20"]);
    expect(await send(depot("2026-02-04", { A: "15" }))).toMatchObject({ differences: 2, gap_days: 0 });
    expect(await found()).toEqual([last, "2026-02-04 2026-02-06 A 15", "2026-02-02 2026-02-04 A 5"]);
    const bought = { ...buy("A", "5", "2026-02-03"), key: "five" };
    expect(await send(movements([bought]))).toMatchObject({ differences: 0 });
    expect(await found()).toEqual([last, "2026-02-04 2026-02-06 A 15"]);
    expect(await send(depot("2026-02-04", { A: "30" }))).toMatchObject({ differences: 1 });
    expect(await found()).toEqual([last, "2026-02-02 2026-02-04 A 15"]);
    // It was made in one pair and settled in the next one, which it explains.
    expect(await send(movements([{ ...buy("A", "1", "2026-02-05"), settlement_date: "2026-02-09" }]))).toMatchObject({
      differences: 0,
    });
    expect(await found()).toEqual(["2026-02-02 2026-02-04 A 15"]);
    // The first movement is taken back.
    const withdrawn = { corrections: [{ portfolio_key: "S1", key: "five", by: null }] };
    expect(await send(movements([]), withdrawn)).toMatchObject({ differences: 1 });
    expect(await found()).toEqual(["2026-02-02 2026-02-04 A 20"]);
    expect(await send(depot("2026-02-01", { A: "10" }))).toMatchObject({ differences: 0 });
    expect(await found()).toEqual(["2026-02-02 2026-02-04 A 20"]);
  });

  it("[C-9.433] movements that could not be read are counted, and listed by file", async () => {
    const { send, reconcile } = await feedOf(storage());
    const odd = [
      { place: "line 3", field: "TRNAMT" },
      { place: "line 9", field: "DTPOSTED" },
    ];
    expect(await send(depot("2026-02-02", { A: "1" }), { left_out: odd })).toMatchObject({ left_out: 2 });
    expect(await send(depot("2026-02-03", { A: "1" }))).toMatchObject({ left_out: 0 });
    expect((await reconcile()).left_out).toEqual(odd.map((one) => ({ file: "file", ...one })));
  });

  it("[C-9.169] a cash account's balance is compared with its entries, by the exact sum, also where it is shown within a depot", async () => {
    const { send, link, reconcile } = await feedOf(storage());
    await link("K1", "S1");
    await send(depot("2026-02-02", { A: "1" }));
    await send(cash("2026-02-02", "100.10"));
    expect(await send(cash("2026-02-03", "90.05", ["-10.05", "0.00"]))).toMatchObject({ differences: 0 });
    expect(await send(cash("2026-02-04", "90.06", ["-0.01"]))).toMatchObject({ differences: 1 });
    expect((await reconcile()).differences).toMatchObject([
      { account: "K1", name: "Cash CHF", before: "90.05", moved: "-0.01", stated: "90.06", difference: "0.02" },
    ]);
  });
}

const differs = (name: string, numbers: object) => ({
  account: "S1",
  from_day: "2026-02-02",
  to_day: "2026-02-03",
  name,
  isin: null,
  ...numbers,
  found_at: expect.any(String),
});

type Movement = NonNullable<SnapshotData["transactions"]>[number];

const account = { key: "S1", name: "S1 CHF", balance: null, currency: "CHF", ref_account: "S1", type: "S" } as const;

let trades = 0;

function buy(key: string, amount: string, operation_date: string): Movement {
  trades += 1;
  return {
    key: `trade ${trades}`,
    portfolio_key: "S1",
    holding_key: key,
    operation_date,
    description: `Trade of ${key}`,
    amount,
    balance: null,
    currency: "CHF",
    unit_price: null,
  };
}

function depot(
  day: string,
  held: Readonly<Record<string, string>>,
  transactions: readonly Movement[] = [],
): SnapshotData {
  return {
    as_of: new Date(`${day}T00:00:00Z`),
    portfolios: [account],
    holdings: Object.entries(held).map(([key, amount]) => ({
      key,
      portfolio_key: "S1",
      name: key,
      isin: null,
      amount,
      balance: null,
      currency: "CHF",
      valuation_date: day,
      type: "VI",
      subtype: null,
    })),
    transactions,
  };
}

const movements = (transactions: readonly Movement[]): SnapshotData => ({
  as_of: new Date("2026-02-03T00:00:00Z"),
  portfolios: [{ ...account, holdings_unknown: true }],
  holdings: [],
  transactions,
});

function cash(day: string, balance: string, entries: readonly string[] = []): SnapshotData {
  const key = "K1 CHF";
  const [holding_key, currency] = ["CASH:CHF", "CHF"];
  return {
    as_of: new Date(`${day}T00:00:00Z`),
    portfolios: [{ ...account, key, balance, ref_account: "K1", type: "L", cash_account: true }],
    holdings: [
      {
        key: holding_key,
        portfolio_key: key,
        name: "Cash CHF",
        isin: null,
        amount: balance,
        balance,
        currency,
        valuation_date: day,
        type: "L",
        subtype: null,
      },
    ],
    transactions: entries.map((entry, index) => ({
      key: `${day} ${index}`,
      portfolio_key: key,
      holding_key,
      operation_date: day,
      description: "Entry",
      amount: null,
      balance: entry,
      currency,
      unit_price: null,
    })),
  };
}
