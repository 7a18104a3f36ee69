import { utcDay } from "@org/provider-kit";
import type { HoldingRow } from "../../data/snapshot-store.js";
import type { FeedAccountStore } from "../../feeds/feed-account-store.js";
import { compareText, type TenantState } from "../state.js";

/** {@link FeedAccountStore} over a draft. */
export function memoryFeedAccounts(state: TenantState): FeedAccountStore {
  return {
    async claim(connectionId, stated, arrival) {
      if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
      const claimed = new Set<string>();
      for (const account of stated) {
        const key = `${connectionId} ${account.portfolio_id}`;
        const known = state.feedAccounts.get(key);
        const as_of = account.as_of.getTime();
        if (known && (known.as_of.getTime() > as_of || (known.as_of.getTime() === as_of && known.arrival > arrival)))
          continue;
        const isLater = known && known.as_of.getTime() > 0 && utcDay(known.as_of) < utcDay(account.as_of);
        const before = isLater
          ? { day: utcDay(known.as_of), holdings: holdingsOf(state, connectionId, account.portfolio_id) }
          : (known?.before ?? null);
        state.feedAccounts.set(key, { ...account, arrival, before });
        claimed.add(account.portfolio_id);
      }
      return claimed;
    },

    async list(connectionId) {
      return [...state.feedAccounts]
        .filter(([key]) => key.startsWith(`${connectionId} `))
        .map(([, { arrival: _, before: __, place: ___, ...account }]) => account)
        .sort(
          (a, b) =>
            compareText(a.number, b.number) ||
            compareText(a.currency, b.currency) ||
            compareText(a.portfolio_id, b.portfolio_id),
        );
    },

    async links(connectionId) {
      return state.feedAccountLinks.get(connectionId) ?? [];
    },

    async storeLinks(connectionId, links) {
      const byNumber = [...links].sort((a, b) => compareText(a.account, b.account));
      state.feedAccountLinks.set(connectionId, byNumber);
    },
  };
}

/** The holdings of an account as they are shown now. */
export function holdingsOf(state: TenantState, connectionId: string, portfolioId: string): readonly HoldingRow[] {
  const shown = state.snapshots.find(
    ({ connection_id, product, until }) => connection_id === connectionId && product === "investment" && until === null,
  );
  return ((shown?.rows ?? []) as readonly HoldingRow[]).filter(({ portfolio_id }) => portfolio_id === portfolioId);
}
