import { Worker } from "node:worker_threads";
import { readFeed } from "@org/bank-providers";
import { createTurns, type FeedOrigin, type ReadPart, readPart, type SentFile, type Turns } from "@org/core";
import { type FeedFormat, FeedRefusal } from "@org/provider-kit";

/** What the thread says of a file. A refusal loses its class on the way. */
export type FeedAnswer =
  | { readonly parts: readonly ReadPart[] }
  | { readonly refused: { readonly place: string; readonly reason: string } };

/** Smaller files are read at once, in some milliseconds; starting a thread would take longer. */
export const INLINE_BYTES = 128 * 1024;

/** What a thread may cost, and how many there are at once. */
interface ThreadLimits {
  readonly seconds: number;
  readonly megabytes: number;
  readonly threads: number;
}

/** What a thread is started with: it loads the formats of others itself. */
export interface FeedTask extends SentFile {
  readonly interim: boolean;
  /** What `FEED_FORMATS` names, and the directory that it is found from. */
  readonly formats: readonly string[];
  readonly directory: string;
}

/** In what formats files are read beside the shipped ones, and whose reports of an unfinished day are taken. */
export interface Reading {
  readonly formats: {
    readonly loaded: readonly FeedFormat[];
    readonly names: readonly string[];
    readonly directory: string;
  };
  takesInterim(origin: FeedOrigin): boolean | Promise<boolean>;
}

const shippedOnly: Reading = { formats: { loaded: [], names: [], directory: "" }, takesInterim: () => false };

/** Reads custodian files. */
export interface FeedReader {
  /**
   * Reads a file into its parts; a plain file is one, read or refused.
   * @throws FeedRefusal for a container that cannot be opened whole, or a file that takes too long or too much memory; CoreError RATE_LIMITED, UNAVAILABLE when too many large files wait, of one
   * tenant or in all
   */
  read(file: SentFile, origin: FeedOrigin): Promise<readonly ReadPart[]>;
  /** Large files that are read, and that wait. */
  readonly turns: Pick<Turns, "running" | "waiting">;
}

/**
 * Reads custodian files, large ones in a thread of their own: a file of 60 MB takes seconds, in which the server goes on answering.
 * Each may take some hundred megabytes, so only some are read at once: one of a feed, and so many of a tenant that others find a
 * thread free.
 * @param limits of a thread. A file that passes one is refused, and the thread ended.
 */
export function createFeedReader(workerFile: URL, limits: ThreadLimits, reading: Reading = shippedOnly): FeedReader {
  // Files that wait are in memory: few do.
  const waiting = { waiting: 32, waitingEach: 8, retryAfterSeconds: 60 };
  const threads = createTurns({
    name: "feed_files_waiting",
    overall: limits.threads,
    keepsRoom: true,
    ...waiting,
  });
  const feeds = createTurns({ name: "feed_files_waiting", overall: Number.POSITIVE_INFINITY, each: 1, ...waiting });
  return {
    turns: threads,
    async read(file, origin) {
      const { tenant_id, feed_id } = origin;
      const interim = await reading.takesInterim(origin);
      const { formats } = reading;
      if (file.bytes.byteLength <= INLINE_BYTES)
        return [readPart(file.name, file.bytes, (bytes) => readFeed(bytes, { interim, formats: formats.loaded }))];
      const task: FeedTask = { ...file, interim, formats: formats.names, directory: formats.directory };
      return feeds.run(feed_id, () => threads.run(tenant_id, () => readInThread(workerFile, task, limits)));
    },
  };
}

function readInThread(
  workerFile: URL,
  task: FeedTask,
  { seconds, megabytes }: Pick<ThreadLimits, "seconds" | "megabytes">,
): Promise<readonly ReadPart[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Nothing in the environment is the parser's business.
      env: {},
    });
    const timeout = setTimeout(() => {
      reject(new FeedRefusal("file", `takes longer than ${seconds} seconds to read`));
      void worker.terminate();
    }, seconds * 1_000);
    worker.once("message", (answer: FeedAnswer) => {
      if ("parts" in answer) resolve(answer.parts);
      else reject(new FeedRefusal(answer.refused.place, answer.refused.reason));
    });
    worker.once("error", (error: Error & { code?: string }) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isMemory ? new FeedRefusal("file", `needs more than ${megabytes} MB of memory to be read`) : error);
    });
    worker.once("exit", (code) => {
      clearTimeout(timeout);
      reject(new Error(`the thread that read a custodian file ended with ${code} and no answer`));
    });
  });
}
