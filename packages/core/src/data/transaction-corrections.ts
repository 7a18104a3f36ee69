import type { TransactionCorrection } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { MovementStatement, MovementStore } from "./movement-store.js";
import { distinguishingFacts, type PreparedPublication, rowIds, stableId, transactionRow } from "./publication.js";
import type { Publication, TransactionRow, TransactionSlice } from "./snapshot-store.js";

interface Stores {
  readonly movements: MovementStore;
}

/** A publication whose corrections find what they correct while it is stored. */
export function withCorrections(stores: Stores, { corrections, ...publication }: PreparedPublication): Publication {
  if (!corrections) return publication;
  const { connection_id, transactions = [] } = publication;
  async function* slices(): AsyncGenerator<TransactionSlice> {
    yield { transactions, withdrawn: [], replaces: true };
    yield await correctionSlice(stores, connection_id, corrections ?? []);
  }
  return { ...publication, transactions: slices() };
}

/**
 * Corrections find what they correct by its key, or by that of an earlier correction, of this delivery or of one before. One whose transaction
 * is not known is a transaction itself. Of several corrections of one transaction the last counts.
 */
export async function correctionSlice(
  { movements }: Stores,
  connectionId: Uuid,
  corrections: readonly TransactionCorrection[],
): Promise<TransactionSlice> {
  const ids = rowIds(connectionId);
  const idOf = (portfolioKey: string, key: string) => stableId(connectionId, "correction", portfolioKey, key);
  const named = { references: [], cancels: [] };
  const asked = corrections.map(({ portfolio_key, key }) => ({ statement_id: idOf(portfolio_key, key), ...named }));
  const bounds = { maxSharing: 0, maxMessages: 0, maxFound: asked.length, ignored: new Set<string>() };
  const { statements } = (await movements.related(connectionId, asked, bounds)) ?? { statements: [] };
  const known = new Map(statements.map(({ statement_id, row }) => [statement_id, row.transaction_id]));
  const rows = new Map<string, TransactionRow | null>();
  const corrected: MovementStatement[] = [];
  for (const { portfolio_key, key, of, by } of corrections) {
    const name = [portfolio_key, key, ...(of ? distinguishingFacts(of) : []), "0"];
    const transaction_id =
      (of ? undefined : known.get(idOf(portfolio_key, key))) ?? stableId(connectionId, "transaction", ...name);
    const row = by && { ...transactionRow(connectionId, by, name, ids), transaction_id };
    rows.set(transaction_id, row);
    if (!row || by.key === null || by.key === key) continue;
    const statement_id = idOf(portfolio_key, by.key);
    known.set(statement_id, transaction_id);
    corrected.push({ statement_id, ...named, key: null, stage: "posted", slot: "", row });
  }
  await movements.keep(connectionId, corrected);
  return {
    transactions: [...rows.values()].filter((row) => row !== null),
    withdrawn: [...rows].flatMap(([id, row]) => (row === null ? [id] : [])),
    replaces: true,
  };
}
