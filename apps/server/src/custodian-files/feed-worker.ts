import { parentPort, workerData } from "node:worker_threads";
import { refusedPart } from "@org/core";
import { type PgpKeys, readParts } from "@org/feed-sources";
import { FeedRefusal } from "@org/provider-kit";
import { type FeedAnswer, type FeedTask, statementsIn } from "./feed-reading.js";
import { loadFeedFormats } from "./load-formats.js";
import { sliceRows } from "./row-slices.js";

/** Opens and reads the file that this thread was started with, and returns it to whoever started it. */
async function answer(): Promise<FeedAnswer> {
  try {
    const { name, bytes, signing, now, interim, mappings, formats: names, directory } = workerData as FeedTask;
    const formats = await loadFeedFormats(names, directory);
    const opening = { keys: { ...signing, own: askOnce() }, now };
    const parts = await readParts({ name, bytes }, opening, statementsIn({ name, mappings, interim, formats }));
    return { parts: await sliceRows(parts, (slice) => ask({ slice })) };
  } catch (error) {
    if (error instanceof FeedRefusal) return { refused: refusedPart(error) };
    throw error;
  }
}

/** Private keys are the server's: it is asked for those that a message needs, once for all messages that need the same. */
function askOnce(): PgpKeys["own"] {
  const known = new Map<string, readonly string[]>();
  return async (keysFor) => {
    const which = JSON.stringify(keysFor);
    const before = known.get(which);
    if (before !== undefined) return before;
    const keys = (await ask({ keysFor })) as readonly string[];
    known.set(which, keys);
    return keys;
  };
}

/** Says something that the server answers. */
function ask(message: FeedAnswer): Promise<unknown> {
  return new Promise((resolve) => {
    parentPort?.once("message", resolve);
    parentPort?.postMessage(message);
  });
}

parentPort?.postMessage(await answer());
