import { addDecimals } from "@org/core";
import type { EarlierDay, FetchedSnapshot, HoldingData, TransactionData } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { hasCashAccounts, sandboxCatalogue } from "./catalogue.js";
import type { Scenario } from "./scenarios.js";
import { sandboxSnapshot } from "./snapshot.js";

const now = new Date("2026-03-18T10:00:00Z");
const cashBanks = sandboxCatalogue().flatMap(({ id }) => (hasCashAccounts(id) ? [id] : []));
const otherBanks = ["esp:caja-miralbosque", "swe:norrskenet-bank", "che:bank-arvenstein", "mex:banco-sierra-jacaranda"];

type Told = { [Part in keyof Required<FetchedSnapshot>]: NonNullable<FetchedSnapshot[Part]> };

interface Asked {
  readonly scenario?: Scenario | null;
  readonly at?: Date;
  readonly lastRead?: Date | null;
}

function told(connectorId: string, userKey: string, { scenario = null, at = now, lastRead = null }: Asked = {}): Told {
  const snapshot = sandboxSnapshot({ connectorId, userKey, scenario, now: at, lastRead });
  return { earlier_days: [], ...snapshot } as unknown as Told;
}

const people = [...cashBanks, ...otherBanks].flatMap((connectorId) =>
  Array.from({ length: 23 }, (_, index) => told(connectorId, `user${index}`)),
);

describe("[C-8.140] sandbox banks tell what accounts were worth before the first fetch", () => {
  const dates = people[0]?.earlier_days.map(({ date }) => date) ?? [];

  it("on the Fridays and the last business days of months of three years, oldest first", () => {
    const isFriday = (date: string) => new Date(date).getUTCDay() === 5;
    expect(dates[0]).toBe("2023-03-17");
    expect(dates.slice(-3)).toEqual(["2026-02-27", "2026-03-06", "2026-03-13"]);
    expect(dates.filter(isFriday)).toHaveLength(157);
    const others = dates.filter((date) => !isFriday(date));
    expect(others.slice(0, 3)).toEqual(["2023-05-31", "2023-07-31", "2023-08-31"]);
    expect(new Set(dates.map((date) => date.slice(0, 7))).size).toBe(37);
    expect([...dates].sort()).toEqual(dates);
    for (const { earlier_days } of people) expect(earlier_days.map(({ date }) => date)).toEqual(dates);
  });

  it("as a fetch of the next day tells it", () => {
    for (const connectorId of [...cashBanks, ...otherBanks]) {
      for (const earlier of told(connectorId, "user7").earlier_days.filter((_, index) => index % 13 === 0)) {
        const at = new Date(Date.parse(earlier.date) + 34 * 60 * 60 * 1000);
        const { portfolios, holdings } = told(connectorId, "user7", { at, lastRead: at });
        expect(earlier).toEqual({ date: earlier.date, portfolios, holdings });
      }
    }
  });

  it("later fetches tell the days that were not over at the one before", () => {
    const later = new Date("2026-03-30T08:00:00Z");
    const dates = (lastRead: string) =>
      told("esp:x", "ada", { at: later, lastRead: new Date(lastRead) }).earlier_days.map(({ date }) => date);
    expect(dates("2026-03-18T10:00:00Z")).toEqual(["2026-03-20", "2026-03-27"]);
    expect(dates("2026-03-27T23:00:00Z")).toEqual(["2026-03-27"]);
    expect(dates("2026-03-28T01:00:00Z")).toEqual([]);
    expect(dates("2020-01-01T00:00:00Z")).toHaveLength(told("esp:x", "ada", { at: later }).earlier_days.length);
  });
});

