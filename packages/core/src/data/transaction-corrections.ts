import type { TransactionCorrection } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { MovementStore } from "./movement-store.js";
import { distinguishingFacts, type PreparedPublication, transactionRow } from "./publication.js";
import { rowIds, stableId } from "./row-ids.js";
import { slicesOf } from "./slices.js";
import type { Publication, TransactionRow, TransactionSlice } from "./snapshot-store.js";

interface Stores {
  readonly movements: MovementStore;
}

/** A publication whose corrections find what they correct while it is stored. */
export function withCorrections(stores: Stores, { corrections, ...publication }: PreparedPublication): Publication {
  if (!corrections) return publication;
  const { connection_id, transactions = [] } = publication;
  async function* slices(): AsyncGenerator<TransactionSlice> {
    for await (const rows of slicesOf(transactions)) yield { transactions: rows, withdrawn: [], replaces: true };
    yield* correctionSlices(stores, connection_id, corrections ?? []);
  }
  return { ...publication, transactions: slices() };
}

/**
 * Corrections find what they correct by its key, or by that of an earlier correction, of this delivery or of one before. One whose transaction
 * is not known is a transaction itself. Of several corrections of one transaction the last counts. What they correct is
 * found, and they are stored, `size` at a time.
 */
export async function* correctionSlices(
  { movements }: Stores,
  connectionId: Uuid,
  corrections: readonly TransactionCorrection[],
  size?: number,
): AsyncGenerator<TransactionSlice> {
  const ids = rowIds(connectionId);
  const idOf = (portfolioKey: string, key: string) => stableId(connectionId, "correction", portfolioKey, key);
  /** The transactions of the corrections of this delivery. */
  const corrected = new Map<string, string>();
  const rows = new Map<string, TransactionRow | null>();
  for await (const slice of slicesOf(corrections, undefined, size)) {
    const named = slice.map(({ portfolio_key, key }) => idOf(portfolio_key, key));
    const known = await movements.corrected(connectionId, named);
    const added = new Map<string, string>();
    for (const [index, { portfolio_key, key, of, by }] of slice.entries()) {
      const id = named[index] ?? "";
      const name = [portfolio_key, key, ...(of ? distinguishingFacts(of) : []), "0"];
      const earlier = of ? undefined : (corrected.get(id) ?? known.get(id));
      const transaction_id = earlier ?? stableId(connectionId, "transaction", ...name);
      rows.set(transaction_id, by && { ...transactionRow(connectionId, by, name, ids), transaction_id });
      if (!by || by.key === null || by.key === key) continue;
      const correctedBy = idOf(portfolio_key, by.key);
      if (!corrected.has(correctedBy)) added.set(correctedBy, transaction_id);
      corrected.set(correctedBy, transaction_id);
    }
    await movements.keepCorrected(connectionId, added);
  }
  for await (const slice of slicesOf([...rows], undefined, size))
    yield {
      transactions: slice.flatMap(([, row]) => (row === null ? [] : [row])),
      withdrawn: slice.flatMap(([id, row]) => (row === null ? [id] : [])),
      replaces: true,
    };
}
