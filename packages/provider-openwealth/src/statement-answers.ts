import { money, negateDecimal } from "@org/provider-kit";
import { z } from "zod";
import {
  type Account,
  type Amount,
  currency,
  custodyId,
  date,
  type Instrument,
  type ListReader,
  type Lists,
  number,
  type Position,
  type Price,
  type UnplacedTransaction,
} from "./custody-answers.js";
import { instrumentType } from "./instrument-types.js";

/**
 * The parts of Custody Services 1.1, 1.2 and 2.0 that are read, with the names of 2.0, and what they are in 3.2. These versions answer with a
 * statement of a day, amounts have no sign but a `creditDebitIndicator`, and instruments have a CFI code (2.0) or nothing that says their kind (1.x).
 */

/** What 1.x calls otherwise than 2.0. */
export const namesOf1: Readonly<Record<string, string>> = {
  accountOverview: "accountInformationList",
  dates: "dateList",
  interests: "interestList",
  postingAmounts: "postingAmountList",
  prices: "priceList",
  priceType: "positionPriceType",
  underlyingFinancialInstrument: "triggeringFinancialInstrument",
};

/** `amount` is absolute; an indicator that is left out means credit, unless the amount has a sign all the same. */
const signedAmount = { amount: number, creditDebitIndicator: z.enum(["credit", "debit"]).optional() };

function signed({
  amount,
  creditDebitIndicator,
}: {
  amount: string | null;
  creditDebitIndicator?: string | undefined;
}) {
  if (amount === null || creditDebitIndicator === undefined) return amount;
  const absolute = amount.replace("-", "");
  return creditDebitIndicator === "debit" ? negateDecimal(absolute) : absolute;
}

const accountInformation = z
  .object({
    accountIdentification: custodyId,
    accountIdentificationType: z.string().optional(),
    accountType: z.string(),
    iban: z.string().optional(),
    accountReferenceCurrency: currency,
    accountName: z.string().optional(),
    accountDesignation: z.string().optional(),
  })
  .transform(
    ({ accountIdentification, accountIdentificationType, ...stated }): Account => ({
      id: accountIdentification,
      type: stated.accountType,
      referenceCurrency: stated.accountReferenceCurrency,
      ...(stated.accountName !== undefined && { name: stated.accountName }),
      ...(stated.accountDesignation !== undefined && { designation: stated.accountDesignation }),
      ...(stated.iban !== undefined && { iban: stated.iban }),
      ...(accountIdentificationType === "iban" ? { iban: accountIdentification } : { number: accountIdentification }),
    }),
  );

const customer = z
  .object({ customerIdentification: custodyId, customerReferenceCurrency: currency.optional() })
  .transform(({ customerIdentification, customerReferenceCurrency }) => ({
    id: customerIdentification,
    ...(customerReferenceCurrency !== undefined && { referenceCurrency: customerReferenceCurrency }),
  }));

const identification = z.object({ identification: z.string(), type: z.string() });

const instrument = z
  .object({
    financialInstrumentIdentification: identification,
    financialInstrumentName: z.string().optional(),
    financialInstrumentType: z.string().optional(),
    optionDetails: z.unknown().optional(),
    interestList: z.unknown().optional(),
    contractSize: number.optional(),
    factor: number.optional(),
    underlyingList: z.array(z.object({ financialInstrumentType: z.string().optional() })).default([]),
  })
  .transform(({ financialInstrumentIdentification, financialInstrumentName, ...stated }): Instrument => {
    const { identification: identifier, type } = financialInstrumentIdentification;
    const { contractSize, factor } = stated;
    return {
      ...instrumentType({
        cfiCode: stated.financialInstrumentType,
        underlying: stated.underlyingList[0]?.financialInstrumentType,
        isOption: stated.optionDetails !== undefined,
        hasInterest: stated.interestList !== undefined,
      }),
      name: financialInstrumentName || identifier,
      identificationList: [{ identifier, type }],
      ...(contractSize !== undefined && { contractSize }),
      ...(factor !== undefined && { factor }),
    };
  });

/** An instrument of which only the name and a number are stated. */
const namedInstrument = identification.extend({ name: z.string().optional() }).transform(
  ({ identification: identifier, type, name = identifier }): Instrument => ({
    type: "other",
    name,
    identificationList: [{ identifier, type }],
  }),
);

const price = z.object({
  amount: number.optional(),
  creditDebitIndicator: signedAmount.creditDebitIndicator,
  amountType: z.string().optional(),
  currency: currency.optional(),
});

/** A price as in 3.2; undefined without an amount. A price of a London share may be in GBX. */
function priceOf(stated: z.infer<typeof price> | undefined): Price | undefined {
  if (stated?.amount === undefined) return undefined;
  const value = signed({ ...stated, amount: stated.amount });
  if (stated.amountType === "percentage") return { type: "percentage", value };
  if (stated.currency === undefined) return { type: "actual", value };
  const { amount, currency } = money(stated.currency, value);
  return { type: "actual", value: amount, currency };
}

const moneyAmount = z.object({ ...signedAmount, currency: currency.optional() });

