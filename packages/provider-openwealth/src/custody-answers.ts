import { calendarDate, money } from "@org/provider-kit";
import { z } from "zod";
import { plainDecimal } from "./decimal.js";

/**
 * The parts of OpenWealth Custody Services 3.2 answers that are read, with the names of its specification. Other members are ignored, and a type that
 * the specification does not have is treated as `other`. Answers of older versions become the same items, by statement-answers.ts.
 */

/** A JSON number as text; null if it has more digits than can be stored. */
export const number = z
  .string()
  .regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/, "must be a number")
  .transform(plainDecimal);
export const custodyId = z.string().min(1).max(500);
export const date = calendarDate;
export const currency = z.string().regex(/^[A-Z]{3}$/, "must be a currency code (ISO 4217)");

const customer = z.object({
  id: custodyId,
  number: z.string().max(500).optional(),
  referenceCurrency: currency.optional(),
});

const account = z.object({
  id: custodyId,
  type: z.string(),
  name: z.string().optional(),
  referenceCurrency: currency,
  iban: z.string().optional(),
  number: z.string().optional(),
  designation: z.string().optional(),
});

const instrument = z.object({
  type: z.string(),
  name: z.string(),
  identificationList: z.array(z.object({ identifier: z.string(), type: z.string() })).default([]),
  cfiCode: z.string().optional(),
  currencyOfDenomination: currency.transform((code) => money(code, null).currency).optional(),
  factor: number.optional(),
  contractSize: number.optional(),
  underlyingFinancialInstrument: z.object({ type: z.string() }).optional(),
});

const quantity = z.object({ type: z.string(), value: number });
/** A price of a London share may be in GBX. */
const price = z.object({ type: z.string(), value: number, currency: currency.optional() }).transform((price) => {
  if (price.currency === undefined) return price;
  const { currency, amount } = money(price.currency, price.value);
  return { ...price, currency, value: price.type === "percentage" ? price.value : amount };
});
const statedMoney = z.object({ amount: number, currency }).transform(({ amount, currency }) => money(currency, amount));

const position = z.object({
  id: custodyId,
  endOfDayIndicator: z.boolean(),
  positionDate: date,
  financialInstrument: instrument,
  account,
  quantity,
  valuation: z.object({
    valueInPositionCurrency: statedMoney,
    valueInReferenceCurrency: statedMoney.optional(),
    valuationDate: date.optional(),
  }),
  price: price.optional(),
  costPrice: price.optional(),
  accruedInterest: statedMoney.optional(),
});

const movement = z.object({
  type: z.string(),
  financialInstrument: instrument,
  account,
  quantity,
  positionId: custodyId,
  positionCurrency: currency.optional(),
  price: price.optional(),
});

const transaction = z.object({
  id: custodyId,
  type: z.string(),
  transactionDate: date,
  reversalIndicator: z.boolean(),
  endOfDayIndicator: z.boolean(),
  description: z.string().optional(),
  placeOfTrade: z.object({ marketIdentificationCode: z.string().optional() }).optional(),
  tradeDate: date.optional(),
  settlementDate: date.optional(),
  triggeringFinancialInstrument: instrument.optional(),
  triggeringPrice: price.optional(),
  movementList: z.array(movement).default([]),
  postingAmountList: z.array(z.object({ account }).and(statedMoney)).optional(),
});

export type Customer = z.infer<typeof customer>;
export type Account = z.infer<typeof account>;
export type Instrument = z.infer<typeof instrument>;
export type Price = z.infer<typeof price>;
export type Amount = z.infer<typeof statedMoney>;

/** What old versions may leave out is undefined; null = a figure with too many digits. */
type Sometimes<Of, Names extends keyof Of> = Omit<Of, Names> & { readonly [Name in Names]?: Of[Name] | undefined };

type Valued = z.infer<typeof position>["valuation"];
export type Position = Omit<z.infer<typeof position>, "valuation"> & {
  readonly valuation: Omit<Valued, "valueInPositionCurrency"> & {
    readonly valueInPositionCurrency: Sometimes<Amount, "amount">;
  };
};

