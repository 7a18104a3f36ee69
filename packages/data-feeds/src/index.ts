/**
 * Stores custodians' files and publishes what they state. A `FeedFormat` of the provider kit reads a file into rows; core's storage keeps them.
 *
 *   createDataFeeds       stores a file's rows in one transaction: finds the tenant (feed-target) and the connection (feed-delivery),
 *                         places accounts (account-view), merges messages into movements (movements), publishes
 *   createFeedWaiting     statements whose pages have not all come
 *   createGiveUp          reports a file that failed too often for reasons other than a refusal
 *   createFeedDifferences where statements do not follow from the one before and the movements between
 *   createFeedSilence     blocks letters whose custodian sends no files
 *   createFeedAccounts    shows a cash account within the portfolio of a depot
 *   createFeedMappings    keeps and tries tenants' mappings; createAppliedMappings finds those that apply to a file
 */
export { createAppliedMappings, type MappedFeed } from "./applied-mappings.js";
export { createDataFeeds, type DataFeeds, type FeedReport, type SentFile } from "./data-feeds.js";
export { createFeedAccounts, type FeedAccounts } from "./feed-accounts.js";
export { isFarAhead } from "./feed-dates.js";
export type { FeedOrigin } from "./feed-delivery.js";
export { createFeedDifferences, type FeedDifferences } from "./feed-differences.js";
export { createGiveUp, type GiveUp } from "./feed-expiry.js";
export {
  createFeedMappings,
  type DraftWishes,
  type FeedMappings,
  type FeedMappingView,
  MAX_MAPPING_FAULTS,
  type MappingFaultView,
  type MappingLanguage,
  type MappingTarget,
  type TriedAgain,
} from "./feed-mappings.js";
export { createFeedWaiting, type FeedWaiting, type WaitingReport } from "./feed-pages.js";
export { layersOf, missingPartOf, type ReadPart, type RefusedPart, readPart, refusedPart } from "./feed-parts.js";
export { createFeedSilence } from "./feed-silence.js";
export { excerptOf, type FileExcerpt, placeIn } from "./file-excerpt.js";
