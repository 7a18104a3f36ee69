import { type TransactionKind, transactionKinds } from "@org/provider-kit";
import fc from "fast-check";
import type {
  AccountFacts,
  ConnectionFacts,
  HoldingFacts,
  Movement,
  Rate,
  Valuation,
  WealthFacts,
} from "../src/facts.js";
import { account, facts, heldParts, movement, pointed, type Question } from "./cases/build.js";
import { addDays, everyDay } from "./reference/days.js";
import { hasDepotIncome } from "./sample-facts.js";

/** The days of all histories: from Friday 2026-02-27 over two weekends to Wednesday 2026-03-11. */
export const historyDays = everyDay("2026-02-27", "2026-03-11");
export const historyEnd = "2026-03-11";

const currencies = ["EUR", "USD", "JPY", "BHD"] as const;
const anyDay = fc.constantFrom(...historyDays);
const anyCurrency = fc.oneof(
  { weight: 6, arbitrary: fc.constant("EUR") },
  { weight: 1, arbitrary: fc.constantFrom(...currencies) },
);

/** Mostly one thing, sometimes another. */
function mostly<Often, Seldom>(often: fc.Arbitrary<Often>, seldom: fc.Arbitrary<Seldom>) {
  return fc.oneof({ weight: 9, arbitrary: often }, { weight: 1, arbitrary: seldom });
}

/** Decimals with two digits after the point, zero and negative ones among them. */
function amounts(least: number, most: number): fc.Arbitrary<string> {
  return fc.integer({ min: least * 100, max: most * 100 }).map((units) => pointed(BigInt(units), 2));
}

export interface AnyQuestion {
  readonly question: Question;
  readonly asked: Readonly<Record<string, unknown>>;
}

interface Gaps {
  /** Whether values, movements and rates may be missing, late, unknown or unclear. */
  readonly gaps: boolean;
}

/** The holdings of one account: two securities, a future, and cash where the account has it inside. */
function holdingsOf(portfolioId: string, isInside: boolean, { gaps }: Gaps): fc.Arbitrary<HoldingFacts[]> {
  const one = (id: string, parts: Partial<HoldingFacts>) =>
    fc
      .record({
        amount: amounts(1, 20),
        balance: gaps ? mostly(amounts(1, 500), fc.constant(null)) : amounts(1, 500),
        currency: anyCurrency,
        cost: fc.option(amounts(1, 500)),
      })
      .map(
        (drawn): HoldingFacts => ({
          ...drawn,
          id: `${portfolioId} ${id}`,
          name: id,
          isin: null,
          type: "S",
          is_notional: false,
          ...parts,
        }),
      );
  const kinds = [
    one("X", { isin: "DE0001234567" }),
    one("Y", {}),
    one("F", { type: "D", is_notional: true }),
    ...(isInside ? [one("M", { type: "L", cost: null })] : []),
  ];
  return fc
    .tuple(fc.tuple(...kinds), fc.array(fc.boolean(), { minLength: kinds.length, maxLength: kinds.length }))
    .map(([all, isHeld]) => all.filter((_, index) => isHeld[index]));
}

function valuations(portfolioId: string, isInside: boolean, isCash: boolean, options: Gaps): fc.Arbitrary<Valuation[]> {
  const balance = options.gaps ? mostly(amounts(0, 2000), amounts(-300, 0)) : amounts(1, 2000);
  const stated = balance.map((amount) => ({
    balance: amount,
    holdings_value: null,
    has_holdings: false,
    holdings: [],
  }));
  const held = fc
    .tuple(holdingsOf(portfolioId, isInside, options), options.gaps ? fc.option(balance) : fc.constant(null))
    .map(([holdings, total]) => ({ ...heldParts(holdings), balance: total }));
  const worth = isCash ? stated : fc.oneof(stated, held);
  const many = fc.subarray(historyDays, { minLength: 6 });
  // Few enough to leave parts of several days.
  const few = fc
    .subarray(historyDays.slice(1), { minLength: 2, maxLength: 3 })
    .map((drawn) => [...historyDays.slice(0, 1), ...drawn]);
  const days = options.gaps
    ? mostly(fc.oneof(many, few), fc.subarray(historyDays, { maxLength: 1 }))
    : fc.constant(historyDays);
  return fc
    .tuple(days, fc.boolean())
    .chain(([drawn, isProvider]) =>
      fc.tuple(
        ...drawn.map((day) =>
          worth.map((parts) => ({ day, read_at: isProvider ? `${day}T18:00:00Z` : null, ...parts })),
        ),
      ),
    );
}

