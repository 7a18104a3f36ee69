import type { HoldingData, SecurityIdentifiers, TransactionData, TransactionKind } from "@org/provider-kit";
import { settlementDay } from "./calendar.js";
import { decimalText } from "./decimal-text.js";
import type { Income, SecurityKind } from "./kinds.js";
import { seededRandom } from "./random.js";
import type { Security } from "./security.js";

/** What moves a holding, as the bank calls it. */
export type SandboxMovement = Income | "Purchase" | "Sale" | "Custody fee" | "Delivery" | "Deposit" | "Withdrawal";

const kinds: Readonly<Record<SandboxMovement, TransactionKind>> = {
  Purchase: "buy",
  Sale: "sell",
  Dividend: "dividend",
  Distribution: "dividend",
  Coupon: "coupon",
  Interest: "interest",
  "Custody fee": "fee",
  Delivery: "transfer_in",
  Deposit: "deposit",
  Withdrawal: "withdrawal",
};

/** Charges on a movement, in hundredths of the currency. */
export interface Charges {
  readonly fees: number;
  readonly taxes: number;
}

/** Charges of the bank: a commission on trades, a tax on income. */
export function chargesOn(what: SandboxMovement, cents: number): Charges {
  const size = Math.abs(cents);
  if (what === "Purchase" || what === "Sale") return { fees: Math.ceil(size / 500), taxes: 0 };
  return { fees: 0, taxes: cents > 0 && what !== "Deposit" ? Math.floor((size * 15) / 100) : 0 };
}

/** Price and cost of a holding. Bonds and deposits have a price in percent and accrued interest. */
export function sandboxHoldingFacts(
  kind: SecurityKind,
  { held, lastPrice, cost }: { readonly held: number; readonly lastPrice: number; readonly cost: number },
): Pick<HoldingData, "price" | "price_unit" | "cost" | "accrued_interest"> {
  const isInPercent = kind.unitStep === 1000;
  const price = lastPrice * kind.priceStep;
  return {
    price: decimalText(price, isInPercent ? kind.priceScale - 2 : kind.priceScale),
    price_unit: isInPercent ? "percent" : "currency",
    cost: decimalText(cost, 2),
    // Three per mille of the nominal value; one unit of it is a hundred cents.
    ...(isInPercent && { accrued_interest: decimalText((held * kind.unitStep * 3) / 10, 2) }),
  };
}

/** Kind and day of settlement of a movement. */
export function movementFacts(what: SandboxMovement, date: string): Pick<TransactionData, "kind" | "settlement_date"> {
  return { kind: kinds[what], settlement_date: settlementDay(date) };
}

/** Cash of a movement: `balance` is `gross` after charges. */
export function cashFacts(
  gross: number,
  { fees, taxes }: Charges,
): Pick<TransactionData, "balance" | "gross" | "fees" | "taxes"> {
  return {
    balance: decimalText(gross - fees - taxes, 2),
    gross: decimalText(gross, 2),
    ...(fees > 0 && { fees: decimalText(fees, 2) }),
    ...(taxes > 0 && { taxes: decimalText(taxes, 2) }),
  };
}

/** Invented numbers in every scheme, always the same for one security. */
export function identifiersOf({ key, isin, name }: Security): SecurityIdentifiers {
  const random = seededRandom(`identifiers/${key}`);
  const drawn = (letters: string, count: number) => {
    let text = "";
    for (let left = count; left > 0; left -= 1) text += letters[random.below(letters.length)];
    return text;
  };
  return {
    ...(isin !== null && { isin }),
    cusip: drawn(DIGITS, 9),
    sedol: `B${drawn(DIGITS, 6)}`,
    wkn: `A${drawn(DIGITS + CONSONANTS, 5)}`,
    valor: `1${drawn(DIGITS, 7)}`,
    figi: `BBG${drawn(DIGITS + CONSONANTS, 9)}`,
    ticker: name
      .replace(/[^A-Za-z]/g, "")
      .slice(0, 4)
      .toUpperCase(),
    // ISO 10383: no market.
    mic: "XXXX",
  };
}

const DIGITS = "0123456789";
const CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ";
