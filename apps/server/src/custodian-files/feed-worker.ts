import { parentPort, workerData } from "node:worker_threads";
import { readParts } from "@org/feed-sources";
import { FeedRefusal } from "@org/provider-kit";
import { type FeedAnswer, type FeedTask, statementsIn } from "./feed-reading.js";
import { loadFeedFormats } from "./load-formats.js";

/** Opens and reads the file that this thread was started with, and returns it to whoever started it. */
async function answer(): Promise<FeedAnswer> {
  try {
    const { name, bytes, opening, interim, mappings, formats: names, directory } = workerData as FeedTask;
    const formats = await loadFeedFormats(names, directory);
    return { parts: await readParts({ name, bytes }, opening, statementsIn({ name, mappings, interim, formats })) };
  } catch (error) {
    if (error instanceof FeedRefusal) return { refused: { place: error.place, reason: error.reason } };
    throw error;
  }
}

parentPort?.postMessage(await answer());
