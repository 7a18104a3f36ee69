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
        state.feedAccounts.set(key, { ...account, arrival });
        claimed.add(account.portfolio_id);
      }
      return claimed;
    },

    async list(connectionId) {
      return [...state.feedAccounts]
        .filter(([key]) => key.startsWith(`${connectionId} `))
        .map(([, { arrival: _, place: __, ...account }]) => account)
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
