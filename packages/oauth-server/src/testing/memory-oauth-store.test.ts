import { randomUUID } from "node:crypto";
import { noon } from "./conformance-fixture.js";
import { describeOAuthStore } from "./describe-oauth-store.js";
import { createMemoryOAuthStore } from "./memory-oauth-store.js";

describeOAuthStore("memory", () => {
  const store = createMemoryOAuthStore();
  const known = new Map<string, { tenant_id: string; person_id: string; role: string; sessions: readonly string[] }>();
  const change = (id: string, next: object) => {
    const person = { ...known.get(id), ...next } as never;
    known.set(id, person);
    store.people.set(person, noon);
  };
  return {
    store,
    createTenant: async () => randomUUID(),
    people: {
      async add(tenant_id, role) {
        const [person_id, session_id] = [randomUUID(), randomUUID()];
        change(person_id, { tenant_id, person_id, role, sessions: [session_id] });
        return { person_id, session_id, role };
      },
      setRole: async (_, personId, role) => change(personId, { role }),
      endSession: async (_, { person_id }) => change(person_id, { sessions: [] }),
      async remove(_, personId, how) {
        if (how === "removed") store.people.remove(personId, noon);
        else {
          change(personId, { sessions: [] });
          store.people.endAccess(personId, noon);
        }
      },
    },
  };
});
