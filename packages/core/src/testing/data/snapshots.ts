import { type Placed, utcDay } from "@org/provider-kit";
import { withoutReusedIds } from "../../data/publication.js";
import {
  type FeedFile,
  type HoldingRow,
  type LatestSnapshot,
  type LatestSnapshots,
  type Product,
  type Publication,
  products,
  type SnapshotStore,
  type TransactionRow,
  type TransactionSlice,
} from "../../data/snapshot-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import { type DataRow, requireTenant, type StoredSnapshot, type TenantState } from "../state.js";
import { noteVersions } from "./transaction-versions.js";
import { storeValuations } from "./valuations.js";

/** {@link SnapshotStore} over a draft. */
export function memorySnapshots(state: TenantState): SnapshotStore {
  return {
    async publish(publication) {
      requireConnection(state, publication.connection_id);
      state.revision += 1;
      const { portfolios, holdings, connection_id, partial, stale_at, hidden = [] } = publication;
      const given = portfolios?.map(({ portfolio_id }) => portfolio_id) ?? [];
      const replaced = { portfolio: [...given, ...hidden], investment: publication.accounts ?? given };
      const kept = (product: "portfolio" | "investment") =>
        partial
          ? rowsNow(state, connection_id, product).filter((row) => !replaced[product].includes(row.portfolio_id))
          : [];
      const became = { corrected: 0, withdrawn: 0 };
      const rowsBefore = new Map(products.map((product) => [product, rowsNow(state, connection_id, product)]));
      if (portfolios) replace(state, publication, "portfolio", [...portfolios.map(withoutPlace), ...kept("portfolio")]);
      if (holdings) {
        const rows: HoldingRow[] = [];
        for await (const slice of Symbol.asyncIterator in holdings ? holdings : [holdings])
          for (const row of slice) rows.push(withoutPlace(row));
        replace(state, publication, "investment", [...rows, ...kept("investment")]);
      }
      if (publication.transactions) {
        const known = rowsNow(state, connection_id, "transaction") as readonly TransactionRow[];
        const rows = new Map(known.map((row) => [row.transaction_id, row]));
        const given = publication.transactions;
        const slices: Iterable<TransactionSlice> | AsyncIterable<TransactionSlice> =
          Symbol.asyncIterator in given ? given : [{ transactions: given, withdrawn: [], replaces: true }];
        const stated = new Set<string>();
        const origins = new Map<string, { file?: string | undefined; place?: string | undefined }>();
        for await (const { transactions, withdrawn, file, replaces, onStored } of slices) {
          const counts = { added: 0, corrected: 0, withdrawn: withdrawn.filter((id) => rows.delete(id)).length };
          for (const { place, ...row } of withoutReusedIds(transactions, rows)) {
            stated.add(row.transaction_id);
            const before = rows.get(row.transaction_id);
            if (before && (!replaces || contentOf([before]) === contentOf([row]))) continue;
            counts[before ? "corrected" : "added"] += 1;
            rows.set(row.transaction_id, row);
            origins.set(row.transaction_id, { file, place });
          }
          onStored?.(counts);
        }
        const { complete_from } = publication;
        for (const { transaction_id, operation_date } of complete_from === undefined ? [] : [...rows.values()])
          if (operation_date >= String(complete_from) && !stated.has(transaction_id)) rows.delete(transaction_id);
        for (const before of known) {
          const now = rows.get(before.transaction_id);
          if (!now) became.withdrawn += 1;
          else if (contentOf([now]) !== contentOf([before])) became.corrected += 1;
        }
        noteVersions(state, publication, known, rows, (a, b) => contentOf([a]) === contentOf([b]), origins);
        replace(state, publication, "transaction", [...rows.values()]);
      }
      if (partial && stale_at) {
        const isOther = ({ from, until, ...one }: StoredSnapshot) =>
          one.connection_id === connection_id && until === null && from !== state.revision;
        state.snapshots = state.snapshots.map((one) =>
          isOther(one) && one.stale_at !== null && one.stale_at < stale_at ? { ...one, stale_at } : one,
        );
      }
      storeValuations(state, connection_id, publication.valuations, publication.published_at);
      const isOther = (product: Product) =>
        contentOf(rowsBefore.get(product) ?? []) !== contentOf(rowsNow(state, connection_id, product));
      return { revision: String(state.revision), changed: products.filter(isOther), ...became };
    },

    async confirm({ connection_id, as_of, stale_at = null, digests, valuations }) {
      const stated = products.filter((product) => digests[product] !== undefined);
      if (stated.some((product) => now(state, connection_id, product)?.digest !== digests[product])) return false;
      state.snapshots = state.snapshots.map((one) =>
        one.connection_id === connection_id && one.until === null && stated.includes(one.product)
          ? { ...one, as_of, stale_at }
          : one,
      );
      storeValuations(state, connection_id, valuations, as_of);
      return true;
    },

    async latest(connectionId, product) {
      return latestIn(state, connectionId, product);
    },

    async noteArrival(targetId, sha256) {
      requireTenant(state);
      const key = `${targetId} ${sha256}`;
      const known = state.feedArrivals.get(key);
      if (known !== undefined) return known;
      state.latestArrival += 1;
      state.feedArrivals.set(key, state.latestArrival);
      return state.latestArrival;
    },

    async noteFile(file: FeedFile) {
      requireConnection(state, file.connection_id);
      const key = `${file.connection_id} ${file.sha256}`;
      if (state.feedFiles.has(key)) return false;
      state.feedFiles.set(key, { ...file });
      return true;
    },

    async latestFileDays(connectionId, limit) {
      const files = [...state.feedFiles.values()].filter((file) => file.connection_id === connectionId);
      const days = new Set(files.map(({ taken_at }) => utcDay(taken_at)));
      return [...days].sort().reverse().slice(0, limit);
    },

    async latestFile(connectionId) {
      return latestFileOf(state, connectionId);
    },
  };
}

