import { parentPort, workerData } from "node:worker_threads";
import { readFeed } from "@org/bank-providers";
import { readPart } from "@org/core";
import { FeedRefusal } from "@org/provider-kit";
import type { FeedAnswer, FeedTask } from "./feed-reader.js";
import { loadFeedFormats } from "./load-formats.js";

/** Reads the file that this thread was started with, and returns it to whoever started it. */
async function answer(): Promise<FeedAnswer> {
  try {
    const { name, bytes, interim, formats: names, directory } = workerData as FeedTask;
    const formats = await loadFeedFormats(names, directory);
    return { parts: [readPart(name, bytes, (file) => readFeed(file, { interim, formats }))] };
  } catch (error) {
    if (error instanceof FeedRefusal) return { refused: { place: error.place, reason: error.reason } };
    throw error;
  }
}

parentPort?.postMessage(await answer());
