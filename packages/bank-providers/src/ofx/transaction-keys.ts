import type { TransactionData } from "@org/provider-kit";

/** A row as read, and its correction of an earlier row of the account. */
export interface ReadTransaction {
  readonly transaction: TransactionData;
  readonly corrects: { readonly key: string; readonly action: "REPLACE" | "DELETE" } | null;
}

/**
 * The rows of one account after its corrections, each key once. A replacement takes the key and the place of the row that it replaces. A second
 * row with the same key is kept without the key, so that no row is lost.
 */
export function assignKeys(rows: readonly ReadTransaction[]): TransactionData[] {
  const settled = new Map<string | symbol, TransactionData>();
  for (const { transaction, corrects } of rows) {
    if (corrects?.action === "REPLACE") settled.set(corrects.key, { ...transaction, key: corrects.key });
    else if (corrects) settled.delete(corrects.key);
    else if (transaction.key === null || settled.has(transaction.key))
      settled.set(Symbol(), { ...transaction, key: null });
    else settled.set(transaction.key, transaction);
  }
  return [...settled.values()];
}
