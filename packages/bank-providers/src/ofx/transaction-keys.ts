import { distinguishingFacts } from "@org/core";
import type { TransactionCorrection, TransactionData } from "@org/provider-kit";
import { quotedText, type Warn } from "../feed-warnings.js";

/** A row as read, and what it says about an earlier row of its account. */
export interface ReadTransaction {
  readonly transaction: TransactionData;
  readonly corrects: { readonly key: string; readonly action: "REPLACE" | "DELETE"; readonly warn: Warn } | null;
}

/** The row that a correction corrects: `of` where several rows of the file have its number, and it is not the first of them. */
interface Origin {
  readonly name: string;
  readonly key: string;
  readonly of?: TransactionData;
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
  const origins = new Map<string, Origin>();
  const stated = rows.flatMap(({ transaction, corrects }) => (corrects ? [] : [transaction]));
  const isCorrected = new Set<string>();
  const named = namedBy(stated, new Set(rows.flatMap(({ corrects }) => corrects?.key ?? [])));
  for (const { transaction, corrects } of rows) {
    if (!corrects) continue;
    const origin = origins.get(corrects.key) ?? originOf(corrects, transaction, named.get(corrects.key) ?? []);
    isCorrected.add(origin.name);
    if (transaction.key !== null) origins.set(transaction.key, origin);
    const { portfolio_key } = transaction;
    const { name, ...corrected } = origin;
    corrections.set(name, { portfolio_key, ...corrected, by: corrects.action === "REPLACE" ? transaction : null });
  }
  const transactions = isCorrected.size === 0 ? stated : stated.filter((row) => !isCorrected.has(nameOf(row)));
  return { transactions, corrections: [...corrections.values()] };
}

/**
 * Of several rows of the file that have the number, the one whose day, security, payee and cash agree with the correction in most. Where that does
 * not tell, it is the last of them, with a warning.
 */
function originOf(
  { key, warn }: NonNullable<ReadTransaction["corrects"]>,
  by: TransactionData,
  having: readonly (readonly [name: string, row: TransactionData])[],
): Origin {
  const compared = having
    .slice(-MAX_COMPARED)
    .map((one) => ({ name: one[0], row: one[1], isFirst: one === having[0], agreed: agreementOf(one[1], by) }));
  const most = Math.max(...compared.map(({ agreed }) => agreed));
  const best = compared.filter(({ agreed }) => agreed === most);
  const found = best.at(-1);
  if (!found) return { name: JSON.stringify([key]), key };
  if (best.length > 1)
    warn(`does not tell which row with FITID ${quotedText(key)} it corrects; it is the last of them`);
  return { name: found.name, key, ...(!found.isFirst && { of: found.row }) };
}

/** Rows with one number that are compared with a correction, the last ones. */
const MAX_COMPARED = 100;

/** The rows that have these numbers, each once and by its name. */
function namedBy(stated: readonly TransactionData[], keys: ReadonlySet<string>) {
  const named = new Map<string, Map<string, TransactionData>>();
  for (const row of stated) {
    if (row.key === null || !keys.has(row.key)) continue;
    const rows = named.get(row.key) ?? new Map<string, TransactionData>();
    named.set(row.key, rows.set(nameOf(row), row));
  }
  return new Map([...named].map(([key, rows]) => [key, [...rows]] as const));
}

function agreementOf(row: TransactionData, by: TransactionData): number {
  const names = ["operation_date", "holding_key", "description", "balance"] as const;
  return names.filter((name) => row[name] === by[name]).length;
}

/** Equal for rows that are one movement. */
function nameOf(row: TransactionData): string {
  return JSON.stringify([row.key, ...distinguishingFacts(row)]);
}
