import { createSemaphore, type SemaphoreLoad } from "@org/admission";
import { queueRefusal } from "@org/core";
import type { FeedOrigin, MappingLanguage, ReadPart, SentFile } from "@org/data-feeds";
import { isContainer, type PgpKeys, readParts } from "@org/feed-sources";
import type { FeedFormat } from "@org/provider-kit";
import { type MappingLists, mappingCost, type ReadingTask, statementsIn, type TrialTask } from "./feed-reading.js";
import { runInThread, type ThreadLimits } from "./feed-thread.js";

/** Smaller files are read inline, in some milliseconds; starting a thread would take longer. */
export const INLINE_BYTES = 128 * 1024;

/** Maximum estimated nanoseconds that the mapping of an inline file may take. */
const INLINE_COST = 50_000_000;

/** Limits of a reading thread, of a thread that only tries a mapping, and the number of threads. */
export interface ReaderLimits extends ThreadLimits {
  readonly trial: ThreadLimits;
  readonly threads: number;
}

type Tested = Awaited<ReturnType<MappingLanguage["test"]>>;

/** The owner of a file and the source that it came from, if any. */
export interface ReadOrigin extends FeedOrigin {
  readonly source?: string;
}

/** What the reader needs to know about formats, mappings, interim reports and keys. */
export interface Reading {
  readonly formats: {
    readonly loaded: readonly FeedFormat[];
    /** Addresses of the modules that define them; a thread loads them itself. */
    readonly modules: readonly string[];
  };
  acceptsInterim(origin: ReadOrigin): boolean | Promise<boolean>;
  /** Mappings of CSV files and fixed columns that apply. */
  mappingsFor(origin: ReadOrigin): MappingLists | Promise<MappingLists>;
  /** Which signers are accepted, and whether a signature is required; left out: no signers, and none required. */
  signersFor?(origin: ReadOrigin): Promise<Pick<PgpKeys, "signers" | "mustBeSigned">>;
  /** Private keys, requested by a thread that meets a message encrypted for them; left out: there are none. */
  readonly ownKeys?: PgpKeys["own"];
  /** The time at which keys must be valid. */
  readonly clock: () => Date;
}

/** The thread that reads large files. It lies beside this module, built or not. */
export const feedWorkerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./feed-worker.ts" : "./feed-worker.js",
  import.meta.url,
);

const nobodySigns = { signers: [], mustBeSigned: false };
const noKeys: PgpKeys["own"] = async () => [];

/** Reads custodian files. */
export interface FeedReader {
  /**
   * Opens a file, if it is a container, and reads its parts. A plain file is one part, read or refused.
   * @throws FeedRefusal for a container that cannot be opened as a whole, a file without a required signature, or one that takes too long or too
   * much memory; CoreError RATE_LIMITED, UNAVAILABLE when too many files wait, of one tenant or in total
   */
  read(file: SentFile, origin: ReadOrigin): Promise<readonly ReadPart[]>;
  /** Checks, tries and drafts mappings for operators. All operators together have the turns of one tenant. */
  readonly trials: Omit<MappingLanguage, "shipped">;
  /** Large files that are being read, and that wait for a thread. */
  readonly threads: SemaphoreLoad;
}

/**
 * Reads large files and containers in a thread each: a file of 60 MB takes seconds, during which the server continues to answer. Each may take
 * some hundred megabytes, so threads are limited: one file per feed at a time, and one tenant cannot take all threads. A thread gets only the
 * private keys that its file is encrypted for, and only for its lifetime.
 * @param limits of a thread; a file that exceeds one is refused and the thread is ended
 */
export function createFeedReader(workerFile: URL, limits: ReaderLimits, reading: Reading): FeedReader {
  // Waiting files are held in memory, so few may wait.
  const waiting = { waiting: 32, waitingPerKey: 8, retryAfterSeconds: 60, refuse: queueRefusal };
  const threads = createSemaphore({
    name: "feed_files_waiting",
    permits: limits.threads,
    keepsRoom: true,
    ...waiting,
  });
  const feeds = createSemaphore({
    name: "feed_files_waiting",
    permits: Number.POSITIVE_INFINITY,
    permitsPerKey: 1,
    ...waiting,
  });
  const tried = async (task: TrialTask) => threads.run("operators", () => runInThread(workerFile, task, limits.trial));
  return {
    threads,
    trials: {
      async faultsOf(stated) {
        const result = (await tried({ name: "", bytes: Buffer.alloc(0), trial: { stated } })) as Tested;
        return "faults" in result ? result.faults : [];
      },
      test: async (file, stated, limit) => (await tried({ ...file, trial: { stated, limit } })) as Tested,
      draft: (file, given = {}) => tried({ ...file, trial: { draft: given } }),
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
