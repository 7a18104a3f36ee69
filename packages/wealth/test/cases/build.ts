import type {
  AccountFacts,
  ConnectionFacts,
  HoldingFacts,
  Movement,
  Rate,
  Valuation,
  WealthFacts,
} from "../../src/facts.js";
import { hasDepotIncome } from "../sample-facts.js";

export type Question = "history" | "holdingsAt" | "summary" | "performance" | "income" | "gains";

/** A question whose answer was reckoned by hand. */
export interface WorkedCase {
  /** The sentence that it tries. */
  readonly name: string;
  readonly question: Question;
  readonly facts: WealthFacts;
  readonly asked: Readonly<Record<string, unknown>>;
  /** Members that the answer has, among others. */
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly refused?: { readonly code: string; readonly details?: readonly object[] };
}

/** Later than every day of the cases. */
export const today = "2026-11-30";

/** A balance alone, or more of a valuation. */
type Worth = string | Partial<Omit<Valuation, "day">> | readonly HoldingFacts[];

export interface AccountParts extends Partial<Omit<AccountFacts, "portfolio_id" | "valuations">> {
  readonly values: Readonly<Record<string, Worth>>;
}

/** An account in EUR with its cash inside, if nothing else is said. */
export function account(portfolio_id: string, { values, ...parts }: AccountParts): AccountFacts {
  return {
    portfolio_id,
    shown_as: portfolio_id,
    name: portfolio_id,
    ref_account: null,
    currency: "EUR",
    is_cash: false,
    lists_securities: true,
    lists_cash: true,
    ...parts,
    valuations: Object.entries(values).map(([day, worth]) => valuation(day, worth)),
  };
}

/** An account that lists securities and never cash. */
export function depot(portfolio_id: string, parts: AccountParts): AccountFacts {
  return account(portfolio_id, { lists_cash: false, ...parts });
}

/** An account of type L. */
export function cash(portfolio_id: string, parts: AccountParts): AccountFacts {
  return account(portfolio_id, { is_cash: true, lists_securities: false, lists_cash: false, ...parts });
}

function valuation(day: string, worth: Worth): Valuation {
  const none = { day, read_at: null, balance: null, holdings_value: null, has_holdings: false };
  if (typeof worth === "string") return { ...none, balance: worth };
  if (isHoldings(worth)) return { ...none, ...heldParts(worth) };
  return { ...none, ...worth };
}

function isHoldings(worth: Worth): worth is readonly HoldingFacts[] {
  return Array.isArray(worth);
}

/** What a list of holdings says of a valuation. The balances of one currency must have the same number of decimals. */
export function heldParts(holdings: readonly HoldingFacts[]) {
  const counted = holdings.filter((holding) => !holding.is_notional);
  const isKnown = counted.every((holding) => holding.balance !== null);
  const currencies = [...new Set(counted.map((holding) => holding.currency))];
  const sums = currencies.map((currency) => {
    const those = counted.filter((holding) => holding.currency === currency).map((holding) => holding.balance ?? "0");
    const scale = (those[0] ?? "").split(".")[1]?.length ?? 0;
    const units = those.reduce((sum, balance) => sum + BigInt(balance.replace(".", "")), 0n);
    return { currency, amount: pointed(units, scale) };
  });
  return { has_holdings: true, holdings, holdings_value: isKnown ? sums : null };
}

/** 12345 with 2 decimals is "123.45". */
export function pointed(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  return `${units < 0n ? "-" : ""}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ""}`;
}

export function holding(id: string, parts: Partial<HoldingFacts> = {}): HoldingFacts {
  return {
    id,
    name: id,
    isin: null,
    amount: "1",
    balance: null,
    currency: "EUR",
    type: "S",
    is_notional: false,
    cost: null,
    ...parts,
  };
}

export function movement(portfolio_id: string, operation_date: string, parts: Partial<Movement>): Movement {
  return {
    id: `${portfolio_id} ${operation_date} ${parts.kind ?? "none"}`,
    portfolio_id,
    holding_id: null,
    isin: null,
    operation_date,
    kind: null,
    amount: null,
    balance: null,
    currency: "EUR",
    fees: null,
    taxes: null,
    gross: null,
    first_read_at: null,
    ...parts,
  };
}

export function rate(date: string, pair: string, value: string, source = "rates.csv"): Rate {
  const [base = "", quote = ""] = pair.split("/");
  return { date, base, quote, rate: value, source };
}

export function connection(
  credentials_token: string,
  accounts: readonly AccountFacts[],
  parts: Partial<ConnectionFacts> = {},
): ConnectionFacts {
  return {
    credentials_token,
    connector_id: "fern",
    client_ref: "M-17",
    movements_until: today,
    accounts,
    movements: [],
    has_depot_income: hasDepotIncome(accounts, parts.movements ?? []),
    differences: [],
    ...parts,
  };
}

/** The facts of one connection whose movements were all read. */
export function facts(
  accounts: readonly AccountFacts[],
  movements: readonly Movement[] = [],
  rates: readonly Rate[] = [],
): WealthFacts {
  return { connections: [connection("c1", accounts, { movements })], rates };
}
