import {
  FeedRefusal,
  type HoldingData,
  type HoldingSubtype,
  type HoldingType,
  holdingSubtypes,
  holdingTypes,
  isDecimalString,
  isIsin,
  isMinorUnit,
  memoize,
  money,
  multiplyDecimals,
  type SecurityIdentifiers,
  type TransactionData,
  type TransactionKind,
  transactionKinds,
  typeOfSubtype,
  type Writable,
} from "@org/provider-kit";
import type { FieldName, Fields, MappingRule } from "./mapping.js";
import {
  excerptText,
  isTextGiven,
  type ReadingContext,
  type ReadValue,
  readCondition,
  readValue,
} from "./reading-values.js";
import type { Row } from "./row.js";
import type { MappingWarnings } from "./warnings.js";

/** What a row states. The account's key is empty until it is set. */
export type Item =
  | { readonly is: "holding" | "cash"; readonly holding: Writable<HoldingData>; readonly day: string | null }
  | { readonly is: "transaction"; readonly transaction: Writable<TransactionData>; readonly day: string };

/** A rule of the mapping, resolved for the rows of one table. */
export interface ReadRule {
  readonly is: MappingRule["is"];
  readonly holds: (row: Row) => boolean;
  readonly goesOn: boolean;
  /** Null if the rule ignores its rows. @throws FeedRefusal for a row that lacks a required value */
  readonly read: ((row: Row) => Item) | null;
}

/** @param shared values of the mapping and the table, which the rule's own values override */
export function readRule(
  rule: MappingRule,
  shared: Fields,
  around: ReadingContext,
  warnings: MappingWarnings,
): ReadRule {
  const holds = rule.when ? readCondition(rule.when, around) : () => true;
  const goesOn = rule.goes_on ?? false;
  const { is } = rule;
  if (is === "ignored") return { is, holds, goesOn, read: null };
  const fields = new RuleFields({ ...shared, ...rule.values }, rule, around, warnings);
  if (is === "transaction") return { is, holds, goesOn, read: (row) => transactionOf(fields, row) };
  return { is, holds, goesOn, read: (row) => (is === "cash" ? cashOf(fields, row) : holdingOf(fields, row)) };
}

/** The fields of a rule, resolved once for the rows of a table. */
class RuleFields {
  readonly rule: MappingRule;
  readonly warnings: MappingWarnings;
  readonly #values = new Map<FieldName, ReadValue>();
  readonly #isIsin = memoize(isIsin);

  constructor(fields: Fields, rule: MappingRule, around: ReadingContext, warnings: MappingWarnings) {
    this.rule = rule;
    this.warnings = warnings;
    const { account } = around.mapping;
    const all = account?.currency && !fields.currency ? { ...fields, currency: account.currency } : fields;
    for (const [name, value] of Object.entries(all))
      if (value) this.#values.set(name as FieldName, readValue(value, around));
  }

  text(name: FieldName, row: Row): string {
    const text = this.#values.get(name)?.text(row) ?? "";
    return isTextGiven(text) ? text : "";
  }

  number(name: FieldName, row: Row): string | null {
    return this.#values.get(name)?.number(row) ?? null;
  }

  day(name: FieldName, row: Row): string | null {
    return this.#values.get(name)?.day(row) ?? null;
  }

  /** Reads an optional value. One that cannot be read is left out, with a warning; null then. */
  optional<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FeedRefusal)) throw error;
      this.warnings.add(error.place, `${error.reason}; it is left out`);
      return null;
    }
  }

  refuse(name: FieldName, row: Row, reason: string): FeedRefusal {
    return new FeedRefusal(this.#values.get(name)?.place(row) ?? `line ${row.line}`, reason);
  }

  /** A currency as the row states it: in capitals, or a minor unit such as GBp, which {@link money} converts. */
  currency(row: Row, name: "currency" | "price_currency" = "currency"): string {
    const code = codeIn(this.text(name, row));
    if (/^[A-Z]{3}$/.test(code) || isMinorUnit(code)) return code;
    throw this.refuse(
      name,
      row,
      code === "" ? "names no currency" : `${excerptText(code)} is not a three-letter currency code`,
    );
  }

  /** The code in a field for the currency of one value, or else that of the row. */
  codeOf(name: "price_currency" | "fees_currency" | "taxes_currency", row: Row, code: string): string {
    return codeIn(this.text(name, row)) || code;
  }

  /** A value in its currency: minor units such as GBX are converted. @throws FeedRefusal if it then has too many digits */
  money<Amount extends string | null>(name: FieldName, row: Row, code: string, value: Amount) {
    const converted = money(code, value);
    if (converted.amount === null || isDecimalString(converted.amount)) return converted;
    throw this.refuse(name, row, "has more digits than an amount can have");
  }

  isIsin(text: string): boolean {
    return this.#isIsin(text);
  }

  /** The value of a field that must be one of a list of words; the rule's own setting takes precedence over the row. */
  word<Word extends string>(name: "kind" | "type" | "subtype", words: readonly Word[], row: Row): Word | null {
    const said = this.rule[name] ?? this.text(name, row);
    if (said === "") return null;
    const known = words.find((word) => word === said);
    if (known !== undefined) return known;
    throw this.refuse(name, row, `${excerptText(said)} is no ${name}: ${words.join(", ")}`);
  }
}

