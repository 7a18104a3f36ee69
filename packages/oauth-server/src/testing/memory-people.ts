import { endGrants, type MemoryTables } from "./memory-tables.js";

/** People whom other backends know from elsewhere: what becomes of them ends what they approved. */
export interface MemoryPeople {
  /** Adds somebody, or gives them another role; the ids of their sessions take the place of those before. */
  set(person: { tenant_id: string; person_id: string; role: string; sessions: readonly string[] }, at: Date): void;
  remove(personId: string, at: Date): void;
  /** Ends what somebody approved who stays. */
  endAccess(personId: string, at: Date): void;
}

const roles = ["read", "member", "admin"];

/** People in memory. */
export function memoryPeople(tables: MemoryTables): MemoryPeople {
  const endApproved = (personId: string, at: Date) => {
    endGrants(tables, at, ({ person_id }) => person_id === personId);
    for (const [id, { answer, redeemed_as }] of tables.answers)
      if (answer.decision === "approved" && answer.person?.person_id === personId && redeemed_as === null)
        tables.answers.delete(id);
  };
  return {
    set({ person_id, sessions, ...person }, at) {
      const before = tables.people.get(person_id);
      tables.people.set(person_id, { ...person, sessions: new Set(sessions) });
      if (before && roles.indexOf(person.role) < roles.indexOf(before.role)) endApproved(person_id, at);
    },
    endAccess: endApproved,
    remove(personId, at) {
      tables.people.delete(personId);
      endApproved(personId, at);
    },
  };
}
