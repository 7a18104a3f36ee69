import type { HoldingData, TransactionData } from "@org/provider-kit";
import { businessDay, monthOf } from "./calendar.js";
import { unitsPerEuro } from "./countries.js";
import { decimalText } from "./decimal-text.js";
import { cashFacts, chargesOn, movementFacts, type SandboxMovement } from "./facts.js";
import type { CashPayment } from "./holding.js";
import { seededRandom } from "./random.js";
import { collectStatements, type HeldOverTime, type StatementDays } from "./statement-days.js";

/** Describes the cash of an account. */
export interface CashPlan extends StatementDays {
  readonly seed: string;
  readonly portfolioKey: string;
  readonly currency: string;
  /** What the account's other holdings paid, in any order. */
  readonly flows: readonly CashPayment[];
}

const CASH = "cash";
const NAME = "Cash account";

/**
 * Generates the cash of an account, from January 2020 like its other holdings: what these paid, deposits and withdrawals of the customer, interest at
 * the end of each quarter. It is never negative: where a purchase needs more, the customer deposits it on the same day.
 */
export function sandboxCash(plan: CashPlan): HeldOverTime {
  const { valuationDate, portfolioKey, currency } = plan;
  const factor = unitsPerEuro[currency] ?? 1;
  const random = seededRandom(plan.seed);
  const transactions: TransactionData[] = [];
  const statements = collectStatements(plan.earlier, statedOn);
  let cents = (500_000 + random.below(1_500_000)) * factor;
  let day = "";
  let numberInDay = 0;

  for (const { date, run } of [...plan.flows.map(paidBy), ...ownMovements()].sort(byDate)) {
    statements.before(date);
    run();
  }
  return { holding: statedOn(valuationDate), earlier: statements.rest(), transactions };

  function paidBy({ date, cents: paid }: CashPayment) {
    const run = () => {
      const lacking = -(cents + paid);
      if (lacking > 0) record(date, "Deposit", (Math.ceil(lacking / 100_000) + factor) * 100_000);
      cents += paid;
    };
    return { date, run };
  }

  /** Movements up to the valuation date that no other holding causes. */
  function ownMovements() {
    const movements: { date: string; run: () => void }[] = [];
    for (let month = 0; month <= monthOf(valuationDate); month += 1) {
      const [roll, hundreds, dayOfMonth] = [random.below(100), random.below(30) + 5, random.below(28) + 1];
      add(businessDay(month, dayOfMonth), (date) => {
        if (roll < 40) record(date, "Deposit", hundreds * factor * 10_000);
        else if (cents > MUCH_CENTS * factor) record(date, "Withdrawal", -Math.floor(cents / 20_000) * 10_000);
      });
      if (month % 3 === 2)
        add(businessDay(month, 28), (date) => record(date, "Interest", Math.floor((cents * 4) / 1000)));
    }
    return movements;

    function add(date: string, run: (date: string) => void) {
      if (date <= valuationDate) movements.push({ date, run: () => run(date) });
    }
  }

  function record(date: string, what: SandboxMovement, gross: number) {
    numberInDay = date === day ? numberInDay + 1 : 0;
    day = date;
    if (gross === 0) return;
    const charges = chargesOn(what, gross);
    cents += gross - charges.fees - charges.taxes;
    if (date <= plan.since) return;
    transactions.push({
      key: `${portfolioKey}/${CASH}/${date}/${what}/${numberInDay}`,
      portfolio_key: portfolioKey,
      holding_key: CASH,
      operation_date: date,
      description: `${what}: ${NAME}`,
      amount: null,
      currency,
      unit_price: null,
      ...cashFacts(gross, charges),
      ...movementFacts(what, date),
    });
  }

  function statedOn(date: string): HoldingData {
    const balance = decimalText(cents, 2);
    return {
      key: CASH,
      portfolio_key: portfolioKey,
      name: NAME,
      isin: null,
      amount: balance,
      balance,
      currency,
      valuation_date: date,
      type: "L",
      subtype: null,
      price: "1",
      price_unit: "currency",
    };
  }
}

/** Of more cash than this, in hundredths of about a euro, the customer withdraws half. */
const MUCH_CENTS = 4_000_000;

function byDate(a: { readonly date: string }, b: { readonly date: string }): number {
  return a.date < b.date ? -1 : a.date > b.date ? 1 : 0;
}
