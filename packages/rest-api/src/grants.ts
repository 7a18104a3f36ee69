import type { Actor, ListOrder } from "@org/core";
import { z } from "zod";

/** What a person or program was granted, and the client that holds it. Times are RFC 3339. */
export const grantSchema = z.object({
  grant_id: z.string(),
  client_id: z.string().describe("The OAuth client that holds the tokens."),
  client_name: z.string().describe("Its own claim, unless is_verified."),
  is_verified: z.boolean().describe("Whether the client is one of the owner's applications."),
  application: z
    .object({ client_id: z.string(), name: z.string() })
    .describe("Whose data it reaches; in the machine flow the client itself."),
  flow: z
    .enum(["machine", "browser", "asserted"])
    .describe(
      "machine: with a secret; browser: a person approved; asserted: an identity provider vouched for a person.",
    ),
  person: z
    .object({ person_id: z.string(), name: z.string().nullable() })
    .nullable()
    .describe("Who approved it with a sign-in of their own; null for what credentials stand for."),
  scopes: z.array(z.string()),
  clients: z
    .array(z.object({ client_ref: z.string(), name: z.string().nullable() }))
    .nullable()
    .describe("The tenant's clients that it is limited to; null = no limit, none = it reaches nothing."),
  created_at: z.string(),
  last_issued_at: z.string().describe("When tokens were issued last."),
  expires_at: z.string().describe("Unless it is used before."),
});

/** A grant in the format of {@link grantSchema}. */
export type GrantView = z.infer<typeof grantSchema>;

/** Manages all grants of one owner: a tenant, or the operator for null. */
export interface GrantOperations {
  /** Live grants in an order, at most `limit` after the grant `after`. */
  list(
    tenantId: string | null,
    query: {
      readonly client_id?: string | undefined;
      readonly order: ListOrder;
      readonly after?: string | undefined;
      readonly limit: number;
    },
  ): Promise<{ readonly items: readonly GrantView[]; readonly next: string | null }>;
  /** Revokes a grant: its refresh token immediately, its access tokens within seconds. @throws CoreError NOT_FOUND */
  end(actor: Actor, tenantId: string | null, grantId: string): Promise<void>;
}
