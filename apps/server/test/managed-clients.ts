// What a wealth manager keeps: 40 clients with 90 connections over one quarter.
import { zipOf } from "@org/feed-sources/testing";
import { type CustodianDay, custodianFiles } from "./custodian-days.js";

/** The days that statements are of: the close before the quarter, and the last days of its months. */
export interface Quarter {
  readonly opening: string;
  readonly first: string;
  readonly second: string;
  readonly last: string;
}

/** The last quarter that is over at a moment. */
export function quarterBefore(now: Date): Quarter {
  const month = Math.floor(now.getUTCMonth() / 3) * 3;
  const end = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month + months, 0)).toISOString().slice(0, "YYYY-MM-DD".length);
  return { opening: end(-3), first: end(-2), second: end(-1), last: end(0) };
}

/** The day after or before a day. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** What a unit of a currency costs in euros, on every day that a statement is of. */
export const RATES = { USD: "0.8125", CHF: "1.0437", JPY: "0.0061" } as const;
export type Currency = "EUR" | keyof typeof RATES;

/** What an account's custodian states of a day. */
export interface Statement {
  readonly day: string;
  readonly units: number;
  readonly price: number;
  readonly cash: number;
  /** [kind, amount] booked on that day. */
  readonly moved?: readonly (readonly [kind: string, amount: number])[];
}

/** An account over the quarter. */
export interface Account {
  readonly number: string;
  /** A depot lists securities alone, and its cash is in an account of its own. */
  readonly kind: "whole" | "depot" | "cash";
  readonly currency: Currency;
  readonly statements: readonly Statement[];
}

/** An account that is held through the quarter: fees, and a dividend in the second month. */
function heldAccount(index: number, currency: Currency, { opening, first, second, last }: Quarter): Account {
  const units = 10 + index;
  const cash = 1000 + index;
  return {
    number: `D-${index}`,
    kind: "whole",
    currency,
    statements: [
      { day: opening, units, price: 100, cash, moved: [["deposit", cash]] },
      { day: first, units, price: 102, cash: cash - 2, moved: [["fee", -2]] },
      { day: second, units, price: 101, cash: cash - 2 + units, moved: [["dividend", units]] },
      { day: last, units, price: 105 + (index % 5), cash: cash - 5 + units, moved: [["fee", -3]] },
    ],
  };
}

/** What an account holds. */
export function isinOf({ kind }: Pick<Account, "kind">): string {
  return kind === "depot" ? "CH0038863350" : "US0378331005";
}

const HEADER = ["Kind", "Day", "Account", "ISIN", "Units", "Amount", "Currency"];

/** The mapping of {@link statementFile}. */
export const quarterMapping = {
  ...{ language: 1, name: "quarter", title: "Quarter", delimiter: ",", recognise: { header: HEADER } },
  account: { number: { column: "Account" }, currency: { column: "Currency" } },
  values: { date: { column: "Day" }, currency: { column: "Currency" } },
  tables: [
    {
      rows: [
        {
          when: { column: "Kind", is: "holding" },
          is: "holding",
          type: "VI",
          values: {
            isin: { column: "ISIN" },
            name: { constant: "Share" },
            units: { column: "Units" },
            value: { column: "Amount" },
          },
        },
        { when: { column: "Kind", is: "cash" }, is: "cash", values: { value: { column: "Amount" } } },
        {
          when: { column: "Amount", empty: false },
          is: "transaction",
          values: { kind: { column: "Kind" }, cash: { column: "Amount" } },
        },
      ],
    },
  ],
};

/** A day of an account as CSV. */
export function statementFile(account: Account, { day, units, price, cash, moved = [] }: Statement) {
  const { number, currency } = account;
  const rows = [
    ["holding", isinOf(account), units, units * price],
    ["cash", "", "", cash],
    ...moved.map(([kind, amount]) => [kind, "", "", amount]),
  ].map(([kind, isin, count, amount]) => [kind, day, number, isin, count, amount, currency].join(","));
  return { name: `${number}-${day}.csv`, bytes: Buffer.from(`${[HEADER.join(","), ...rows].join("\n")}\n`) };
}

/** All days of an account in one zip. */
function statementsOf(account: Account): Buffer {
  return zipOf(account.statements.map((one) => statementFile(account, one)));
}

