import type { OAuthStore } from "../ports/oauth-store.js";
import { memoryApplications } from "./memory-applications.js";
import { memoryCodes, memoryRememberedCredentials } from "./memory-authorizations.js";
import { memoryClients } from "./memory-clients.js";
import { memoryGrants } from "./memory-grants.js";
import { memoryGuessLimits } from "./memory-guess-limits.js";
import { type MemoryPeople, memoryPeople } from "./memory-people.js";
import { memorySigningKeys } from "./memory-signing-keys.js";
import type { MemoryTables } from "./memory-tables.js";
import { memoryTrustedIssuers } from "./memory-trusted-issuers.js";

/** A store in memory, for tests and examples. */
export function createMemoryOAuthStore(): OAuthStore & { readonly people: MemoryPeople } {
  const tables: MemoryTables = {
    applications: new Map(),
    disabledTenants: new Set(),
    peopleApplications: new Map(),
    people: new Map(),
    clients: new Map(),
    registrationTokens: new Map(),
    assertions: new Map(),
    answers: new Map(),
    remembered: new Map(),
    grants: new Map(),
    ended: [],
    limits: { changes: 0 },
    guesses: new Map(),
    signingKeys: new Map(),
    trustedIssuers: new Map(),
  };
  return {
    applications: memoryApplications(tables),
    clients: memoryClients(tables),
    codes: memoryCodes(tables),
    people: memoryPeople(tables),
    remembered: memoryRememberedCredentials(tables),
    grants: memoryGrants(tables),
    guessLimits: memoryGuessLimits(tables),
    signingKeys: memorySigningKeys(tables),
    trustedIssuers: memoryTrustedIssuers(tables),
  };
}
