import type { TenantStores } from "../storage.js";
import { memoryAudit } from "./audit/audit.js";
import { memorySessions } from "./connecting/sessions.js";
import { memoryClients } from "./connections/clients.js";
import { memoryConnections } from "./connections/connections.js";
import { memoryRefreshes } from "./connections/refreshes.js";
import { memorySnapshots } from "./data/snapshots.js";
import { memoryFeedAccounts } from "./feeds/feed-accounts.js";
import { memoryFeedDifferences } from "./feeds/feed-differences.js";
import { memoryFeedPages } from "./feeds/feed-pages.js";
import { memoryMovements } from "./feeds/movements.js";
import { memoryLetterDocuments, memoryLetterMoves, memoryLetters } from "./letters/letters.js";
import { memoryMails } from "./letters/mails.js";
import type { TenantState } from "./state.js";
import { memoryTenantProfile } from "./tenants/tenant-profile.js";

/** The stores of a transaction over its draft. */
export function storesOf(draft: TenantState): TenantStores {
  return {
    clients: memoryClients(draft),
    connections: memoryConnections(draft),
    snapshots: memorySnapshots(draft),
    feedAccounts: memoryFeedAccounts(draft),
    feedDifferences: memoryFeedDifferences(draft),
    feedPages: memoryFeedPages(draft),
    movements: memoryMovements(draft),
    refreshes: memoryRefreshes(draft),
    sessions: memorySessions(draft),
    letters: memoryLetters(draft),
    letterMoves: memoryLetterMoves(draft),
    letterDocuments: memoryLetterDocuments(draft),
    mails: memoryMails(draft),
    profile: memoryTenantProfile(draft),
    audit: memoryAudit(draft),
    events: {
      async append(events) {
        draft.newEvents.push(...events);
      },
    },
  };
}
