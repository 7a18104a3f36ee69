import type { FeedFile, Product, Publication, SnapshotStore, TransactionRow } from "../../ports/snapshot-store.js";
import type { DataRow, TenantState } from "./state.js";

/** {@link SnapshotStore} over a draft. */
export function memorySnapshots(state: TenantState): SnapshotStore {
  return {
    async publish(publication) {
      requireConnection(state, publication.connection_id);
      state.revision += 1;
      if (publication.portfolios) replace(state, publication, "portfolio", publication.portfolios);
      if (publication.holdings) replace(state, publication, "investment", publication.holdings);
      if (publication.transactions) {
        const known = rowsNow(state, publication.connection_id, "transaction") as readonly TransactionRow[];
        replace(state, publication, "transaction", merge(known, publication.transactions));
      }
      return { revision: String(state.revision) };
    },

    async takeFile(file: FeedFile) {
      requireConnection(state, file.connection_id);
      const key = `${file.connection_id} ${file.sha256}`;
      if (state.feedFiles.has(key)) return false;
      state.feedFiles.set(key, { ...file });
      return true;
    },
  };
}

function requireConnection(state: TenantState, connectionId: string): void {
  if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
}

function replace(state: TenantState, publication: Publication, product: Product, rows: readonly DataRow[]): void {
  const { connection_id, as_of, published_at } = publication;
  state.snapshots = [
    ...state.snapshots.map((snapshot) =>
      snapshot.connection_id === connection_id && snapshot.product === product && snapshot.until === null
        ? { ...snapshot, until: state.revision, replaced_at: published_at }
        : snapshot,
    ),
    { connection_id, product, from: state.revision, until: null, as_of, replaced_at: null, rows: [...rows] },
  ];
}

function rowsNow(state: TenantState, connectionId: string, product: Product): readonly DataRow[] {
  const now = state.snapshots.find(
    (snapshot) => snapshot.connection_id === connectionId && snapshot.product === product && snapshot.until === null,
  );
  return now?.rows ?? [];
}

function merge(known: readonly TransactionRow[], added: readonly TransactionRow[]): readonly TransactionRow[] {
  const rows = new Map(known.map((row) => [row.transaction_id, row]));
  for (const row of added) if (!rows.has(row.transaction_id)) rows.set(row.transaction_id, row);
  return [...rows.values()];
}
