import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WealthFacts } from "../src/facts.js";
import { engine } from "./engine.js";
import {
  completeHistories,
  histories,
  historyDays,
  historyEnd,
  periods,
  questions,
  steadyHistories,
} from "./histories.js";
import { digitsOf, formRate } from "./reference/currencies.js";
import { addDays } from "./reference/days.js";
import { Fraction } from "./reference/fraction.js";
import { answerOf, reference } from "./reference/index.js";
import { Refusal } from "./reference/refusal.js";

type Figured = typeof reference | typeof engine;
type Asked = Parameters<typeof reference.performance>[1];

/** 1 + return, rounded as it is shown; null where it is refused. */
function factorOf(figures: Figured, facts: WealthFacts, asked: Asked): Fraction | null {
  try {
    return Fraction.one.plus(Fraction.of(figures.performance(facts, asked, historyEnd).return));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

describe.each([
  ["C-8.119", "the reference", reference],
  ["C-8.152", "the engine", engine],
])("[%s] what holds of every history: %s", (_, __, figures: Figured) => {
  it("a period that is split on a day gives the product", () => {
    const splits = fc.tuple(completeHistories, periods, fc.nat());
    fc.assert(
      fc.property(splits, ([facts, { from, to }, cut]) => {
        const within = historyDays.filter((day) => day >= from && day < to);
        const middle = within[cut % Math.max(1, within.length)];
        if (middle === undefined) return;
        const asked = { currency: "USD", allow_gaps: true } as const;
        const whole = factorOf(figures, facts, { ...asked, from, to });
        const first = factorOf(figures, facts, { ...asked, from, to: middle });
        const second = factorOf(figures, facts, { ...asked, from: addDays(middle, 1), to });
        expect(whole === null).toBe(first === null || second === null);
        if (whole === null || first === null || second === null) return;
        // Each of the three may be half a millionth off.
        const error = whole.minus(first.times(second)).size();
        const allowed = Fraction.one.plus(first.size()).plus(second.size()).plus(Fraction.one);
        expect(error.compare(allowed.over(new Fraction(2_000_000n, 1n)))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  it("any order of connections, accounts, movements and rates gives the same", () => {
    fc.assert(
      fc.property(histories, questions, (facts, { question, asked }) => {
        const there = answerOf(figures, question, facts, asked, historyEnd);
        const back = answerOf(figures, question, backwards(facts), asked, historyEnd);
        expect(sorted(back)).toEqual(sorted(there));
      }),
      { numRuns: 150 },
    );
  });

  it("what earns what the day earns leaves the time-weighted return alone", () => {
    fc.assert(
      fc.property(steadyHistories, ({ facts, factors }) => {
        const to = addDays("2026-02-27", factors.length);
        const product = factors.map(Fraction.of).reduce((one, other) => one.times(other));
        const answer = figures.performance(facts, { from: "2026-02-28", to }, to);
        expect(answer.return).toBe(product.minus(Fraction.one).toFixed(6));
      }),
      { numRuns: 60 },
    );
  });

  it("what is converted and summed is what is summed and converted", () => {
    fc.assert(
      fc.property(histories, periods, fc.constantFrom("EUR", "JPY", "BHD"), (facts, { from, to }, currency) => {
        const stated = figures.history(facts, { from, to }, historyEnd).items;
        const converted = figures.history(facts, { from, to, currency }, historyEnd).items;
        for (const [index, item] of converted.entries()) {
          if (item.refused !== undefined) continue;
          const sums = (stated[index]?.totals ?? []).map((total) => {
            const rate =
              total.currency === currency
                ? Fraction.one
                : formRate(facts.rates, total.currency, currency, item.date)?.rate;
            return Fraction.of(total.balance).times(rate ?? Fraction.zero);
          });
          const [total = { currency, balance: Fraction.zero.toFixed(digitsOf(currency)) }] = item.totals;
          expect(total).toEqual({ currency, balance: Fraction.sum(sums).toFixed(digitsOf(currency)) });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("the parts of a summary make the total of the history", () => {
    fc.assert(
      fc.property(
        histories,
        fc.constantFrom(...historyDays),
        fc.constantFrom("type", "currency", "bank", "client", "security"),
        (facts, date, by) => {
          const { items, totals } = figures.summary(facts, { date, by }, historyEnd);
          const [ofHistory] = figures.history(facts, { from: date, to: date }, historyEnd).items;
          expect(totals).toEqual(ofHistory?.totals);
          for (const { currency, balance } of totals) {
            const parts = items.flatMap((item) => item.totals).filter((part) => part.currency === currency);
            const sum = Fraction.sum(parts.map((part) => Fraction.of(part.balance)));
            expect(sum.minus(Fraction.of(balance)).sign).toBe(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("without flows and entries both methods say the same", () => {
    fc.assert(
      fc.property(completeHistories, periods, (facts, { from, to }) => {
        const still = { ...facts, connections: facts.connections.map((each) => ({ ...each, movements: [] })) };
        const asked = { from, to, currency: "EUR" };
        const byMoney = factorOf(figures, still, { ...asked, method: "mwr" });
        const byTime = factorOf(figures, still, asked);
        // A value of nothing has no return by one of them.
        if (byMoney !== null && byTime !== null) expect(byMoney).toEqual(byTime);
      }),
      { numRuns: 10 },
    );
  });
});

/** The same facts in another order. A linked account may come before what it is linked to. */
function backwards(facts: WealthFacts): WealthFacts {
  return {
    rates: facts.rates.toReversed(),
    connections: facts.connections.toReversed().map((each) => ({
      ...each,
      accounts: each.accounts.toReversed(),
      movements: each.movements.toReversed(),
      differences: each.differences.toReversed(),
    })),
  };
}

/** With every list in the order of its text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]));
}
