import type { MovementStore, TransactionRow, Uuid } from "@org/core";
import type { TenantState } from "@org/core/testing";
import { memoryMovements } from "@org/core/testing";
import type { TransactionData } from "@org/provider-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageSlices } from "./message-slices.js";
import { type HistoryCounts, MAX_FOUND, transactionSlices } from "./movements.js";

const connection = "01990000-0000-7000-8000-000000000001" as Uuid;

const base: TransactionData = {
  key: null,
  portfolio_key: "depot",
  holding_key: "ISIN:XX",
  operation_date: "2026-02-04",
  description: "Buy",
  amount: "10",
  balance: null,
  currency: "EUR",
  unit_price: null,
};

/** Messages with few names, days and units, so that many describe one event, cancel others or are alike. */
const message: fc.Arbitrary<TransactionData> = fc
  .record({
    stage: fc.constantFrom(...(["traded", "instructed", "settled", "posted"] as const)),
    key: fc.constantFrom(null, "K1", "K2", "K3"),
    references: fc.subarray(["K1", "K2", "K3", "R1", "R2"], { maxLength: 2 }),
    cancels: fc.oneof(
      { weight: 4, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.subarray(["K1", "R1"]) },
    ),
    amount: fc.constantFrom("10", "-10", "4", null),
    balance: fc.constantFrom(null, "-100.50"),
    settlement_date: fc.constantFrom("2026-02-04", "2026-02-05"),
  })
  .map(({ references, ...told }) => ({
    ...base,
    ...told,
    references: told.key === null ? references : [...new Set([told.key, ...references])],
  }));

const files = fc.array(fc.array(message, { maxLength: 8 }), { minLength: 1, maxLength: 3 });

function emptyStore(): MovementStore {
  return memoryMovements({ connections: new Map([[connection, {}]]), movements: new Map() } as unknown as TenantState);
}