/** A cash account may be shown as the depot before it. */
function accounts(token: string, options: Gaps): fc.Arbitrary<AccountFacts[]> {
  const one = (index: number) =>
    fc
      .record({ type: fc.constantFrom("inside", "depot", "cash"), isLinked: fc.boolean(), isTwin: fc.boolean() })
      .chain(({ type, isLinked, isTwin }) => {
        const id = `${token} ${index}`;
        const isCash = type === "cash";
        return fc.record({ currency: anyCurrency, values: valuations(id, type === "inside", isCash, options) }).map(
          ({ currency, values }): AccountFacts => ({
            portfolio_id: id,
            shown_as: isCash && isLinked && index > 0 ? `${token} ${index - 1}` : id,
            name: id,
            ref_account: isTwin ? "4711" : null,
            currency,
            is_cash: isCash,
            lists_securities: !isCash,
            lists_cash: type === "inside",
            valuations: values,
          }),
        );
      });
  const some = fc.integer({ min: 1, max: 3 });
  return (options.gaps ? mostly(some, fc.constant(0)) : some).chain((count) =>
    fc.tuple(...Array.from({ length: count }, (_, index) => one(index))).map((made) =>
      // What is shown as a part of another part is its own instead.
      made.map((account) => {
        const whole = made.find((each) => each.portfolio_id === account.shown_as);
        return whole?.shown_as === account.shown_as && (whole === account || !whole.is_cash)
          ? account
          : { ...account, shown_as: account.portfolio_id };
      }),
    ),
  );
}

/** Kinds that are clear in every account. */
const clearKinds = [
  "buy",
  "sell",
  "dividend",
  "interest",
  "coupon",
  "fee",
  "tax",
  "transfer_in",
  "transfer_out",
] as const;
const anyKind: fc.Arbitrary<TransactionKind | null> = fc.option(fc.constantFrom(...transactionKinds), { freq: 9 });

function movementsOf(portfolioIds: readonly string[], { gaps }: Gaps): fc.Arbitrary<Movement[]> {
  if (portfolioIds.length === 0) return fc.constant([]);
  const cost = fc.option(amounts(0, 9));
  return fc
    .array(
      fc.record({
        portfolio_id: fc.constantFrom(...portfolioIds),
        operation_date: anyDay,
        kind: gaps ? mostly(fc.constantFrom(...clearKinds), anyKind) : fc.constantFrom(...clearKinds),
        amount: gaps ? fc.option(amounts(-5, 5)) : fc.constant(null),
        balance: gaps ? mostly(amounts(-300, 300), fc.constant(null)) : amounts(-50, 300),
        currency: anyCurrency,
        security: fc.constantFrom("X", "Y", null),
        fees: cost,
        taxes: cost,
        gross: fc.option(amounts(0, 99)),
        readAfter: fc.option(fc.integer({ min: 0, max: 3 })),
      }),
      { maxLength: 8 },
    )
    .map((drawn) =>
      drawn.map(({ security, readAfter, ...parts }, index): Movement => {
        const readOn = readAfter === null ? null : addDays(parts.operation_date, readAfter);
        return {
          ...parts,
          id: `${parts.portfolio_id} ${index}`,
          holding_id: security === null ? null : `${parts.portfolio_id} ${security}`,
          isin: security === "X" ? "DE0001234567" : null,
          first_read_at: readOn === null ? null : `${readOn}T12:00:00Z`,
        };
      }),
    );
}

