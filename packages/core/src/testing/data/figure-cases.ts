import { expect, it } from "vitest";
import type { HoldingRow, StatedValuation, TransactionRow } from "../../data/snapshot-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { holding, newId, newTenant, portfolio, transaction } from "../fixture.js";

const at = (day: string, time = "12:00:00") => new Date(`${day}T${time}.000Z`);
const DAY = "2026-03-02";

/** Cases of what a number says and said, as `FigureReader` shows it. */
export function figureCases(storage: () => Storage): void {
  async function connected() {
    const tenant = await newTenant(storage());
    const { connection_id, provider } = await tenant.connect();
    const { portfolio_id } = portfolio();
    const depot = portfolio({ portfolio_id, balance: "100.00", type: "S" });
    let arrival = 0;
    /** A file that states the account, its holdings at lines 3, 4 … and its transactions at lines 13, 14 …. */
    const file = async (
      balance: string | null,
      holdings: readonly HoldingRow[],
      { day = DAY, transactions = [] }: { day?: string; transactions?: readonly TransactionRow[] } = {},
    ) => {
      arrival += 1;
      const [sha256, name] = [`${arrival}`.padStart(64, "a"), `${arrival}.csv`];
      const source = { kind: "file", sha256, name, part: null, format: "csv", format_version: "1" } as const;
      const one: StatedValuation = {
        ...{ ...depot, balance, is_cash: false, day, as_of: at(day), holdings, source },
        places: ["line 2", ...holdings.map((_, index) => `line ${index + 3}`)],
      };
      const placed = transactions.map((row, index) => ({ ...row, place: `line ${index + 13}` }));
      await tenant.run(async ({ snapshots }) => {
        await snapshots.noteFile({
          connection_id,
          sha256,
          name,
          format: "csv",
          format_version: "1",
          taken_at: at(day),
        });
        return snapshots.publish({
          ...{ connection_id, as_of: at(day), published_at: at(day, `13:00:${arrival + 10}`), partial: true },
          ...{ portfolios: [{ ...depot, balance }], holdings },
          transactions: slices(placed, sha256),
          valuations: { read_at: null, arrival, complete_on: null, accounts: [one] },
        });
      });
      return source;
    };
    const why = async (id: string, date = "2026-12-31", connection_ids: readonly Uuid[] | null = null) =>
      storage().figureReader.versions(tenant.tenant_id, { id: id as Uuid, date, connection_ids });
    return { tenant, connection_id, provider, depot, file, why };
  }

  it("[C-8.175] a portfolio's number is said by its last valuation up to the day, with its file and line, then by those that it replaced on that day", async () => {
    const { connection_id, depot, file, why } = await connected();
    const held = holding({ portfolio_id: depot.portfolio_id, balance: "7.50" });
    const first = await file("100.00", []);
    const second = await file("102.00", []);
    // The same is no other version.
    const third = await file("102.0", []);
    const unstated = await file(null, [held, { ...held, holding_id: newId(), balance: "1" }], { day: "2026-03-04" });
    const said = (source: object, balance: string, current: boolean) => ({
      ...{ amount: null, balance, currency: "EUR", valuation_date: null, came_at: expect.any(String), current },
      source: { ...source, place: "line 2" },
    });
    const { portfolio_id, name } = depot;
    const of = { connection_id, what: "portfolio", name, parts: [] };
    expect(await why(portfolio_id, "2026-03-03")).toEqual({
      ...{ ...of, date: DAY, versions: [said(third, "102.0", true), said(first, "100.00", false)] },
    });
    expect(second.name).toBe("2.csv");
    expect(await why(portfolio_id)).toEqual({ ...of, date: "2026-03-04", versions: [said(unstated, "8.50", true)] });
    expect(await why(portfolio_id, "2026-03-01")).toEqual({ ...of, date: null, versions: [] });
  });

  it("[C-8.176] [C-4.183] a holding's number has the line of its own row; what it was before is told once, and one that is gone has no current version", async () => {
    const { depot, file, why } = await connected();
    const [one, two] = [1, 2].map((n) => holding({ portfolio_id: depot.portfolio_id, balance: `${n}.00` })) as [
      HoldingRow,
      HoldingRow,
    ];
    const first = await file("3.00", [one, two]);
    await file("3.50", [two, { ...one, balance: "1.50" }]);
    const third = await file("1.50", [{ ...one, balance: "1.50" }]);
    const linesOf = async (id: string) =>
      (await why(id))?.versions.map(({ balance, current, source }) => [
        balance,
        current,
        source.kind === "file" && `${source.name} ${source.place}`,
      ]);
    expect(await linesOf(one.holding_id)).toEqual([
      ["1.50", true, `${third.name} line 3`],
      ["1.00", false, `${first.name} line 3`],
    ]);
    expect(await linesOf(two.holding_id)).toEqual([["2.00", false, "2.csv line 3"]]);
    const { name, valuation_date } = two;
    expect(await why(two.holding_id)).toMatchObject({ name, versions: [{ valuation_date }] });
    expect((await why(two.holding_id, "2026-03-01"))?.name).toBeNull();
    await file("9", [], { day: "2026-03-05" });
    // The snapshot does not have it any more; the valuation of its day does.
    expect((await why(one.holding_id, DAY))?.what).toBe("holding");
  });

  it("[C-8.177] a transaction's number has the file and line of each version, or the provider that read it", async () => {
    const { tenant, connection_id, provider, depot, file, why } = await connected();
    const { portfolio_id } = depot;
    const move = transaction({ portfolio_id, balance: "-5.00", operation_date: "2026-03-01" });
    const other = transaction({ portfolio_id, balance: "-1.00" });
    const first = await file("100", [], { transactions: [other, move] });
    const second = await file("101", [], { transactions: [{ ...move, balance: "-6.00" }] });
    const versions = async (id: string) => (await why(id))?.versions;
    const said = (source: object, place: string, balance: string, current: boolean) => ({
      ...{ amount: move.amount, balance, currency: "EUR", valuation_date: null, came_at: expect.any(String), current },
      source: { ...source, place },
    });
    expect(await why(move.transaction_id)).toMatchObject({
      ...{ what: "transaction", date: "2026-03-01", connection_id, name: move.description },
    });
    expect(await versions(move.transaction_id)).toEqual([
      said(second, "line 13", "-6.00", true),
      said(first, "line 14", "-5.00", false),
    ]);
    expect(await versions(other.transaction_id)).toEqual([said(first, "line 13", "-1.00", true)]);
    const read = transaction({ portfolio_id, balance: "2.00" });
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: at(DAY), published_at: at("2026-03-06"), transactions: [read] }),
    );
    const [now] = (await versions(read.transaction_id)) ?? [];
    expect(now?.source).toEqual({ kind: "provider", provider, version: null, read_at: "2026-03-06T12:00:00.000Z" });
  });

  it("[C-8.178] of one day ten former versions are kept, for a limited time; a connection takes its own with it, and others see none", async () => {
    const { tenant, connection_id, depot, file, why } = await connected();
    for (let number = 0; number < 13; number += 1) await file(`${number}`, []);
    const { portfolio_id } = depot;
    const balances = async () => (await why(portfolio_id))?.versions.map(({ balance }) => Number(balance));
    expect(await balances()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(await why(portfolio_id, "2026-12-31", [newId()])).toBeNull();
    expect(await why(portfolio_id, "2026-12-31", [connection_id])).not.toBeNull();
    expect(await why(newId())).toBeNull();
    const never = new Date(0);
    const cutoffs = {
      ...{ now: never, finished_sessions_before: never, replaced_snapshots_before: never, settled_mails_before: never },
      ...{ former_versions_before: new Date("2200-01-01"), valuations_before: "1970-01-01" },
    };
    const { upkeep } = storage();
    for (let rounds = 0; rounds < 100; rounds += 1)
      if (Number((await upkeep.reap(cutoffs, 4)).replaced_valuations) === 0) break;
    expect(await balances()).toEqual([12]);
    await tenant.run(({ connections }) => connections.remove(connection_id));
    expect(await why(portfolio_id)).toBeNull();
  });
}

async function* slices(transactions: readonly TransactionRow[], file: string) {
  yield { transactions, withdrawn: [], file, replaces: true as const };
}