/** A depot by MT535 and MT536 and the cash account beside it by MT940: what came in on the last day of the second month is a deposit. */
function swiftStatements(index: number, { opening, first, second, last }: Quarter) {
  const cash: Account = {
    number: `C-${index}`,
    kind: "cash",
    currency: "CHF",
    statements: [
      { day: opening, units: 0, price: 0, cash: 500 },
      { day: first, units: 0, price: 0, cash: 500 },
      { day: second, units: 0, price: 0, cash: 700 + index, moved: [["deposit", 200 + index]] },
      { day: last, units: 0, price: 0, cash: 700 + index },
    ],
  };
  const depot: Account = {
    number: `S-${index}`,
    kind: "depot",
    currency: "CHF",
    statements: [
      { day: opening, units: 20, price: 50, cash: 0 },
      { day: first, units: 20, price: 51, cash: 0 },
      { day: second, units: 20, price: 49, cash: 0 },
      { day: last, units: 20, price: 54, cash: 0 },
    ],
  };
  const files = depot.statements.flatMap(({ day, units, price }, at) => {
    const { cash: closing = 0, moved = [] } = cash.statements[at] ?? {};
    const booked = moved.reduce((sum, [, amount]) => sum + amount, 0);
    const stated: CustodianDay = {
      ...{ depot: depot.number, cash: cash.number, day: day.replaceAll("-", "") },
      positions: [[isinOf(depot), `${units},`, `${units * price},`]],
      total: `${units * price},`,
      opening: `${closing - booked},`,
      closing: `${closing},`,
      bookings: booked === 0 ? [] : [["C", `${booked},`, `R${index}`, "Incoming payment"]],
    };
    return Object.entries(custodianFiles([stated])).map(([name, bytes]) => ({ name, bytes }));
  });
  return { accounts: [depot, cash], file: zipOf(files) };
}

/** A connection with what its accounts hold, and the file that brings it; without a file it is one of a sandbox bank. */
export interface ManagedConnection {
  readonly accounts: readonly Account[];
  readonly file: Buffer | null;
}

export interface ManagedClient {
  /** From 1. */
  readonly number: number;
  readonly ref: string;
  readonly connections: readonly ManagedConnection[];
}

/** Clients whose figures have a reason to be refused, and those with something besides accounts that are held. */
export const special = {
  /** Has a deposit, and a statement on the day before it. */
  deposit: 1,
  swift: [11, 12, 13, 14],
  sandbox: [31, 32, 33],
  yen: 34,
  unclear: 35,
  stale: 36,
  late: 39,
  /** Its bank delivers nothing. */
  silent: 40,
} as const;

/** Forty clients, ten of them with three connections, the others with two. */
export function managedClients(quarter: Quarter): readonly ManagedClient[] {
  return Array.from({ length: 40 }, (_, at) => {
    const number = at + 1;
    const connections = Array.from({ length: number <= 10 ? 3 : 2 }, (_, nth) => connectionOf(number, nth, quarter));
    return { number, ref: refOf(number), connections };
  });
}

/** The reference of a client by its number. */
export function refOf(number: number): string {
  return `Mandate ${String(number).padStart(2, "0")}`;
}

function connectionOf(number: number, nth: number, quarter: Quarter): ManagedConnection {
  if (nth === 1) {
    if (some(special.swift, number)) return swiftStatements(number, quarter);
    if (some(special.sandbox, number) || number === special.silent) return { accounts: [], file: null };
  }
  const account = changed(usualAccount(number, nth, quarter), number, nth, quarter);
  return { accounts: [account], file: statementsOf(account) };
}

/** An account of a client without anything special. */
export function usualAccount(number: number, nth: number, quarter: Quarter): Account {
  const currency = nth === 1 && number === special.yen ? "JPY" : nth === 1 && number % 4 === 0 ? "USD" : "EUR";
  return heldAccount(3 * number + nth, currency, quarter);
}

/** What is special about an account: mostly of the client's second connection. */
function changed(account: Account, number: number, nth: number, { opening, first, second }: Quarter): Account {
  const statements = account.statements.flatMap((one): readonly Statement[] => {
    const { day, units, cash, moved = [] } = one;
    if (number === special.late) return day === opening ? [] : [one];
    if (number === special.deposit && nth === 0 && day === first)
      return [
        { ...one, day: dayAfter(first, -1) },
        { day, units, price: 103, cash: cash + 400, moved: [["deposit", 400]] },
      ];
    if (number === special.deposit && nth === 0 && day > first) return [{ ...one, cash: cash + 400 }];
    if (nth === 0) return [one];
    if (number === special.stale && day > first) return [];
    if (number === special.unclear && day === second)
      return [{ ...one, cash: cash - 7, moved: [...moved, ["other", -7]] }];
    return [number === special.unclear && day > second ? { ...one, cash: cash - 7 } : one];
  });
  return { ...account, statements };
}

function some(numbers: readonly number[], number: number): boolean {
  return numbers.includes(number);
}

/** The client with other statements of one connection's account. */
export function withStatements(
  client: ManagedClient,
  nth: number,
  change: (statements: readonly Statement[]) => readonly Statement[],
): ManagedClient {
  const connections = client.connections.map((one, at) => {
    const accounts = one.accounts.map((each) => ({ ...each, statements: change(each.statements) }));
    return at === nth ? { ...one, accounts } : one;
  });
  return { ...client, connections };
}

/** Does the same with each of many, a few at a time; the results are in their order. */
export async function atOnce<T, R>(all: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const left = all.entries();
  const workers = Array.from({ length: 4 }, async () => {
    for (const [at, one] of left) results[at] = await work(one, at);
  });
  await Promise.all(workers);
  return results;
}

/** The days from one to the day before another. */
export function daysBetween(from: string, to: string): readonly string[] {
  return from === to ? [] : [from, ...daysBetween(dayAfter(from), to)];
}
