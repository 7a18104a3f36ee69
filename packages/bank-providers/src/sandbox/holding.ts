import type { HoldingData, TransactionData } from "@org/provider-kit";
import { businessDay, monthOf, twoYearsBefore } from "./calendar.js";
import { unitsPerEuro } from "./countries.js";
import { decimalText } from "./decimal-text.js";
import { chargesOn, identifiersOf, movementFacts, type SandboxMovement, sandboxHoldingFacts } from "./facts.js";
import type { SecurityKind } from "./kinds.js";
import { seededRandom } from "./random.js";
import type { Security } from "./security.js";

/** Describes a holding to generate. `seed` decides how much is held and when it was traded. */
export interface HoldingPlan {
  readonly security: Security;
  readonly seed: string;
  readonly portfolioKey: string;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly valuationDate: string;
  /** True for accounts with thousands of holdings: fewer trades, no income, no fees. */
  readonly quiet: boolean;
}

/**
 * Generates a holding and its movements of the last 24 months. The account is simulated month by month from January 2020, so a later call returns
 * the same movements plus newer ones, and the amount held is always what was bought minus what was sold.
 */
export function sandboxHolding(plan: HoldingPlan): { holding: HoldingData; transactions: TransactionData[] } {
  const { security, valuationDate } = plan;
  const { kind, prices } = security;
  const factor = unitsPerEuro[plan.currency] ?? 1;
  const centsPerStep = centsOfOneStep(kind);
  const random = seededRandom(plan.seed);
  const priceAt = (month: number) => (prices[month] ?? 1) * factor;
  const since = twoYearsBefore(valuationDate);
  const identifiers = identifiersOf(security);
  const transactions: TransactionData[] = [];
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
    const traded = tradedSteps(kind, held, roll, percent, plan.quiet);
    const paysIncome = !plan.quiet && kind.incomeEvery !== null && month % kind.incomeEvery === 0;
    const paysFee = !plan.quiet && kind.type !== "L" && month % 12 === 11;
    if (traded === 0 && !paysIncome && !paysFee) continue;
    const date = businessDay(month, day);
    if (date > valuationDate) break;
    const price = priceAt(month);
    const value = (steps: number) => steps * price * centsPerStep;
    cost += traded > 0 ? value(traded) : -Math.floor((cost * -traded) / held);
    held += traded;
    if (traded !== 0)
      record(month, date, traded > 0 ? "Purchase" : "Sale", { steps: traded, cents: -value(traded), price });
    if (paysIncome && kind.income)
      record(month, date, kind.income, { cents: Math.floor((value(held) * yieldThousandths) / 1000) });
    if (paysFee) record(month, date, "Custody fee", { cents: -Math.ceil(value(held) / 2000) });
  }

  const lastPrice = priceAt(Math.max(0, monthOf(valuationDate)));
  const holding = holdingData(plan, held, held * lastPrice * centsPerStep);
  return {
    holding: { ...holding, ...sandboxHoldingFacts(kind, { held, lastPrice, cost }), identifiers },
    transactions,
  };

  function record(
    month: number,
    date: string,
    what: SandboxMovement,
    moved: { steps?: number; cents: number; price?: number },
  ) {
    if (date <= since || moved.cents === 0) return;
    const charges = chargesOn(what, moved.cents);
    const cents = moved.cents - charges.fees - charges.taxes;
    transactions.push({
      key: `${plan.portfolioKey}/${security.key}/${month}/${what}`,
      portfolio_key: plan.portfolioKey,
      holding_key: security.key,
      operation_date: date,
      description: `${what}: ${security.name}`,
      amount: moved.steps === undefined ? null : decimalText(moved.steps * kind.unitStep, kind.unitScale),
      balance: decimalText(cents, 2),
      currency: plan.currency,
      unit_price: moved.price === undefined ? null : decimalText(moved.price * kind.priceStep, kind.priceScale),
      ...movementFacts(what, date, { gross: moved.cents, ...charges }),
      identifiers,
    });
  }
}

function holdingData(plan: HoldingPlan, steps: number, cents: number): HoldingData {
  const { security } = plan;
  return {
    key: security.key,
    portfolio_key: plan.portfolioKey,
    name: security.name,
    isin: security.isin,
    amount: decimalText(steps * security.kind.unitStep, security.kind.unitScale),
    balance: decimalText(cents, 2),
    currency: plan.currency,
    valuation_date: plan.valuationDate,
    type: security.kind.type,
    subtype: security.kind.subtype,
  };
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
