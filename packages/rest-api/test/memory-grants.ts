import { CoreError } from "@org/core";
import type { GrantOperations } from "../src/index.js";
import { sampleIds } from "../src/testing/index.js";

/** One grant in memory, which every owner has and which is never removed. */
export function memoryGrants(): GrantOperations {
  const at = "2026-01-01T00:00:00.000Z";
  const one = {
    grant_id: sampleIds.grant,
    client_id: "assistant",
    client_name: "Assistant",
    is_verified: false,
    application: { client_id: "wca_one", name: "One" },
    flow: "browser" as const,
    person: null,
    scopes: ["connections:read"],
    clients: null,
    created_at: at,
    last_issued_at: at,
    expires_at: at,
  };
  return {
    list: async (_tenant, { after }) => ({ items: after === undefined ? [one] : [], next: null }),
    async end(_who, _tenant, id) {
      if (id !== sampleIds.grant) throw new CoreError("NOT_FOUND", "there is no such grant");
    },
  };
}
