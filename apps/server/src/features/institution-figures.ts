import { type Connectors, createInstitutionFigures } from "@org/core";
import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";

/** Counts of logins and refreshes at each institution. Every server adds up its own, with jobs or without. */
export function institutionFigures({
  database,
  runtime,
  schedule,
  log,
  connectors,
}: Pick<Platform, "database" | "runtime" | "schedule" | "log"> & { connectors: Connectors }) {
  const figures = createInstitutionFigures({ store: database.outcomeStore, connectors, runtime });
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
  return { ...feature, figures, services: { institutionFigures: figures } };
}
