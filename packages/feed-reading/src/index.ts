/**
 * Reads custodians' files: the second of four steps (intake, read, route, store).
 *
 *   feed-reader.ts   reads a small file with a cheap mapping inline and any other file in a thread; tenants take turns
 *   feed-reading.ts  reads one file in a known format or by a mapping; runs in the server and in its threads
 *   feed-thread.ts   starts a thread for one file and ends it; feed-worker.ts is what runs in it
 *   row-slices.ts    sends the rows of long lists from the thread in slices
 */

export { createFeedReader, type FeedReader, feedWorkerFile, INLINE_BYTES, type ReadOrigin } from "./feed-reader.js";