/** The transactions shown after all files are stored, by id. */
async function shownAfter(contents: readonly (readonly TransactionData[])[], size: number) {
  const movements = emptyStore();
  const shown = new Map<string, TransactionRow>();
  for (const content of contents)
    for await (const { transactions, withdrawn } of transactionSlices(
      { movements },
      connection,
      { transactions: content },
      { size },
    )) {
      for (const id of withdrawn) shown.delete(id);
      for (const row of transactions) if (!shown.has(row.transaction_id)) shown.set(row.transaction_id, row);
    }
  return new Map([...shown].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("the transactions of a file", () => {
  it("[C-9.140] come to the same rows with the same ids in slices of any size", async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 5 }), async (contents, size) => {
        expect(await shownAfter(contents, size)).toEqual(await shownAfter(contents, Number.POSITIVE_INFINITY));
      }),
      { numRuns: 200 },
    );
  });

  it("[C-9.140] a cancellation takes back the same, in slices of any size", async () => {
    const trade = { ...base, stage: "traded", cancels: [], settlement_date: "2026-02-04" } as const;
    const unnumbered = { ...trade, amount: "-10", references: [] };
    const contents = [
      [unnumbered, { ...trade, key: "K1", references: ["K1", "K2"] }],
      [
        { ...trade, key: "K2", references: ["K2", "R1"] },
        { ...unnumbered, key: "K1", references: ["K1"] },
        { ...unnumbered, stage: "posted" as const, cancels: ["R1"] },
      ],
    ];
    expect(await shownAfter(contents, 1)).toEqual(await shownAfter(contents, Number.POSITIVE_INFINITY));
  });

  it("[C-9.140] a number that a trade and its booking have in one file stays that of the booking in the next, beside another one", async () => {
    const of = (more: Partial<TransactionData>): TransactionData => ({ ...base, key: "K", references: ["K"], ...more });
    const first = [of({ stage: "traded", amount: "4" }), of({ references: ["K", "L"], settlement_date: "2026-02-04" })];
    const second = [of({ settlement_date: "2026-02-04" }), of({ settlement_date: "2026-02-05" })];
    for (const size of [1, 100]) {
      const rows = [...(await shownAfter([first, second], size)).values()].filter(({ amount }) => amount === "10");
      expect(rows.map(({ facts }) => facts?.settlement_date).toSorted()).toEqual(["2026-02-04", "2026-02-05"]);
    }
  });

  it("as many units of two securities on one day are two transactions, with or without references, in the order in which they come", async () => {
    for (const references of [undefined, ["MOVE"]]) {
      const of = (holding_key: string | null) => ({ ...base, holding_key, ...(references && { references }) });
      const content = [of("ISIN:A"), of("ISIN:B"), of("ISIN:A"), of("ISIN:B"), of(null)];
      for (const size of [1, 100]) {
        const shown = await shownAfter([content, content], size);
        expect(shown.size).toBe(5);
        expect(new Set([...shown.values()].map(({ holding_id }) => holding_id)).size).toBe(3);
        // A message that stood alone before keeps its id.
        const [alone] = (await shownAfter([content.slice(0, 1)], size)).keys();
        expect([...shown.keys()]).toContain(alone);
      }
    }
  });

  it("[C-9.140] a settlement that comes slices after its trade takes the place of what an earlier slice has added", async () => {
    const trade: TransactionData = { ...base, key: "T", stage: "traded", references: ["T", "R"], unit_price: "7" };
    const settled: TransactionData = { ...base, key: "S", stage: "settled", references: ["S", "R"], balance: "-70" };
    const between = Array.from({ length: 9 }, (_, n) => ({ ...base, key: `B${n}`, references: [`B${n}`] }));
    const rows = [...(await shownAfter([[trade, ...between, settled]], 2)).values()];
    expect(rows).toHaveLength(10);
    expect(rows.filter(({ unit_price, balance }) => unit_price === "7" && balance === "-70")).toHaveLength(1);
  });

  it("[C-9.140] a reference that too many messages of a file have joins nothing, in whichever slices they are, nor what was known before", async () => {
    const pooled = (from: number, count: number) =>
      Array.from({ length: count }, (_, n): TransactionData => {
        const key = `K${from + n}`;
        const references = [key, "MANDATE", ...(n % 5 === 0 ? [`E${Math.floor(n / 10)}`] : [])];
        const stage = (["traded", "settled", "posted"] as const)[n % 3] ?? "posted";
        return { ...base, key, references, stage, amount: String(1 + (n % 7)) };
      });
    for (const [before, count] of [
      [0, 205],
      [50, 260],
      [150, 60],
    ] as const) {
      const contents = [pooled(0, before), pooled(before, count), pooled(1_000, 3)];
      expect(await shownAfter(contents, 100)).toEqual(await shownAfter(contents, Number.POSITIVE_INFINITY));
    }
  });

  it("[C-9.140] messages that are strung together by the thousand come apart, but for what takes one of them back", async () => {
    const strung = Array.from({ length: 1_500 }, (_, n): TransactionData => {
      const references = [`K${n}`, `L${n}`, `L${n + 1}`];
      return { ...base, key: `K${n}`, references, stage: n % 2 ? "traded" : "settled" };
    });
    const takenBack: TransactionData = { ...base, key: "C", references: ["C", "L7"], cancels: ["K7"], stage: "traded" };
    const sizes: number[] = [];
    for await (const { messages } of messageSlices([...strung, takenBack], 100)) sizes.push(messages.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect((await shownAfter([[...strung, takenBack]], 100)).size).toBe(1_499);
  });

  it("[C-9.140] a message that too many others of files before are known of stands for itself, and no slice has them all read", async () => {
    const store = emptyStore();
    const read: number[] = [];
    const movements: MovementStore = {
      ...store,
      async related(...asked) {
        const related = await store.related(...asked);
        read.push(related?.statements.length ?? 0);
        return related;
      },
    };
    const shown = new Set<string>();
    const send = async (content: readonly TransactionData[]) => {
      for await (const { transactions, withdrawn } of transactionSlices({ movements }, connection, {
        transactions: content,
      })) {
        for (const id of withdrawn) shown.delete(id);
        for (const { transaction_id } of transactions) shown.add(transaction_id);
      }
    };
    const stage = "settled" as const;
    const event = (name: string) =>
      Array.from({ length: 190 }, (_, n): TransactionData => {
        const key = `${name}-${n}`;
        return { ...base, key, references: [key, name], amount: String(n), stage };
      });
    const names = Array.from({ length: 12 }, (_, n) => `E${n}`);
    await send([...names.flatMap(event), { ...base, key: "S", references: ["S", "R"], stage }]);
    expect(shown.size).toBe(12 * 190 + 1);
    const crossing = (key: string) => ({ ...base, key, references: [key, ...names] });
    const trade = { ...base, key: "T", references: ["T", "R"], stage: "traded" as const };
    const back = { ...crossing("C"), cancels: ["nothing"], stage: "traded" as const };
    await send([crossing("X"), back, trade, { ...base, key: "Y", references: ["Y", "E0"], amount: "9999", stage }]);
    expect(shown.size).toBe(12 * 190 + 3);
    expect(Math.max(...read)).toBeLessThanOrEqual(MAX_FOUND);
    await send([crossing("X"), back, trade]);
    expect(shown.size).toBe(12 * 190 + 3);
  });

  it("leave everybody else a turn of the event loop for every five hundred", async () => {
    const count = 50_000;
    const many = Array.from({ length: count }, (_, n) => ({ ...base, key: `K${n}`, references: [`K${n}`] }));
    const movements: MovementStore = {
      unknown: async (_, messages) => messages,
      related: async () => ({ statements: [], shared: new Set() }),
      keep: async () => undefined,
      corrected: async () => new Map(),
      keepCorrected: async () => undefined,
    };
    let turns = 0;
    let next: NodeJS.Immediate | undefined;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    next = setImmediate(turn);
    let rows = 0;
    let most = 0;
    let before = 0;
    for await (const { transactions } of transactionSlices({ movements }, connection, { transactions: many })) {
      rows += transactions.length;
      most = Math.max(most, transactions.length);
      expect(turns).toBeGreaterThan(before);
      before = turns;
    }
    clearImmediate(next);
    expect(rows).toBe(count);
    expect(most).toBeLessThanOrEqual(500);
  });
});

