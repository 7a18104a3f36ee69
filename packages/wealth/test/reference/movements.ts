import type { AccountFacts, ConnectionFacts, Movement, Valuation } from "../../src/facts.js";
import { knownValuations } from "./accounts.js";
import { Fraction } from "./fraction.js";

/** What a movement is to a performance. */
export type Meaning = "flow" | "unclear" | "inside";

type AccountType = "cash inside" | "cash account" | "depot without cash";

export function typeOf(account: AccountFacts): AccountType {
  if (account.is_cash) return "cash account";
  return account.lists_securities && !account.lists_cash ? "depot without cash" : "cash inside";
}

function hasCash({ balance }: Movement): boolean {
  return balance !== null && Fraction.of(balance).sign !== 0;
}

export function hasUnits({ amount }: Movement): boolean {
  return amount !== null && Fraction.of(amount).sign !== 0;
}

export function isIncome({ kind }: Movement): boolean {
  return kind === "dividend" || kind === "interest" || kind === "coupon";
}

/** Income with units that cost its cash. */
export function isReinvested(movement: Movement): boolean {
  const { balance } = movement;
  return isIncome(movement) && hasUnits(movement) && balance !== null && Fraction.of(balance).sign < 0;
}

export function isTransfer({ kind }: Movement): boolean {
  return kind === "transfer_in" || kind === "transfer_out";
}

export function meaningOf(connection: ConnectionFacts, account: AccountFacts, movement: Movement): Meaning {
  if (!hasCash(movement) && !hasUnits(movement)) return "inside";
  if (isReinvested(movement)) return "inside";
  const kind = movement.kind ?? "other";
  const type = typeOf(account);
  if (type === "cash inside") {
    if (kind === "other") return "unclear";
    return ["deposit", "withdrawal", "transfer_in", "transfer_out"].includes(kind) ? "flow" : "inside";
  }
  if (type === "cash account") {
    if (kind === "interest" || kind === "fee" || kind === "tax") return "inside";
    if (kind === "dividend" || kind === "coupon") return connection.has_depot_income ? "flow" : "inside";
    if (kind !== "other") return "flow";
    return connection.accounts.every((each) => each.is_cash) ? "flow" : "unclear";
  }
  if (kind === "fee" || kind === "tax") return "inside";
  const trades = ["buy", "sell"];
  const corporateActions = ["split", "spin_off", "merger", "redemption"];
  if (trades.includes(kind) || corporateActions.includes(kind) || isIncome(movement) || isTransfer(movement))
    return "flow";
  return "unclear";
}

/**
 * The valuation that a movement is first part of: the first at or after its date, read no earlier than the movement where it was read from a
 * provider. Null: none holds it up to that day.
 */
export function countsOn(account: AccountFacts, movement: Movement, to: string): Valuation | null {
  const holds = ({ day, read_at }: Valuation) =>
    day >= movement.operation_date &&
    day <= to &&
    (read_at === null || movement.first_read_at === null || Date.parse(read_at) >= Date.parse(movement.first_read_at));
  return knownValuations(account).find(holds) ?? null;
}
