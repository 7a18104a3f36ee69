import { z } from "zod";

/** Limits of a tenant that can be set, with what holds where nobody has set them: more than an honest busy tenant needs. */
export const defaultLimits = {
  /** Of the tenant at `/mcp` and the REST API, each tool call one, on each replica. */
  requests_per_minute: 600_000,
  /** Live grants, which is refresh tokens. */
  grants: 5_000_000,
  /** Connect sessions that have not ended. */
  open_sessions: 10_000,
  /** All that were ever submitted or requested, whatever their status. */
  letters: 5_000_000,
  /** Of letters' documents, decoded. */
  document_bytes: 1_099_511_627_776,
} as const;

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
      "What the tenant has now; of requests_per_minute what it has sent to this replica. Null for the installation.",
    ),
});

/** What a change may set: any of the limits, to 0 or more. */
export const limitValuesSchema = z.partialRecord(z.enum(limitNames), z.int().min(0).max(Number.MAX_SAFE_INTEGER));
