import { MAX_MAPPING_FAULTS, type MappingFault, type MappingLanguage } from "@org/core";
import { draftMapping, type FeedMapping, FeedMappingError, parseFeedMapping, testMapping } from "@org/feed-mapping";
import { FeedRefusal } from "@org/provider-kit";
import type { TrialTask } from "./feed-reading.js";

type Tested = Awaited<ReturnType<MappingLanguage["test"]>>;

/** Most characters of what a trial answers: the server hands it on in one go. */
const MAX_SHOWN = 2_000_000;

/** Checks a mapping, tries it on a file, or drafts one from it, in a thread. @throws FeedRefusal */
export function tryMapping({ name, bytes, trial }: TrialTask): object {
  if (trial === "draft") return draftMapping(bytes, name);
  const faults = faultsOf(trial.stated);
  if (faults.length > 0 || !("limit" in trial)) return { faults } satisfies Tested;
  const shown = testMapping(bytes, trial.stated as FeedMapping, { fileName: name, limit: trial.limit });
  if (JSON.stringify(shown).length > MAX_SHOWN)
    throw new FeedRefusal("file", "says too much in the rows to be shown: try fewer rows, or shorter ones");
  return { shown } satisfies Tested;
}

function faultsOf(stated: unknown): readonly MappingFault[] {
  try {
    parseFeedMapping(stated);
    return [];
  } catch (error) {
    if (error instanceof FeedMappingError) return error.faults.slice(0, MAX_MAPPING_FAULTS);
    throw error;
  }
}
