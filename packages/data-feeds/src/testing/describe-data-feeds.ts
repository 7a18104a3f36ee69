import type { StorageFixture } from "@org/core/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { accountViewCases } from "./account-view-cases.js";
import { feedDifferenceCases } from "./feed-difference-cases.js";
import { feedOrderCases } from "./feed-order-cases.js";
import { feedPageCases } from "./feed-page-cases.js";
import { movementCases } from "./movement-cases.js";
import { partsAtOnceCases } from "./parts-at-once-cases.js";

/** What {@link describeDataFeeds} runs on: an empty storage, and how to let it go. */
export type DataFeedFixture = Pick<StorageFixture, "storage" | "close">;

/** Registers with vitest the cases that store whole files. A backend has to pass `describeStorage` of core besides. */
export function describeDataFeeds(name: string, makeStorage: () => Promise<DataFeedFixture> | DataFeedFixture): void {
  describe(`files of custodians: ${name}`, () => {
    let fixture: DataFeedFixture;
    beforeAll(async () => {
      fixture = await makeStorage();
    });
    afterAll(() => fixture?.close?.());
    const storage = () => fixture.storage;

    describe("order of files", () => feedOrderCases(storage));
    describe("files in one another", () => partsAtOnceCases(storage));
    describe("pages and movements of files", () => feedPageCases(storage));
    describe("movements", () => movementCases(storage));
    describe("accounts of one view", () => accountViewCases(storage));
    describe("differences between statements", () => feedDifferenceCases(storage));
  });
}
