import { afterAll, beforeAll, describe } from "vitest";
import { auditChainCases } from "./audit/audit-chain-cases.js";
import { auditTrailCases } from "./audit/audit-trail-cases.js";
import { sessionCases } from "./connecting/session-cases.js";
import { attentionCases } from "./connections/attention-cases.js";
import { clientCases } from "./connections/client-cases.js";
import { connectionAdminCases } from "./connections/connection-admin-query-cases.js";
import { connectionCases } from "./connections/connection-cases.js";
import { refreshCases } from "./connections/refresh-cases.js";
import { removalCases } from "./connections/removal-cases.js";
import { completePeriodCases } from "./data/complete-period-cases.js";
import { dataModelCases } from "./data/data-model-cases.js";
import { dataReadCases } from "./data/data-read-cases.js";
import { dataSortCases } from "./data/data-sort-cases.js";
import { exchangeRateCases } from "./data/exchange-rate-cases.js";
import { figureCases } from "./data/figure-cases.js";
import { snapshotCases } from "./data/snapshot-cases.js";
import { transactionVersionCases } from "./data/transaction-version-cases.js";
import { valuationCases } from "./data/valuation-cases.js";
import { eventLogCases } from "./event-log-cases.js";
import { eventOriginCases } from "./event-origin-cases.js";
import { feedMappingCases } from "./feeds/feed-mapping-cases.js";
import { relatedMovementCases } from "./feeds/related-movement-cases.js";
import type { StorageFixture } from "./fixture.js";
import { isolationCases } from "./isolation-cases.js";
import { letterAdminCases } from "./letters/letter-admin-query-cases.js";
import { letterCases } from "./letters/letter-cases.js";
import { mailCases } from "./letters/mail-cases.js";
import { upkeepCases } from "./operating/upkeep-cases.js";
import { workMarkCases } from "./operating/work-mark-cases.js";
import { providerSettingsCases } from "./providers/provider-settings-cases.js";
import { environmentCases } from "./tenants/environment-cases.js";
import { limitCases } from "./tenants/limit-cases.js";
import { transactionCases } from "./transaction-cases.js";

/** Registers with vitest every case that a backend of {@link Storage} has to pass, including races. The storage is empty at the start. */
export function describeStorage(name: string, makeStorage: () => Promise<StorageFixture> | StorageFixture): void {
  describe(`storage: ${name}`, () => {
    let fixture: StorageFixture;
    beforeAll(async () => {
      fixture = await makeStorage();
    });
    afterAll(() => fixture?.close?.());
    const storage = () => fixture.storage;

    describe("tenants, catalogue, directory, audit log", () => environmentCases(storage));
    describe("transactions", () => transactionCases(storage));
    describe("clients", () => clientCases(storage));
    describe("connections", () => connectionCases(storage));
    describe("connections that need somebody", () => attentionCases(storage));
    describe("connections of all tenants", () => connectionAdminCases(storage));
    describe("sessions", () => sessionCases(storage));
    describe("letters", () => letterCases(storage));
    describe("letters of all tenants", () => letterAdminCases(storage));
    describe("limits", () => limitCases(storage));
    describe("settings of providers", () => providerSettingsCases(storage));
    describe("exchange rates", () => exchangeRateCases(storage));
    describe("mappings of files", () => feedMappingCases(storage));
    describe("mails", () => mailCases(storage));
    describe("snapshots", () => snapshotCases(storage));
    describe("valuations", () => valuationCases(storage));
    describe("figures", () => figureCases(storage));
    describe("former versions of transactions", () => transactionVersionCases(storage));
    describe("transactions of a complete period", () => completePeriodCases(storage));
    describe("messages that movements are made of", () => relatedMovementCases(storage));
    describe("data reads", () => dataReadCases(storage));
    describe("data reads against a model", () => dataModelCases(storage));
    describe("sorts and groups of data reads", () => dataSortCases(storage));
    describe("removal of a connection", () => removalCases(storage));
    describe("tenant isolation", () => isolationCases(storage));
    describe("refreshes", () => refreshCases(storage));
    describe("upkeep", () => upkeepCases(storage));
    describe("marks of the work queue", () => workMarkCases(() => fixture));
    describe("log of events", () => eventLogCases(() => fixture));
    describe("what stores tell", () => eventOriginCases(() => fixture));
    describe("audit trail", () => auditTrailCases(storage));
    describe("hash chain of the audit trail", () => auditChainCases(storage));
  });
}
