import { z } from "zod";

/** The limits of a tenant with their defaults, which are more than an honest busy tenant needs. */
export const defaultLimits = {
  /** Requests of the tenant to `/mcp` and the REST API, on each replica; each tool call counts as one. */
  requests_per_minute: 600_000,
  /** Live grants, that is, refresh tokens. */
  grants: 5_000_000,
  /** Connect sessions that have not ended. */
  open_sessions: 10_000,
  /** Bytes of what was sent with sessions that have not ended: filters, labels, URLs and notices. */
  session_bytes: 268_435_456,
  /** All letters that were ever submitted or requested, in any status. */
  letters: 5_000_000,
  /** Bytes of all documents of letters, decoded. */
  document_bytes: 1_099_511_627_776,
  /** Its clients, by their references. */
  clients: 5_000_000,
  /** Grants that its clients end one by one; every replica remembers them for as long as their access tokens live. */
  grants_ended_per_hour: 50_000,
  /** MCP sessions that its clients end; every replica remembers them until their ids expire. */
  mcp_sessions_ended_per_day: 10_000,
  /** Addresses that its events are sent to. */
  webhook_endpoints: 20,
  /** Test events, each kept for 30 days, and calls that replay up to 10,000 events. */
  webhook_tests_and_replays_per_hour: 1_000,
  /** For how many days it is kept what accounts were worth. Older valuations are deleted, but the last one of an account. */
  history_days: 3_660,
} as const;

/** A hundred years. */
const MAX_HISTORY_DAYS = 36_500;

/** Name of a limit of {@link defaultLimits}. */
export type LimitName = keyof typeof defaultLimits;

export const limitNames = Object.keys(defaultLimits) as [LimitName, ...LimitName[]];

/** What a tenant may have at most. */
export type Limits = Readonly<Record<LimitName, number>>;

/** A limit as operators see it. */
export const limitSchema = z.object({
  name: z.enum(limitNames),
  value: z.number(),
  source: z.enum(["tenant", "installation", "default"]).describe("Whose value it is."),
  used: z
    .number()
    .nullable()
    .describe(
      "What the tenant has now; of limits per minute, hour and day what it has used up at this replica. Null for the installation, and of history_days.",
    ),
});

/** What a change may set: any of the limits, to 0 or more; `history_days` to 1 or more, as HISTORY_DAYS, because what it deletes does not come back. */
export const limitValuesSchema = z
  .partialRecord(z.enum(limitNames), z.int().min(0).max(Number.MAX_SAFE_INTEGER))
  .refine(({ history_days = 1 }) => history_days >= 1 && history_days <= MAX_HISTORY_DAYS, {
    path: ["history_days"],
    message: `must be 1 to ${MAX_HISTORY_DAYS}`,
  });
