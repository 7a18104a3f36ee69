import { afterAll, beforeAll, describe } from "vitest";
import { accountViewCases } from "./conformance/account-view.js";
import { auditChainCases } from "./conformance/audit-chain.js";
import { auditTrailCases } from "./conformance/audit-trail.js";
import { connectionDeskCases } from "./conformance/connection-desk.js";
import { connectionCases } from "./conformance/connections.js";
import { dataModelCases } from "./conformance/data-model.js";
import { dataReadCases } from "./conformance/data-reads.js";
import { environmentCases } from "./conformance/environment.js";
import { eventLogCases } from "./conformance/event-log.js";
import { eventOriginCases } from "./conformance/event-origins.js";
import { feedDifferenceCases } from "./conformance/feed-differences.js";
import { feedMappingCases } from "./conformance/feed-mappings.js";
import { feedOrderCases } from "./conformance/feed-order.js";
import { feedPageCases } from "./conformance/feed-pages.js";
import type { StorageFixture } from "./conformance/fixture.js";
import { isolationCases } from "./conformance/isolation.js";
import { letterDeskCases } from "./conformance/letter-desk.js";
import { letterCases } from "./conformance/letters.js";
import { limitCases } from "./conformance/limits.js";
import { mailCases } from "./conformance/mails.js";
import { movementCases } from "./conformance/movements.js";
import { partsAtOnceCases } from "./conformance/parts-at-once.js";
import { providerSettingsCases } from "./conformance/provider-settings.js";
import { refreshCases } from "./conformance/refreshes.js";
import { relatedMovementCases } from "./conformance/related-movements.js";
import { removalCases } from "./conformance/removal.js";
import { sessionCases } from "./conformance/sessions.js";
import { snapshotCases } from "./conformance/snapshots.js";
import { transactionCases } from "./conformance/transactions.js";
import { upkeepCases } from "./conformance/upkeep.js";

/** Registers with vitest every case that a backend of {@link Storage} has to pass, races included. It starts empty. */
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
    describe("connections", () => connectionCases(storage));
    describe("connections of all tenants", () => connectionDeskCases(storage));
    describe("sessions", () => sessionCases(storage));
    describe("letters", () => letterCases(storage));
    describe("letters of all tenants", () => letterDeskCases(storage));
    describe("limits", () => limitCases(storage));
    describe("settings of providers", () => providerSettingsCases(storage));
    describe("mappings of files", () => feedMappingCases(storage));
    describe("mails", () => mailCases(storage));
    describe("snapshots", () => snapshotCases(storage));
    describe("order of files", () => feedOrderCases(storage));
    describe("files in one another", () => partsAtOnceCases(storage));
    describe("pages and movements of files", () => feedPageCases(storage));
    describe("movements", () => movementCases(storage));
    describe("messages that movements are made of", () => relatedMovementCases(storage));
    describe("accounts of one view", () => accountViewCases(storage));
    describe("differences between statements", () => feedDifferenceCases(storage));
    describe("data reads", () => dataReadCases(storage));
    describe("data reads against a model", () => dataModelCases(storage));
    describe("removal of a connection", () => removalCases(storage));
    describe("tenant isolation", () => isolationCases(storage));
    describe("refreshes", () => refreshCases(storage));
    describe("upkeep", () => upkeepCases(storage));
    describe("log of events", () => eventLogCases(() => fixture));
    describe("what stores tell", () => eventOriginCases(() => fixture));
    describe("audit trail", () => auditTrailCases(storage));
    describe("hash chain of the audit trail", () => auditChainCases(storage));
  });
}
