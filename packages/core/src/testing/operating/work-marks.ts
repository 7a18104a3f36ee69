import type { WorkKey, WorkMark, WorkMarkStore } from "../../operating/work-mark-store.js";
import type { AuditEntry } from "../../ports/audit-log.js";
import type { NewEvent } from "../../schemas/event.js";

/** {@link WorkMarkStore} in memory. @param keepEntry records a line of the audit trail @param tell appends an event to a log */
export function memoryWorkMarks(
  keepEntry: (tenantId: string | null, entry: AuditEntry) => Promise<void>,
  tell: (log: string, event: NewEvent) => void,
): WorkMarkStore {
  const kept = new Map<string, WorkMark>();
  let version = 0;
  const keyOf = (tenantId: string, { kind, id }: WorkKey) => `${tenantId} ${kind} ${id}`;
  const place = (mark: Pick<WorkMark, "tenant_id" | "kind" | "id">) => keyOf(mark.tenant_id, mark);
  const found = (tenantId: string, keys: readonly WorkKey[]) =>
    keys.flatMap((key) => kept.get(keyOf(tenantId, key)) ?? []);
  return {
    find: async (tenantId, keys) => found(tenantId, keys),
    async change(tenantId, keys, decide) {
      const { marks, entries, events } = decide(found(tenantId, keys), ++version);
      for (const mark of marks)
        if (mark.owner_id === null && mark.snoozed_until === null) kept.delete(place(mark));
        else kept.set(place(mark), mark);
      for (const event of events) tell(tenantId, event);
      for (const { tenant_id, ...entry } of entries) await keepEntry(tenant_id, entry);
    },
    async list(after, limit) {
      return [...kept.values()]
        .sort((a, b) => (place(a) < place(b) ? -1 : 1))
        .filter((mark) => after === null || place(mark) > place(after))
        .slice(0, limit);
    },
    async remove(marks) {
      const gone = marks.filter((mark) => kept.get(place(mark))?.version === mark.version);
      for (const mark of gone) kept.delete(place(mark));
      return gone.length;
    },
  };
}
