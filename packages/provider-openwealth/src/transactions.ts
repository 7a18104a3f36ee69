import { negateDecimal, type TransactionData } from "@org/provider-kit";
import type { Account, CustodyMovement, CustodyTransaction, Instrument, Price } from "./custody-answers.js";
import { isSameNumber, sumOf } from "./decimal.js";
import { toIdentifiers } from "./holdings.js";
import { type Moved, transactionKind } from "./transaction-kinds.js";

/** Money that a transaction posted to one account in one currency. */
interface Posting {
  readonly account: string;
  readonly currency: string;
  readonly amount: string | null;
}

/**
 * Converts a transaction to rows. A transaction with one posted total becomes one row: with the units if it moves one asset, in the account of that
 * asset, otherwise in the account of the money. One with several totals (a currency deal) or several assets (an exchange) becomes a row for each, and
 * every total is in only one row. Totals are those that the bank states, otherwise the sums of the movements.
 */
export function rowsOf(transaction: CustodyTransaction): TransactionData[] {
  const assets = transaction.movementList.filter(({ type }) => type === "asset");
  const money = transaction.movementList.filter(({ type }) => type !== "asset");
  const postings = postingsOf(transaction, money);
  const only = postings.length === 1 ? (postings[0] ?? null) : null;
  const main = only === null && postings.length > 0 ? null : mainAsset(transaction, assets);
  const isOneRow = assets.length + postings.length - (main !== null && only !== null ? 1 : 0) === 1;

  const assetRows = assets.map((asset) => {
    const posting = asset === main ? only : null;
    const key = asset === main || isOneRow ? transaction.id : `${transaction.id}/${numberOf(asset)}`;
    const price = asset.price ?? (asset === main ? transaction.triggeringPrice : undefined);
    return assetRow(transaction, asset, price, posting, money, key);
  });
  const postingRows = (main !== null && only !== null ? [] : postings).map((posting) =>
    moneyRow(
      transaction,
      posting,
      money,
      postings.length === 1 ? transaction.id : `${transaction.id}/${posting.account}/${posting.currency}`,
    ),
  );
  return [...assetRows, ...postingRows];
}

/** The accounts in which a transaction moves something. */
export function accountsOf({ movementList, postingAmountList = [] }: CustodyTransaction): Account[] {
  return [...movementList, ...postingAmountList].map(({ account }) => account);
}

/** The asset that a transaction is about: the only one, or the one that the bank names as its trigger. */
function mainAsset({ triggeringFinancialInstrument: trigger }: CustodyTransaction, assets: readonly CustodyMovement[]) {
  const [first] = assets;
  if (first === undefined || assets.length === 1) return first ?? null;
  const about = trigger && assets.filter(({ financialInstrument }) => isSameInstrument(financialInstrument, trigger));
  return about?.length === 1 ? (about[0] ?? null) : null;
}

/** What distinguishes an asset from the others of its transaction: its position, otherwise the instrument's number. */
function numberOf({ positionId, financialInstrument }: CustodyMovement): string {
  return positionId ?? financialInstrument.identificationList[0]?.identifier ?? financialInstrument.name;
}

function isSameInstrument(one: Instrument, other: Instrument): boolean {
  if (one.type !== other.type) return false;
  const ids = new Set(one.identificationList.map(({ type, identifier }) => `${type}:${identifier}`));
  return other.identificationList.some(({ type, identifier }) => ids.has(`${type}:${identifier}`));
}

function assetRow(
  transaction: CustodyTransaction,
  asset: CustodyMovement,
  price: Price | undefined,
  posting: Posting | null,
  money: readonly CustodyMovement[],
  key: string,
): TransactionData {
  const instrument = asset.financialInstrument;
  const currency =
    posting?.currency ??
    asset.positionCurrency ??
    price?.currency ??
    instrument.currencyOfDenomination ??
    asset.account.referenceCurrency;
  const units = asset.quantity.value;
  return {
    key,
    portfolio_key: asset.account.id,
    holding_key: asset.positionId ?? null,
    ...common(transaction, instrument, { units }),
    amount: units,
    balance: posting?.amount ?? null,
    currency,
    unit_price: priceIn(price, currency),
    ...(posting && chargesOf(posting, money)),
  };
}

function moneyRow(
  transaction: CustodyTransaction,
  posting: Posting,
  money: readonly CustodyMovement[],
  key: string,
): TransactionData {
  const moved = money.find((movement) => isOf(posting, movement));
  const instrument = transaction.triggeringFinancialInstrument ?? moved?.financialInstrument;
  return {
    key,
    portfolio_key: posting.account,
    holding_key: moved?.positionId ?? null,
    ...common(transaction, instrument, { money: posting.amount }),
    amount: null,
    balance: posting.amount,
    currency: posting.currency,
    unit_price: null,
    ...chargesOf(posting, money),
  };
}

