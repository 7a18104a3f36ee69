/**
 * Reads custodians' files: the second of their four steps (intake, read, route, store).
 *
 *   feed-reader.ts   reads a file inline when it is small and its mapping cheap, otherwise in a thread; in turns of tenants
 *   feed-reading.ts  one file, in a known format or by a mapping; the same in the server and in its threads
 *   feed-thread.ts   starts a thread for one file and ends it; feed-worker.ts is what runs in it
 *   row-slices.ts    the rows of long lists on their way from the thread
 */

export { createFeedReader, type FeedReader, feedWorkerFile, INLINE_BYTES, type ReadOrigin } from "./feed-reader.js";
