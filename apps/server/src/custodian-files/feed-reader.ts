import { Worker } from "node:worker_threads";
import { readFeed } from "@org/bank-providers";
import { FeedRefusal, type ReadFeed } from "@org/core";

/** What the thread says of a file. A refusal loses its class on the way. */
export type FeedAnswer =
  | { readonly read: ReadFeed }
  | { readonly refused: { readonly place: string; readonly reason: string } };

/** Smaller files are read at once, in some milliseconds; starting a thread would take longer. */
const INLINE_BYTES = 128 * 1024;

/**
 * Reads custodian files, large ones in a thread of their own: a file of 60 MB takes seconds, in which the server goes on answering.
 * One large file at a time, since each may take some hundred megabytes; the others wait.
 * @param limits of a thread. A file that passes one is refused, and the thread ended.
 * @throws FeedRefusal
 */
export function createFeedReader(
  workerFile: URL,
  limits: { readonly seconds: number; readonly megabytes: number },
): (file: Uint8Array) => Promise<ReadFeed> {
  let last: Promise<unknown> = Promise.resolve();
  return async (file) => {
    if (file.byteLength <= INLINE_BYTES) return readFeed(file);
    const turn = last.then(() => readInThread(workerFile, file, limits));
    last = turn.catch(() => undefined);
    return turn;
  };
}

function readInThread(
  workerFile: URL,
  file: Uint8Array,
  { seconds, megabytes }: { readonly seconds: number; readonly megabytes: number },
): Promise<ReadFeed> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Nothing in the environment is the parser's business.
      env: {},
    });
    const patience = setTimeout(() => {
      reject(new FeedRefusal("file", `takes longer than ${seconds} seconds to read`));
      void worker.terminate();
    }, seconds * 1_000);
    worker.once("message", (answer: FeedAnswer) => {
      if ("read" in answer) resolve(answer.read);
      else reject(new FeedRefusal(answer.refused.place, answer.refused.reason));
    });
    worker.once("error", (error: Error & { code?: string }) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isMemory ? new FeedRefusal("file", `needs more than ${megabytes} MB of memory to be read`) : error);
    });
    worker.once("exit", (code) => {
      clearTimeout(patience);
      reject(new Error(`the thread that read a custodian file ended with ${code} and no answer`));
    });
  });
}
