import { parentPort, workerData } from "node:worker_threads";
import { readFeed } from "@org/bank-providers";
import { readPart, type SentFile } from "@org/core";
import { FeedRefusal } from "@org/provider-kit";
import type { FeedAnswer } from "./feed-reader.js";

/** Reads the file that this thread was started with, and returns it to whoever started it. */
function answer(): FeedAnswer {
  try {
    const { name, bytes } = workerData as SentFile;
    return { parts: [readPart(name, bytes, readFeed)] };
  } catch (error) {
    if (error instanceof FeedRefusal) return { refused: { place: error.place, reason: error.reason } };
    throw error;
  }
}

parentPort?.postMessage(answer());
