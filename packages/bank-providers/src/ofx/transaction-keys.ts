import type { TransactionCorrection, TransactionData } from "@org/provider-kit";

/** A row as read, and what it says about an earlier row of its account. */
export interface ReadTransaction {
  readonly transaction: TransactionData;
  readonly corrects: { readonly key: string; readonly action: "REPLACE" | "DELETE" } | null;
}

/**
 * Separates corrections (`CORRECTFITID`) from the rows of one account. What they correct may be in an earlier file; in this one it is left
 * out. A row that corrects a correction corrects the row at its beginning; `by` keeps its own number, by which later files may correct it.
 */
export function applyCorrections(rows: readonly ReadTransaction[]): {
  readonly transactions: readonly TransactionData[];
  readonly corrections: readonly TransactionCorrection[];
} {
  const corrections = new Map<string, TransactionCorrection>();
  const origins = new Map<string, string>();
  for (const { transaction, corrects } of rows) {
    if (!corrects) continue;
    const key = origins.get(corrects.key) ?? corrects.key;
    if (transaction.key !== null) origins.set(transaction.key, key);
    const { portfolio_key } = transaction;
    corrections.set(key, { portfolio_key, key, by: corrects.action === "REPLACE" ? transaction : null });
  }
  const isCorrected = ({ key }: TransactionData) => key !== null && corrections.has(key);
  const transactions = rows.flatMap(({ transaction, corrects }) =>
    corrects || isCorrected(transaction) ? [] : [transaction],
  );
  return { transactions, corrections: [...corrections.values()] };
}
