import type { Storage } from "@org/core";
import type { TransactionData } from "@org/provider-kit";
import { expect, it } from "vitest";
import { cancellation, feedOf, settlement, trade } from "./movement-feed.js";

/** Cases of ids that come again: of the same movement, of another one, and of a correction. */
export function reusedIdCases(storage: () => Storage): void {
  const none = { transactions: 0, repeated: 0, corrected: 0, kept: 0 };
  const cash = (key: string, operation_date: string, balance: string): TransactionData => ({
    key,
    portfolio_key: "depot",
    holding_key: null,
    operation_date,
    description: "Payment",
    amount: null,
    balance,
    currency: "EUR",
    unit_price: null,
  });
  const sums = async (feed: Awaited<ReturnType<typeof feedOf>>) => {
    const rows = await feed.shown();
    return { balances: rows.map(({ balance }) => balance).sort(), total: (await feed.page()).totals[0]?.balance };
  };

  it.each([{ keys: "unique" }, {}] as const)("for another movement tells two, in any order: %o", async (policy) => {
    const [fee, order] = [cash("1", "2026-02-05", "-3.00"), cash("1", "2026-03-05", "-100.00")];
    for (const [first, second] of [
      [[fee], [order, fee]],
      [[fee, order], [order]],
      [
        [order, fee],
        [fee, order],
      ],
      [[order], [fee, order, cash("2", "2026-03-05", "0")]],
    ] as const) {
      const feed = await feedOf(storage());
      expect(await feed.countsOf({ transactions: first, ...policy })).toEqual({
        ...none,
        transactions: first.length,
      });
      const told = await feed.countsOf({ transactions: second, ...policy });
      expect(told).toEqual({ ...none, transactions: second.length - told.kept, kept: told.kept });
      expect(told.kept).toBeGreaterThan(0);
      expect(await sums(feed)).toMatchObject({ total: "-103.00" });
    }
  });

  it("for the same movement tells one where ids are unique, and two where rows may be alike", async () => {
    const row = cash("1", "2026-02-05", "-3.00");
    const unique = await feedOf(storage());
    expect(await unique.countsOf({ keys: "unique", transactions: [row, row] })).toEqual({
      ...none,
      transactions: 1,
      repeated: 1,
    });
    const inOtherWords = { ...row, description: "Payment in other words" };
    expect(await unique.countsOf({ keys: "unique", transactions: [inOtherWords, row] })).toEqual({
      ...none,
      repeated: 1,
      kept: 1,
    });
    const alike = await feedOf(storage());
    expect(await alike.countsOf({ transactions: [row, row] })).toEqual({ ...none, transactions: 2 });
    expect(await alike.countsOf({ transactions: [row, { ...row, balance: "-3" }, row] })).toEqual({
      ...none,
      transactions: 1,
      kept: 2,
    });
    expect(await sums(alike)).toMatchObject({ total: "-9.00" });
  });

  it("corrects the movement where the format says so, under the same id, and is kept where it says nothing else", async () => {
    const feed = await feedOf(storage());
    const send = (...transactions: TransactionData[]) => feed.countsOf({ keys: "corrected", transactions });
    await send(cash("77", "2026-01-05", "0.70"), cash("78", "2026-01-05", "1"));
    const [before] = await feed.shown();
    expect(await send(cash("77", "2026-01-25", "9.90"), cash("78", "2026-01-05", "1"))).toEqual({
      ...none,
      corrected: 1,
      kept: 1,
    });
    expect(await sums(feed)).toEqual({ balances: ["1", "9.90"], total: "10.90" });
    expect(await send(cash("79", "2026-01-05", "2"), cash("79", "2026-01-05", "3"))).toEqual({
      ...none,
      transactions: 1,
      corrected: 1,
    });
    expect(await sums(feed)).toMatchObject({ total: "13.90" });
    expect((await feed.shown()).map(({ id }) => id)).toContain(before?.id);
  });

  it("[C-9.431] a correction back counts, of rows and of messages, in one file and in several", async () => {
    const row = cash("77", "2026-01-05", "-10");
    const message = { ...trade, key: "77", amount: null, balance: "-10" };
    for (const one of [row, message]) {
      const other = { ...one, balance: "-12" };
      const feed = await feedOf(storage());
      const send = async (...transactions: TransactionData[]) => {
        const { corrected, kept } = await feed.countsOf({ keys: "corrected", transactions });
        return [corrected, kept, ...(await sums(feed)).balances];
      };
      await send(one);
      expect(await send(other)).toEqual([1, 0, "-12"]);
      expect(await send(one)).toEqual([1, 0, "-10"]);
      expect(await send(one)).toEqual([0, 1, "-10"]);
      expect(await send(other)).toEqual([1, 0, "-12"]);
      expect((await send(one, other, one)).at(-1)).toBe("-10");
      expect((await send(one, other)).at(-1)).toBe("-12");
      const [shown, ...others] = await feed.shown();
      expect([shown?.balance, others]).toEqual(["-12", []]);
    }
  });

  it("is corrected or taken back by a file that names it", async () => {
    const feed = await feedOf(storage());
    const [one, two] = [cash("1", "2026-02-05", "-3.00"), cash("2", "2026-02-05", "-5.00")];
    await feed.countsOf({ keys: "unique", transactions: [one, two] });
    const corrections = [
      { portfolio_key: "depot", key: "1", by: { ...one, balance: "-3.50" } },
      { portfolio_key: "depot", key: "2", by: null },
      { portfolio_key: "depot", key: "3", by: cash("3", "2026-02-06", "-1") },
      { portfolio_key: "depot", key: "4", by: null },
    ];
    const told = await feed.countsOf({ keys: "unique", transactions: [], corrections });
    expect(told).toEqual({ ...none, transactions: 1, corrected: 2 });
    expect(await sums(feed)).toEqual({ balances: ["-1", "-3.50"], total: "-4.50" });
  });

  it("[C-9.431] one of several with the id is corrected or taken back where the file names it", async () => {
    const feed = await feedOf(storage());
    const [one, other] = [cash("1", "2026-02-05", "-3.00"), cash("1", "2026-03-05", "-100.00")];
    await feed.countsOf({ keys: "unique", transactions: [one, other] });
    const correct = (by: TransactionData | null) => ({ portfolio_key: "depot", key: "1", of: other, by });
    const fixed = cash("2", "2026-03-05", "-90.00");
    const told = await feed.countsOf({ keys: "unique", transactions: [one], corrections: [correct(fixed)] });
    expect(told).toEqual({ ...none, corrected: 1, kept: 1 });
    expect(await sums(feed)).toMatchObject({ balances: ["-3.00", "-90.00"] });
    await feed.countsOf({ keys: "unique", transactions: [], corrections: [correct(null)] });
    expect(await sums(feed)).toMatchObject({ balances: ["-3.00"] });
  });

  it("tells the later movement once, also when the earlier one has been taken back", async () => {
    const feed = await feedOf(storage());
    const [one, other] = [cash("1", "2026-02-05", "-3.00"), cash("1", "2026-03-05", "-100.00")];
    await feed.countsOf({ keys: "unique", transactions: [one] });
    await feed.countsOf({ keys: "unique", transactions: [other] });
    const corrections = [{ portfolio_key: "depot", key: "1", by: null }];
    expect(await feed.countsOf({ keys: "unique", transactions: [], corrections })).toEqual({ ...none, corrected: 1 });
    expect(await feed.countsOf({ keys: "unique", transactions: [other, cash("2", "2026-03-06", "-1")] })).toEqual({
      ...none,
      transactions: 1,
      kept: 1,
    });
    expect(await sums(feed)).toMatchObject({ total: "-101.00" });
  });

  it("[C-9.431] a correction of an earlier file is itself corrected and taken back by its own id", async () => {
    const feed = await feedOf(storage());
    const send = (key: string, by: TransactionData | null) =>
      feed.countsOf({ keys: "unique", transactions: [], corrections: [{ portfolio_key: "depot", key, by }] });
    await feed.countsOf({ keys: "unique", transactions: [cash("1", "2026-02-05", "-3.00")] });
    const [before] = await feed.shown();
    expect(await send("1", cash("2", "2026-02-05", "-4.00"))).toEqual({ ...none, corrected: 1 });
    expect(await send("2", cash("3", "2026-02-05", "-5.00"))).toEqual({ ...none, corrected: 1 });
    expect(await send("2", cash("3", "2026-02-05", "-5.00"))).toEqual({ ...none, kept: 1 });
    expect(await sums(feed)).toEqual({ balances: ["-5.00"], total: "-5.00" });
    expect((await feed.shown())[0]?.id).toBe(before?.id);
    expect(await send("3", null)).toEqual({ ...none, corrected: 1 });
    expect(await feed.shown()).toEqual([]);
    // A chain in one file.
    const chain = [
      { portfolio_key: "depot", key: "1", by: cash("4", "2026-02-05", "-6.00") },
      { portfolio_key: "depot", key: "4", by: cash("5", "2026-02-05", "-7.00") },
    ];
    await feed.countsOf({ keys: "unique", transactions: [cash("1", "2026-02-05", "-3.00")], corrections: chain });
    expect(await sums(feed)).toEqual({ balances: ["-7.00"], total: "-7.00" });
    expect((await feed.shown())[0]?.id).toBe(before?.id);
  });

  it("[C-9.431] each message of a file is one of the counts", async () => {
    const of = async (file: Parameters<Awaited<ReturnType<typeof feedOf>>["countsOf"]>[0]) =>
      (await feedOf(storage())).countsOf(file);
    expect(await of({ transactions: [trade, settlement] })).toEqual({ ...none, transactions: 1, corrected: 1 });
    expect(await of({ transactions: [trade, trade] })).toEqual({ ...none, transactions: 1, repeated: 1 });
    expect(await of({ transactions: [trade, cancellation] })).toEqual({ ...none, corrected: 2 });
    const more = { ...trade, amount: "11" };
    expect(await of({ keys: "corrected", transactions: [trade, more, more] })).toEqual({
      ...none,
      transactions: 1,
      repeated: 1,
      corrected: 1,
    });
    const feed = await feedOf(storage());
    await feed.countsOf({ transactions: [trade, settlement] });
    const { balance: _, ...rest } = settlement;
    const again = { ...rest, balance: null, currency: "XXX", references: ["SEME:R"] };
    expect(await feed.countsOf({ transactions: [again] })).toEqual({ ...none, kept: 1 });
  });

  it("in messages of several stages tells two, and a cancellation takes back the one that it describes", async () => {
    const later = { operation_date: "2026-03-02", settlement_date: "2026-03-04", amount: "7", balance: "-700" };
    const restarted = { ...trade, references: ["SEME:T"], ...later };
    const feed = await feedOf(storage());
    expect(await feed.countsOf({ transactions: [trade] })).toEqual({ ...none, transactions: 1 });
    expect(await feed.countsOf({ transactions: [restarted, trade] })).toEqual({ ...none, transactions: 1, kept: 1 });
    expect((await feed.shown()).map(({ amount }) => amount)).toEqual(["7", "10"]);
    expect(await feed.countsOf({ transactions: [cancellation] })).toEqual({ ...none, corrected: 1 });
    expect((await feed.shown()).map(({ amount }) => amount)).toEqual(["7"]);
    const ofSameUnits = { ...restarted, amount: trade.amount, balance: "-1100" };
    expect(await feed.countsOf({ transactions: [ofSameUnits] })).toEqual({ ...none, transactions: 1 });
    const inOtherOrder = await feedOf(storage());
    await inOtherOrder.countsOf({ transactions: [ofSameUnits, trade] });
    await inOtherOrder.countsOf({ transactions: [cancellation] });
    expect((await inOtherOrder.shown()).map(({ balance }) => balance)).toEqual(["-1100"]);
  });
}
