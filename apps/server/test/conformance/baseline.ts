/** Protocol revisions whose requirements the suite knows. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

const tasks = "an optional extension of the protocol that the server does not offer: docs/decisions/mcp-tasks.md";

/** Scenarios that do not pass, by revision, each with the reason. One that passes after all is a failure, so that the list stays accurate. */
export const baseline: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  "2025-11-25": {},
  "2026-07-28": {
    "tasks-lifecycle": tasks,
    "tasks-capability-negotiation": tasks,
    "tasks-wire-fields": tasks,
    "tasks-request-state-removal": tasks,
    "tasks-mrtr-input": tasks,
    "tasks-request-headers": tasks,
    "tasks-dispatch-and-envelope": tasks,
    "tasks-required-task-error": tasks,
    "tasks-mrtr-composition": tasks,
    "http-custom-header-server-validation":
      "pending in the suite itself, and about parameters repeated in headers (x-mcp-header), which no tool asks for",
  },
};