function transactionOf(fields: RuleFields, row: Row): Item {
  const date = fields.day("date", row);
  if (date === null) throw fields.refuse("date", row, "has no date");
  const [units, paid] = [fields.number("units", row), fields.number("cash", row)];
  if (units === null && paid === null) throw fields.refuse("cash", row, "says neither units nor cash");
  const code = fields.currency(row);
  const { currency, amount: cash } = fields.money("cash", row, code, paid);
  const kind: TransactionKind = fields.word("kind", transactionKinds, row) ?? "other";
  const { isin, identifiers } = numbersOf(fields, row);
  const name = fields.text("name", row);
  const key = securityKey(isin, identifiers, name);
  const settlement_date = fields.optional(() => fields.day("settlement_date", row));
  /** A value that is left out where it is in another currency: there is no field for it. */
  const own = (name: FieldName, statedIn = code) =>
    fields.optional(() => {
      const value = fields.money(name, row, statedIn, fields.number(name, row));
      return value.currency === currency ? value.amount : null;
    });
  const fees = own("fees", fields.codeOf("fees_currency", row, code));
  const taxes = own("taxes", fields.codeOf("taxes_currency", row, code));
  const gross = own("gross");
  const word = wordsFor[kind];
  const transaction: Writable<TransactionData> = {
    key: fields.text("key", row) || null,
    portfolio_key: "",
    holding_key: key ?? `CASH:${currency}`,
    operation_date: date,
    description: fields.text("description", row) || (name === "" ? word : `${word}: ${name}`),
    amount: units,
    balance: cash,
    currency,
    unit_price: own("price", fields.codeOf("price_currency", row, code)),
    kind,
  };
  if (settlement_date !== null) transaction.settlement_date = settlement_date;
  if (fees !== null) transaction.fees = fees;
  if (taxes !== null) transaction.taxes = taxes;
  if (gross !== null) transaction.gross = gross;
  if (identifiers) transaction.identifiers = identifiers;
  return { is: "transaction", day: date, transaction };
}

/** The description of a transaction if the file has none: `Spin off`. */
const wordsFor = Object.fromEntries(
  transactionKinds.map((kind) => [kind, `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll("_", " ")}`]),
) as Readonly<Record<TransactionKind, string>>;

function holdingOf(fields: RuleFields, row: Row): Item {
  const { isin, identifiers } = numbersOf(fields, row);
  const name = fields.text("name", row) || isin || identifiers?.ticker || "";
  const key = securityKey(isin, identifiers, name);
  if (key === null) throw fields.refuse("name", row, "names no security");
  const amount = fields.number("units", row);
  const stated = fields.number("value", row);
  const readPrice = () => fields.number("price", row);
  // Without a stated value the price decides what the holding is worth.
  const quoted = stated === null ? readPrice() : fields.optional(readPrice);
  if (amount === null && stated === null) throw fields.refuse("units", row, "says neither units nor a value");
  const price_unit = priceUnitOf(fields, row);
  const code = fields.currency(row);
  const { currency, amount: value } = fields.money("value", row, code, stated);
  const priceCode = fields.codeOf("price_currency", row, code);
  const priced = fields.money("price", row, priceCode, price_unit === "percent" ? null : quoted);
  const price = price_unit === "percent" ? quoted : priced.amount;
  const priceIsOwn = priced.currency === currency;
  const day = fields.day("date", row);
  const own = (name: FieldName) =>
    fields.optional(() => fields.money(name, row, code, fields.number(name, row)).amount);
  const cost = own("cost");
  const accrued = own("accrued_interest");
  const type = fields.word<HoldingType>("type", holdingTypes, row) ?? "O";
  return {
    is: "holding",
    day,
    holding: {
      key,
      portfolio_key: "",
      name,
      isin,
      amount,
      balance: value ?? (priceIsOwn ? worth(amount, price, price_unit) : null),
      currency,
      valuation_date: day,
      type,
      subtype: subtypeOf(fields, row, type),
      ...(price !== null && { price }),
      ...(price !== null && price_unit === "percent" && { price_unit }),
      ...(price !== null &&
        !priceIsOwn && { price_currency: money(fields.currency(row, "price_currency"), null).currency }),
      ...(cost !== null && { cost }),
      ...(accrued !== null && { accrued_interest: accrued }),
      ...(identifiers && { identifiers }),
    },
  };
}

