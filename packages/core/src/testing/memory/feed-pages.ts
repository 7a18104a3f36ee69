import type { FeedPageStore } from "../../ports/feed-page-store.js";
import { compareText, type TenantState } from "./state.js";

/** {@link FeedPageStore} over a draft. It keeps pages for as long as it lives. */
export function memoryFeedPages(state: TenantState): FeedPageStore {
  return {
    async keep(connectionId, pages) {
      if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
      for (const page of pages) {
        state.feedPages.set(`${connectionId} ${page.statement} ${page.number}`, {
          ...page,
          connection_id: connectionId,
        });
      }
      const statements = new Set(pages.map(({ statement }) => statement));
      return [...state.feedPages.values()]
        .filter(({ connection_id, statement }) => connection_id === connectionId && statements.has(statement))
        .sort((a, b) => compareText(a.statement, b.statement) || a.number - b.number)
        .map(({ connection_id: _, ...page }) => page);
    },
    async forget(connectionId, statements) {
      for (const [key, { connection_id, statement }] of state.feedPages) {
        if (connection_id === connectionId && statements.includes(statement)) state.feedPages.delete(key);
      }
    },
  };
}
