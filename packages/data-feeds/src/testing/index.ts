/** Cases for backends of core's storage that store whole files. Needs vitest and fast-check. */
export { type DataFeedFixture, describeDataFeeds } from "./describe-data-feeds.js";