function cashOf(fields: RuleFields, row: Row): Item {
  const stated = fields.number("value", row) ?? fields.number("cash", row);
  if (stated === null) throw fields.refuse("value", row, "says no amount of cash");
  const { currency, amount: value } = fields.money("value", row, fields.currency(row), stated);
  const day = fields.day("date", row);
  const name = fields.text("name", row) || `Cash ${currency}`;
  const holding = {
    key: `CASH:${currency}`,
    portfolio_key: "",
    name,
    isin: null,
    amount: value,
    balance: value,
  } as const;
  return { is: "cash", day, holding: { ...holding, currency, valuation_date: day, type: "L", subtype: null } };
}

function priceUnitOf(fields: RuleFields, row: Row): "currency" | "percent" {
  const said = fields.text("price_unit", row).toLowerCase();
  if (said === "" || said === "currency") return "currency";
  if (said === "percent" || said === "%") return "percent";
  throw fields.refuse("price_unit", row, `${excerptText(said)} is neither currency nor percent`);
}

function worth(units: string | null, price: string | null, unit: "currency" | "percent"): string | null {
  if (units === null || price === null) return null;
  const value =
    unit === "percent" ? multiplyDecimals(multiplyDecimals(units, price), "0.01") : multiplyDecimals(units, price);
  return isDecimalString(value) ? value : null;
}

/** A subtype of another type is left out, with a warning. */
function subtypeOf(fields: RuleFields, row: Row, type: HoldingType): HoldingSubtype | null {
  const subtype = fields.word<HoldingSubtype>("subtype", holdingSubtypes, row);
  if (subtype === null || typeOfSubtype[subtype] === type) return subtype;
  const { place } = fields.refuse("subtype", row, "");
  fields.warnings.add(place, `the subtype ${subtype} is of ${typeOfSubtype[subtype]}, not of ${type}; it is left out`);
  return null;
}

/** Capitals, unless it is a minor unit: GBp is not GBP. */
export function codeIn(text: string): string {
  return isMinorUnit(text) ? text : text.toUpperCase();
}

const otherNumbers = ["cusip", "sedol", "wkn", "valor", "figi", "ticker", "mic"] as const;

/** The security's identifiers. An ISIN with a wrong check digit is reported as a warning and left out. */
function numbersOf(fields: RuleFields, row: Row): { isin: string | null; identifiers?: SecurityIdentifiers } {
  const said = fields.text("isin", row).toUpperCase();
  const isin = fields.isIsin(said) ? said : null;
  if (said !== "" && isin === null)
    fields.warnings.add(
      fields.refuse("isin", row, "").place,
      `${excerptText(said)} is no ISIN, or its check digit is wrong; the security is kept without one`,
    );
  const identifiers: Writable<SecurityIdentifiers> = {};
  if (isin !== null) identifiers.isin = isin;
  let isNumbered = isin !== null;
  for (const scheme of otherNumbers) {
    const number = fields.text(scheme, row);
    if (number === "") continue;
    identifiers[scheme] = number;
    isNumbered = true;
  }
  return isNumbered ? { isin, identifiers } : { isin };
}

/** A key that is the same in every file of a bank: the best identifier that is there, or else the name. */
function securityKey(isin: string | null, numbers: SecurityIdentifiers | undefined, name: string): string | null {
  if (isin !== null) return `ISIN:${isin}`;
  for (const scheme of ["valor", "wkn", "cusip", "sedol", "figi"] as const)
    if (numbers?.[scheme] !== undefined) return `${scheme.toUpperCase()}:${numbers[scheme]}`;
  if (numbers?.ticker !== undefined) return `SYMBOL:${numbers.ticker}`;
  return name === "" ? null : `NAME:${name}`;
}
