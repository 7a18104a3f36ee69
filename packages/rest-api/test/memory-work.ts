import {
  type Connectors,
  createInstitutionFigures,
  createWorkQueue,
  type Runtime,
  type Storage,
  type StoredWork,
} from "@org/core";

const letter_id = "019b0000-0000-7000-8000-00000000001e";
const tenant_id = "019b0000-0000-7000-8000-0000000000aa";
const since = new Date("2026-01-01T00:00:00.000Z");

/** A person who may work on any queue. */
const worker = { person_id: "019b0000-0000-7000-8000-0000000000d1", name: "Anna" };

/** One work line and one institution. */
export function memoryWork({
  connectors,
  runtime,
  storage,
}: {
  connectors: Connectors;
  runtime: Runtime;
  storage: Pick<Storage, "workMarks">;
}) {
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
        async find({ listed, after, marks_of, filter, now }) {
          const [mark] = await storage.workMarks.find(marks_of, [line]);
          const is_snoozed = mark?.snoozed_until != null && mark.snoozed_until > now;
          const isThere =
            (filter.snoozed ?? is_snoozed) === is_snoozed &&
            (filter.owner === null || filter.owner.owner_id === (mark?.owner_id ?? null)) &&
            (filter.words === null || filter.words === "zurich") &&
            (filter.connector_ids?.includes("esp:bank-000") ?? true) &&
            (filter.custodian === null || "esp:bank-000".includes(filter.custodian)) &&
            filter.client_refs === null &&
            (filter.ids?.includes(line.id) ?? true);
          return {
            lines:
              isThere && listed.includes(line.kind) && after === null
                ? [{ ...line, cause: "1", mark: mark ? { ...mark, owner_name: null, is_snoozed } : null }]
                : [],
            counts: { letter_overdue: isThere ? 1 : 0 },
          };
        },
      },
      marks: storage.workMarks,
      people: {
        nameOfWorker: async (_tenantId, personId) => (personId === worker.person_id ? worker.name : null),
        nameOf: async (_tenantId, actorId) => (actorId === `person:${worker.person_id}` ? worker.name : null),
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
