import { type Connectors, createInstitutionFigures, createWorkQueue, type Runtime, type StoredWork } from "@org/core";

const letter_id = "019b0000-0000-7000-8000-00000000001e";
const tenant_id = "019b0000-0000-7000-8000-0000000000aa";
const since = new Date("2026-01-01T00:00:00.000Z");

/** One work line and one institution. */
export function memoryWork({ connectors, runtime }: { connectors: Connectors; runtime: Runtime }) {
  const line: StoredWork = {
    kind: "letter_overdue",
    since,
    id: letter_id,
    tenant_id,
    tenant: "First",
    details: {
      letter_id,
      connector_id: "esp:bank-000",
      status: "SentToUser",
      labels: { desk: "zurich" },
      limit_days: 14,
    },
  };
  const none = { succeeded: 0, failed: 0, customer: 0 };
  const some = { succeeded: 2, failed: 1, customer: 1 };
  return {
    workQueue: createWorkQueue({
      reader: {
        find: async ({ listed, after }) => ({
          lines: listed.includes(line.kind) && after === null ? [line] : [],
          counts: { letter_overdue: 1 },
        }),
      },
      sources: [],
      connectors,
      runtime,
      overdueDays: {},
    }),
    institutionFigures: createInstitutionFigures({
      store: {
        add: async () => {},
        reap: async () => 0,
        figures: async () => [
          {
            connector_id: "esp:bank-000",
            open_since: since,
            day: { login: none, refresh: some },
            week: { login: some, refresh: some },
          },
        ],
      },
      connectors,
      runtime,
    }),
  };
}
