import type { StatedValuation, WealthQuery } from "@org/core";
import { samples } from "@org/core/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const DAY_MS = 86_400_000;
const DAYS = 220;
const dayOf = (number: number) => new Date(Date.UTC(2024, 0, 1) + number * DAY_MS).toISOString().slice(0, 10);
const isEndOfMonth = (number: number) => dayOf(number + 1).endsWith("-01");

/** The ends of months of some days, and the last day. */
const closesOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n)
    .filter((number) => isEndOfMonth(number) || number === to)
    .map(dayOf);

/** What an account was worth: by a balance, by its holdings, or unknown. */
type Worth = { readonly balance: string } | { readonly held: string } | null;
interface Stated {
  readonly account: number;
  readonly day: number;
  readonly worth: Worth;
}

describe.each(testBackends)("months that are kept on $name", ({ create }) => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await create();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  let today = 0;
  /** Another one each time, so that all accounts are looked at. */
  const nextDay = () => {
    today += 1;
    return new Date(Date.UTC(2030, 0, 1) + today * DAY_MS).toISOString().slice(0, 10);
  };
  const keep = async (batch = 100) => {
    const day = nextDay();
    while ((await storage.upkeep.keepMonths(day, batch)) > 0);
  };

  async function connected() {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const accounts = [0, 1].map((n) => samples.portfolio({ name: `Depot ${n}`, balance: null }));
    let arrival = 0;
    const state = (rows: readonly Stated[]) => {
      arrival += 1;
      const stated = rows.map(({ account, day, worth }): StatedValuation => {
        const row = accounts[account] ?? accounts[0];
        if (!row) throw new Error("there is no account");
        const { portfolio_id } = row;
        const balance = worth && "balance" in worth ? worth.balance : null;
        const held = worth && "held" in worth ? worth.held : null;
        return {
          ...{ ...row, balance, is_cash: false, day: dayOf(day), as_of: new Date(dayOf(day)) },
          holdings: balance === null ? [samples.holding({ portfolio_id, balance: held })] : null,
          source: { kind: "file", sha256: "ab", name: "a.csv", part: null, format: "csv" },
        };
      });
      const as_of = new Date(dayOf(DAYS));
      const valuations = { read_at: null, arrival, complete_on: null, accounts: stated };
      return tenant.run(({ snapshots }) =>
        snapshots.publish({ connection_id, as_of, published_at: as_of, transactions: [], valuations }),
      );
    };
    const facts = (closes: readonly string[]) => {
      const [from = "", to = ""] = [closes[0], closes.at(-1)];
      const query: WealthQuery = { connection_ids: null, from, to, closes, with_movements: false, holdings: "none" };
      return storage.wealthReader.facts(tenant.tenant_id, query);
    };
    const ofTenant = (statement: string) => database.pool.query(statement, [tenant.tenant_id]);
    const kept = async () =>
      (
        await ofTenant(`
          select m.until::text, m.first_day::text, m.closes from valued_months m
          join valued_accounts a using (tenant_id, connection_id, portfolio_id)
          where m.tenant_id = $1 order by a.ordinal`)
      ).rows as { until: string; first_day: string; closes: string }[];
    const forget = () => ofTenant("delete from valued_months where tenant_id = $1");
    const reap = async (before: number) => {
      const never = new Date(0);
      const cutoffs = {
        ...{ now: never, finished_sessions_before: never, replaced_snapshots_before: never },
        ...{ former_versions_before: never, settled_mails_before: never, valuations_before: "2000-01-01" },
        tenant_valuations_before: { [tenant.tenant_id]: dayOf(before) },
      };
      while (Number((await storage.upkeep.reap(cutoffs, 20)).valuations) > 0);
    };
    return { tenant, connection_id, state, facts, kept, forget, reap };
  }
  type Connected = Awaited<ReturnType<typeof connected>>;

  const ofBalance = (account: number, ...days: readonly (readonly [day: number, balance: number])[]) =>
    days.map(([day, balance]) => ({ account, day, worth: { balance: `${balance}` } }));

  it("[C-9.626] months are kept once a later one has a valuation, with the last value of each, and a later day changes none", async () => {
    const { state, kept, facts } = await connected();
    await state(ofBalance(0, [0, 1], [30, 2], [31, 3]));
    await state([
      { account: 0, day: 59, worth: { held: "4.50" } },
      { account: 0, day: 60, worth: null },
      { account: 1, day: 5, worth: { balance: "9" } },
    ]);
    await keep(1);
    const [first, ...others] = await kept();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ first_day: "2024-01-31", until: "2024-02-29" });
    const closes = JSON.parse(first?.closes ?? "");
    expect(closes).toEqual([
      ["2024-01-31", "2", null, null],
      ["2024-02-29", null, { EUR: "4.50" }, expect.any(String)],
    ]);
    await state(ofBalance(0, [61, 5], [95, 6]));
    expect(await kept()).toEqual([first]);
    const days = (await facts(closesOf(0, 100)))[0]?.accounts.map(({ valuations }) => valuations.map(({ day }) => day));
    expect(days).toEqual([["2024-01-31", "2024-02-29", "2024-03-02", "2024-04-05"], ["2024-01-06"]]);
    await keep();
    expect(await kept()).toMatchObject([{ until: "2024-03-31" }]);
  });

  it("[C-9.627] what changes a month that is kept, or deletes one, takes the account's months away, and no other's", async () => {
    const { state, kept, reap } = await connected();
    const both = [...ofBalance(0, [0, 1], [31, 2], [62, 3]), ...ofBalance(1, [0, 1], [31, 2], [62, 3])];
    await state(both);
    await keep();
    expect(await kept()).toHaveLength(2);
    await state(ofBalance(0, [61, 7], [62, 8]));
    expect(await kept()).toHaveLength(2);
    await state(ofBalance(0, [40, 7]));
    const [other] = await kept();
    expect(await kept()).toEqual([other]);
    await keep();
    expect(await kept()).toMatchObject([{ first_day: "2024-01-01" }, other]);
    await reap(20);
    expect(await kept()).toEqual([]);
    await keep();
    expect(await kept()).toMatchObject([{ first_day: "2024-02-10" }, { first_day: "2024-02-01" }]);
  });

  it("[C-9.627] a connection takes its months along", async () => {
    const { tenant, connection_id, state, kept } = await connected();
    await state([...ofBalance(0, [0, 1], [31, 2]), ...ofBalance(1, [0, 1], [31, 2])]);
    // Stops within the connection.
    for (const day = nextDay(); (await kept()).length === 0; ) await storage.upkeep.keepMonths(day, 1);
    await tenant.run(({ connections }) => connections.remove(connection_id));
    for (const table of ["valued_months", "tenant_revisions"]) {
      const named = `select from ${table} t where tenant_id = $1 and t::text like '%' || $2 || '%'`;
      expect((await database.pool.query(named, [tenant.tenant_id, connection_id])).rowCount).toBe(0);
    }
  });

  const worths = fc.oneof(
    fc.integer({ min: -9, max: 99 }).map((number) => ({ balance: `${number}.5` })),
    fc.integer({ min: 0, max: 99 }).map((number) => ({ held: `${number}.25` })),
    fc.constant(null),
  );
  const days = fc.integer({ min: 0, max: DAYS });
  const stated = fc
    .array(fc.record({ account: fc.integer({ min: 0, max: 1 }), day: days, worth: worths }), { minLength: 1 })
    .map((rows) => [...new Map(rows.map((row) => [`${row.account} ${row.day}`, row])).values()]);
  const steps = fc.oneof(
    { weight: 4, arbitrary: stated.map((rows) => ({ rows })) },
    { weight: 1, arbitrary: days.map((before) => ({ before })) },
    { weight: 3, arbitrary: fc.constant("keep" as const) },
  );

  it("[C-9.628] a history by month says the same with kept months and without, whatever came late, was corrected, unknown or deleted", async () => {
    const question = fc.tuple(days, days).map(([a, b]) => closesOf(Math.min(a, b), Math.max(a, b)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 1, maxLength: 8 }),
        fc.array(question, { minLength: 3, maxLength: 5 }),
        async (history, questions) => {
          const account = await connected();
          const answers = () => Promise.all(questions.map((closes) => account.facts(closes)));
          for (const step of history) await carryOut(account, step);
          const before = await answers();
          await account.forget();
          const without = await answers();
          expect(before).toEqual(without);
          await keep();
          expect(await answers()).toEqual(without);
        },
      ),
      { numRuns: 6 },
    );
  });

  async function carryOut(
    { state, reap }: Connected,
    step: "keep" | { readonly rows: readonly Stated[] } | { readonly before: number },
  ): Promise<unknown> {
    if (step === "keep") return keep();
    return "rows" in step ? state(step.rows) : reap(step.before);
  }

  const hasServer =
    testDatabaseUrl !== undefined && create !== testBackends.find(({ name }) => name === "PGlite")?.create;
  it.skipIf(!hasServer)(
    "[C-9.629] an earlier day that comes at the same time is in the months or takes them away",
    async () => {
      const { tenant, connection_id, state, kept } = await connected();
      await state(ofBalance(0, [0, 1], [31, 2]));
      const others = createPostgresStorage(createTransactions(database.pool));
      // A tenant that something is published for is left for the next time.
      await tenant.run(async ({ snapshots }) => {
        await snapshots.confirm({ connection_id, as_of: new Date(0), digests: { portfolio: "none" } });
        await others.upkeep.keepMonths(nextDay(), 100_000);
        expect(await kept()).toEqual([]);
      });
      const keeper = await database.pool.connect();
      try {
        await keeper.query("begin");
        await keeper.query("select keep_months($1, 100000)", [nextDay()]);
        const late = state(ofBalance(0, [30, 5]));
        await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0);
        await keeper.query("commit");
        await late;
      } finally {
        await keeper.query("rollback");
        keeper.release();
      }
      expect(await kept()).toEqual([]);
      await keep();
      expect(await kept()).toMatchObject([{ first_day: "2024-01-31" }]);
    },
  );

  const waiting = async () =>
    Number(
      (
        await database.pool.query(
          "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rows[0].count,
    );
});
