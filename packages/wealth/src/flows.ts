import type { Steps } from "@org/provider-kit";
import { bearsCosts, type FlowRule, flowRule, hasCash, isIncome, isToldByDepot, isTrade } from "./account-flows.js";
import { type AskedAccounts, lastValueIndex, type ValuedAccount } from "./accounts.js";
import type { Gap } from "./answers.js";
import { dayNumber } from "./days.js";
import type { ConnectionFacts, HoldingFacts, Movement } from "./facts.js";
import { add, divide, type Fraction, fraction, multiply, negate, ZERO } from "./fraction.js";

/** Money that came into the accounts (positive) or left them, of one movement. */
export interface Flow {
  /** The operation date, at whose rate it is converted. */
  readonly date: number;
  /** The valuation day that holds it. */
  readonly countsOn: number;
  readonly moment: FlowMoment;
  readonly amount: Fraction;
  readonly currency: string;
}

/**
 * When a flow is there for the return: from its date on, or, of securities that are valued at a price of the account's, at the close that the price
 * is of: the end of the part of the period, or its start.
 */
export type FlowMoment = "date" | "start" | "end";

/** A fee or tax that lessened the value, positive when charged. */
export interface Cost {
  readonly date: number;
  readonly countsOn: number;
  readonly isFee: boolean;
  readonly amount: Fraction;
  readonly currency: string;
}

export interface Flows {
  readonly flows: readonly Flow[];
  readonly costs: readonly Cost[];
  /** Movements that nobody can tell, or whose worth is unknown. */
  readonly gaps: readonly Gap[];
}

/**
 * The flows that count after the day `opening` and up to `last`. What counts on the day on which its account enters is part of the value that it
 * enters with. One movement in a step.
 */
export function* flowsOf({ accounts }: AskedAccounts, opening: number, last: number, staleAfter: number): Steps<Flows> {
  const byId = new Map(accounts.map((account) => [account.facts.portfolio_id, account]));
  const flows: Flow[] = [];
  const costs: Cost[] = [];
  const gaps: Gap[] = [];
  for (const connection of new Set(accounts.map((account) => account.connection))) {
    for (const movement of connection.movements) {
      yield;
      const account = byId.get(movement.portfolio_id);
      if (!account) continue;
      const index = countingIndex(account, movement, last);
      const countsOn = account.values[index]?.day;
      const enters = account.values[0]?.day;
      if (countsOn === undefined || countsOn <= opening || countsOn === enters) continue;
      const date = dayNumber(movement.operation_date);
      costs.push(...costsOf(movement, account).map((cost) => ({ ...cost, date, countsOn })));
      const said = flowRule(movement, account.facts, connection);
      if (said.is === "unclear") gaps.push(gapOf("movement_unclear", movement, account));
      const valued = valueFlow(movement, said.is === "unclear" ? said.assumed : said, account, index, staleAfter);
      if (valued === null) continue;
      const isCertain = valued !== "unknown" && !valued.isOld;
      if (!isCertain && said.is !== "unclear") gaps.push(gapOf("flow_value_unknown", movement, account));
      if (valued !== "unknown") flows.push({ ...valued, date, countsOn });
    }
  }
  return { flows, costs, gaps };
}

/** Whether units came or went whose worth is asked of the holdings: only then does `performance` need those of the connection. */
export function needsHoldings(connection: ConnectionFacts): boolean {
  const byId = new Map(connection.accounts.map((account) => [account.portfolio_id, account]));
  return connection.movements.some((movement) => {
    const account = byId.get(movement.portfolio_id);
    if (!account || hasCash(movement)) return false;
    const rule = flowRule(movement, account, connection);
    return (rule.is === "unclear" ? rule.assumed : rule).is === "units";
  });
}

/** The index of the value that holds a movement: of its day or later, and read no earlier than the movement was; -1 = none up to `last`. */
function countingIndex({ values }: ValuedAccount, movement: Movement, last: number): number {
  const readAt = movement.first_read_at === null ? null : Date.parse(movement.first_read_at);
  let index = lastValueIndex(values, dayNumber(movement.operation_date) - 1) + 1;
  for (; index < values.length; index += 1) {
    const value = values[index];
    if (!value || value.day > last) break;
    if (readAt === null || value.valuation.read_at === null || Date.parse(value.valuation.read_at) >= readAt)
      return index;
  }
  return -1;
}

interface ValuedFlow extends Pick<Flow, "moment" | "amount" | "currency"> {
  /** The price of its units is older than a value may be. */
  readonly isOld?: boolean;
}