const positionInStatement = z.object({
  statement: z.object({ date: z.object({ date }), endOfDayIndicator: z.boolean() }),
  account: accountInformation,
  position: z.object({
    identification: custodyId,
    currency,
    amountOrUnits: z.object(signedAmount),
    positionName: z.string().optional(),
    priceList: z
      .array(
        price.extend({
          positionPriceType: z.string().optional(),
          date: date.optional(),
          valuation: moneyAmount.partial({ amount: true }).optional(),
        }),
      )
      .default([]),
    accruedInterest: moneyAmount.partial({ amount: true }).optional(),
    financialInstrument: instrument.optional(),
  }),
});

function toPosition({ statement, account, position }: z.infer<typeof positionInStatement>): Position {
  const { financialInstrument, priceList, accruedInterest } = position;
  const isCash = financialInstrument === undefined && account.type === "cashAccount";
  const value = signed(position.amountOrUnits);
  const market = priceList.find(({ positionPriceType: of }) => of === undefined || of === "marketPrice");
  const amountIn = (stated: typeof accruedInterest, otherwise: string): Amount[] =>
    stated?.amount === undefined
      ? []
      : [money(stated.currency ?? otherwise, signed({ ...stated, amount: stated.amount }))];
  const valuations = priceList
    .filter(({ positionPriceType: of }) => of === undefined || of === "marketPrice")
    .flatMap(({ valuation }) => amountIn(valuation, account.referenceCurrency));
  const own = money(position.currency, isCash ? value : null);
  const inReference = valuations.find(({ currency }) => currency === account.referenceCurrency);
  const inOwn = valuations.find(({ currency }) => currency === own.currency) ?? inReference ?? valuations[0];
  const costPrice = priceOf(priceList.find(({ positionPriceType: of }) => of === "costPrice"));
  const marketPrice = isCash ? undefined : priceOf(market);
  const [accrued] = amountIn(accruedInterest, position.currency);
  return {
    id: position.identification,
    endOfDayIndicator: statement.endOfDayIndicator,
    positionDate: statement.date.date,
    account,
    financialInstrument:
      financialInstrument === undefined
        ? {
            type: isCash ? "cash" : "other",
            name: position.positionName || account.name || account.designation || own.currency,
            identificationList: [],
          }
        : { ...financialInstrument, currencyOfDenomination: own.currency },
    quantity: { type: "unit", value },
    valuation: {
      valueInPositionCurrency: isCash ? own : (inOwn ?? { currency: own.currency }),
      ...(inReference !== undefined && { valueInReferenceCurrency: inReference }),
      ...(!isCash && market?.date !== undefined && { valuationDate: market.date }),
    },
    ...(marketPrice !== undefined && { price: marketPrice }),
    ...(costPrice !== undefined && { costPrice }),
    ...(accrued !== undefined && { accruedInterest: accrued }),
  };
}

/** The types of movements that 3.2 calls otherwise. */
const movementTypes = new Map<string, string>(
  Object.entries({
    security: "asset",
    courtage: "brokerageFee",
    otherTaxes: "otherTax",
    others: "other",
  }),
);

/** How the movements of a version state their instrument and their amount. */
type MovementShape = "flat" | "nested";

function movementOf(shape: MovementShape) {
  const stated = z.object({
    movementType: z.string(),
    currency,
    positionIdentification: custodyId.optional(),
    accountDetails: z.object({ accountIdentification: custodyId.optional() }).optional(),
    financialInstrument: (shape === "flat" ? namedInstrument : instrument).optional(),
  });
  const amounts = shape === "flat" ? z.object(signedAmount) : z.object({ amountOrUnits: z.object(signedAmount) });
  return z.intersection(stated, amounts).transform((movement): UnplacedTransaction["movementList"][number] => {
    const value = signed("amountOrUnits" in movement ? movement.amountOrUnits : movement);
    const type = movementTypes.get(movement.movementType) ?? movement.movementType;
    const own = money(movement.currency, value);
    const accountId = movement.accountDetails?.accountIdentification;
    return {
      type,
      financialInstrument: movement.financialInstrument ?? {
        type: type === "asset" ? "other" : "cash",
        name: own.currency,
        identificationList: [],
      },
      // Only its id is stated; placement.ts finds the rest.
      account: accountId === undefined ? undefined : { id: accountId, type: "other", referenceCurrency: own.currency },
      quantity: { type: "unit", value: type === "asset" ? value : own.amount },
      positionCurrency: own.currency,
      positionId: movement.positionIdentification,
    };
  });
}

const transactionDates = ["transactionDate", "bookingDate", "performanceDate", "valueDate"];

