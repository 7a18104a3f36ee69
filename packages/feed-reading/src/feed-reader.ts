import { createTurns, type Turns } from "@org/core";
import type { FeedOrigin, MappingLanguage, ReadPart, SentFile } from "@org/data-feeds";
import { isContainer, type PgpKeys, readParts } from "@org/feed-sources";
import type { FeedFormat } from "@org/provider-kit";
import { type MappingLists, mappingCost, type ReadingTask, statementsIn, type TrialTask } from "./feed-reading.js";
import { runInThread, type ThreadLimits } from "./feed-thread.js";

/** Smaller files are read at once, in some milliseconds; starting a thread would take longer. */
export const INLINE_BYTES = 128 * 1024;

/** Nanoseconds, about, that the mapping of a smaller file may take. */
const INLINE_COST = 50_000_000;

/** What a thread may cost, one in which a mapping is only tried, and how many there are at once. */
export interface ReaderLimits extends ThreadLimits {
  readonly trial: ThreadLimits;
  readonly threads: number;
}

type Tested = Awaited<ReturnType<MappingLanguage["test"]>>;

/** Whose file is read, and from which source of files it came, if from one. */
export interface ReadOrigin extends FeedOrigin {
  readonly source?: string;
}

/** In what formats files are read beside the shipped ones, whose reports of an unfinished day are taken, and with what files are opened. */
export interface Reading {
  readonly formats: {
    readonly loaded: readonly FeedFormat[];
    /** Addresses of the modules that they came from: a thread loads them itself. */
    readonly modules: readonly string[];
  };
  acceptsInterim(origin: ReadOrigin): boolean | Promise<boolean>;
  /** Mappings of CSV and fixed columns that apply. */
  mappingsFor(origin: ReadOrigin): MappingLists | Promise<MappingLists>;
  /** Whose signatures count, and whether there has to be one; left out: nobody's, and none has to be there. */
  signersFor?(origin: ReadOrigin): Promise<Pick<PgpKeys, "signers" | "mustBeSigned">>;
  /** Private keys that a thread asks for, having met a message that is encrypted for them; left out: there are none. */
  readonly ownKeys?: PgpKeys["own"];
  /** By what time keys are in force. */
  readonly clock: () => Date;
}

/** The thread that reads large files: beside this module, built or not. */
export const feedWorkerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./feed-worker.ts" : "./feed-worker.js",
  import.meta.url,
);

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
  /** Mappings that operators check, try and draft: all operators have the turns of one tenant. */
  readonly trials: Omit<MappingLanguage, "shipped">;
  /** Large files that are read, and that wait. */
  readonly turns: Pick<Turns, "running" | "waiting">;
}

/**
 * Reads custodian files, large ones and containers in a thread of their own: a file of 60 MB takes seconds, in which the server goes on
 * answering. Each may take some hundred megabytes, so only some are read at once: one of a feed, and so many of a tenant that others
 * find a thread free. A thread has the private keys that its file is encrypted for, and no longer than it lives.
 * @param limits of a thread. A file that passes one is refused, and the thread ended.
 */
export function createFeedReader(workerFile: URL, limits: ReaderLimits, reading: Reading): FeedReader {
  // Files that wait are in memory: few do.
  const waiting = { waiting: 32, waitingEach: 8, retryAfterSeconds: 60 };
  const threads = createTurns({
    name: "feed_files_waiting",
    overall: limits.threads,
    keepsRoom: true,
    ...waiting,
  });
  const feeds = createTurns({ name: "feed_files_waiting", overall: Number.POSITIVE_INFINITY, each: 1, ...waiting });
  const tried = async (task: TrialTask) => threads.run("operators", () => runInThread(workerFile, task, limits.trial));
  return {
    turns: threads,
    trials: {
      async faultsOf(stated) {
        const result = (await tried({ name: "", bytes: Buffer.alloc(0), trial: { stated } })) as Tested;
        return "faults" in result ? result.faults : [];
      },
      test: async (file, stated, limit) => (await tried({ ...file, trial: { stated, limit } })) as Tested,
      draft: (file) => tried({ ...file, trial: "draft" }),
    },
    async read(file, origin) {
      const { tenant_id, feed_id } = origin;
      const interim = await reading.acceptsInterim(origin);
      const mappings = await reading.mappingsFor(origin);
      const { formats } = reading;
      const isPacked = isContainer(file.bytes);
      const signing = (!origin.isOfPages && (await reading.signersFor?.(origin))) || nobodySigns;
      const now = reading.clock();
      if (file.bytes.byteLength <= INLINE_BYTES && !isPacked) {
        const opening = { keys: { ...signing, own: noKeys }, now };
        const how = { name: file.name, mappings, interim, formats: formats.loaded };
        if (mappingCost(file.bytes, how) <= INLINE_COST) return readParts(file, opening, statementsIn(how));
      }
      const task: ReadingTask = {
        name: file.name,
        bytes: file.bytes,
        signing,
        now,
        interim,
        mappings,
        formats: formats.modules,
      };
      return feeds.run(feed_id, () =>
        threads.run(tenant_id, () => runInThread(workerFile, task, limits, reading.ownKeys)),
      );
    },
  };
}