function connections(token: string, options: Gaps): fc.Arbitrary<ConnectionFacts> {
  return accounts(token, options).chain((made) => {
    const ids = made.map((account) => account.portfolio_id);
    const difference = fc.record({
      portfolio_id: fc.constantFrom(...(ids.length > 0 ? ids : ["nowhere"])),
      name: fc.constant("X"),
      isin: fc.constantFrom(null, "DE0001234567"),
      from: fc.constant("2026-02-27"),
      to: anyDay,
      difference: amounts(-3, 3),
    });
    const drawn = fc.record({
      credentials_token: fc.constant(token),
      connector_id: fc.constantFrom("fern", "heath"),
      client_ref: fc.constantFrom("M-1", "M-2", null),
      movements_until: options.gaps ? mostly(fc.constant(historyEnd), fc.option(anyDay)) : fc.constant(historyEnd),
      accounts: fc.constant(made),
      movements: movementsOf(ids, options),
      // A depot may have paid in a time that is not asked for.
      has_depot_income: options.gaps ? fc.boolean() : fc.constant(false),
      differences:
        options.gaps && ids.length > 0
          ? mostly(fc.constant([]), fc.array(difference, { maxLength: 2 }))
          : fc.constant([]),
    });
    return drawn.map((connection) => ({
      ...connection,
      has_depot_income: connection.has_depot_income || hasDepotIncome(made, connection.movements),
    }));
  });
}

/** Rates of days, against the euro and past it. */
function rates({ gaps }: Gaps): fc.Arbitrary<Rate[]> {
  const pairs = [
    ["EUR", "USD", "1.0987"],
    ["EUR", "JPY", "161.35"],
    ["BHD", "USD", "2.6525"],
    ["USD", "JPY", "147.2"],
  ] as const;
  const all = historyDays.flatMap((date) =>
    pairs.map(([base, quote, about], index) => ({
      date,
      base,
      quote,
      rate: `${about}${date.at(-1)}${index + 1}`,
      source: "rates.csv",
    })),
  );
  return gaps ? mostly(fc.constant(all), fc.subarray(all)) : fc.constant(all);
}

function historiesWith(options: Gaps): fc.Arbitrary<WealthFacts> {
  return fc.record({
    connections: fc
      .integer({ min: 1, max: 3 })
      .chain((count) =>
        fc.tuple(...Array.from({ length: count }, (_, index) => connections(`c${index + 1}`, options))),
      ),
    rates: rates(options),
  });
}

/** Anything that can be: gaps, late and unclear movements, unknown values, several currencies, linked accounts, nothing at all. */
export const histories: fc.Arbitrary<WealthFacts> = historiesWith({ gaps: true });

/** Every account is valued every day, every movement is clear and there are all rates. */
export const completeHistories: fc.Arbitrary<WealthFacts> = historiesWith({ gaps: false });

/** Two days of the histories, in order, that are not the first of them. */
export const periods = fc
  .tuple(fc.constantFrom(...historyDays.slice(1)), fc.constantFrom(...historyDays.slice(1)))
  .map((days) => {
    const [from = historyEnd, to = historyEnd] = days.toSorted();
    return { from, to };
  });

