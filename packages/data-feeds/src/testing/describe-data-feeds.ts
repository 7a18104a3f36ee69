import type { StorageFixture } from "@org/core/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { accountViewCases } from "./account-view-cases.js";
import { feedDifferenceCases } from "./feed-difference-cases.js";
import { feedOrderCases } from "./feed-order-cases.js";
import { feedPageCases } from "./feed-page-cases.js";
import { movementCases } from "./movement-cases.js";
import { partsAtOnceCases } from "./parts-at-once-cases.js";
import { reusedIdCases } from "./reused-id-cases.js";
import { valuationCases } from "./valuation-cases.js";

/** What {@link describeDataFeeds} runs on: an empty storage and the function that closes it. */
export type DataFeedFixture = Pick<StorageFixture, "storage" | "close">;

/** Registers the cases that store whole files with vitest. A backend must also pass `describeStorage` of core. */
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
    describe("[C-9.431] an id that its sender uses again", () => reusedIdCases(storage));
    describe("accounts of one view", () => accountViewCases(storage));
    describe("valuations", () => valuationCases(storage));
    describe("differences between statements", () => feedDifferenceCases(storage));
  });
}
