import { type Contract, contractOf } from "./contracts.js";
import type { FlexRow } from "./flex-statement.js";
import type { HoldingTruth, TransactionTruth } from "./truth.js";

/** What all rows of an account have in common. */
export interface RowContext {
  readonly account: string;
  readonly alias: string;
  /** Exchange rates to the account's base currency. */
  readonly rates: Readonly<Record<string, string>>;
}

/** A line of a table of positions; `level` is LOT if it repeats a part of the summary. */
export interface PositionLine {
  readonly contract: string;
  readonly level?: "LOT";
  readonly units: string;
  readonly mark: string;
  readonly value: string;
  readonly cost: string;
  readonly accrued?: string;
  readonly opened?: string;
}

/** A line of a table of trades. `id` is its transactionID. */
export interface TradeLine {
  readonly id: string;
  readonly trade_id: string;
  readonly contract: string;
  readonly day: string;
  readonly settles: string;
  readonly units: string;
  readonly price: string;
  readonly trade_money: string;
  readonly proceeds: string;
  readonly commission: string;
  readonly taxes?: string;
  readonly net_cash: string;
  readonly accrued?: string;
  readonly booked?: "TradeCancel" | "BookTrade";
  readonly notes?: string;
}

/** A line of a table of cash transactions. `kind` is what a customer should see. */
export interface MoneyLine {
  readonly id?: string;
  readonly type: string;
  readonly contract?: string;
  readonly day: string;
  readonly amount: string;
  readonly currency: string;
  readonly kind?: string;
  readonly text: string;
}

/** The attributes at the start of nearly every row. */
export function common({ account, alias, rates }: RowContext, contract: Contract | null, currency: string) {
  return {
    accountId: account,
    acctAlias: alias,
    model: "",
    currency,
    fxRateToBase: rates[currency] ?? "1",
    assetCategory: contract?.category ?? "",
    subCategory: contract?.sub_category ?? "",
    symbol: contract?.symbol ?? "",
    description: contract?.description ?? "",
    conid: contract?.conid ?? "",
    securityID: contract?.isin ?? "",
    securityIDType: contract?.isin ? "ISIN" : "",
    cusip: contract?.cusip ?? "",
    isin: contract?.isin ?? "",
    figi: contract?.figi ?? "",
    issuer: "",
    multiplier: contract?.multiplier ?? (contract ? "1" : "0"),
    strike: contract?.strike ?? "",
    expiry: contract?.expiry ?? "",
    putCall: contract?.put_call ?? "",
    principalAdjustFactor: "",
  };
}

export function positionRow(context: RowContext, day: string, line: PositionLine): FlexRow {
  const contract = contractOf(line.contract);
  const isLot = line.level === "LOT";
  const attributes = {
    ...common(context, contract, contract.currency),
    reportDate: day,
    position: line.units,
    markPrice: line.mark,
    positionValue: line.value,
    costBasisMoney: line.cost,
    percentOfNAV: "",
    side: line.units.startsWith("-") ? "Short" : "Long",
    levelOfDetail: isLot ? "LOT" : "SUMMARY",
    openDateTime: line.opened ?? "",
    code: "",
    accruedInt: line.accrued ?? "",
  };
  const holding: HoldingTruth = {
    account: context.account,
    conid: contract.conid,
    isin: contract.isin ?? null,
    amount: line.units,
    balance: line.value,
    currency: contract.currency,
    valuation_date: day,
    type: contract.type,
    ...(contract.subtype ? { subtype: contract.subtype } : {}),
    price: line.mark,
    price_unit: contract.category === "BOND" ? "percent" : "currency",
    cost: line.cost,
    ...(line.accrued ? { accrued_interest: line.accrued } : {}),
    identifiers: {
      ...(contract.cusip ? { cusip: contract.cusip } : {}),
      ...(contract.figi ? { figi: contract.figi } : {}),
    },
  };
  return { section: "OpenPositions", element: "OpenPosition", attributes, ...(isLot ? {} : { holding }) };
}

/** The cash in one currency at the end of a day. */
export function cashRow({ account, alias }: RowContext, day: string, currency: string, ending: string): FlexRow {
  const isSummary = currency === "BASE_SUMMARY";
  const attributes = {
    accountId: account,
    acctAlias: alias,
    model: "",
    currency,
    levelOfDetail: isSummary ? "BaseCurrency" : "Currency",
    fromDate: day,
    toDate: day,
    endingCash: ending,
    endingSettledCash: ending,
  };
  const figures = { amount: ending, balance: ending, currency, valuation_date: day, type: "L" } as const;
  const holding: HoldingTruth = { account, conid: null, isin: null, ...figures };
  const isHeld = !isSummary && ending !== "0";
  return { section: "CashReport", element: "CashReportCurrency", attributes, ...(isHeld ? { holding } : {}) };
}

