import { Exact, type JsonObject } from "./exact-json.js";
import { type BankAccount, cash } from "./positions.js";
import type { TransactionTruth } from "./truth.js";

/** A transaction, and what a customer should see of it. */
export interface BankTransaction {
  readonly id: string;
  readonly date: string;
  readonly json: JsonObject;
  readonly truth: TransactionTruth;
}

/** A movement of cash of type `cash`, `brokerageFee`, `stampDuty`, … */
export interface CashMovement {
  readonly type: string;
  readonly account: BankAccount;
  readonly position: string;
  readonly currency: string;
  readonly value: string;
}

interface AssetMovement {
  readonly of: JsonObject;
  readonly account: BankAccount;
  readonly position: string;
  readonly value: string;
  readonly unit_type?: "unit" | "faceAmount";
  readonly price?: string;
  readonly price_type?: "actual" | "percentage";
}

interface TransactionContent {
  readonly type: string;
  readonly date: string;
  readonly triggering?: JsonObject;
  readonly assets?: readonly AssetMovement[];
  readonly cash?: readonly CashMovement[];
  /** Account, amount and currency of each posting. Left out: the bank sends no list of postings. */
  readonly postings?: readonly (readonly [BankAccount, string, string])[];
  readonly settles?: string;
  readonly text?: string;
  readonly reverses?: string;
  /** The expected figures that follow from the movements. */
  readonly shows: Pick<TransactionTruth, "cash" | "units" | "kind" | "fees" | "taxes">;
}

export function transaction(id: string, customer: string, content: TransactionContent): BankTransaction {
  const { type, date, triggering, settles } = content;
  const assets = (content.assets ?? []).map(
    (moved): JsonObject => ({
      type: "asset",
      movementDate: date,
      financialInstrument: moved.of,
      account: moved.account.json,
      quantity: { type: moved.unit_type ?? "unit", value: new Exact(moved.value) },
      positionId: moved.position,
      ...(moved.price ? { price: { type: moved.price_type ?? "actual", value: new Exact(moved.price) } } : {}),
    }),
  );
  const moneys = (content.cash ?? []).map(
    (moved): JsonObject => ({
      type: moved.type,
      movementDate: date,
      financialInstrument: cash(moved.currency),
      account: moved.account.json,
      quantity: { type: "unit", value: new Exact(moved.value) },
      positionId: moved.position,
      positionCurrency: moved.currency,
      valueDate: settles ?? date,
    }),
  );
  return {
    id,
    date,
    json: {
      id,
      type,
      transactionDate: date,
      customerId: customer,
      reversalIndicator: content.reverses !== undefined,
      endOfDayIndicator: true,
      reference: id,
      description: content.text,
      reversedTransactionId: content.reverses,
      tradeDate: date,
      settlementDate: settles,
      triggeringFinancialInstrument: triggering,
      movementList: [...assets, ...moneys],
      postingAmountList: content.postings?.map(([to, value, currency]) => ({
        amount: new Exact(value),
        currency,
        account: to.json,
      })),
    },
    truth: { id, date, ...(settles ? { settlement_date: settles } : {}), ...content.shows },
  };
}

/** Figures of a trade, digit by digit. */
export interface TradeFigures {
  readonly position: string;
  readonly units: string;
  readonly unit_type?: "unit" | "faceAmount";
  readonly price: string;
  readonly price_type?: "actual" | "percentage";
  /** Signed, before fees. */
  readonly gross: string;
  readonly accrued?: string;
  readonly fee: string;
  readonly tax: string;
  /** Signed; the posted amount. */
  readonly net: string;
}

/** A purchase or sale at a price, with a fee and a tax, paid from one cash account. */
export function trade(
  id: string,
  customer: string,
  of: JsonObject,
  held: BankAccount,
  paid: { readonly account: BankAccount; readonly position: string },
  figures: TradeFigures & { readonly date: string; readonly settles: string },
): BankTransaction {
  const { position, units, net, price } = figures;
  const currency = paid.account.json.referenceCurrency;
  const money = (type: string, value: string): CashMovement => ({ type, ...paid, currency, value });
  const type = units.startsWith("-") ? "sell" : "buy";
  const moved: AssetMovement = {
    of,
    account: held,
    position,
    value: units,
    unit_type: figures.unit_type ?? "unit",
    price,
    price_type: figures.price_type ?? "actual",
  };
  return transaction(id, customer, {
    type,
    date: figures.date,
    settles: figures.settles,
    triggering: of,
    assets: [moved],
    cash: [
      money("cash", figures.gross),
      ...(figures.accrued ? [money("accruedInterest", figures.accrued)] : []),
      money("brokerageFee", `-${figures.fee}`),
      money("stampDuty", `-${figures.tax}`),
    ],
    postings: [[paid.account, net, currency]],
    shows: {
      cash: { [`${paid.account.json.id} ${currency}`]: net },
      units: { [position]: units },
      kind: type,
      fees: figures.fee,
      taxes: figures.tax,
    },
  });
}