describe("a statement", () => {
  const deposit = { ...base, amount: null, balance: "100", holding_key: "CASH:EUR" };
  const stated: readonly [string, TransactionData, Parameters<typeof transactionSlices>[2]["keys"]][] = [
    ["without a key", deposit, undefined],
    ["with a key", { ...deposit, key: "K1" }, "unique"],
    ["whose key is corrected", { ...deposit, key: "K1" }, "corrected"],
    ["that other messages may tell, too", { ...deposit, references: ["ASRV:R1"], stage: "posted" }, undefined],
    ["whose key is corrected by messages", { ...deposit, key: "K1", references: ["ASRV:R1"] }, "corrected"],
  ];
  const read = async (
    movements: MovementStore,
    transactions: readonly TransactionData[],
    keys: (typeof stated)[0][2],
  ) => {
    const rows: TransactionRow[] = [];
    const counts: HistoryCounts[] = [];
    const content = { transactions, ...(keys && { keys }) };
    const count = (one: HistoryCounts) => counts.push(one);
    for await (const slice of transactionSlices({ movements }, connection, content, { count })) {
      rows.push(...slice.transactions);
      slice.onStored?.({ added: slice.transactions.length, corrected: 0, withdrawn: 0 });
    }
    return { rows, added: counts.reduce((sum, { transactions: added }) => sum + added, 0) };
  };

  it.each(stated)(
    "[C-7.201] [C-7.203] %s is the same one at another place, and with another kind",
    async (_, one, keys) => {
      const [movements, others] = [emptyStore(), emptyStore()];
      const { rows } = await read(movements, [{ ...one, place: "line 2" }], keys);
      expect(rows).toMatchObject([{ place: "line 2" }]);
      const [row] = rows;
      const elsewhere = await read(movements, [{ ...one, place: "line 3" }], keys);
      expect(elsewhere.rows.map(({ place: __, ...content }) => content)).toEqual(
        one.references ? [] : [{ ...row, place: undefined }].map(({ place: __, ...content }) => content),
      );
      const twice = [
        { ...one, place: "line 2" },
        { ...one, place: "line 3" },
      ];
      const alike = await read(
        emptyStore(),
        twice.map(({ place: __, ...content }) => content),
        keys,
      );
      expect((await read(others, twice, keys)).rows.map(({ place: __, ...content }) => content)).toEqual(alike.rows);
      const ofKind = await read(emptyStore(), [{ ...one, kind: "deposit" }], keys);
      expect(ofKind.rows.map(({ transaction_id }) => transaction_id)).toEqual([row?.transaction_id]);
    },
  );
});
