import { Worker } from "node:worker_threads";
import { createTurns, type FeedOrigin, type ReadPart, type SentFile, type Turns } from "@org/core";
import { isContainer, type PgpKeys, readParts } from "@org/feed-sources";
import { type FeedFormat, FeedRefusal } from "@org/provider-kit";
import { type FeedAnswer, type FeedTask, type MappingLists, statementsIn } from "./feed-reading.js";
import { createRowGatherer } from "./row-slices.js";

/** Smaller files are read at once, in some milliseconds; starting a thread would take longer. */
export const INLINE_BYTES = 128 * 1024;

/** What a thread may cost, and how many there are at once. */
interface ThreadLimits {
  readonly seconds: number;
  readonly megabytes: number;
  readonly threads: number;
}

/** Whose file is read, and from which source of files it came, if from one. */
export interface ReadOrigin extends FeedOrigin {
  readonly source?: string;
}

/** In what formats files are read beside the shipped ones, whose reports of an unfinished day are taken, and with what files are opened. */
export interface Reading {
  readonly formats: {
    readonly loaded: readonly FeedFormat[];
    readonly names: readonly string[];
    readonly directory: string;
  };
  takesInterim(origin: ReadOrigin): boolean | Promise<boolean>;
  /** Mappings of CSV and fixed columns that apply. */
  mappingsFor(origin: ReadOrigin): MappingLists | Promise<MappingLists>;
  /** Whose signatures count, and whether there has to be one; left out: nobody's, and none has to be there. */
  signersFor?(origin: ReadOrigin): Promise<Pick<PgpKeys, "signers" | "mustBeSigned">>;
  /** Private keys that a thread asks for, having met a message that is encrypted for them; left out: there are none. */
  readonly ownKeys?: PgpKeys["own"];
  /** By what time keys are in force; the machine's where it is left out. */
  readonly clock?: () => Date;
}

const shippedOnly: Reading = {
  formats: { loaded: [], names: [], directory: "" },
  takesInterim: () => false,
  mappingsFor: () => [],
};

const nobodySigns = { signers: [], mustBeSigned: false };
const noKeys: PgpKeys["own"] = async () => [];

/** Reads custodian files. */
export interface FeedReader {
  /**
   * Opens a file, if it is a container, and reads its parts; a plain file is one, read or refused.
   * @throws FeedRefusal for a container that cannot be opened whole, a file that is not signed as it has to be, or one that takes too
   * long or too much memory; CoreError RATE_LIMITED, UNAVAILABLE when too many wait, of one tenant or in all
   */
  read(file: SentFile, origin: ReadOrigin): Promise<readonly ReadPart[]>;
  /** Large files that are read, and that wait. */
  readonly turns: Pick<Turns, "running" | "waiting">;
}

/**
 * Reads custodian files, large ones and containers in a thread of their own: a file of 60 MB takes seconds, in which the server goes on
 * answering. Each may take some hundred megabytes, so only some are read at once: one of a feed, and so many of a tenant that others
 * find a thread free. A thread has the private keys that its file is encrypted for, and no longer than it lives.
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
      const mappings = await reading.mappingsFor(origin);
      const { formats } = reading;
      const isPacked = isContainer(file.bytes);
      const signing = (!origin.isOfPages && (await reading.signersFor?.(origin))) || nobodySigns;
      const now = reading.clock?.() ?? new Date();
      if (file.bytes.byteLength <= INLINE_BYTES && !isPacked) {
        const opening = { keys: { ...signing, own: noKeys }, now };
        return readParts(file, opening, statementsIn({ name: file.name, mappings, interim, formats: formats.loaded }));
      }
      const { names, directory } = formats;
      const task: FeedTask = {
        name: file.name,
        bytes: file.bytes,
        signing,
        now,
        interim,
        mappings,
        formats: names,
        directory,
      };
      return feeds.run(feed_id, () =>
        threads.run(tenant_id, () => readInThread(workerFile, task, limits, reading.ownKeys ?? noKeys)),
      );
    },
  };
}

/** Settles when the thread has ended: its turn is another's then. */
function readInThread(
  workerFile: URL,
  task: FeedTask,
  { seconds, megabytes }: Pick<ThreadLimits, "seconds" | "megabytes">,
  ownKeys: PgpKeys["own"],
): Promise<readonly ReadPart[]> {
  return new Promise((resolve, reject) => {
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
        gatherer.take(answer.slice);
        // One at a time, so that what arrives never fills a turn of the event loop.
        worker.postMessage(null);
      } else
        end(() => {
          if ("parts" in answer) resolve(gatherer.complete(answer.parts));
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