describe("[C-8.141] from a day to the next, also to today's", () => {
  it("units are those before and what was traded between; cash is what was there and what was paid", () => {
    const wrong: string[] = [];
    for (const person of people) wrong.push(...unexplained(person));
    expect(wrong).toEqual([]);
  });

  it("balances are the sums of the holdings of their day", () => {
    const wrong = people.flatMap((person) =>
      days(person).filter(({ portfolios, holdings }) => {
        const sums = new Map<string, bigint>();
        for (const { portfolio_key, balance } of holdings)
          sums.set(portfolio_key, (sums.get(portfolio_key) ?? 0n) + digits(balance));
        return (
          portfolios.length !== sums.size || portfolios.some(({ key, balance }) => sums.get(key) !== digits(balance))
        );
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("nothing is negative, and movements have a kind", () => {
    const negative = people.flatMap((person) =>
      days(person).flatMap(({ holdings }) => holdings.filter(({ balance }) => balance?.startsWith("-") !== false)),
    );
    expect(negative).toEqual([]);
    expect(people.flatMap(({ transactions }) => transactions.filter(({ kind }) => kind === undefined))).toEqual([]);
  });
});

describe("[C-8.142] at banks with cash accounts", () => {
  const customers = cashBanks.map((id) => told(id, "ada"));

  it("one account has cash that is deposited, withdrawn, earned and spent", () => {
    for (const { portfolios, holdings, transactions } of customers) {
      const { key } = portfolios.find(({ name }) => name === "Custody account with cash") ?? {};
      expect(holdings.filter(({ portfolio_key, type }) => portfolio_key === key && type === "L")).toHaveLength(1);
      const kinds = new Set(transactions.flatMap((row) => (row.portfolio_key === key ? [row.kind] : [])));
      expect([...kinds]).toEqual(expect.arrayContaining(["deposit", "buy", "dividend", "interest", "fee"]));
    }
    expect(customers.some(({ transactions }) => transactions.some(({ kind }) => kind === "withdrawal"))).toBe(true);
  });

  it("another one is in another currency, and another bank delivered it", () => {
    for (const { portfolios, holdings, transactions, earlier_days } of customers) {
      const { key, currency } = portfolios.at(-1) ?? {};
      expect(currency).toBe(portfolios[0]?.currency === "USD" ? "EUR" : "USD");
      const delivered = transactions.filter(({ kind }) => kind === "transfer_in");
      const own = holdings.filter(({ portfolio_key }) => portfolio_key === key);
      expect(delivered.map(({ holding_key }) => holding_key)).toEqual(own.map((holding) => holding.key));
      expect(new Set(delivered.map(({ portfolio_key }) => portfolio_key))).toEqual(new Set([key]));
      const first = earlier_days.find((day) => day.portfolios.some((portfolio) => portfolio.key === key));
      const dayOfDelivery = delivered[0]?.operation_date ?? "";
      expect(dayOfDelivery > "2025-01-01" && dayOfDelivery < "2026-01-01").toBe(true);
      expect(first?.date).toBe(earlier_days.find(({ date }) => date >= dayOfDelivery)?.date);
    }
  });
});

it("[C-8.143] returns over three years look like life", () => {
  const returns = people.map(returnOf);
  const outside = returns.filter((one) => one < -0.6 || one > 1.5);
  expect(outside).toEqual([]);
  expect(Math.min(...returns)).toBeLessThan(0);
  expect(Math.max(...returns)).toBeGreaterThan(0.2);
});

describe("[C-8.144] HISTORY_GAPS", () => {
  const gaps = (asked: Asked = {}) => told("esp:caja-miralbosque", "ada", { scenario: "HISTORY_GAPS", ...asked });
  const whole = told("esp:caja-miralbosque", "ada");

  it("leaves out the days of March, and a value in September; all else is as ever", () => {
    const { earlier_days, ...today } = gaps();
    const { earlier_days: all, ...others } = whole;
    expect(today).toEqual(others);
    const lacking = all.filter(({ date }) => !earlier_days.some((day) => day.date === date));
    expect(new Set(lacking.map(({ date }) => date.slice(5, 7)))).toEqual(new Set(["03"]));
    const unvalued = earlier_days.filter(({ portfolios }) => portfolios[0]?.balance === null);
    expect(new Set(unvalued.map(({ date }) => date.slice(5, 7)))).toEqual(new Set(["09"]));
    expect(unvalued.every(({ holdings }) => holdings[0]?.balance === null && holdings[1]?.balance !== null)).toBe(true);
  });

  it("has a wrong price on the latest day, which the next fetch corrects", () => {
    const dayOf = ({ earlier_days }: Told, date: string) => earlier_days.find((day) => day.date === date);
    const wrong = dayOf(gaps(), "2026-02-27");
    const right = dayOf(whole, "2026-02-27");
    expect(wrong).not.toEqual(right);
    expect(wrong?.holdings[0]?.balance).toBe(
      addDecimals(right?.holdings[0]?.balance ?? "", right?.holdings[0]?.balance ?? ""),
    );
    expect(dayOf(gaps({ lastRead: now, at: new Date("2026-03-19T10:00:00Z") }), "2026-02-27")).toEqual(right);
  });
});

it.each<Scenario>(["NO_HISTORY", "LARGE", "EMPTY", "DATA_ERROR_PORTFOLIO"])(
  "[C-8.145] %s tells nothing of earlier days",
  (scenario) => {
    const snapshot = sandboxSnapshot({ connectorId: "deu:x", userKey: "ada", scenario, now, lastRead: null });
    expect(snapshot.earlier_days).toBeUndefined();
  },
);

/** The earlier days, and today's statement as one of tomorrow's date. */
function days({ earlier_days, portfolios, holdings }: Told): readonly EarlierDay[] {
  return [...earlier_days, { date: "9999-12-31", portfolios: [...portfolios], holdings: [...holdings] }];
}

/** Holdings that do not follow from the day before and the movements between. */
function unexplained(person: Told): string[] {
  const wrong: string[] = [];
  let before: ReadonlyMap<string, bigint> | null = null;
  let next = 0;
  for (const { date, holdings } of days(person)) {
    const from = next;
    while ((person.transactions[next]?.operation_date ?? "~") <= date) next += 1;
    const between = person.transactions.slice(from, next);
    const now = new Map(holdings.map((holding) => [keyOf(holding), digits(holding.amount)]));
    if (before !== null) {
      const expected = new Map(before);
      for (const row of between)
        for (const [key, moved] of movedBy(row, expected)) expected.set(key, (expected.get(key) ?? 0n) + moved);
      for (const key of new Set([...expected.keys(), ...now.keys()]))
        if (expected.get(key) !== now.get(key)) wrong.push(`${date} ${key}`);
    }
    before = now;
  }
  return wrong;
}

/** Units go to the holding; cash to the account's cash, or to the holding that is cash. */
function movedBy(row: TransactionData, held: ReadonlyMap<string, bigint>): [string, bigint][] {
  const moved: [string, bigint][] = [];
  const own = `${row.portfolio_key} ${row.holding_key}`;
  const cash = `${row.portfolio_key} cash`;
  if (row.amount !== null) moved.push([own, digits(row.amount)]);
  if (held.has(cash)) moved.push([cash, digits(row.balance)]);
  else if (row.holding_key?.startsWith("cash-")) moved.push([own, digits(row.balance)]);
  return moved;
}

/** Time-weighted over all accounts in the bank's currency, in fractions to the end; money in counts from its part's start, money out at its end. */
function returnOf(person: Told): number {
  const [first] = person.portfolios;
  const home = new Set(person.portfolios.flatMap(({ key, currency }) => (currency === first?.currency ? [key] : [])));
  const withCash = new Set(person.holdings.flatMap((row) => (row.type === "L" ? [row.portfolio_key] : [])));
  let [numerator, denominator] = [1n, 1n];
  let before: bigint | null = null;
  let from = "";
  for (const { date, portfolios } of days(person)) {
    const value = portfolios.reduce((sum, { key, balance }) => sum + (home.has(key) ? digits(balance) : 0n), 0n);
    let [flow, inflow] = [0n, 0n];
    for (const row of person.transactions) {
      if (row.operation_date <= from || row.operation_date > date || !home.has(row.portfolio_key)) continue;
      const isOutside = withCash.has(row.portfolio_key)
        ? row.kind === "deposit" || row.kind === "withdrawal"
        : row.kind !== "fee";
      const cash = digits(row.balance);
      const paid = !isOutside ? 0n : withCash.has(row.portfolio_key) ? cash : -cash;
      flow += paid;
      if (paid > 0n) inflow += paid;
    }
    if (before !== null) {
      numerator *= value - flow + inflow;
      denominator *= before + inflow;
    }
    before = value;
    from = date;
  }
  return Number((numerator * 1_000_000n) / denominator) / 1_000_000 - 1;
}

function keyOf(holding: HoldingData): string {
  return `${holding.portfolio_key} ${holding.key}`;
}

/** A decimal as an integer of its sixth digit. */
function digits(decimal: string | null): bigint {
  if (decimal === null) return 0n;
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(6, "0"));
}
