/** For backends of core's storage: the cases that run whole files through it. Needs vitest and fast-check. */
export { type DataFeedFixture, describeDataFeeds } from "./describe-data-feeds.js";
