import { type Connectors, createInstitutionFigures } from "@org/core";
import type { OpenedStorage } from "@org/storage-postgres";
import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";

/** Counts of logins and refreshes at each institution. Every server adds its own, whether or not it runs jobs. */
export function institutionFigures({
  outcomeStore,
  runtime,
  schedule,
  log,
  connectors,
}: Pick<Platform, "runtime" | "schedule" | "log"> & Pick<OpenedStorage, "outcomeStore"> & { connectors: Connectors }) {
  const figures = createInstitutionFigures({ store: outcomeStore, connectors, runtime });
  const flush = () =>
    figures
      .flush()
      .catch((error: unknown) => logFailure(log, error, "outcomes of logins and refreshes wait to be added up"));
  const timer = setInterval(() => void flush(), schedule.outcomes);
  timer.unref();
  const feature: Feature = {
    reap: async (now, limit) => ({ institution_outcomes: await figures.reap(now, limit) }),
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
  return { ...feature, figures };
}
