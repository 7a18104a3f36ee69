import type { Actor } from "@org/core";
import { z } from "zod";

/** Roles of the installation's people, then those of a tenant's. */
export const peopleRoles = ["operator", "operator:read", "admin", "member", "read"] as const;

/** A person who may sign in. Times are RFC 3339. */
export const personSchema = z.object({
  person_id: z.string(),
  tenant_id: z.string().nullable().describe("Null for people of the installation, its operators."),
  email: z.string().describe("In lower case."),
  name: z.string(),
  role: z.enum(peopleRoles),
  state: z.enum(["invited", "active", "ended"]).describe("Invited: they have not joined yet."),
  signs_in_with: z.enum(["passkey", "oidc"]),
  created_at: z.string(),
  joined_at: z.string().nullable(),
  seen_at: z.string().nullable().describe("About when they were here last."),
  invited_until: z.string().nullable().describe("Until when their invitation stands; null where they have none."),
  ended_at: z.string().nullable().describe("When they were removed; what they did goes on naming them."),
});

/** An invitation. Its link is returned only here. */
export const invitedSchema = z.object({
  person: personSchema,
  link: z
    .string()
    .describe(
      "For this person and nobody else: whoever opens it first becomes them. Shown this once, and kept nowhere.",
    ),
  expires_at: z.string(),
});

type View = z.input<typeof personSchema>;
type Invited = z.input<typeof invitedSchema>;

/** Manages people for operators: a tenant's, or the installation's where `tenantId` is null. */
export interface People {
  /** Oldest first. @throws CoreError NOT_FOUND for the tenant, VALIDATION_ERROR on `page_token` */
  list(
    tenantId: string | null,
    search: { readonly page_size: number; readonly page_token?: string | undefined; readonly ended: boolean },
  ): Promise<{ readonly items: readonly View[]; readonly next_page_token: string | null }>;
  /**
   * @throws CoreError NOT_FOUND for the tenant, VALIDATION_ERROR on `email`, `name` and `role`, CONFLICT when the address is taken,
   * RATE_LIMITED when there are too many
   */
  invite(
    operator: Actor,
    tenantId: string | null,
    person: { readonly email: string; readonly name?: string | undefined; readonly role: string },
  ): Promise<Invited>;
  /** Replaces a person's link with a new one. @throws CoreError NOT_FOUND */
  reinvite(operator: Actor, tenantId: string | null, personId: string): Promise<Invited>;
  /** @throws CoreError NOT_FOUND, VALIDATION_ERROR on `name` and `role`, CONFLICT for one's own role and the last operator */
  change(
    operator: Actor,
    tenantId: string | null,
    personId: string,
    change: { readonly name?: string | undefined; readonly role?: string | undefined },
  ): Promise<View>;
  /** @throws CoreError NOT_FOUND, CONFLICT for the last operator */
  end(operator: Actor, tenantId: string | null, personId: string): Promise<View>;
}
