import type { SnapshotData } from "@org/provider-kit";
import type { Read } from "./lighthouse-api.js";

/** Converts the bank's data to a snapshot. Keys are the bank's own: ids are derived from them for years. */
export function snapshotOf({ accounts: { accounts }, bookings }: Read, now: Date): SnapshotData {
  const currencies = new Map(accounts.map(({ number, currency }) => [number, currency]));
  return {
    as_of: now,
    portfolios: accounts.map(({ number, title, value, currency }) => ({
      key: number,
      name: title,
      balance: value,
      currency,
      ref_account: number,
      type: "S",
    })),
    holdings: accounts.flatMap(({ number, currency, positions }) =>
      positions.map(({ isin, title, units, value }) => ({
        key: isin,
        portfolio_key: number,
        name: title,
        isin,
        amount: units,
        balance: value,
        currency,
        valuation_date: null,
        type: "VI",
        subtype: null,
      })),
    ),
    transactions: bookings.flatMap(({ id, account, day, text, value }) => {
      const currency = currencies.get(account);
      // A booking of an account that has been closed, so it has no portfolio.
      if (currency === undefined) return [];
      return {
        key: id,
        portfolio_key: account,
        holding_key: null,
        operation_date: day,
        description: text,
        amount: null,
        balance: value,
        currency,
        unit_price: null,
      };
    }),
  };
}
