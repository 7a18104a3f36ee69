import { parentPort, workerData } from "node:worker_threads";
import { readFeed } from "@org/bank-providers";
import { FeedRefusal } from "@org/provider-kit";
import type { FeedAnswer } from "./feed-reader.js";

/** Reads the file that this thread was started with, and returns it to whoever started it. */
function answer(): FeedAnswer {
  try {
    return { read: readFeed(workerData as Uint8Array) };
  } catch (error) {
    if (error instanceof FeedRefusal) return { refused: { place: error.place, reason: error.reason } };
    throw error;
  }
}

parentPort?.postMessage(answer());
