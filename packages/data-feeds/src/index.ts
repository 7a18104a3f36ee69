/**
 * From a custodian's file to what is shown. Rows come from a `FeedFormat` of the kit; what they change is kept by core's storage.
 *
 *   createDataFeeds       a file's rows are stored in one transaction: whose they are (feed-target), first file or next (feed-delivery),
 *                         accounts (account-view), movements from several messages (movements), publication
 *   createFeedWaiting     pages of statements that wait for the others; createGiveUp gives them up
 *   createFeedDifferences what a statement says and its movements do not; createFeedSilence: letters whose files stay out
 *   createFeedAccounts    within which portfolio an account is shown
 *   createFeedMappings    tenants' mappings of files, tried and kept; createAppliedMappings reads by them
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
