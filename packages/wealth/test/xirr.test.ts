import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { account, facts, movement } from "./cases/build.js";
import { addDays, daysBetween } from "./reference/days.js";
import { reference } from "./reference/index.js";

interface Recorded {
  readonly application: string;
  /** Amounts by day: what the owner pays is negative, the last is what is there in the end. */
  readonly series: readonly {
    readonly cash: readonly (readonly [day: string, amount: string])[];
    readonly xirr: number;
  }[];
}

/** Made by scripts/xirr-series.mjs. */
const recorded: Recorded = JSON.parse(readFileSync(new URL("./cases/xirr.json", import.meta.url), "utf8"));

describe(`[C-8.118] the money-weighted return is XIRR of ${recorded.application}`, () => {
  it.each(recorded.series.map((series, index) => [index + 1, series] as const))("series %i", (_, { cash, xirr }) => {
    const [first, last] = [cash[0], cash.at(-1)];
    if (first === undefined || last === undefined) throw new Error("a series has a beginning and an end");
    const [opening, closing] = [first[0], last[0]];
    const flows = cash.slice(1, -1).map(([day, amount], index) =>
      movement("A", day, {
        id: `${index}`,
        kind: amount.startsWith("-") ? "deposit" : "withdrawal",
        balance: opposite(amount),
      }),
    );
    const history = facts([account("A", { values: { [opening]: opposite(first[1]), [closing]: last[1] } })], flows);
    const asked = { from: addDays(opening, 1), to: closing, method: "mwr" as const, stale_after: 400 };
    const answer = reference.performance(history, asked, closing);
    const days = daysBetween(opening, closing);
    // Both are rounded to six decimals; the recorded rate has about fifteen digits.
    expect(Math.abs(Number(answer.return) - ((1 + xirr) ** (days / 365) - 1))).toBeLessThan(0.000_000_6);
    if (days < 365) expect(answer.annualised).toBeNull();
    else expect(Math.abs(Number(answer.annualised) - xirr)).toBeLessThan(0.000_000_6);
  });
});

function opposite(amount: string): string {
  return amount.startsWith("-") ? amount.slice(1) : `-${amount}`;
}