function valueFlow(
  movement: Movement,
  rule: FlowRule,
  account: ValuedAccount,
  index: number,
  staleAfter: number,
): ValuedFlow | "unknown" | null {
  const { balance, currency } = movement;
  if (rule.is === "units") return valueUnits(movement, account, index, staleAfter);
  if (rule.is !== "cash") return null;
  if (balance === null) return isTrade(movement) ? "unknown" : null;
  const amount = fraction(balance);
  return { moment: "date", amount: rule.sign > 0 ? amount : negate(amount), currency };
}

/**
 * Securities that came or went: signed by their units, worth their balance if it is stated, else by the price that the account has them at. "0.00" says
 * that no cash moved, and nothing of what the units are worth.
 */
function valueUnits(
  movement: Movement,
  account: ValuedAccount,
  index: number,
  staleAfter: number,
): ValuedFlow | "unknown" {
  const units = fraction(movement.amount ?? "0");
  if (hasCash(movement)) {
    const worth = fraction((movement.balance ?? "0").replace("-", ""));
    return { moment: "date", amount: units.n < 0n ? negate(worth) : worth, currency: movement.currency };
  }
  const countsOn = account.values[index]?.day ?? 0;
  for (let at = index; at >= 0; at -= 1) {
    const value = account.values[at];
    const price = value && priceOf(value.valuation.holdings ?? [], movement);
    if (!price) continue;
    const amount = multiply(units, price.value);
    const isOld = countsOn - value.day > staleAfter;
    return { moment: at === index ? "end" : "start", amount, currency: price.currency, isOld };
  }
  return "unknown";
}

/** The value of one unit of what a movement names. */
function priceOf(
  holdings: readonly HoldingFacts[],
  { holding_id, isin }: Movement,
): { value: Fraction; currency: string } | null {
  const named =
    holdings.find(({ id }) => id === holding_id) ??
    (isin === null ? undefined : holdings.find((at) => at.isin === isin));
  if (!named || named.balance === null || named.amount === null || named.is_notional) return null;
  const units = fraction(named.amount);
  return units.n === 0n ? null : { value: divide(fraction(named.balance), units), currency: named.currency };
}

function costsOf(
  movement: Movement,
  { facts, connection }: ValuedAccount,
): Pick<Cost, "isFee" | "amount" | "currency">[] {
  const { kind, balance, taxes, currency } = movement;
  if ((kind === "fee" || kind === "tax") && balance !== null && bearsCosts(facts)) {
    return [{ isFee: kind === "fee", amount: negate(fraction(balance)), currency }];
  }
  const isFlow = isToldByDepot(movement, facts, connection);
  return isIncome(movement) && taxes !== null && !isFlow ? [{ isFee: false, amount: fraction(taxes), currency }] : [];
}

function gapOf(reason: "movement_unclear" | "flow_value_unknown", movement: Movement, { facts }: ValuedAccount): Gap {
  return { reason, portfolio_id: facts.shown_as, transaction_id: movement.id, date: movement.operation_date };
}

/** Flows of one date that count on one day, netted over all accounts, in the currency of the answer. */
export interface NetFlow {
  readonly date: number;
  readonly countsOn: number;
  readonly amount: Fraction;
  /** The parts of the amount, by when they are there for the return. */
  readonly parts: Readonly<Record<FlowMoment, Fraction>>;
}

/** Nets flows: moves between the accounts vanish. */
export function netFlows(
  flows: readonly Flow[],
  convert: (amount: Fraction, currency: string, day: number) => Fraction,
): NetFlow[] {
  const groups = new Map<string, NetFlow>();
  for (const { date, countsOn, moment, amount, currency } of flows) {
    const key = `${countsOn} ${date}`;
    const before = groups.get(key);
    const parts = before?.parts ?? { date: ZERO, start: ZERO, end: ZERO };
    const converted = convert(amount, currency, date);
    groups.set(key, {
      date,
      countsOn,
      amount: add(before?.amount ?? ZERO, converted),
      parts: { ...parts, [moment]: add(parts[moment], converted) },
    });
  }
  return [...groups.values()]
    .filter(({ amount }) => amount.n !== 0n)
    .sort((a, b) => a.countsOn - b.countsOn || a.date - b.date);
}

/** The costs of each valuation day in the currency of the answer: fees alone, or with taxes. */
export function costsByDay(
  costs: readonly Cost[],
  withTaxes: boolean,
  convert: (amount: Fraction, currency: string, day: number) => Fraction,
): Map<number, Fraction> {
  const days = new Map<number, Fraction>();
  for (const { date, countsOn, isFee, amount, currency } of costs) {
    if (!isFee && !withTaxes) continue;
    days.set(countsOn, add(days.get(countsOn) ?? ZERO, convert(amount, currency, date)));
  }
  return days;
}
