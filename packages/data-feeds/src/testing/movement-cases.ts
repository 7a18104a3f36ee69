import type { Storage } from "@org/core";
import { addDecimals, stableId } from "@org/core";
import { samples } from "@org/core/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  booking,
  cancellation,
  feedOf,
  type Message,
  reversal,
  type Shown,
  settlement,
  trade,
} from "./movement-feed.js";

const { movement } = samples;

/** Cases of movements that several messages describe: one event is one transaction, in whatever order and however often messages come. */
export function movementCases(storage: () => Storage): void {
  it("[C-9.140] a trade, its settlement and its booking are one transaction, which each message completes", async () => {
    const { send, shown } = await feedOf(storage());
    await send(trade);
    const [traded] = await shown();
    expect(traded).toMatchObject({ description: "Buy: Fund", amount: "10", balance: "-1001.50", kind: "buy" });
    await send(settlement);
    await send(booking);
    expect(await shown()).toEqual([
      {
        id: traded?.id,
        operationDate: "2026-02-02",
        description: "Buy: Fund",
        amount: "10",
        balance: "-1001.50",
        currency: "EUR",
        unitPrice: "100",
        kind: "buy",
        settlement_date: "2026-02-04",
        fees: "1.50",
      },
    ]);
  });

  it("[C-9.140] of the messages of some events, any order and any repetition ends in the same transactions, sums and counts", async () => {
    const expected = [...storyRows].sort(byText);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...story], { minLength: story.length }),
        fc.array(fc.nat(story.length - 1), { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: story.length, maxLength: story.length }),
        async (order, again, sizes) => {
          const { send, shown, page } = await feedOf(storage());
          for (let at = 0, file = 0; at < order.length; file += 1) {
            const size = sizes[file] ?? 1;
            await send(...order.slice(at, at + size));
            at += size;
          }
          // In separate files, because two bookings that look alike in one statement are two.
          for (const index of again) await send(story[index] as Message);
          const rows = await shown();
          expect(rows.map(({ id: _, ...row }) => row).sort(byText)).toEqual(expected);
          const counted = await page();
          expect(counted).toMatchObject({ total: expected.length, totals: sumsOf(rows) });
          expect(await page({ start_date: "2000-01-01" })).toMatchObject({
            total: expected.length,
            totals: sumsOf(rows),
          });
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  it("[C-7.203] movements that another file states elsewhere are kept as they are", async () => {
    const { countsOf, shown } = await feedOf(storage());
    const at = (line: number) => ({
      transactions: [trade, booking, { ...booking, references: [] }].map((one, index) => ({
        ...one,
        place: `line ${line + index}`,
      })),
    });
    const counts = { transactions: 3, repeated: 0, corrected: 0, kept: 0 };
    const first = await countsOf(at(1));
    expect({ ...first, transactions: first.transactions + first.corrected, corrected: 0 }).toEqual(counts);
    const before = await shown();
    expect(await countsOf(at(5))).toEqual({ ...counts, transactions: 0, kept: 3 });
    expect(await shown()).toEqual(before);
  });

  it("[C-9.140] of a message the first 50 references count", async () => {
    for (const [others, movements] of [
      [49, 1],
      [50, 2],
    ] as const) {
      const { send, shown } = await feedOf(storage());
      const many = Array.from({ length: others }, (_, index) => `RELA:${index}`);
      await send({ ...trade, references: [...many, "TRRF:D"] });
      await send({ ...settlement, references: ["TRRF:D"] });
      expect(await shown()).toHaveLength(movements);
    }
  });

  it("[C-9.140] a movement keeps its id from its first message on, and two that turn out to be one keep that of the first", async () => {
    const { send, shown } = await feedOf(storage());
    await send(booking);
    await send({ ...trade, references: ["TRRF:D"] });
    const [first, second] = (await shown()).map(({ id }) => id);
    expect(second).toBeDefined();
    await send({ ...settlement, references: ["SEME:S", "SEME:R", "TRRF:D"] });
    const [only, ...others] = await shown();
    expect(others).toEqual([]);
    expect([first, second]).toContain(only?.id);
    expect(only).toMatchObject({ operationDate: "2026-02-02", fees: "1.50", amount: "10" });
  });

  it("[C-9.141] a cancelled trade goes, whichever comes first; a reversed settlement stays beside its reversal", async () => {
    for (const order of [
      [trade, cancellation],
      [cancellation, trade],
    ] as const) {
      const { send, shown } = await feedOf(storage());
      for (const message of order) await send(message);
      expect(await shown()).toEqual([]);
    }
    const { send, shown, page } = await feedOf(storage());
    for (const message of [reversal, settlement, trade]) await send(message);
    expect((await shown()).map(({ amount, balance }) => [amount, balance]).sort()).toEqual([
      ["-10", "1001.50"],
      ["10", "-1001.50"],
    ]);
    expect(await page()).toMatchObject({ total: 2, totals: [{ currency: "EUR", balance: "0.00" }] });
  });

  it("[C-9.140] a trade that settles in parts gives way to them; equal parts are two", async () => {
    const { send, shown } = await feedOf(storage());
    const part = (key: string, amount: string) => ({
      ...settlement,
      key,
      references: [key, "SEME:R"],
      amount,
      balance: null,
    });
    await send(trade, part("SEME:S1", "5"), part("SEME:S2", "5"));
    await send({ ...booking, amount: "5" }, { ...booking, amount: "5" });
    expect((await shown()).map((row) => [row.amount, row.operationDate, row.unitPrice, row.balance])).toEqual([
      ["5", "2026-02-02", "100", null],
      ["5", "2026-02-02", "100", null],
    ]);
  });

  it("messages behind a reference that hundreds have are not read again, and what was one event before comes apart", async () => {
    const { send, page, tenant, connection_id } = await feedOf(storage());
    const pooled = (n: number): Message => ({
      ...booking,
      references: ["POOL:1", `SEME:${n}`],
      amount: `${n + 1}`,
      balance: null,
    });
    const many = Array.from({ length: 200 }, (_, n) => pooled(n));
    await send(...many);
    await send({ ...settlement, key: "SEME:S", references: ["POOL:1", "SEME:none"], amount: "7", balance: null });
    expect(await page()).toMatchObject({ total: 201 });
    await send({ ...settlement, key: "SEME:T", references: ["POOL:1", "SEME:9"], amount: "10", balance: null });
    expect(await page()).toMatchObject({ total: 201 });
    const pool = stableId(connection_id, "reference", "depot", "POOL:1");
    const unknown = { ...movement(), references: [pool], cancels: [] };
    const asked = { maxSharing: 200, maxMessages: 1_000, maxFound: 2_000, ignored: new Set<string>() };
    const known = await tenant.run(({ movements }) => movements.related(connection_id, [unknown], asked));
    expect(known).toEqual({ statements: [], shared: new Set([pool]) });
    // The same message in another file is the same message.
    await send(pooled(3));
    expect(await page()).toMatchObject({ total: 201 });
  });

  it("[C-9.140] messages of one event that are far apart in a large file are one transaction, and nobody sees what was between", async () => {
    const { send, page } = await feedOf(storage());
    const single = Array.from({ length: 1_200 }, (_, n) => ({
      ...booking,
      references: [`SEME:${n}`],
      balance: "1.00",
    }));
    const [settled] = of("a", settlement);
    const [bought, booked] = of("a", trade, booking);
    const [taken, back] = of("b", trade, cancellation);
    await send(settled as Message);
    const { revision } = await page();
    const rest = [...single.slice(0, 600), bought, back, ...single.slice(600), booked];
    await send(taken as Message, ...(rest as Message[]));
    const totals = [
      { currency: "EUR", balance: "-1001.50" },
      { currency: "XXX", balance: "1200.00" },
    ];
    expect(await page()).toMatchObject({ total: 1_201, totals });
    const { items_json } = await page({ end_date: "2026-02-03" });
    expect(JSON.parse(items_json)).toMatchObject([{ operationDate: "2026-02-02", amount: "10", fees: "1.50" }]);
    const earlier = await page({ revision });
    expect(earlier).toMatchObject({ total: 1, totals: totals.slice(0, 1) });
    expect(JSON.parse(earlier.items_json)).toMatchObject([{ operationDate: "2026-02-04", amount: "10" }]);
  });

  it("[C-4.25] a reader in the middle of paging sees no row twice and loses none while messages complete them", async () => {
    const { send, page } = await feedOf(storage());
    const trades = Array.from({ length: 5 }, (_, n) => ({
      ...trade,
      key: `SEME:T${n}`,
      references: [`SEME:T${n}`],
      operation_date: `2026-02-0${n + 1}`,
    }));
    await send(...trades);
    const whole = await page({ page_size: 10 });
    const first = await page({ page_size: 2 });
    const { revision } = first;
    await send(
      ...trades.map((one) => ({ ...settlement, references: one.references, key: `${one.key}s`, amount: "10.0" })),
    );
    await send({ ...cancellation, references: ["SEME:T3"], cancels: ["SEME:T3"] });
    const [second, third] = [
      await page({ page_size: 2, page: 2, revision }),
      await page({ page_size: 2, page: 3, revision }),
    ];
    expect([first, second, third].flatMap(({ items_json }) => JSON.parse(items_json))).toEqual(
      JSON.parse(whole.items_json),
    );
    expect([second, third].map(({ total, totals }) => ({ total, totals }))).toEqual([
      { total: whole.total, totals: whole.totals },
      { total: whole.total, totals: whole.totals },
    ]);
    expect(await page({ revision, page_size: 10, start_date: "2026-02-02" })).toMatchObject({ total: 4 });
    expect((await page()).items_json).not.toBe(whole.items_json);
    // Reading at a revision works until it is reaped; then the answer says that it is gone.
    const never = new Date(0);
    const cutoffs = {
      ...{ now: never, finished_sessions_before: never, former_versions_before: never, settled_mails_before: never },
      valuations_before: "2000-01-01",
    };
    const later = new Date("2100-01-01T00:00:00Z");
    await storage().upkeep.reap({ ...cutoffs, replaced_snapshots_before: later }, 100_000);
    expect(await page({ revision })).toEqual({ kind: "revision_gone" });
  });

  it("[C-4.30] what messages have said goes with their connection", async () => {
    const { send, shown, tenant, connection_id } = await feedOf(storage());
    await send(settlement);
    const kept = await tenant.run(async ({ connections }) => {
      const found = await connections.find(connection_id);
      await connections.remove(connection_id);
      return found;
    });
    if (!kept) throw new Error("the connection was there");
    await tenant.run(({ connections }) => connections.create(kept));
    await send(booking);
    expect((await shown()).map(({ settlement_date, fees }) => [settlement_date, fees])).toEqual([
      ["2026-02-04", undefined],
    ]);
  });

  it("two files that tell of one event at the same time are one transaction", async () => {
    const { send, shown } = await feedOf(storage());
    await Promise.all([send(trade), send(settlement), send(booking), send(trade, booking)]);
    expect(await shown()).toHaveLength(1);
  });
}

/** Messages of an event, with references that differ from those of other events. */
const of = (event: string, ...messages: readonly Message[]): Message[] =>
  messages.map((message) => {
    const named = (references: readonly string[] = []) => references.map((reference) => `${reference}-${event}`);
    return {
      ...message,
      key: message.key && `${message.key}-${event}`,
      holding_key: `${message.holding_key}${event}`,
      references: named(message.references),
      ...(message.cancels && { cancels: named(message.cancels) }),
    };
  });

const sold = { amount: "-3", balance: "250.125", kind: "sell" as const, description: "Sell: Fund", currency: "USD" };

/** A purchase, a cancelled trade, a trade cancelled and confirmed anew, a reversal, and a sale in two parts. */
const story: readonly Message[] = [
  ...of("a", trade, settlement, booking),
  ...of("b", trade, cancellation),
  ...of("c", trade, cancellation, { ...trade, key: "SEME:T2", references: ["SEME:T2"], balance: "-1002.50" }),
  ...of("d", trade, settlement, reversal, booking),
  ...of(
    "e",
    { ...trade, ...sold },
    { ...settlement, ...sold, key: "SEME:S1", references: ["SEME:S1", "SEME:R"], amount: "-1", balance: "83.375" },
    { ...settlement, ...sold, key: "SEME:S2", references: ["SEME:S2", "SEME:R"], amount: "-2", balance: "166.75" },
    { ...booking, amount: "-1" },
    { ...booking, amount: "-2" },
  ),
];

const whole = {
  operationDate: "2026-02-02",
  description: "Buy: Fund",
  amount: "10",
  balance: "-1001.50",
  currency: "EUR",
  unitPrice: "100",
  kind: "buy",
  settlement_date: "2026-02-04",
  fees: "1.50",
};
const part = { ...whole, description: "Sell: Fund", kind: "sell", currency: "USD", fees: undefined };
/** The transactions that result from the story. */
const storyRows: readonly Shown[] = [
  whole,
  { ...whole, balance: "-1002.50" },
  whole,
  {
    ...whole,
    operationDate: "2026-02-04",
    description: "Reversal: Fund",
    amount: "-10",
    balance: "1001.50",
    unitPrice: null,
    kind: "transfer_in",
    fees: undefined,
  },
  { ...part, amount: "-1", balance: "83.375" },
  { ...part, amount: "-2", balance: "166.75" },
].map((row) => JSON.parse(JSON.stringify(row)) as Shown);

const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function sumsOf(rows: readonly Shown[]) {
  const sums = new Map<string, string>();
  for (const { currency, balance } of rows)
    if (balance) sums.set(currency ?? "", addDecimals(sums.get(currency ?? "") ?? "0", balance));
  return [...sums].sort().map(([currency, balance]) => ({ currency, balance }));
}
