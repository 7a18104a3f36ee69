/** Every scope of the product, with what it allows (contract §2). */
export const scopeMeanings = {
  "connections:read": "List connectors, connections and Connect sessions",
  "connections:write": "Create Connect sessions, refresh connections",
  "connections:delete": "Delete connections with their data",
  "investments:read": "Read portfolios, holdings and transactions",
  "letters:read":
    "List the connectors that letters can be for, as connections:read does too, and search authorization letters",
  "letters:write": "Submit and discontinue authorization letters",
  "events:read": "Read what has happened, and wait for it",
  "events:write": "Manage webhooks, and have events delivered again",
  "grants:manage":
    "See and end the grants of all the tenant's applications; no application has it unless it was created so",
  operator: "Operate the installation: tenants, applications, catalogue, letters of all tenants",
} as const;

export type Scope = keyof typeof scopeMeanings;

/** Names of all scopes, in the order of the documentation. */
export const scopes = Object.keys(scopeMeanings) as [Scope, ...Scope[]];
