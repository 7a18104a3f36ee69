import type { TransactionKind } from "@org/provider-kit";
import { expect, it } from "vitest";
import type {
  HoldingRow,
  PortfolioRow,
  Publication,
  StatedValuation,
  StatedValuations,
  TransactionRow,
} from "../../data/snapshot-store.js";
import type { WealthQuery } from "../../data/wealth-reader.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { holding, newId, newTenant, plan, portfolio, type TenantUnderTest, transaction } from "../fixture.js";

const at = (day: string, time = "12:00:00") => new Date(`${day}T${time}.000Z`);
/** All facts of 2026. */
export const everything: WealthQuery = {
  ...{ connection_ids: null, from: "2026-01-01", to: "2026-12-31", with_movements: true, holdings: "all" },
};

/** Cases of valuations as `WealthReader` shows them. */
export function valuationCases(storage: () => Storage): void {
  const connected = () => connectedBank(storage());

  const factsOf = async ({ tenant_id }: TenantUnderTest, over: Partial<WealthQuery> = {}) => {
    const [facts] = await storage().wealthReader.facts(tenant_id, { ...everything, ...over });
    if (!facts) throw new Error("there is no connection");
    return facts;
  };
  const daysOf = async (tenant: TenantUnderTest, over: Partial<WealthQuery> = {}) =>
    (await factsOf(tenant, over)).accounts.map(({ valuations }) =>
      valuations.map(({ day, balance }) => `${day} ${balance}`),
    );

  it("[C-8.93] an account has one valuation a day, which a later read of that day replaces and an older one does not", async () => {
    const { tenant, depot, valued, read, publish } = await connected();
    const held = holding({ portfolio_id: depot.portfolio_id, balance: "90.50", facts: { cost: "80", price: "9.05" } });
    const cash = holding({ portfolio_id: depot.portfolio_id, balance: "9.50", type: "L", isin: null });
    const rows = { portfolios: [depot], holdings: [held, cash] };
    await publish("2026-03-02", rows, read("2026-03-02", [valued(depot, "2026-03-02")]));
    const risen = { ...depot, balance: "101.00" };
    const again = { ...read("2026-03-02", [valued(risen, "2026-03-02")]), read_at: at("2026-03-02", "18:00:00") };
    await publish("2026-03-02", { portfolios: [risen], holdings: [held] }, again);
    const late = {
      ...read("2026-03-02", [valued({ ...depot, balance: "99" }, "2026-03-02")]),
      read_at: at("2026-03-02", "15:00:00"),
    };
    await publish("2026-03-02", {}, late);
    const { accounts } = await factsOf(tenant);
    expect(accounts).toEqual([
      {
        ...{ portfolio_id: depot.portfolio_id, shown_as: depot.portfolio_id, name: "Depot", ref_account: "ES91 2100" },
        ...{ currency: "EUR", is_cash: false, lists_securities: true, lists_cash: true },
        valuations: [
          {
            ...{ day: "2026-03-02", read_at: "2026-03-02T18:00:00.000Z", balance: "101.00", has_holdings: true },
            holdings_value: [{ amount: "90.50", currency: "EUR" }],
            holdings: [
              {
                ...{ id: held.holding_id, name: held.name, isin: held.isin, amount: "10.5", balance: "90.50" },
                ...{ currency: "EUR", valuation_date: "2026-02-27", type: "F", subtype: null },
                ...{ price: "9.05", cost: "80", is_notional: false },
              },
            ],
          },
        ],
      },
    ]);
  });

  it("[C-8.94] what is confirmed on another day is another valuation with the holdings that it had", async () => {
    const { tenant, connection_id, depot, valued, read, publish } = await connected();
    const held = holding({ portfolio_id: depot.portfolio_id });
    const digests = { portfolio: "p", investment: "h" };
    await publish(
      "2026-03-02",
      { portfolios: [depot], holdings: [held], digests },
      read("2026-03-02", [valued(depot, "2026-03-02")]),
    );
    const confirm = (day: string, other: Partial<typeof digests> = {}) =>
      tenant.run(({ snapshots }) =>
        snapshots.confirm({
          ...{ connection_id, as_of: at(day), digests: { ...digests, ...other } },
          valuations: read(day, [valued(depot, day)]),
        }),
      );
    expect(await confirm("2026-03-03")).toBe(true);
    expect(await confirm("2026-03-04", { investment: "other" })).toBe(false);
    expect(await confirm("2026-03-05")).toBe(true);
    const [account] = (await factsOf(tenant)).accounts;
    expect(account?.valuations.map(({ day, holdings }) => [day, holdings?.length])).toEqual([
      ...[
        ["2026-03-02", 1],
        ["2026-03-03", 1],
      ],
      ["2026-03-05", 1],
    ]);
    // Of a day those of the time, the last before, and the first ever.
    const days = (from: string, to: string) => daysOf(tenant, { from, to });
    expect(await days("2026-03-05", "2026-03-05")).toEqual([
      ["2026-03-02 100.00", "2026-03-03 100.00", "2026-03-05 100.00"],
    ]);
    expect(await days("2026-03-04", "2026-03-04")).toEqual([["2026-03-02 100.00", "2026-03-03 100.00"]]);
    expect(await days("2026-01-01", "2026-01-02")).toEqual([["2026-03-02 100.00"]]);
  });

  it("[C-9.621] [C-9.641] for the closes of some days the valuations that count then are read alone, and one without a value counts on none", async () => {
    const { tenant, depot, valued, read, publish } = await connected();
    const { portfolio_id } = depot;
    const [none, first, second, third] = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-06"] as const;
    const stated = [
      [none, null],
      [first, "1"],
      [second, "2"],
      ["2026-03-05", null],
      [third, "3"],
    ] as const;
    for (const [day, balance] of stated) {
      const row = { ...depot, balance };
      const rows = { portfolios: [row], holdings: [holding({ portfolio_id, balance })] };
      await publish(day, rows, read(day, [valued(row, day)]));
    }
    const asked = { with_movements: false, holdings: "none" } as const;
    const closesOf = (closes: readonly string[]) =>
      daysOf(tenant, { ...asked, from: String(closes[0]), to: String(closes.at(-1)), closes });
    expect(await closesOf([first, "2026-03-04", "2026-03-05"])).toEqual([[`${first} 1`, `${second} 2`]]);
    expect(await closesOf(["2026-03-05", "2026-03-07"])).toEqual([[`${second} 2`, `${third} 3`]]);
    expect(await closesOf([none, "2026-03-07"])).toEqual([[`${none} null`, `${third} 3`]]);
    expect(await closesOf(["2026-02-01"])).toEqual([[`${none} null`]]);
    expect(await daysOf(tenant, { ...asked, from: third, to: third })).toEqual([
      [`${none} null`, `${second} 2`, `${third} 3`],
    ]);
    const day = "2026-03-05";
    const one = await factsOf(tenant, { ...asked, from: day, to: day, closes: [day], holdings: "all" });
    expect(one.accounts[0]?.valuations).toMatchObject([{ day: second, holdings: [{ balance: "2" }] }]);
  });

  it("[C-8.95] the value of holdings is known by currency, and unknown where one has none or only a notional", async () => {
    const { tenant, valued, read, publish } = await connected();
    const accounts = [1, 2, 3, 4].map((n) => portfolio({ name: `P${n}`, balance: null }));
    const [both, unknown, future, empty] = accounts.map(({ portfolio_id }) => portfolio_id) as [
      string,
      string,
      string,
      string,
    ];
    const held = (portfolio_id: string, over: Partial<HoldingRow>) => holding({ portfolio_id, ...over });
    const holdings = [
      ...[
        held(both, { balance: "1.50" }),
        held(both, { balance: "2", currency: "USD" }),
        held(both, { balance: "0.250" }),
      ],
      ...[held(unknown, { balance: null }), held(unknown, { balance: "3" })],
      ...[held(future, { balance: "9000", type: "DV", is_notional: true }), held(future, { balance: "3" })],
    ];
    const day = "2026-03-02";
    const alone = portfolio({ name: "P5", balance: "5" });
    const stated = [...accounts.map((row) => valued(row, day)), valued(alone, day, { holdings: null })];
    await publish(day, { portfolios: [...accounts, alone], holdings }, read(day, stated));
    const { accounts: found } = await factsOf(tenant);
    expect(found.map(({ name, valuations: [one] }) => [name, one?.has_holdings, one?.holdings_value])).toEqual([
      [
        "P1",
        true,
        [
          { amount: "1.750", currency: "EUR" },
          { amount: "2", currency: "USD" },
        ],
      ],
      ["P2", true, null],
      ["P3", true, null],
      ["P4", true, []],
      ["P5", false, null],
    ]);
    expect(found[3]?.portfolio_id).toBe(empty);
    expect(found.map(({ lists_securities }) => lists_securities)).toEqual([true, true, true, false, false]);
  });

  it("[C-8.154] a valuation without a value hides neither the one before it nor its holdings", async () => {
    const { tenant, depot, valued, read, publish } = await connected();
    const held = (balance: string | null) => holding({ portfolio_id: depot.portfolio_id, balance });
    const stated = { ...depot, balance: null };
    for (const [day, balance] of [
      ["2026-03-02", "7.00"],
      ["2026-03-03", null],
      ["2026-03-04", null],
    ] as const)
      await publish(day, { portfolios: [stated], holdings: [held(balance)] }, read(day, [valued(stated, day)]));
    const bought = transaction({ portfolio_id: depot.portfolio_id, operation_date: "2026-03-03" });
    await publish("2026-03-04", { transactions: [bought] }, read("2026-03-04", []));
    for (const from of ["2026-03-04", "2026-03-05"]) {
      const { accounts, movements } = await factsOf(tenant, { from, to: "2026-03-05" });
      const shown = accounts.flatMap(({ valuations }) =>
        valuations.map(({ day, holdings }) => `${day} ${holdings?.map(({ balance }) => balance)}`),
      );
      expect(shown).toEqual(["2026-03-02 7.00", ...(from === "2026-03-04" ? ["2026-03-04 "] : [])]);
      expect(movements).toHaveLength(1);
    }
  });

  it("[C-8.96] what a bank tells of earlier days is stored for these days, and a file's day by its arrival", async () => {
    const { tenant, depot, valued, read, publish } = await connected();
    const earlier = (day: string, balance: string) =>
      valued({ ...depot, balance }, day, { holdings: [holding({ portfolio_id: depot.portfolio_id, balance })] });
    const now = valued(depot, "2026-03-04");
    const rows = { portfolios: [depot], holdings: [holding({ portfolio_id: depot.portfolio_id, balance: "100.00" })] };
    await publish(
      "2026-03-04",
      rows,
      read("2026-03-04", [earlier("2026-03-02", "98.00"), earlier("2026-03-03", "99.00"), now]),
    );
    expect(await daysOf(tenant)).toEqual([["2026-03-02 98.00", "2026-03-03 99.00", "2026-03-04 100.00"]]);
    const [account] = (await factsOf(tenant)).accounts;
    expect(account?.valuations.map(({ holdings }) => holdings?.map(({ balance }) => balance))).toEqual([
      ["98.00"],
      ["99.00"],
      ["100.00"],
    ]);
    await publish("2026-03-05", {}, read("2026-03-05", [earlier("2026-03-03", "99.50")]));
    expect(await daysOf(tenant)).toEqual([["2026-03-02 98.00", "2026-03-03 99.50", "2026-03-04 100.00"]]);

    const other = await connected();
    const source = { kind: "file", sha256: "ab", name: "a.csv", part: null, format: "csv" } as const;
    const file = (day: string, arrival: number, balance: string) =>
      other.publish(
        day,
        {},
        {
          ...{ read_at: null, arrival, complete_on: null },
          accounts: [other.valued({ ...other.depot, balance }, day, { holdings: [], source })],
        },
      );
    await file("2026-03-03", 2, "2");
    await file("2026-03-02", 3, "1");
    await file("2026-03-03", 1, "9");
    expect(await daysOf(other.tenant)).toEqual([["2026-03-02 1", "2026-03-03 2"]]);
    await file("2026-03-03", 4, "3");
    expect((await factsOf(other.tenant)).accounts[0]?.valuations.at(-1)).toMatchObject({ balance: "3", read_at: null });
  });

  it("[C-8.97] an account that a complete snapshot lacks is worth nothing if a withdrawal or transfer out came since, otherwise nothing is known", async () => {
    const { tenant, valued, read, publish } = await connected();
    const [closed, lost] = [portfolio({ name: "Closed" }), portfolio({ name: "Lost" })];
    const holdings = [closed, lost].map(({ portfolio_id }) => holding({ portfolio_id }));
    const day = "2026-03-02";
    await publish(day, { portfolios: [closed, lost], holdings }, read(day, [valued(closed, day), valued(lost, day)]));
    const out = (portfolio_id: string, operation_date: string, kind: "withdrawal" | "deposit") =>
      transaction({ portfolio_id, operation_date, facts: { kind } });
    const transactions = [
      ...[out(closed.portfolio_id, "2026-03-03", "withdrawal"), out(lost.portfolio_id, "2026-03-03", "deposit")],
    ];
    const nothing = { portfolios: [], holdings: [] };
    await publish("2026-03-04", { ...nothing, transactions }, read("2026-03-04", []));
    await publish("2026-03-05", nothing, read("2026-03-05", []));
    expect(await daysOf(tenant)).toEqual([["2026-03-02 100.00", "2026-03-04 0"], ["2026-03-02 100.00"]]);
  });

  it("[C-8.98] movements are those that valuations before the period do not have, with the time of their first version", async () => {
    const { tenant, connection_id, depot, valued, read, publish } = await connected();
    const rows = { portfolios: [depot], holdings: [] };
    const known = transaction({ portfolio_id: depot.portfolio_id, operation_date: "2026-03-01", description: "known" });
    const corrected = transaction({
      portfolio_id: depot.portfolio_id,
      operation_date: "2026-03-03",
      description: "before",
    });
    await publish("2026-03-02", { ...rows, transactions: [known] }, read("2026-03-02", [valued(depot, "2026-03-02")]));
    await publish("2026-03-03", { transactions: [corrected] }, read("2026-03-03", [valued(depot, "2026-03-03")]));
    const late = transaction({
      portfolio_id: depot.portfolio_id,
      operation_date: "2026-02-27",
      facts: { kind: "deposit", fees: "1.00" },
    });
    const after = { ...corrected, description: "after" };
    await publish("2026-03-04", { transactions: [after, late] }, read("2026-03-04", [valued(depot, "2026-03-04")]));
    const facts = await factsOf(tenant, { from: "2026-03-04", to: "2026-03-04" });
    expect(facts.movements_until).toBe("2026-03-04");
    expect(facts.movements.map(({ id, first_read_at }) => [id, first_read_at])).toEqual([
      [late.transaction_id, "2026-03-04T12:00:00.000Z"],
      [corrected.transaction_id, "2026-03-03T12:00:00.000Z"],
    ]);
    expect(facts.movements[0]).toMatchObject({ kind: "deposit", fees: "1.00", taxes: null, gross: null, isin: null });
    expect((await factsOf(tenant, { from: "2026-03-02", to: "2026-03-02" })).movements.map(({ id }) => id)).toEqual([
      ...[late.transaction_id, known.transaction_id],
    ]);
    expect((await factsOf(tenant, { with_movements: false })).movements).toEqual([]);
    const ids: readonly Uuid[] = [newId()];
    expect(await storage().wealthReader.facts(tenant.tenant_id, { ...everything, connection_ids: ids })).toEqual([]);
    await tenant.run(({ connections }) => connections.remove(connection_id));
    expect(await storage().wealthReader.facts(tenant.tenant_id, everything)).toEqual([]);
  });

  it("[C-8.210] whether a depot has income is told of all its movements, whatever the period", async () => {
    const { tenant, depot, valued, read, publish } = await connected();
    const cash = portfolio({ name: "Cash", type: "L" });
    const paid = (row: PortfolioRow, operation_date: string, kind: TransactionKind) =>
      transaction({ portfolio_id: row.portfolio_id, operation_date, facts: { kind } });
    const both = (day: string, transactions: readonly TransactionRow[]) =>
      publish(
        day,
        { portfolios: [depot, cash], holdings: [], transactions },
        read(day, [valued(depot, day), valued(cash, day)]),
      );
    await both("2026-03-02", [paid(cash, "2026-03-02", "dividend"), paid(depot, "2026-03-02", "fee")]);
    const march = { from: "2026-03-03", to: "2026-03-31" };
    const ofMarch = async (over: Partial<WealthQuery> = {}) => {
      const { movements, has_depot_income } = await factsOf(tenant, { ...march, ...over });
      return [movements.length, has_depot_income];
    };
    expect(await ofMarch()).toEqual([0, false]);
    const coupon = paid(depot, "2026-01-15", "coupon");
    await both("2026-03-03", [coupon]);
    expect(await ofMarch({ from: "2026-03-04" })).toEqual([0, true]);
    expect(await ofMarch({ from: "2026-01-01", to: "2026-01-02" })).toEqual([0, true]);
    expect(await ofMarch({ with_movements: false })).toEqual([0, false]);
    await both("2026-03-04", [{ ...coupon, facts: { kind: "fee" } }]);
    expect((await factsOf(tenant)).has_depot_income).toBe(false);
  });

  it("[C-8.99] [C-8.211] valuations of days long ago, or of a tenant before its own day, are deleted in bounded steps, with holdings that no other has; the last one of an account stays", async () => {
    const { tenant, valued, read, publish } = await connected();
    const [one, other] = [portfolio({ name: "One" }), portfolio({ name: "Other" })];
    const ids = [one, other].map(({ portfolio_id }) => ({ portfolio_id, holding_id: newId() }));
    const days = ["2026-03-02", "2026-03-03", "2026-03-04"];
    for (const day of days) {
      const rows = { portfolios: [one, other], holdings: ids.map((id) => holding(id)) };
      await publish(
        day,
        rows,
        read(
          day,
          (day === "2026-03-02" ? [one, other] : [one]).map((row) => valued(row, day)),
        ),
      );
    }
    const never = new Date(0);
    const cutoffs = {
      ...{
        now: never,
        finished_sessions_before: never,
        replaced_snapshots_before: never,
        former_versions_before: never,
      },
      ...{ settled_mails_before: never, valuations_before: "2026-03-04" },
    };
    const { upkeep } = storage();
    const reap = async (own: string) => {
      const ofOne = { ...cutoffs, tenant_valuations_before: { [tenant.tenant_id]: own } };
      for (let rounds = 0; rounds < 100 && Number((await upkeep.reap(ofOne, 1)).valuations) > 0; rounds += 1);
    };
    await reap("2026-03-03");
    expect(await daysOf(tenant)).toEqual([["2026-03-03 100.00", "2026-03-04 100.00"], ["2026-03-02 100.00"]]);
    await reap("2026-03-04");
    const { accounts } = await factsOf(tenant);
    expect(accounts.map(({ name, valuations }) => [name, valuations.map(({ day }) => day)])).toEqual([
      ["One", ["2026-03-04"]],
      ["Other", ["2026-03-02"]],
    ]);
    expect(accounts.map(({ valuations: [last] }) => last?.holdings?.length)).toEqual([1, 1]);
  });
}

/** A connection of a provider, and what it does on a day. */
export async function connectedBank(storage: Storage) {
  const tenant = await newTenant(storage);
  const { connection_id } = await tenant.connect();
  await tenant.run(({ refreshes }) => refreshes.plan(connection_id, plan(at("2026-03-01"))));
  const depot = portfolio({ name: "Depot", balance: "100.00", type: "S" });
  const valued = (row: PortfolioRow, day: string, over: Partial<StatedValuation> = {}): StatedValuation => ({
    ...{ ...row, is_cash: row.type === "L", day, as_of: at(day), holdings: "shown" },
    ...{ source: { kind: "provider", provider: "sandbox" }, ...over },
  });
  const read = (day: string, accounts: readonly StatedValuation[], over: Partial<StatedValuations> = {}) =>
    ({ read_at: at(day), arrival: 0, complete_on: day, accounts, ...over }) satisfies StatedValuations;
  const publish = (day: string, rows: Partial<Publication>, valuations: StatedValuations) =>
    tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: at(day), published_at: at(day), ...rows, valuations }),
    );
  return { tenant, connection_id, depot, valued, read, publish };
}
