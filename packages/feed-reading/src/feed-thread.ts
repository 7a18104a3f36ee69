import { Worker } from "node:worker_threads";
import type { PgpKeys } from "@org/feed-sources";
import { FeedRefusal } from "@org/provider-kit";
import type { FeedAnswer, FeedResult, FeedTask } from "./feed-reading.js";
import { createRowGatherer } from "./row-slices.js";

/** Limits of a thread. */
export interface ThreadLimits {
  readonly seconds: number;
  readonly megabytes: number;
}

const noKeys: PgpKeys["own"] = async () => [];

/**
 * Runs a task in a thread of its own. Settles when the thread has ended, since only then its turn is free.
 * @param ownKeys private keys that the thread requests; left out: there are none
 * @throws FeedRefusal, also if the task takes too long or too much memory
 */
export function runInThread<Task extends FeedTask>(
  workerFile: URL,
  task: Task,
  { seconds, megabytes }: ThreadLimits,
  ownKeys: PgpKeys["own"] = noKeys,
): Promise<FeedResult<Task>> {
  return new Promise((resolve, reject) => {
    const done = resolve as (result: object) => void;
    // A copy that is transferred: otherwise both threads would hold the bytes while the file is read.
    const bytes = new Uint8Array(task.bytes);
    const worker = new Worker(workerFile, {
      workerData: { ...task, bytes } satisfies FeedTask,
      transferList: [bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // A parser needs nothing from the environment.
      env: {},
    });
    const gatherer = createRowGatherer();
    let settle: (() => void) | null = null;
    const end = (how: () => void) => {
      settle ??= how;
      void worker.terminate();
    };
    const timeout = setTimeout(
      () => end(() => reject(new FeedRefusal("file", `takes longer than ${seconds} seconds to read`))),
      seconds * 1_000,
    );
    worker.on("message", (answer: FeedAnswer) => {
      if ("keysFor" in answer)
        ownKeys(answer.keysFor).then(
          (keys) => worker.postMessage(keys),
          // A key that is unavailable now says nothing about the file.
          (error: Error) => end(() => reject(error)),
        );
      else if ("slice" in answer) {
        gatherer.add(answer.slice);
        // One slice at a time, so that arriving slices never fill a turn of the event loop.
        worker.postMessage(null);
      } else
        end(() => {
          if ("parts" in answer) done(gatherer.complete(answer.parts));
          else if ("tried" in answer) done(answer.tried);
          else {
            const { place, reason, lack } = answer.refused;
            reject(new FeedRefusal(place, reason, lack));
          }
        });
    });
    worker.once("error", (error: Error & { code?: string }) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      const refusal = new FeedRefusal("file", `needs more than ${megabytes} MB of memory to be read`);
      end(() => reject(isMemory ? refusal : error));
    });
    worker.once("exit", (code) => {
      clearTimeout(timeout);
      if (settle) settle();
      else reject(new Error(`the thread that read a custodian file ended with ${code} and no answer`));
    });
  });
}