/** What all rows of a transaction have in common. The sign of what was moved distinguishes inflow from outflow. */
function common(transaction: CustodyTransaction, instrument: Instrument | undefined, moved: Moved) {
  const { tradeDate, transactionDate, settlementDate, placeOfTrade } = transaction;
  const numbers = instrument === undefined ? {} : toIdentifiers(instrument);
  const mic = placeOfTrade?.marketIdentificationCode;
  const identifiers = numbers.ticker !== undefined && mic !== undefined ? { ...numbers, mic } : numbers;
  return {
    operation_date: tradeDate ?? transactionDate,
    description: transaction.description || wordsFor(transaction, instrument),
    kind: transactionKind(transaction, moved),
    ...(settlementDate !== undefined && { settlement_date: settlementDate }),
    ...(Object.keys(identifiers).length > 0 && { identifiers }),
  };
}

/** `Dividend cash: Apple Inc.`, if the bank gives no description. */
function wordsFor(
  { type, reversalIndicator, details }: CustodyTransaction,
  instrument: Instrument | undefined,
): string {
  const words = type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const title = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  const about = instrument === undefined ? "" : `: ${instrument.name}`;
  return `${reversalIndicator ? "Reversal of " : ""}${title}${about}${details ? ` (${details})` : ""}`;
}

/** The price per unit, if it is in the row's currency or in percent of the nominal value. */
function priceIn(price: Price | undefined, currency: string): string | null {
  if (price === undefined) return null;
  return price.type === "percentage" || (price.currency ?? currency) === currency ? price.value : null;
}

/** The totals that the bank states, otherwise the sums of the movements by account and currency. */
function postingsOf({ postingAmountList }: CustodyTransaction, money: readonly CustodyMovement[]): Posting[] {
  if (postingAmountList !== undefined)
    return postingAmountList.map(({ account, currency, amount }) => ({ account: account.id, currency, amount }));
  const sums = new Map<string, { account: string; currency: string; parts: (string | null)[] }>();
  for (const movement of money) {
    const currency = currencyOf(movement);
    const key = JSON.stringify([movement.account.id, currency]);
    const sum = sums.get(key) ?? { account: movement.account.id, currency, parts: [] };
    sum.parts.push(movement.quantity.value);
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ account, currency, parts }) => ({ account, currency, amount: sumOf(parts) }));
}

function currencyOf({ positionCurrency, financialInstrument, account }: CustodyMovement): string {
  return positionCurrency ?? financialInstrument.currencyOfDenomination ?? account.referenceCurrency;
}

function isOf(posting: Posting, movement: CustodyMovement): boolean {
  return movement.account.id === posting.account && currencyOf(movement) === posting.currency;
}

const feeTypes = new Set([
  "brokerageFee",
  "commission",
  "custodyFee",
  "exchangeFee",
  "managementFee",
  "otherFee",
  "thirdPartyFee",
  "transactionFee",
]);
const taxTypes = new Set([
  "additionalWithholdingTax",
  "capitalGainTax",
  "financialTransactionTax",
  "otherTax",
  "reclaimableTax",
  "stampDuty",
  "valueAddedTax",
  "withholdingTax",
]);

/**
 * The fees and taxes in a total, positive when charged, and the total without them. The signs of the movements count if they add up to the total. If
 * they do not (as in some examples of the specification), a fee counts as charged.
 */
function chargesOf(
  posting: Posting,
  money: readonly CustodyMovement[],
): Pick<TransactionData, "fees" | "taxes" | "gross"> {
  const parts = money.filter((movement) => isOf(posting, movement));
  const sum = sumOf(parts.map(({ quantity }) => quantity.value));
  const areSigned = sum !== null && posting.amount !== null && isSameNumber(sum, posting.amount);
  const charged = (types: ReadonlySet<string>) =>
    sumOf(
      parts
        .filter(({ type }) => types.has(type))
        .map(({ quantity: { value } }) => value && (areSigned || value.startsWith("-") ? negateDecimal(value) : value)),
    );
  const fees = charged(feeTypes);
  const taxes = charged(taxTypes);
  if (fees === null && taxes === null) return {};
  const gross = sumOf([posting.amount, fees ?? "0", taxes ?? "0"]);
  return { ...(fees !== null && { fees }), ...(taxes !== null && { taxes }), ...(gross !== null && { gross }) };
}
