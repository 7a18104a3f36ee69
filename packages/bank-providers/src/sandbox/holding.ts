import type { HoldingData, TransactionData } from "@org/provider-kit";
import { businessDay, monthOf } from "./calendar.js";
import { unitsPerEuro } from "./countries.js";
import { decimalText } from "./decimal-text.js";
import {
  cashFacts,
  chargesOn,
  identifiersOf,
  movementFacts,
  type SandboxMovement,
  sandboxHoldingFacts,
} from "./facts.js";
import type { SecurityKind } from "./kinds.js";
import { seededRandom } from "./random.js";
import type { Security } from "./security.js";
import { collectStatements, type HeldOverTime, type StatementDays } from "./statement-days.js";

/** Describes a holding to generate. `seed` decides how much is held and when it was traded. */
export interface HoldingPlan extends StatementDays {
  readonly security: Security;
  readonly seed: string;
  readonly portfolioKey: string;
  readonly currency: string;
  /** True for accounts with thousands of holdings: fewer trades, no income, no fees. */
  readonly quiet: boolean;
  /** The month since January 2020 in which another bank delivered the units; null: they were there from the beginning. */
  readonly deliveredIn: number | null;
}

/** Cash that a movement paid, in hundredths of the currency, negative for what was paid out. */
export interface CashPayment {
  readonly date: string;
  readonly cents: number;
}

/** The day of a month on which another bank delivers. */
const DELIVERY_DAY = 15;

/**
 * Generates a holding and its movements. The account is simulated month by month from January 2020, so a later call returns the same movements plus
 * newer ones, and the amount held on a day is always what was bought minus what was sold until then.
 */
export function sandboxHolding(plan: HoldingPlan): HeldOverTime & { readonly cash: readonly CashPayment[] } {
  const { security, valuationDate, deliveredIn } = plan;
  const { kind, prices } = security;
  const factor = unitsPerEuro[plan.currency] ?? 1;
  const centsPerStep = centsOfOneStep(kind);
  const random = seededRandom(plan.seed);
  // A unit of cash costs one unit of its currency.
  const priceAt = (month: number) => (prices[Math.max(0, month)] ?? 1) * (kind.type === "L" ? 1 : factor);
  const identifiers = identifiersOf(security);
  const transactions: TransactionData[] = [];
  const statements = collectStatements(plan.earlier, statedOn);
  const cash: CashPayment[] = [];
  let isThere = deliveredIn === null;
  let held = Math.max(1, Math.floor(((40_000 + random.below(3_960_000)) * factor) / (priceAt(0) * centsPerStep)));
  let cost = held * priceAt(0) * centsPerStep;

  for (let month = 0; month <= monthOf(valuationDate); month += 1) {
    // Every month draws the same number of random values, whether or not they are used: later months must not depend on the valuation date.
    const [roll, percent, day, yieldThousandths] = [
      random.below(100),
      random.below(20) + 5,
      random.below(28) + 1,
      random.below(8) + 3,
    ];
    if (deliveredIn !== null && month <= deliveredIn) {
      if (month === deliveredIn) deliver(month);
      continue;
    }
    const traded = tradedSteps(kind, held, roll, percent, plan.quiet);
    const paysIncome = !plan.quiet && kind.incomeEvery !== null && month % kind.incomeEvery === 0;
    const paysFee = !plan.quiet && kind.type !== "L" && month % 12 === 11;
    if (traded === 0 && !paysIncome && !paysFee) continue;
    const date = businessDay(month, day);
    if (date > valuationDate) break;
    statements.before(date);
    const price = priceAt(month);
    const value = (steps: number) => steps * price * centsPerStep;
    cost += traded > 0 ? value(traded) : -Math.floor((cost * -traded) / held);
    held += traded;
    if (traded !== 0)
      record(month, date, traded > 0 ? "Purchase" : "Sale", { steps: traded, cents: -value(traded), price });
    if (paysIncome && kind.income) {
      const cents = record(month, date, kind.income, { cents: Math.floor((value(held) * yieldThousandths) / 1000) });
      if (kind.type === "L") {
        held += cents;
        cost += cents;
      }
    }
    if (paysFee) record(month, date, "Custody fee", { cents: -Math.ceil(value(held) / 2000) });
  }
  return { holding: statedOn(valuationDate), earlier: statements.rest(), transactions, cash };

  /** Another bank delivers all units at their value of the day. */
  function deliver(month: number) {
    const date = businessDay(month, DELIVERY_DAY);
    if (date > valuationDate) return;
    statements.before(date);
    isThere = true;
    cost = held * priceAt(month) * centsPerStep;
    if (date > plan.since)
      transactions.push({
        ...movement(month, date, "Delivery", { steps: held, price: priceAt(month) }),
        balance: null,
      });
  }

  function statedOn(day: string): HoldingData | null {
    if (!isThere) return null;
    const lastPrice = priceAt(monthOf(day));
    return {
      key: security.key,
      portfolio_key: plan.portfolioKey,
      name: security.name,
      isin: security.isin,
      amount: decimalText(held * kind.unitStep, kind.unitScale),
      balance: decimalText(held * lastPrice * centsPerStep, 2),
      currency: plan.currency,
      valuation_date: day,
      type: kind.type,
      subtype: kind.subtype,
      ...sandboxHoldingFacts(kind, { held, lastPrice, cost }),
      identifiers,
    };
  }

  /** Returns what was paid after charges. */
  function record(
    month: number,
    date: string,
    what: SandboxMovement,
    moved: { steps?: number; cents: number; price?: number },
  ): number {
    const charges = chargesOn(what, moved.cents);
    const cents = moved.cents - charges.fees - charges.taxes;
    if (cents !== 0) cash.push({ date, cents });
    if (date > plan.since && moved.cents !== 0)
      transactions.push({ ...movement(month, date, what, moved), ...cashFacts(moved.cents, charges) });
    return cents;
  }

  function movement(month: number, date: string, what: SandboxMovement, moved: { steps?: number; price?: number }) {
    return {
      key: `${plan.portfolioKey}/${security.key}/${month}/${what}`,
      portfolio_key: plan.portfolioKey,
      holding_key: security.key,
      operation_date: date,
      description: `${what}: ${security.name}`,
      amount: moved.steps === undefined ? null : decimalText(moved.steps * kind.unitStep, kind.unitScale),
      currency: plan.currency,
      unit_price: moved.price === undefined ? null : decimalText(moved.price * kind.priceStep, kind.priceScale),
      ...movementFacts(what, date),
      identifiers,
    };
  }
}

/** Steps bought (positive) or sold (negative) in a month: none in most months, never all, and no trades in cash. */
function tradedSteps(kind: SecurityKind, held: number, roll: number, percent: number, quiet: boolean): number {
  const [buys, sells] = quiet ? [3, 4] : [8, 13];
  if (kind.type === "L" || roll >= sells) return 0;
  const steps = Math.floor((held * percent) / 100);
  return roll < buys ? Math.max(1, steps) : -steps;
}

/** Value of one step of units at one step of price, in hundredths of the currency: a whole number for every kind. */
export function centsOfOneStep(kind: SecurityKind): number {
  return (kind.unitStep * kind.priceStep) / 10 ** (kind.unitScale + kind.priceScale - 2);
}
