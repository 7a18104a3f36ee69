import { compareDecimals } from "../decimal.js";
import type { TransactionKind } from "../snapshot.js";

/** The kind of a movement whose institution has one word for both directions: `outgoing` for a negative amount, else `incoming`. */
export function kindBySign<Kind extends TransactionKind>(amount: string, incoming: Kind, outgoing: Kind): Kind {
  return compareDecimals(amount, "0") < 0 ? outgoing : incoming;
}
