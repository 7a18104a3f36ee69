import type { AccountFacts, Movement, Valuation } from "../../src/facts.js";
import { amountOf, knownValuations, type SelectedAccount } from "./accounts.js";
import type { Amount } from "./currencies.js";
import { daysBetween } from "./days.js";
import { Fraction } from "./fraction.js";
import { countsOn, hasUnits, isIncome, isTransfer, meaningOf, typeOf } from "./movements.js";

/** When in a part the money moved: as the date says, or where the price of its units was taken. */
export type Placement = "by date" | "start" | "end";

/** What came in (positive) or went out of an account. */
export interface Flow {
  readonly date: string;
  /** The day from which the account's values hold it. */
  readonly counts: string;
  readonly amount: Amount;
  readonly placement: Placement;
}

/** A cost that took from the value: positive when charged. */
export interface Cost {
  readonly kind: "fee" | "tax";
  readonly date: string;
  readonly counts: string;
  readonly amount: Amount;
}

export interface MovementFault {
  readonly reason: "movement_unclear" | "flow_value_unknown";
  readonly portfolio_id: string;
  readonly transaction_id: string;
  readonly date: string;
}

export interface AccountFlows {
  readonly flows: readonly Flow[];
  readonly costs: readonly Cost[];
  readonly faults: readonly MovementFault[];
}

/**
 * Flows and costs of an account that count from the day after `opening` to `to`, and after its first valuation: what came before is in the value
 * that it enters with. Unclear ones are flows as they are with gaps.
 */
export function flowsOf(
  { connection, account }: SelectedAccount,
  opening: string,
  to: string,
  staleAfter: number,
): AccountFlows {
  const flows: Flow[] = [];
  const costs: Cost[] = [];
  const faults: MovementFault[] = [];
  const first = knownValuations(account)[0];
  if (first === undefined) return { flows, costs, faults };
  for (const movement of connection.movements) {
    if (movement.portfolio_id !== account.portfolio_id) continue;
    const valuation = countsOn(account, movement, to);
    if (valuation === null || valuation.day <= opening || valuation.day <= first.day) continue;
    const [date, counts] = [movement.operation_date, valuation.day];
    for (const cost of costsOf(connection, account, movement)) costs.push({ ...cost, date, counts });
    const fault = { portfolio_id: account.shown_as, transaction_id: movement.id, date };
    const meaning = meaningOf(connection, account, movement);
    if (meaning === "inside") continue;
    if (meaning === "unclear") {
      faults.push({ reason: "movement_unclear", ...fault });
      if (typeOf(account) === "cash inside") continue;
    }
    const found = amountOfFlow(account, movement, valuation, meaning === "unclear");
    if (found === "none") continue;
    const isOld = found !== null && daysBetween(found.pricedOn ?? counts, counts) > staleAfter;
    if (meaning !== "unclear" && (found === null || isOld)) faults.push({ reason: "flow_value_unknown", ...fault });
    if (found !== null) flows.push({ date, counts, amount: found.amount, placement: found.placement });
  }
  return { flows, costs, faults };
}

interface FoundAmount extends Pick<Flow, "amount" | "placement"> {
  /** The day of the price that units were valued at. */
  readonly pricedOn?: string;
}

/** Null where it is unknown; of a price of any age. */
function amountOfFlow(
  account: AccountFacts,
  movement: Movement,
  counts: Valuation,
  isUnclear: boolean,
): FoundAmount | "none" | null {
  const { balance, currency } = movement;
  const isDepot = typeOf(account) === "depot without cash";
  const hasNoCash = balance === null || Fraction.of(balance).sign === 0;
  if (hasUnits(movement) && (isTransfer(movement) || (hasNoCash && isMoved(movement)) || (isDepot && isUnclear))) {
    const units = Fraction.of(movement.amount ?? "0");
    // No cash that moved says nothing of what the units are worth.
    if (balance === null || hasNoCash) return valueOfUnits(account, movement, units, counts);
    const stated = amountOf(balance, currency);
    const size = stated.value.size();
    return { amount: { ...stated, value: units.sign < 0 ? size.negated() : size }, placement: "by date" };
  }
  // What is bought, sold or redeemed has a price; units that come or go otherwise cost nothing.
  if (balance === null) return ["buy", "sell", "redemption"].includes(movement.kind ?? "") ? null : "none";
  const stated = amountOf(balance, currency);
  const isOpposite = isDepot && !isTransfer(movement);
  return { amount: isOpposite ? { ...stated, value: stated.value.negated() } : stated, placement: "by date" };
}

/** Units that came or went without a trade. */
function isMoved({ kind }: Movement): boolean {
  return kind === "deposit" || kind === "withdrawal" || kind === "other" || kind === null;
}

function valueOfUnits(
  account: AccountFacts,
  movement: Movement,
  units: Fraction,
  counts: Valuation,
): FoundAmount | null {
  const atEnd = priceIn(counts, movement);
  if (atEnd !== null) return { amount: { ...atEnd, value: atEnd.value.times(units) }, placement: "end" };
  const before = knownValuations(account).findLast(
    (valuation) => valuation.day < counts.day && priceIn(valuation, movement) !== null,
  );
  const atStart = before === undefined ? null : priceIn(before, movement);
  if (before === undefined || atStart === null) return null;
  return { amount: { ...atStart, value: atStart.value.times(units) }, placement: "start", pricedOn: before.day };
}

/** The value of one unit of the holding that a movement names. */
function priceIn(valuation: Valuation, movement: Movement): Amount | null {
  const holdings = valuation.holdings ?? [];
  const holding =
    holdings.find(({ id }) => id === movement.holding_id) ??
    holdings.find(({ isin }) => isin !== null && isin === movement.isin);
  if (holding === undefined || holding.is_notional || holding.balance === null || holding.amount === null) return null;
  const units = Fraction.of(holding.amount);
  if (units.sign === 0) return null;
  const value = amountOf(holding.balance, holding.currency);
  return { ...value, value: value.value.over(units) };
}

/** Fees and taxes that the account's value or income was less by. A depot without cash pays its fees and taxes elsewhere. */
function costsOf(
  connection: SelectedAccount["connection"],
  account: AccountFacts,
  movement: Movement,
): Pick<Cost, "kind" | "amount">[] {
  const { kind, balance, taxes, currency } = movement;
  if ((kind === "fee" || kind === "tax") && balance !== null && typeOf(account) !== "depot without cash") {
    const stated = amountOf(balance, currency);
    return [{ kind, amount: { ...stated, value: stated.value.negated() } }];
  }
  const isElsewhere = account.is_cash && kind !== "interest" && connection.has_depot_income;
  if (isIncome(movement) && taxes !== null && !isElsewhere) return [{ kind: "tax", amount: amountOf(taxes, currency) }];
  return [];
}