/** The latest snapshot of each product. */
export function allLatestIn(state: TenantState, connectionId: Uuid): LatestSnapshots {
  return Object.fromEntries(
    products.flatMap((product) => {
      const latest = latestIn(state, connectionId, product);
      return latest ? [[product, latest]] : [];
    }),
  );
}

function latestIn(state: TenantState, connectionId: Uuid, product: Product): LatestSnapshot | null {
  const latest = now(state, connectionId, product);
  return latest ? { as_of: latest.as_of, digest: latest.digest } : null;
}

/** When the latest file was ingested for a connection. */
export function latestFileOf(state: TenantState, connectionId: string): Date | null {
  const taken = [...state.feedFiles.values()].filter((file) => file.connection_id === connectionId);
  return taken.reduce<Date | null>((latest, { taken_at }) => (latest && latest > taken_at ? latest : taken_at), null);
}

/** A place in a file is no part of what is stored. */
function withoutPlace<Row extends Placed>({ place: _, ...row }: Row): Omit<Row, "place"> {
  return row;
}

function requireConnection(state: TenantState, connectionId: string): void {
  if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
}

function replace(state: TenantState, publication: Publication, product: Product, rows: readonly DataRow[]): void {
  const { connection_id, published_at } = publication;
  const before = now(state, connection_id, product);
  const dated = publication.partial && before && before.as_of > publication.as_of ? before : publication;
  state.snapshots = [
    ...state.snapshots.map((snapshot) =>
      snapshot.connection_id === connection_id && snapshot.product === product && snapshot.until === null
        ? { ...snapshot, until: state.revision, replaced_at: published_at }
        : snapshot,
    ),
    {
      connection_id,
      product,
      from: state.revision,
      until: null,
      as_of: dated.as_of,
      stale_at: dated.stale_at ?? null,
      replaced_at: null,
      rows: [...rows],
      digest: publication.digests?.[product] ?? null,
    },
  ];
}

/** Independent of the order of the rows. */
function contentOf(rows: readonly DataRow[]): string {
  return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
}

function rowsNow(state: TenantState, connectionId: string, product: Product): readonly DataRow[] {
  return now(state, connectionId, product)?.rows ?? [];
}

function now(state: TenantState, connectionId: string, product: Product): StoredSnapshot | undefined {
  return state.snapshots.find(
    (snapshot) => snapshot.connection_id === connectionId && snapshot.product === product && snapshot.until === null,
  );
}