function transactionOf(shape: MovementShape) {
  return z
    .object({
      transactionIdentification: custodyId,
      placeOfTrade: z.object({ marketIdentificationCode: z.string().optional() }).optional(),
      reversalIndicator: z.boolean().default(false),
      dateList: z.array(z.object({ date, dateType: z.string() })).min(1),
      transactionType: z.string(),
      transactionSubtype: z.string(),
      triggeringFinancialInstrument: namedInstrument.optional(),
      movementList: z.array(movementOf(shape)).default([]),
      postingAmountList: z.array(moneyAmount.extend({ accountInformation: accountInformation.optional() })).optional(),
      settlementCurrency: currency.optional(),
      priceList: z
        .array(price.extend({ positionPriceType: z.string().optional(), transactionPriceType: z.string().optional() }))
        .default([]),
      transactionAdditionalDetails: z.string().optional(),
    })
    .transform((stated): UnplacedTransaction => {
      const { movementList, triggeringFinancialInstrument: trigger, postingAmountList, settlementCurrency } = stated;
      const dayOf = (types: readonly string[]) =>
        types.flatMap((type) => stated.dateList.filter(({ dateType }) => dateType === type))[0]?.date;
      const settlementDate = dayOf(["effectiveSettlementDate", "settlementDate"]);
      const moneyOf = movementList.find(({ type }) => type !== "asset")?.positionCurrency;
      return {
        id: stated.transactionIdentification,
        type: asName(stated.transactionSubtype),
        group: stated.transactionType,
        details: stated.transactionAdditionalDetails,
        transactionDate: dayOf(transactionDates) ?? settlementDate ?? stated.dateList[0]?.date ?? "",
        reversalIndicator: stated.reversalIndicator,
        endOfDayIndicator: true,
        ...(stated.placeOfTrade !== undefined && { placeOfTrade: stated.placeOfTrade }),
        ...(settlementDate !== undefined && { settlementDate }),
        ...(trigger !== undefined && { triggeringFinancialInstrument: movedInstrument(trigger, movementList) }),
        triggeringPrice: priceOf(
          stated.priceList.find(
            ({ positionPriceType, transactionPriceType = positionPriceType }) => transactionPriceType !== "costPrice",
          ),
        ),
        movementList,
        postingAmountList: postingAmountList?.map(({ accountInformation: account, currency, ...amount }) => ({
          ...money(currency ?? account?.referenceCurrency ?? settlementCurrency ?? moneyOf ?? "XXX", signed(amount)),
          account,
        })),
      };
    });
}

/** The instrument as a movement states it, if one moves it: there it may have a type. */
function movedInstrument(trigger: Instrument, movements: UnplacedTransaction["movementList"]): Instrument {
  const number = trigger.identificationList[0]?.identifier;
  const moved = movements.find(({ financialInstrument: { identificationList } }) =>
    identificationList.some(({ identifier }) => identifier === number),
  );
  return moved?.financialInstrument ?? trigger;
}

/** `Dividend cash` as `dividendCash`, in which 2.0 and 3.2 write it: 1.x leaves the words to the bank. */
function asName(subtype: string): string {
  const [first = "", ...more] = subtype.split(/[\s_-]+/).filter((word) => word !== "");
  if (more.length === 0)
    return /^[A-Z]+$/.test(first) ? first.toLowerCase() : first.slice(0, 1).toLowerCase() + first.slice(1);
  const small = more.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
  return [first.toLowerCase(), ...small].join("");
}

type Json = Readonly<Record<string, unknown>>;

function isObject(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** A list that the descriptions let a bank leave out; null if it is something else. */
function optionalList(json: unknown): readonly unknown[] | null {
  if (json === undefined || json === null) return [];
  return Array.isArray(json) ? json : null;
}

/** All rows of lists within a list; null if one of them is no list. */
function rowsWithin(list: readonly unknown[] | null, rows: (one: Json) => readonly unknown[] | null) {
  const parts = list?.map((one) => (isObject(one) ? rows(one) : null));
  return parts === undefined || parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

/** The lists of a version before 3: its movements, and its names where they are not those of 2.0. */
export function statementLists(shape: MovementShape, names: Readonly<Record<string, string>> = {}): Lists {
  const list = <Item>(rows: (body: unknown) => readonly unknown[] | null, row: z.ZodType<Item>): ListReader<Item> => ({
    rows: (body) => rows(renamed(body, names)),
    row,
  });
  const overviews = (body: unknown) => (Array.isArray(body) ? body : [body]);
  return {
    customers: list((body) => (Array.isArray(body) ? body : null), customer),
    accounts: list(
      (body) => rowsWithin(overviews(body), (overview) => optionalList(overview.accountInformationList)),
      accountInformation,
    ),
    positions: list((body) => {
      if (!isObject(body) || !isObject(body.statement)) return null;
      const { statement, customer, account } = body;
      const within = isObject(customer) ? optionalList(customer.accountList) : account === undefined ? [] : [account];
      return rowsWithin(within, ({ accountInformation, positionList }) =>
        Array.isArray(positionList)
          ? positionList.map((position) => ({ statement, account: accountInformation, position }))
          : null,
      );
    }, positionInStatement.transform(toPosition)),
    transactions: list(
      (body) => (isObject(body) && isObject(body.statement) ? optionalList(body.transactions) : null),
      transactionOf(shape),
    ),
  };
}

/** JSON with some of its names replaced. */
function renamed(json: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(json)) return json.map((one) => renamed(one, names));
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [names[name] ?? name, renamed(value, names)]));
}
