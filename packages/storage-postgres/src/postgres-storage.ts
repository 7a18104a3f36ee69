import type { Storage } from "@org/core";
import { eventLog } from "./events/event-log.js";
import { auditLog, auditTrail } from "./queries/audit.js";
import { auditChain } from "./queries/audit-chain.js";
import { catalogueStore } from "./queries/catalogue.js";
import { clientStore } from "./queries/clients.js";
import { connectionAdmin } from "./queries/connection-admin-queries.js";
import { connectionFinder } from "./queries/connection-list.js";
import { connectionStore } from "./queries/connections.js";
import { dataReader } from "./queries/data-reads.js";
import { directory } from "./queries/directory.js";
import { exchangeRateStore } from "./queries/exchange-rates.js";
import { feedAccountStore } from "./queries/feed-accounts.js";
import { feedDifferenceStore } from "./queries/feed-differences.js";
import { feedMappingStore } from "./queries/feed-mappings.js";
import { feedPageStore, waitingStatements } from "./queries/feed-pages.js";
import { figureReader } from "./queries/figure-reads.js";
import { letterAdmin } from "./queries/letter-admin-queries.js";
import { letterFinder } from "./queries/letter-search.js";
import { letterDocumentStore, letterMoveStore, letterStore } from "./queries/letters.js";
import { limitStore } from "./queries/limits.js";
import { mailQueue, mailStore } from "./queries/mails.js";
import { movementStore } from "./queries/movements.js";
import { providerCircuits } from "./queries/provider-circuits.js";
import { callTurns, providerSettingsStore } from "./queries/providers.js";
import { refreshQueue, refreshStore } from "./queries/refreshes.js";
import { sessionStore } from "./queries/sessions.js";
import { snapshotStore } from "./queries/snapshots.js";
import { logoStore, tenantProfileStore } from "./queries/tenant-profiles.js";
import { tenantStore } from "./queries/tenants.js";
import { upkeep } from "./queries/upkeep.js";
import { wealthReader } from "./queries/wealth-reads.js";
import { workMarkStore } from "./queries/work-marks.js";
import type { Transactions } from "./transactions.js";

/**
 * Core's {@link Storage} on a migrated database.
 * @param ending for the removal of tenants, with which their grants end
 */
export function createPostgresStorage(transactions: Transactions, ending: Transactions = transactions): Storage {
  return {
    inTenant: (tenantId, work) =>
      transactions.asTenant(tenantId, (db) =>
        work({
          clients: clientStore(db, tenantId),
          connections: connectionStore(db, tenantId),
          snapshots: snapshotStore(db, tenantId),
          feedAccounts: feedAccountStore(db, tenantId),
          feedDifferences: feedDifferenceStore(db, tenantId),
          feedPages: feedPageStore(db, tenantId),
          movements: movementStore(db, tenantId),
          refreshes: refreshStore(db, tenantId),
          sessions: sessionStore(db, tenantId),
          letters: letterStore(db, tenantId),
          letterMoves: letterMoveStore(db, tenantId),
          letterDocuments: letterDocumentStore(db, tenantId),
          mails: mailStore(db, tenantId),
          profile: tenantProfileStore(db, tenantId),
          audit: auditLog(db, tenantId),
          events: eventLog(db, tenantId),
        }),
      ),
    reader: dataReader(transactions),
    wealthReader: wealthReader(transactions),
    figureReader: figureReader(transactions),
    connectionFinder: connectionFinder(transactions),
    letterFinder: letterFinder(transactions),
    catalogue: catalogueStore(transactions),
    providerSettings: providerSettingsStore(transactions),
    callTurns: callTurns(transactions),
    providerCircuits: providerCircuits(transactions),
    exchangeRates: exchangeRateStore(transactions),
    feedMappings: feedMappingStore(transactions),
    waitingStatements: waitingStatements(transactions),
    workMarks: workMarkStore(transactions),
    tenants: { ...tenantStore(transactions), remove: tenantStore(ending).remove },
    logos: logoStore(transactions),
    directory: directory(transactions),
    limits: limitStore(transactions),
    upkeep: upkeep(transactions),
    refreshQueue: refreshQueue(transactions),
    mailQueue: mailQueue(transactions),
    letterAdmin: letterAdmin(transactions),
    connectionAdmin: connectionAdmin(transactions),
    auditTrail: auditTrail(transactions),
    auditChain: auditChain(transactions),
  };
}
