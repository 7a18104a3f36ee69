import type { z } from "zod";
import type { itemSchema, PlaidAccount } from "./holdings.js";

/** One account with its last digits could be another customer's: 10,000 have different ones. Two are enough. */
const ENOUGH = 2;

/**
 * Names the customer at the institution. An Item's id differs at each login, and so do the ids of its accounts. What stays is the institution, with the
 * last digits, kind and name of each account, or the id that Plaid states for accounts across Items. Where that is too little to tell two customers
 * apart, the key is the Item's id: the same login is then not recognised the next time.
 */
export function itemUserKey(
  { item_id, institution_id }: z.output<typeof itemSchema>,
  accounts: readonly PlaidAccount[],
): string {
  const isKnown = accounts.some(({ persistent_account_id }) => persistent_account_id);
  const masked = accounts.filter(({ mask }) => mask && mask.length >= 4);
  if (!institution_id || (!isKnown && masked.length < ENOUGH)) return item_id;
  // Customers name their accounts: no name may read as another account.
  const named = accounts.map(({ persistent_account_id, mask, subtype, name }) =>
    JSON.stringify(persistent_account_id ?? [mask, subtype, name]),
  );
  return `${institution_id}: ${named.sort().join(", ")}`;
}
