import type { AccountFacts, ConnectionFacts, Movement } from "./facts.js";

/**
 * How an account's value takes up cash: it lists its cash (`cash_inside`), is cash (`cash_account`), or lists securities whose cash is kept elsewhere
 * (`depot`).
 */
type CashPlace = "cash_inside" | "cash_account" | "depot";

/**
 * What a movement is for the account's return. `cash`: its balance is a flow, with the sign given. `units`: securities came or went. `unclear`: nobody
 * tells; `assumed` is what it is taken as where gaps are allowed.
 */
export type FlowRule =
  | { readonly is: "none" }
  | { readonly is: "cash"; readonly sign: 1 | -1 }
  | { readonly is: "units" }
  | { readonly is: "unclear"; readonly assumed: FlowRule };

const NONE: FlowRule = { is: "none" };
const CASH_IN: FlowRule = { is: "cash", sign: 1 };
const CASH_OUTSIDE: FlowRule = { is: "cash", sign: -1 };
const UNITS: FlowRule = { is: "units" };

const incomes: ReadonlySet<string | null> = new Set(["dividend", "interest", "coupon"]);
const trades: ReadonlySet<string | null> = new Set(["buy", "sell", "redemption"]);
const corporateActions: ReadonlySet<string | null> = new Set(["split", "spin_off", "merger"]);

/** Whether a movement is a dividend, coupon or interest. */
export function isIncome({ kind }: Movement): boolean {
  return incomes.has(kind);
}

/** Whether income was reinvested at once: units came for its cash. */
export function isReinvested(movement: Movement): boolean {
  return isIncome(movement) && hasUnits(movement) && movement.balance?.startsWith("-") === true;
}

/** Whether a movement has cash: a balance that is not zero. */
export function hasCash({ balance }: Movement): boolean {
  return balance !== null && /[1-9]/.test(balance);
}

function hasUnits({ amount }: Movement): boolean {
  return amount !== null && /[1-9]/.test(amount);
}

const cashAccountsOnly = new WeakMap<ConnectionFacts, boolean>();

function hasCashAccountsOnly(connection: ConnectionFacts): boolean {
  let known = cashAccountsOnly.get(connection);
  if (known === undefined) {
    known = connection.accounts.every(({ is_cash }) => is_cash);
    cashAccountsOnly.set(connection, known);
  }
  return known;
}

/** Whether a cash account's movement is a dividend or coupon that a depot of the connection tells, too. */
export function isToldByDepot({ kind }: Movement, { is_cash }: AccountFacts, connection: ConnectionFacts): boolean {
  return is_cash && (kind === "dividend" || kind === "coupon") && connection.has_depot_income;
}

/** Whether fees and taxes of a movement lessen the account's value: those of a depot without cash are paid elsewhere. */
export function bearsCosts(account: AccountFacts): boolean {
  return cashPlaceOf(account) !== "depot";
}

/** What a movement is for the return of its account (§4). */
export function flowRule(movement: Movement, account: AccountFacts, connection: ConnectionFacts): FlowRule {
  const isEmpty = !hasCash(movement) && !hasUnits(movement);
  if (isEmpty || isReinvested(movement)) return NONE;
  const { kind } = movement;
  const isTransfer = kind === "transfer_in" || kind === "transfer_out";
  const isPayment = kind === "deposit" || kind === "withdrawal";
  const isUnnamed = kind === null || kind === "other";
  switch (cashPlaceOf(account)) {
    case "cash_inside":
      if (isTransfer) return transferRule(movement);
      if (isPayment) return paymentRule(movement);
      return isUnnamed ? { is: "unclear", assumed: NONE } : NONE;
    case "cash_account":
      if (kind === "interest" || kind === "fee" || kind === "tax") return NONE;
      if (kind === "dividend" || kind === "coupon")
        return isToldByDepot(movement, account, connection) ? CASH_IN : NONE;
      if (isUnnamed && !hasCashAccountsOnly(connection)) return { is: "unclear", assumed: paymentRule(movement) };
      if (isPayment || isUnnamed) return paymentRule(movement);
      return isTransfer ? transferRule(movement) : CASH_IN;
    case "depot":
      if (isTransfer) return transferRule(movement);
      if (kind === "fee" || kind === "tax") return NONE;
      if (trades.has(kind) || corporateActions.has(kind) || incomes.has(kind)) return CASH_OUTSIDE;
      return { is: "unclear", assumed: hasUnits(movement) ? UNITS : CASH_OUTSIDE };
  }
}

/** Whether a movement is a trade, whose cash cannot be none. */
export function isTrade({ kind }: Movement): boolean {
  return trades.has(kind);
}

function paymentRule(movement: Movement): FlowRule {
  return hasCash(movement) ? CASH_IN : UNITS;
}

function transferRule(movement: Movement): FlowRule {
  return hasUnits(movement) ? UNITS : CASH_IN;
}

function cashPlaceOf({ is_cash, lists_securities, lists_cash }: AccountFacts): CashPlace {
  if (is_cash) return "cash_account";
  return lists_securities && !lists_cash ? "depot" : "cash_inside";
}
