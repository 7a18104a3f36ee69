import { endGrants, type MemoryTables } from "./memory-tables.js";

/** People whom other backends get from elsewhere; removing or changing them ends what they approved. */
export interface MemoryPeople {
  /** Adds a person or changes their role; the session ids replace the previous ones. */
  set(person: { tenant_id: string; person_id: string; role: string; sessions: readonly string[] }, at: Date): void;
  remove(personId: string, at: Date): void;
  /** Ends what a person approved, without removing them. */
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
