import type {
  HoldingTruth,
  PortfolioTruth,
  TransactionTruth,
} from "../../../../packages/provider-openwealth/test/stand-in/truth.js";
import type { HeldCustomer, HeldPosition, HoldingTruthOfVersion, Product } from "./openwealth-versions-book.js";
import { accountId } from "./openwealth-versions-rows.js";
import type { Version } from "./openwealth-versions-values.js";

/** What the customer of the stand-in should see. Every figure is a decimal string. */
export interface TruthOfVersion {
  readonly portfolios: readonly PortfolioTruth[];
  readonly holdings: readonly HoldingTruthOfVersion[];
  readonly transactions: readonly TransactionTruth[];
}

export function truthOf(version: Version, customer: HeldCustomer): TruthOfVersion {
  return {
    portfolios: customer.accounts.map((account) => {
      const cash = customer.positions.find((held) => held.account === account && !held.product);
      return {
        account: accountId(version, account),
        currency: account.currency,
        // No version has a number of an account beside its identification.
        reference: account.iban ?? account.id,
        type: account.type === "cashAccount" ? "L" : account.type === "safekeepingAccount" ? "S" : "O",
        ...(account.type === "cashAccount" && cash ? { balance: cash.shows?.balance ?? cash.units } : {}),
      };
    }),
    holdings: customer.positions.map((held) => holdingTruth(version, held)),
    transactions: customer.bookings.map(({ id, dates, shows: { cash, ...shows } }) => ({
      id,
      date: dates.transactionDate ?? dates.bookingDate ?? dates.valueDate ?? "",
      ...(dates.settlementDate ? { settlement_date: dates.settlementDate } : {}),
      cash: Object.fromEntries(
        cash.map(([account, amount]) => [`${accountId(version, account)} ${account.currency}`, amount]),
      ),
      ...shows,
    })),
  };
}

/** Identification types that have a name among the product's facts. */
const facts: Readonly<Record<string, string>> = {
  sedol: "sedol",
  cusip: "cusip",
  valoren: "valor",
  wertpapier: "wkn",
  tickerSymbol: "ticker",
};

function holdingTruth(version: Version, held: HeldPosition): HoldingTruthOfVersion {
  const { account, product, price, price_type: priceType, currency } = held;
  const fact = product && facts[product.scheme];
  return {
    position: held.id,
    account: accountId(version, account),
    name: held.name ?? product?.name ?? "",
    isin: product?.scheme === "isin" ? product.identification : null,
    amount: held.units,
    balance: product ? (held.value ?? null) : held.units,
    currency: product ? account.currency : currency,
    ...typeOf(version, product),
    ...(price === undefined ? {} : { price, price_unit: priceType === "percentage" ? "percent" : "currency" }),
    ...(price !== undefined && priceType === "perUnit" ? { price_currency: currency } : {}),
    ...(held.accrued ? { accrued_interest: held.accrued } : {}),
    ...(product && fact ? { identifiers: { [fact]: product.identification } } : {}),
    ...held.shows,
  };
}

/** Only what follows for certain: cash, and from 2.0 on the category of ISO 10962. */
function typeOf(version: Version, product: Product | undefined): Pick<HoldingTruth, "type" | "subtype"> {
  if (!product) return { type: "L" };
  if (version !== "2.0") return {};
  const { cfi } = product;
  if (/^E/.test(cfi)) return { type: "VI" };
  if (/^DB/.test(cfi)) return { type: "FI" };
  if (/^CI/.test(cfi)) return { type: "F" };
  if (/^[OH]/.test(cfi)) return { type: "DV", subtype: "OP" };
  if (/^F/.test(cfi)) return { type: "DV", subtype: "FT" };
  return {};
}
