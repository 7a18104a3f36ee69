import { calendarDate, compareDecimals, negateDecimal, type TransactionData, transactionFrom } from "@org/provider-kit";
import { z } from "zod";
import { accountsSchema } from "./holdings.js";
import {
  amountsIn,
  currencyCodes,
  NO_CURRENCY,
  optionalText,
  type PlaidSecurity,
  readableRows,
  securities,
  securityFacts,
  securityUnits,
  statedFigure,
} from "./securities.js";
import { plaidKind } from "./transaction-kinds.js";

const transactionSchema = z.object({
  investment_transaction_id: z.string().min(1),
  account_id: z.string(),
  security_id: optionalText,
  date: calendarDate,
  name: optionalText,
  quantity: statedFigure,
  amount: statedFigure,
  price: statedFigure,
  fees: statedFigure,
  type: optionalText,
  subtype: optionalText,
  ...currencyCodes,
});

export const transactionsSchema = accountsSchema.extend({
  investment_transactions: readableRows(transactionSchema),
  securities,
  total_investment_transactions: z.coerce.number().int().nonnegative(),
});

/**
 * A transaction. Plaid's amounts are positive where cash goes out.
 * @param securities by id
 */
export function plaidTransaction(
  stated: z.output<typeof transactionSchema>,
  securities: ReadonlyMap<string, PlaidSecurity>,
): TransactionData {
  const { security_id = null, type, subtype } = stated;
  const security = security_id === null ? undefined : securities.get(security_id);
  const { currency, amount } = amountsIn(stated);
  // Cash comes as a security of its own: what moves is its amount.
  const isCash = security_id === null || security?.type === "cash";
  const quantity = isCash ? null : unlessZero(stated.quantity);
  const [price, value] = [amount(stated.price), amount(stated.amount)];
  const { amount: units, isPercent } = securityUnits(security, { quantity, price, value });
  const balance = value === null ? null : negateDecimal(value);
  return transactionFrom({
    key: stated.investment_transaction_id,
    portfolio_key: stated.account_id,
    holding_key: isCash ? null : security_id,
    operation_date: stated.date,
    description: stated.name || [type, subtype].filter(Boolean).join(" ") || "Transaction",
    amount: units,
    balance,
    currency: currency ?? NO_CURRENCY,
    unit_price: units === null || isPercent ? null : unlessZero(price),
    fees: amount(stated.fees),
    kind: plaidKind(type ?? "", subtype ?? "", units ?? negateDecimal(stated.amount ?? "0")),
    identifiers: isCash ? null : identifiersOf(security, security_id),
  });
}

function identifiersOf(security: PlaidSecurity | undefined, security_id: string) {
  const { isin, identifiers } = securityFacts(security, security_id);
  return { isin, ...identifiers };
}

/** Plaid states zero units and a price of zero where there are none. */
function unlessZero(decimal: string | null | undefined): string | null {
  return decimal == null || compareDecimals(decimal, "0") === 0 ? null : decimal;
}
