import { compareDecimals, negateDecimal } from "../decimal.js";
import type { TransactionKind } from "../snapshot.js";

/** The kind of a movement whose institution has one word for both directions: `outgoing` for a negative amount, else `incoming`. */
export function kindBySign<Kind extends TransactionKind>(amount: string, incoming: Kind, outgoing: Kind): Kind {
  return compareDecimals(amount, "0") < 0 ? outgoing : incoming;
}

/** An amount with the sign of its direction, whichever sign the institution gives it; null for none. */
export function signByDirection(amount: string | null | undefined, isOutgoing: boolean): string | null {
  if (!amount) return null;
  return amount.startsWith("-") === isOutgoing ? amount : negateDecimal(amount);
}