/** One question, by its name and what is asked. The money-weighted return is asked for seldom, for the reference takes long. */
export const questions: fc.Arbitrary<AnyQuestion> = fc
  .record({
    portfolio_ids: mostly(fc.constant(null), fc.constantFrom(["c1 0"], ["c1 0", "c2 0"], ["c1 1"])),
    currency: fc.option(fc.constantFrom(...currencies), { freq: 3 }),
    stale_after: fc.constantFrom(0, 2, 7, 400),
  })
  .chain((asked) => {
    const date = mostly(
      anyDay.map((day) => ({ ...asked, date: day })),
      fc.constant(asked),
    );
    const period = periods.chain(({ from, to }) =>
      mostly(fc.constant({ ...asked, from, to }), fc.constant({ ...asked, from })),
    );
    return fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          question: fc.constant("performance" as const),
          asked: fc
            .tuple(period, fc.boolean(), mostly(fc.constant("twr" as const), fc.constant("mwr" as const)))
            .map(([days, allow_gaps, method]) => ({ ...days, allow_gaps, method })),
        }),
      },
      fc.record({
        question: fc.constant("history" as const),
        asked: fc
          .tuple(period, fc.constantFrom("day" as const, "week" as const, "month" as const), fc.boolean())
          .map(([days, interval, include_coverage]) => ({ ...days, interval, include_coverage })),
      }),
      fc.record({
        question: fc.constant("summary" as const),
        asked: fc
          .tuple(
            date,
            fc.constantFrom(
              "type" as const,
              "currency" as const,
              "bank" as const,
              "client" as const,
              "security" as const,
            ),
          )
          .map(([day, by]) => ({ ...day, by })),
      }),
      fc.record({
        question: fc.constant("income" as const),
        asked: fc
          .tuple(
            period,
            fc.constantFrom("month" as const, "year" as const, "security" as const, "kind" as const),
            fc.constantFrom({}, {}, { kind: "fee" as const }, { kind: ["dividend", "tax"] as const }),
          )
          .map(([days, by, kind]) => ({ ...days, by, ...kind })),
      }),
      fc.record({ question: fc.constantFrom("gains" as const, "holdingsAt" as const), asked: date }),
    );
  });

/** The same with each day as many days after the first as there are, times a number: 30 days are a year, and parts are long. */
export function stretched<Value>(value: Value, times: number): Value {
  const days = new Map(historyDays.map((day, index) => [day, addDays(historyDays[0] ?? day, index * times)]));
  return JSON.parse(JSON.stringify(value), (_, member) => {
    const day = typeof member === "string" ? days.get(member.slice(0, historyEnd.length)) : undefined;
    return day === undefined ? member : day + member.slice(historyEnd.length);
  });
}

export interface SteadyHistory {
  readonly facts: WealthFacts;
  /** What 1 became each day, as decimals. */
  readonly factors: readonly string[];
}

/** Two accounts that earn the same each day, whatever comes in at its start, goes out at its end or moves between them. */
export const steadyHistories: fc.Arbitrary<SteadyHistory> = fc
  .array(
    fc.record({
      factor: fc.integer({ min: 90, max: 112 }),
      /** Into the first where it is positive, out of the second where it is negative: one date has one of the two, or they would be netted. */
      flow: fc.integer({ min: -20, max: 500 }),
      moved: fc.nat(50),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((days) => {
    const [first = ""] = historyDays;
    // Each day has two decimals more.
    let [one, other] = [1000n, 1000n];
    const values = { A: { [first]: "1000" }, B: { [first]: "1000" } } as Record<"A" | "B", Record<string, string>>;
    const movements: Movement[] = [];
    for (const [index, { factor, flow, moved }] of days.entries()) {
      const day = addDays(first, index + 1);
      const unit = 100n ** BigInt(index);
      const [comesIn, goesOut] = [BigInt(Math.max(0, flow)), BigInt(Math.max(0, -flow))];
      one = (one + (comesIn - BigInt(moved)) * unit) * BigInt(factor);
      other = (other + BigInt(moved) * unit) * BigInt(factor) - goesOut * unit * 100n;
      values.A[day] = pointed(one, 2 * index + 2);
      values.B[day] = pointed(other, 2 * index + 2);
      movements.push(
        movement("A", day, { kind: "deposit", balance: `${comesIn}` }),
        movement("A", day, { kind: "transfer_out", balance: `${-moved}` }),
        movement("B", day, { kind: "transfer_in", balance: `${moved}` }),
        movement("B", day, { kind: "withdrawal", balance: `${-goesOut}` }),
      );
    }
    return {
      facts: facts([account("A", { values: values.A }), account("B", { values: values.B })], movements),
      factors: days.map(({ factor }) => pointed(BigInt(factor), 2)),
    };
  });
