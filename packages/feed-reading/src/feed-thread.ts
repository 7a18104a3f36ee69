import { Worker } from "node:worker_threads";
import type { PgpKeys } from "@org/feed-sources";
import { FeedRefusal } from "@org/provider-kit";
import type { FeedAnswer, FeedResult, FeedTask } from "./feed-reading.js";
import { createRowGatherer } from "./row-slices.js";

/** What a thread may cost. */
export interface ThreadLimits {
  readonly seconds: number;
  readonly megabytes: number;
}

const noKeys: PgpKeys["own"] = async () => [];

/**
 * Has a thread of its own do something with a custodian's file. Settles when the thread has ended: its turn is another's then.
 * @param ownKeys private keys that it asks for; left out: there are none
 * @throws FeedRefusal, also where it takes too long or too much memory
 */
export function runInThread<Task extends FeedTask>(
  workerFile: URL,
  task: Task,
  { seconds, megabytes }: ThreadLimits,
  ownKeys: PgpKeys["own"] = noKeys,
): Promise<FeedResult<Task>> {
  return new Promise((resolve, reject) => {
    const done = resolve as (result: object) => void;
    // A copy that is the thread's: it would be there twice otherwise while the file is read.
    const bytes = new Uint8Array(task.bytes);
    const worker = new Worker(workerFile, {
      workerData: { ...task, bytes } satisfies FeedTask,
      transferList: [bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Nothing in the environment is the parser's business.
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
          // That a key cannot be had now says nothing of the file.
          (error: Error) => end(() => reject(error)),
        );
      else if ("slice" in answer) {
        gatherer.add(answer.slice);
        // One at a time, so that what arrives never fills a turn of the event loop.
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
