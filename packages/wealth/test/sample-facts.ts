import type { Steps } from "@org/provider-kit";
import type { AccountFacts, ConnectionFacts, HoldingFacts, Movement, Valuation, WealthFacts } from "../src/index.js";

/** A valuation of a day: a balance alone, or with holdings. */
export function valuation(day: string, balance: string | null, holdings?: readonly HoldingFacts[]): Valuation {
  const counted = holdings?.filter(({ is_notional }) => !is_notional);
  const values = counted?.map(({ balance: amount, currency }) => (amount === null ? null : { amount, currency }));
  return {
    day,
    read_at: null,
    balance,
    holdings_value: values === undefined || values.includes(null) ? null : values.filter((value) => value !== null),
    has_holdings: holdings !== undefined,
    ...(holdings && { holdings }),
  };
}

export function holding(id: string, balance: string | null, more: Partial<HoldingFacts> = {}): HoldingFacts {
  const facts = { name: id, isin: null, amount: "10", currency: "EUR", type: "VI", is_notional: false, cost: null };
  return { id, ...facts, balance, ...more };
}

/** An account in euros that lists its cash. */
export function account(id: string, valuations: readonly Valuation[], more: Partial<AccountFacts> = {}): AccountFacts {
  return {
    portfolio_id: id,
    shown_as: id,
    name: id,
    ref_account: null,
    currency: "EUR",
    is_cash: false,
    lists_securities: true,
    lists_cash: true,
    valuations,
    ...more,
  };
}

export function movement(
  portfolio_id: string,
  operation_date: string,
  kind: string | null,
  balance: string | null,
  more: Partial<Movement> = {},
): Movement {
  return {
    id: `${portfolio_id} ${operation_date} ${kind} ${balance}`,
    portfolio_id,
    holding_id: null,
    isin: null,
    operation_date,
    kind,
    amount: null,
    balance,
    currency: "EUR",
    fees: null,
    taxes: null,
    gross: null,
    first_read_at: null,
    ...more,
  };
}

/** Whether these movements are dividends or coupons of a depot. */
export function hasDepotIncome(accounts: readonly AccountFacts[], movements: readonly Movement[]): boolean {
  const depots = accounts.filter(({ is_cash }) => !is_cash).map(({ portfolio_id }) => portfolio_id);
  return movements.some(
    ({ portfolio_id, kind }) => depots.includes(portfolio_id) && (kind === "dividend" || kind === "coupon"),
  );
}

export function connection(
  accounts: readonly AccountFacts[],
  movements: readonly Movement[] = [],
  more: Partial<ConnectionFacts> = {},
): ConnectionFacts {
  return {
    credentials_token: "c1",
    connector_id: "che:fern",
    client_ref: "M-17",
    movements_until: "2030-01-01",
    accounts,
    movements,
    has_depot_income: hasDepotIncome(accounts, movements),
    differences: [],
    ...more,
  };
}

export function factsOf(connections: readonly ConnectionFacts[], rates: WealthFacts["rates"] = []): WealthFacts {
  return { connections, rates };
}

/** What work that is cut into steps returns. */
export function resultOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
