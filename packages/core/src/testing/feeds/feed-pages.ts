import type { StatementPage } from "@org/provider-kit";
import type { FeedPageStore, PageHere, WaitingStatement, WaitingStatements } from "../../feeds/feed-page-store.js";
import { compareText, type TenantState } from "../state.js";

/** {@link FeedPageStore} over a draft. */
export function memoryFeedPages(state: TenantState): FeedPageStore {
  return {
    async keep(connectionId, pages, { now, arrival, finish_at }) {
      if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
      for (const page of pages) {
        state.feedPages.set(`${connectionId} ${page.statement} ${page.number}`, {
          ...page,
          connection_id: connectionId,
          kept_at: now,
          expired_at: null,
          arrival,
          finish_at,
        });
      }
      const here = kept(connectionId, new Set(pages.map(({ statement }) => statement)));
      const all = [...state.feedPages.values()].filter(({ connection_id }) => connection_id === connectionId);
      const bytes = all.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      return { here: here.map(hereOf), kept: { pages: all.length, bytes } };
    },
    async of(connectionId, statement) {
      const pages = kept(connectionId, new Set([statement]));
      return { pages: pages.map(pageOf), arrival: Math.max(...pages.map(({ arrival }) => arrival)) };
    },
    async leave(connectionId, statements) {
      for (const [key, page] of state.feedPages)
        if (page.connection_id === connectionId && statements.includes(page.statement))
          state.feedPages.set(key, { ...page, finish_at: null });
    },
    async forget(connectionId, statements) {
      const before = state.feedPages.size;
      for (const [key, { connection_id, statement }] of state.feedPages) {
        if (connection_id === connectionId && statements.includes(statement)) state.feedPages.delete(key);
      }
      return before - state.feedPages.size;
    },
  };

  function kept(connectionId: string, statements: ReadonlySet<string>) {
    return [...state.feedPages.values()]
      .filter(({ connection_id, statement }) => connection_id === connectionId && statements.has(statement))
      .sort((a, b) => compareText(a.statement, b.statement) || a.number - b.number);
  }
}

function hereOf({ statement, number, is_last, text }: StatementPage): PageHere {
  return { statement, number, is_last, bytes: Buffer.byteLength(text) };
}

function pageOf({ statement, number, is_last, place, text }: StatementPage): StatementPage {
  return { statement, number, is_last, place, text };
}

/** {@link WaitingStatements} over all tenants. */
export function memoryWaitingStatements(
  tenants: ReadonlyMap<string, TenantState>,
  change: (tenantId: string, work: (draft: TenantState) => void) => Promise<void>,
): WaitingStatements {
  const all = () =>
    [...tenants]
      .flatMap(([tenantId, state]) => waitingIn(tenantId, state))
      .sort((a, b) => a.latest_at.getTime() - b.latest_at.getTime() || compareText(a.statement, b.statement));
  const expireWaiting = async (found: readonly WaitingStatement[], expired_at: Date | null) => {
    for (const one of found) await change(one.tenant_id, (draft) => expirePages(draft, one, expired_at));
  };
  return {
    async list(limit) {
      const items = all();
      const overdue = items.filter(({ expired_at }) => expired_at !== null).length;
      return { items: items.slice(0, limit), waiting: items.length - overdue, overdue };
    },
    async expire(before, now, limit) {
      const late = all().filter(({ expired_at, latest_at }) => expired_at === null && latest_at < before);
      await expireWaiting(late.slice(0, limit), now);
      return late.slice(0, limit).map((one) => ({ ...one, expired_at: now }));
    },
    async claimWhole({ now, until, limit }) {
      const due = all().filter(({ tenant_id, connection_id, statement, pages, last_page }) => {
        const own = [...(tenants.get(tenant_id)?.feedPages.values() ?? [])].filter(
          (page) => page.connection_id === connection_id && page.statement === statement,
        );
        const times = own.flatMap(({ finish_at }) => finish_at?.getTime() ?? []);
        const isDue = times.length > 0 && Math.max(...times) <= now.getTime();
        return isDue && last_page !== null && pages.filter((number) => number <= last_page).length === last_page;
      });
      for (const { tenant_id, connection_id, statement } of due.slice(0, limit))
        await change(tenant_id, (draft) => {
          for (const [key, page] of draft.feedPages)
            if (page.connection_id === connection_id && page.statement === statement)
              draft.feedPages.set(key, { ...page, finish_at: until });
        });
      return due
        .slice(0, limit)
        .map(({ tenant_id, connection_id, statement }) => ({ tenant_id, connection_id, statement }));
    },
    async reap(before, limit) {
      const old = all().filter(({ expired_at }) => expired_at !== null && expired_at < before);
      await expireWaiting(old.slice(0, limit), null);
      return old.slice(0, limit);
    },
  };
}

function waitingIn(tenant_id: string, state: TenantState): WaitingStatement[] {
  const pages = [...state.feedPages.values()].sort((a, b) => a.number - b.number);
  const byStatement = new Map<string, typeof pages>();
  for (const page of pages) {
    const name = `${page.connection_id} ${page.statement}`;
    byStatement.set(name, [...(byStatement.get(name) ?? []), page]);
  }
  return [...byStatement.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const times = own.map(({ kept_at }) => kept_at.getTime());
    const overdue = own.map(({ expired_at }) => expired_at?.getTime() ?? null);
    const letter = [...state.letters.values()].find(({ connection_id }) => connection_id === first.connection_id);
    return {
      tenant_id,
      connection_id: first.connection_id,
      letter_id: letter?.letter_id ?? null,
      statement: first.statement,
      title: first.title,
      pages: own.map(({ number }) => number),
      last_page: own.findLast(({ is_last }) => is_last)?.number ?? null,
      first_at: new Date(Math.min(...times)),
      latest_at: new Date(Math.max(...times)),
      expired_at: overdue.includes(null) ? null : new Date(Math.max(...overdue.map(Number))),
    };
  });
}

/** Marks the pages of a statement as overdue; null deletes them. */
function expirePages(state: TenantState, of: WaitingStatement, expired_at: Date | null): void {
  for (const [key, page] of state.feedPages) {
    if (page.connection_id !== of.connection_id || page.statement !== of.statement) continue;
    if (expired_at === null) state.feedPages.delete(key);
    else state.feedPages.set(key, { ...page, expired_at });
  }
}
