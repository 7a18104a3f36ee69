import {
  calendarDate,
  type HoldingData,
  holdingFrom,
  type PortfolioData,
  type PortfolioType,
  signByDirection,
} from "@org/provider-kit";
import { z } from "zod";
import {
  amountsIn,
  currencyCodes,
  NO_CURRENCY,
  optionalText,
  type PlaidSecurity,
  securities,
  securityFacts,
  securityType,
  securityUnits,
  statedFigure,
} from "./securities.js";

const day = calendarDate.nullish().catch(null);

const accountSchema = z.object({
  account_id: z.string(),
  name: optionalText,
  mask: optionalText,
  type: optionalText,
  subtype: optionalText,
  persistent_account_id: optionalText,
  balances: z.object({ current: statedFigure, ...currencyCodes }).catch({ current: null }),
});
export type PlaidAccount = z.output<typeof accountSchema>;

export const itemSchema = z.object({
  item_id: z.string(),
  institution_id: optionalText,
  institution_name: optionalText,
  consent_expiration_time: z.iso.datetime({ offset: true }).nullish().catch(null),
});

export const accountsSchema = z.object({ accounts: z.array(accountSchema), item: itemSchema });

const holdingSchema = z.object({
  account_id: z.string(),
  security_id: z.string(),
  quantity: statedFigure,
  institution_price: statedFigure,
  institution_price_as_of: day,
  institution_value: statedFigure,
  cost_basis: statedFigure,
  ...currencyCodes,
});
export const holdingsSchema = accountsSchema.extend({
  holdings: z.array(holdingSchema),
  securities,
});

const retirement =
  /401|403|457|\bira\b|roth|pension|retirement|keogh|sarsep|sipp|thrift|rrsp|rrif|rlif|prif|lrif|lira|lrsp|\blif\b|profit sharing/i;
const portfolioTypes = new Map<string, PortfolioType>([
  ["crypto exchange", "C"],
  ["non-custodial wallet", "C"],
  ["mutual fund", "F"],
  ["cash management", "L"],
]);

/** Accounts that are invested, or that hold something, by id. */
export function investmentAccounts(
  accounts: readonly PlaidAccount[],
  held: ReadonlySet<string>,
): ReadonlyMap<string, PlaidAccount> {
  const isOne = ({ account_id, type }: PlaidAccount) =>
    type === "investment" || type === "brokerage" || held.has(account_id);
  return new Map(accounts.filter(isOne).map((account) => [account.account_id, account]));
}

export function plaidPortfolio({ account_id: key, name, mask, subtype, balances }: PlaidAccount): PortfolioData {
  const { currency, amount } = amountsIn(balances);
  const type = portfolioTypes.get(subtype ?? "") ?? (retirement.test(subtype ?? "") ? "PP" : "S");
  return {
    key,
    name: name || mask || key,
    balance: amount(balances.current),
    currency: currency ?? NO_CURRENCY,
    ref_account: mask ?? null,
    type,
  };
}

/** @param securities by id */
export function plaidHolding(
  stated: z.output<typeof holdingSchema>,
  securities: ReadonlyMap<string, PlaidSecurity>,
): HoldingData {
  const { account_id: portfolio_key, security_id: key, quantity, cost_basis } = stated;
  const security = securities.get(key);
  const { currency, amount } = amountsIn(stated);
  const [price, value] = [amount(stated.institution_price), amount(stated.institution_value)];
  const { amount: units, isPercent } = securityUnits(security, { quantity: quantity ?? null, price, value });
  const cost = amount(cost_basis);
  return holdingFrom({
    key,
    portfolio_key,
    ...securityFacts(security, key),
    type: securityType(security),
    amount: units,
    balance: value,
    currency: currency ?? NO_CURRENCY,
    valuation_date: stated.institution_price_as_of,
    // A price in percent is in no currency, so it was not one of a minor unit.
    price: isPercent ? stated.institution_price : price,
    price_unit: isPercent && price !== null ? "percent" : null,
    cost: quantity?.startsWith("-") ? signByDirection(cost, true) : cost,
  });
}
