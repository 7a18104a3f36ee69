import { CoreError } from "@org/core";
import type { People } from "../src/index.js";

/** One operator in memory. */
export function memoryPeople(): People {
  const at = "2026-01-01T00:00:00.000Z";
  const one = {
    person_id: "one",
    tenant_id: null,
    email: "ada@example.com",
    name: "Ada",
    role: "operator" as const,
    state: "active" as const,
    signs_in_with: "passkey" as const,
    created_at: at,
    joined_at: at,
    seen_at: at,
    invited_until: null,
    ended_at: null,
  };
  const link = "https://wealth.example/console/join#wci_x";
  const requireKnown = (personId: string) => {
    if (personId !== one.person_id) throw new CoreError("NOT_FOUND", "PersonNotFound");
  };
  return {
    list: async () => ({ items: [one], next_page_token: null }),
    async invite(_operator, tenant_id, { email }) {
      if (email === one.email) throw new CoreError("CONFLICT", "somebody with this e-mail address is here already");
      return { person: { ...one, tenant_id, email, state: "invited" }, link, expires_at: at };
    },
    async reinvite(_operator, _tenantId, personId) {
      requireKnown(personId);
      return { person: one, link, expires_at: at };
    },
    async change(_operator, _tenantId, personId, { name = one.name }) {
      requireKnown(personId);
      return { ...one, name };
    },
    async end(_operator, _tenantId, personId) {
      requireKnown(personId);
      return { ...one, state: "ended", ended_at: at };
    },
  };
}