export type CustodyMovement = Sometimes<z.infer<typeof movement>, "positionId">;
export type Posting = Amount & { readonly account: Account };
export type CustodyTransaction = Omit<z.infer<typeof transaction>, "movementList" | "postingAmountList"> & {
  readonly movementList: readonly CustodyMovement[];
  readonly postingAmountList?: readonly Posting[] | undefined;
  /** What old versions call the type; theirs of this name is the subtype. */
  readonly group?: string;
  readonly details?: string | undefined;
};

/** A transaction as it is stated: old versions need not say in which account something moved. */
export type UnplacedTransaction = Omit<CustodyTransaction, "movementList" | "postingAmountList"> & {
  readonly movementList: readonly Sometimes<CustodyMovement, "account">[];
  readonly postingAmountList?: readonly Sometimes<Posting, "account">[] | undefined;
};

/** The lists of the specification, whichever its version. */
export interface Items {
  readonly customers: Customer;
  readonly accounts: Account;
  readonly positions: Position;
  readonly transactions: UnplacedTransaction;
}
export type ListName = keyof Items;

/** How an answer is read: the rows in it, null if they are not where they should be; and each row. */
export interface ListReader<Item> {
  readonly rows: (body: unknown) => readonly unknown[] | null;
  readonly row: z.ZodType<Item>;
}
export type Lists = { readonly [Name in ListName]: ListReader<Items[Name]> };

function listOf<Item>(row: z.ZodType<Item>): ListReader<Item> {
  return { rows: (body) => (Array.isArray(body) ? body : null), row };
}

/** The lists of version 3.2, one page at a time. */
export const lists: Lists = {
  customers: listOf(customer),
  accounts: listOf(account),
  positions: listOf(position),
  transactions: listOf(transaction),
};

/** The most items on a page, however few were requested. */
const MAX_ITEMS = 20_000;
/** The most values of one item: positions have about sixty, transactions about a hundred. */
const MAX_VALUES = 20_000;

/**
 * The items of a page, or the first fault. Items are checked one by one, and very large ones are refused: zod reports every fault it finds, and a
 * page full of faults would fill the memory.
 */
export function readItems<Item>(
  { rows: rowsIn, row }: ListReader<Item>,
  body: unknown,
): { readonly items: readonly Item[] } | { readonly fault: string } {
  const rows = rowsIn(body);
  if (rows === null) return { fault: "must be a list" };
  if (rows.length > MAX_ITEMS) return { fault: `must have at most ${MAX_ITEMS} items` };
  const items: Item[] = [];
  for (const [index, one] of rows.entries()) {
    if (valuesIn(one, MAX_VALUES) > MAX_VALUES) return { fault: `${index}: must have at most ${MAX_VALUES} values` };
    const read = row.safeParse(withoutNulls(one));
    if (!read.success) {
      const places = read.error.issues.slice(0, 3);
      return { fault: places.map(({ path, message }) => `${[index, ...path].join(".")}: ${message}`).join("; ") };
    }
    items.push(read.data);
  }
  return { items };
}

/** Counts the values in JSON; stops a little beyond `most`. */
function valuesIn(json: unknown, most: number): number {
  if (typeof json !== "object" || json === null) return 1;
  let count = 1;
  for (const part of Object.values(json)) {
    if (count > most) break;
    count += valuesIn(part, most - count);
  }
  return count;
}

/** Removes properties that are null: some banks send them where the specification leaves them out. */
function withoutNulls(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => (value === null ? [] : [[name, withoutNulls(value)]])),
  );
}

/** The number of figures with too many digits to be stored in a list that was read; nothing else in it is null. */
export function nullsIn(value: unknown): number {
  if (value === null) return 1;
  return typeof value === "object" ? Object.values(value).reduce<number>((sum, part) => sum + nullsIn(part), 0) : 0;
}
