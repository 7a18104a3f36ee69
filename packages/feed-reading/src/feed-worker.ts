import { parentPort, workerData } from "node:worker_threads";
import { MAX_MAPPING_FAULTS, type MappingFaultView, type MappingLanguage, refusedPart } from "@org/data-feeds";
import { draftMapping, type FeedMapping, FeedMappingError, parseFeedMapping, testMapping } from "@org/feed-mapping";
import { type PgpKeys, readParts } from "@org/feed-sources";
import { defineFeedFormat, type FeedFormat, FeedRefusal } from "@org/provider-kit";
import { type FeedAnswer, type FeedTask, type ReadingTask, statementsIn, type TrialTask } from "./feed-reading.js";
import { sliceRows } from "./row-slices.js";

type Tested = Awaited<ReturnType<MappingLanguage["test"]>>;

/** Maximum characters of a trial's answer: the server passes it on in one piece. */
const MAX_SHOWN = 2_000_000;

/** Runs the task that this thread was started with. A refusal is an answer. */
async function answer(task: FeedTask): Promise<FeedAnswer> {
  try {
    return "trial" in task ? { tried: tryMapping(task) } : await read(task);
  } catch (error) {
    if (error instanceof FeedRefusal) return { refused: refusedPart(error) };
    throw error;
  }
}

/** Opens a file and reads it. */
async function read(task: ReadingTask): Promise<FeedAnswer> {
  const { name, bytes, signing, now, interim, mappings } = task;
  const formats = await Promise.all(task.formats.map(formatOf));
  const opening = { keys: { ...signing, own: askOnce() }, now };
  const parts = await readParts({ name, bytes }, opening, statementsIn({ name, mappings, interim, formats }));
  return { parts: await sliceRows(parts, (slice) => ask({ slice })) };
}

/** Loads a format that the server has loaded and checked already. A CommonJS module has its default export nested in another. */
async function formatOf(module: string): Promise<FeedFormat> {
  const { default: outer } = await import(/* @vite-ignore */ module);
  return defineFeedFormat(outer.default ?? outer);
}

/** Requests from the server the private keys that a message needs, once for all messages that need the same. */
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

/**
 * Checks a mapping, tries it on a file, or drafts one from it.
 * @throws FeedRefusal
 */
function tryMapping({ name, bytes, trial }: TrialTask): object {
  if ("draft" in trial) return draftMapping(bytes, name, trial.draft);
  const faults = faultsOf(trial.stated);
  if (faults.length > 0 || !("limit" in trial)) return { faults } satisfies Tested;
  const shown = testMapping(bytes, trial.stated as FeedMapping, { fileName: name, limit: trial.limit });
  if (JSON.stringify(shown).length > MAX_SHOWN)
    throw new FeedRefusal("file", "says too much in the rows to be shown: try fewer rows, or shorter ones");
  return { shown } satisfies Tested;
}

function faultsOf(stated: unknown): readonly MappingFaultView[] {
  try {
    parseFeedMapping(stated);
    return [];
  } catch (error) {
    if (error instanceof FeedMappingError) return error.faults.slice(0, MAX_MAPPING_FAULTS);
    throw error;
  }
}

/** Sends a message that the server answers. */
function ask(message: FeedAnswer): Promise<unknown> {
  return new Promise((resolve) => {
    parentPort?.once("message", resolve);
    parentPort?.postMessage(message);
  });
}

parentPort?.postMessage(await answer(workerData));
