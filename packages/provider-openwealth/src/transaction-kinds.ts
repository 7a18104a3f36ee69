import type { TransactionKind } from "@org/provider-kit";
import type { CustodyTransaction } from "./custody-answers.js";
import { isZero } from "./decimal.js";

/** The types of the specifications; docs/reference/providers/openwealth.md has the same table. 1.x leaves the words to each bank. */
const kinds = new Map<string, TransactionKind>(
  Object.entries({
    accumulation: "dividend",
    buy: "buy",
    buyBarrier: "buy",
    buyDigital: "buy",
    buyIssue: "buy",
    buyToClose: "buy",
    buyToOpen: "buy",
    closeFxForward: "other",
    closeNDF: "other",
    coupon: "coupon",
    deliveryFreeOfPayment: "transfer_out",
    deliveryVsPayment: "sell",
    dividend: "dividend",
    dividendCash: "dividend",
    dividendChoice: "dividend",
    dividendReinvestment: "dividend",
    dividendStock: "dividend",
    fees: "fee",
    finalLiquidationPayment: "redemption",
    fxSpot: "fx",
    inflowCash: "deposit",
    interest: "interest",
    interestPayment: "interest",
    liquidationPayment: "redemption",
    merger: "merger",
    netAmount: "other",
    openFxForward: "other",
    openNDF: "other",
    openSwapForwardLeg: "other",
    outflowCash: "withdrawal",
    receiveFreeOfPayment: "transfer_in",
    receiveVsPayment: "buy",
    redemption: "redemption",
    redemptionPartial: "redemption",
    redemptionPrior: "redemption",
    reductionOfNominal: "redemption",
    sell: "sell",
    sellBarrier: "sell",
    sellDigital: "sell",
    sellToClose: "sell",
    sellToOpen: "sell",
    spinOff: "spin_off",
    split: "split",
    stockSplit: "split",
    subscription: "buy",
    swapSpotLeg: "fx",
    taxCorrections: "tax",
    taxes: "tax",
  }),
);

/** Kinds by the group (`transactionType`) of versions before 3, where the type does not say it. */
const kindsOfGroup = new Map<string, TransactionKind>(
  Object.entries({
    fees: "fee",
    fx: "fx",
    interest: "interest",
    taxes: "tax",
  }),
);

type BySign = readonly [in_: TransactionKind, out: TransactionKind];

/** Kinds of types and groups by the sign of what was moved: in, and out. */
const kindsBySign = new Map<string, BySign>(
  Object.entries({
    cash: ["deposit", "withdrawal"],
    internalTransfer: ["transfer_in", "transfer_out"],
    physical: ["transfer_in", "transfer_out"],
    securitiesTransfer: ["transfer_in", "transfer_out"],
    transferMetalPhysical: ["transfer_in", "transfer_out"],
  }),
);

/** What a row moved: units of an asset, or money. */
export type Moved = { readonly units: string | null } | { readonly money: string | null };

/** The kind of a row: by the type, else by the group of versions before 3. Who gets units in an exchange of securities has bought them. */
export function transactionKind({ type, group = "" }: CustodyTransaction, moved: Moved): TransactionKind {
  const isExchange = group === "securitiesExchange" && "units" in moved;
  // The interest of a security, which comes as its corporate action.
  if (type === "interest" && group === "corporateActions") return "coupon";
  const bySign =
    kindsBySign.get(type) ?? kindsBySign.get(group) ?? (isExchange ? (["buy", "sell"] as const) : undefined);
  return kinds.get(type) ?? kindsOfGroup.get(group) ?? (bySign === undefined ? "other" : ofSign(bySign, moved));
}

function ofSign([in_, out]: BySign, moved: Moved): TransactionKind {
  const amount = "units" in moved ? moved.units : moved.money;
  if (amount === null || isZero(amount)) return "other";
  return amount.startsWith("-") ? out : in_;
}
