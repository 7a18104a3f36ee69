import {
  type HoldingData,
  type HoldingSubtype,
  type HoldingType,
  type SecurityIdentifiers,
  type TransactionData,
  typeOfSubtype,
} from "../snapshot.js";

/** A row as an institution states it: what it leaves out is missing or null, except for what no row can be without. */
type Stated<Row, Needed extends keyof Row> = Pick<Row, Needed> & {
  readonly [Field in Exclude<keyof Row, Needed | "identifiers">]?: Row[Field] | null | undefined;
} & { readonly identifiers?: Nullable<SecurityIdentifiers> | null | undefined };
type Nullable<Row> = { readonly [Field in keyof Row]?: Row[Field] | null | undefined };

/** What {@link holdingFrom} takes. `type` is a type, or a subtype, which has its own. */
export type StatedHolding = Stated<
  Omit<HoldingData, "type" | "subtype">,
  "key" | "portfolio_key" | "name" | "currency"
> & { readonly type: HoldingType | HoldingSubtype };

/** What {@link transactionFrom} takes. */
export type StatedTransaction = Stated<
  TransactionData,
  "key" | "portfolio_key" | "operation_date" | "description" | "currency"
>;

/** A holding, of what an institution states: fields that it leaves out are null, facts and identifiers that it leaves out are missing. */
export function holdingFrom({ type, ...stated }: StatedHolding): HoldingData {
  const types = isSubtype(type) ? { type: typeOfSubtype[type], subtype: type } : { type, subtype: null };
  return { isin: null, amount: null, balance: null, valuation_date: null, ...known(stated), ...types };
}

/** The cash of a portfolio in one currency, as a holding; `amount` null = not known. */
export function cashFrom(
  stated: Pick<HoldingData, "portfolio_key" | "currency" | "amount" | "valuation_date"> &
    Partial<Pick<HoldingData, "key" | "name">>,
): HoldingData {
  const { currency, amount } = stated;
  const row = { isin: null, balance: amount, type: "L", subtype: null } as const;
  return { key: `cash:${currency}`, name: `Cash ${currency}`, ...row, ...stated };
}

/** A transaction, of what an institution states: fields that it leaves out are null, facts and identifiers that it leaves out are missing. */
export function transactionFrom(stated: StatedTransaction): TransactionData {
  return { holding_key: null, amount: null, balance: null, unit_price: null, ...known(stated), key: stated.key };
}

function isSubtype(type: HoldingType | HoldingSubtype): type is HoldingSubtype {
  return Object.hasOwn(typeOfSubtype, type);
}

type Known<Row> = { [Field in keyof Row]: Exclude<Row[Field], null | undefined> };

function known<Row extends { readonly identifiers?: Nullable<SecurityIdentifiers> | null | undefined }>({
  identifiers,
  ...stated
}: Row): Known<Omit<Row, "identifiers">> & { identifiers?: SecurityIdentifiers } {
  const own = withValues(identifiers ?? {});
  return { ...withValues(stated), ...(Object.keys(own).length > 0 && { identifiers: own }) };
}

function withValues<Row extends object>(stated: Row): Known<Row> {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value != null)) as Known<Row>;
}