/** `shows` states how the result differs from a plain trade; null: the row repeats another one. */
export function tradeRow(context: RowContext, line: TradeLine, shows: Partial<TransactionTruth> | null = {}): FlexRow {
  const contract = contractOf(line.contract);
  const isPair = contract.category === "CASH";
  const currency = isPair ? (contract.symbol.split(".")[1] ?? "") : contract.currency;
  const isCancelled = line.booked === "TradeCancel";
  const side = line.units.startsWith("-") === isCancelled ? "BUY" : "SELL";
  const attributes = {
    ...common(context, contract, currency),
    tradeID: line.trade_id,
    reportDate: line.day,
    dateTime: `${line.day}T10:30:11`,
    tradeDate: line.day,
    settleDateTarget: line.settles,
    transactionType: line.booked ?? "ExchTrade",
    exchange: isPair ? "IDEALFX" : "IBKRATS",
    quantity: line.units,
    tradePrice: line.price,
    tradeMoney: line.trade_money,
    proceeds: line.proceeds,
    taxes: line.taxes ?? "0",
    ibCommission: line.commission,
    ibCommissionCurrency: currency,
    netCash: line.net_cash,
    accruedInt: line.accrued ?? "0",
    buySell: isCancelled ? `${side} (Ca.)` : side,
    openCloseIndicator: side === "BUY" ? "O" : "C",
    notes: line.notes ?? "",
    transactionID: line.id,
    levelOfDetail: "EXECUTION",
  };
  const charged = isCancelled
    ? {}
    : { kind: side.toLowerCase(), ...positive("fees", line.commission), ...positive("taxes", line.taxes) };
  const truth: TransactionTruth = {
    account: context.account,
    id: line.id,
    trade_id: line.trade_id,
    conid: contract.conid,
    operation_date: line.day,
    amount: line.units,
    balance: line.net_cash,
    currency,
    unit_price: line.price,
    settlement_date: line.settles,
    ...charged,
    ...shows,
  };
  return { section: "Trades", element: "Trade", attributes, ...(shows ? { transactions: [truth] } : {}) };
}

/** A row without an id is a summary, which repeats its details. */
export function moneyRow(context: RowContext, line: MoneyLine): FlexRow {
  const contract = line.contract ? contractOf(line.contract) : null;
  const attributes = {
    ...common(context, contract, line.currency),
    description: line.text,
    dateTime: `${line.day}T20:20:00`,
    settleDate: line.day,
    amount: line.amount,
    type: line.type,
    tradeID: "",
    code: "",
    transactionID: line.id ?? "",
    reportDate: line.day,
    clientReference: "",
    levelOfDetail: line.id ? "DETAIL" : "SUMMARY",
  };
  const truth = {
    account: context.account,
    id: line.id ?? "",
    conid: contract?.conid ?? null,
    operation_date: line.day,
    amount: null,
    balance: line.amount,
    currency: line.currency,
    ...(line.kind ? { kind: line.kind } : {}),
  };
  return {
    section: "CashTransactions",
    element: "CashTransaction",
    attributes,
    ...(line.id ? { transactions: [truth] } : {}),
  };
}

/** A corporate action or, with `direction`, a transfer of securities. */
export function unitsRow(
  context: RowContext,
  line: {
    readonly id: string;
    readonly type: string;
    readonly direction?: "IN" | "OUT";
    readonly contract: string;
    readonly day: string;
    readonly units: string;
    readonly money: string;
    readonly kind: string;
    readonly text: string;
  },
): FlexRow {
  const contract = contractOf(line.contract);
  const shared = {
    ...common(context, contract, contract.currency),
    reportDate: line.day,
    dateTime: `${line.day}T20:25:00`,
    quantity: line.units,
    type: line.type,
    code: "",
    transactionID: line.id,
  };
  const { account } = context;
  const moved = { amount: line.units, balance: line.direction ? "0" : line.money, currency: contract.currency };
  const transactions = [
    { account, id: line.id, conid: contract.conid, operation_date: line.day, ...moved, kind: line.kind },
  ];
  if (line.direction) {
    const own = {
      date: line.day,
      direction: line.direction,
      company: "--",
      account: "12345678",
      transferPrice: "0",
      positionAmount: line.money,
      cashTransfer: "0",
      levelOfDetail: "TRANSFER",
    };
    return { section: "Transfers", element: "Transfer", attributes: { ...shared, ...own }, transactions };
  }
  const own = {
    actionDescription: line.text,
    description: line.text,
    amount: "0",
    proceeds: line.money,
    value: "0",
    levelOfDetail: "DETAIL",
  };
  return { section: "CorporateActions", element: "CorporateAction", attributes: { ...shared, ...own }, transactions };
}

/** The row that names the account's base currency. */
export function informationRow({ account, alias }: RowContext, currency: string, name: string): FlexRow {
  const attributes = {
    accountId: account,
    acctAlias: alias,
    model: "",
    currency,
    name,
    accountType: "Individual",
    customerType: "Individual",
  };
  return { section: "AccountInformation", element: "AccountInformation", attributes };
}

/** The net asset value at the end of a day, from its change or from the daily summary. */
export function valueRow(
  { account }: RowContext,
  from: "ChangeInNAV" | "EquitySummaryInBase",
  currency: string,
  day: string,
  total: string,
): FlexRow {
  const shared = { accountId: account, acctAlias: "", model: "", currency };
  const portfolio = { account, currency, balance: total };
  if (from === "ChangeInNAV") {
    return {
      section: from,
      element: from,
      attributes: { ...shared, fromDate: day, toDate: day, startingValue: "0", endingValue: total, twr: "0.0506" },
      portfolio,
    };
  }
  return {
    section: from,
    element: "EquitySummaryByReportDateInBase",
    attributes: { ...shared, reportDate: day, cash: "0", stock: "0", total },
    portfolio,
  };
}

function positive<Name extends string>(name: Name, charged: string | undefined): Partial<Record<Name, string>> {
  if (!charged || charged === "0") return {};
  return { [name]: charged.replace(/^-/, "") } as Partial<Record<Name, string>>;
}
