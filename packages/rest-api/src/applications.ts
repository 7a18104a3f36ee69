import type { Actor } from "@org/core";
import { z } from "zod";
import { scopes } from "./scopes.js";

/** An application as an operator sees it. It has no secret, only when each live secret was made. Times are RFC 3339. */
export const applicationSchema = z.object({
  application_id: z.string(),
  tenant_id: z.string().nullable(),
  client_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  enabled: z.boolean(),
  redirect_urls: z.array(z.string()),
  client_refs: z
    .array(z.string())
    .nullable()
    .describe("The clients that it is limited to; null: no limit. An empty list: it reaches nothing of anybody."),
  dpop_bound_access_tokens: z
    .boolean()
    .describe("Whether it gets no access tokens but those that are bound to its key (DPoP, RFC 9449)."),
  secrets: z.array(z.object({ secret_id: z.string(), created_at: z.string() })),
  created_at: z.string(),
});

export interface ApplicationView {
  readonly application_id: string;
  /** Null for an operator's application. */
  readonly tenant_id: string | null;
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly enabled: boolean;
  readonly redirect_urls: readonly string[];
  /** The clients that it is limited to; null = no limit. */
  readonly client_refs: readonly string[] | null;
  /** Whether its access tokens must be bound to its key (RFC 9449). */
  readonly dpop_bound_access_tokens: boolean;
  /** Live secrets, oldest first, at most two. */
  readonly secrets: readonly { readonly secret_id: string; readonly created_at: string }[];
  readonly created_at: string;
}

/** An application to create. Without scopes it gets the default of its kind (contract §2). */
export interface ApplicationRequest {
  readonly tenant_id: string | null;
  readonly name: string;
  readonly scopes?: readonly string[] | undefined;
  readonly redirect_urls?: readonly string[] | undefined;
  /** Null or left out = no limit. */
  readonly client_refs?: readonly string[] | null | undefined;
  /** False if left out. */
  readonly dpop_bound_access_tokens?: boolean | undefined;
}

/**
 * Manages applications for operators. Arguments have passed the schema. Failures are `CoreError`s: VALIDATION_ERROR on
 * `tenant_id` for a tenant that does not exist, NOT_FOUND for an unknown `client_id` or `secret_id`, CONFLICT when there are two
 * live secrets already.
 */
export interface ApplicationOperations {
  /** The secret is returned only here. */
  create(
    operator: Actor,
    request: ApplicationRequest,
  ): Promise<{ application: ApplicationView; client_secret: string }>;
  /** Oldest first, starting after the application id `after`. Without `tenant_id` it lists all owners; null = the operator's. */
  list(query: { tenant_id?: string | null; after: string | null; limit: number }): Promise<readonly ApplicationView[]>;
  find(clientId: string): Promise<ApplicationView>;
  /** Adds a second secret, so that clients can switch before the first is removed. */
  rollSecret(operator: Actor, clientId: string): Promise<{ application: ApplicationView; client_secret: string }>;
  /** Removes a secret and revokes everything obtained with it. */
  removeSecret(operator: Actor, clientId: string, secretId: string): Promise<ApplicationView>;
  setEnabled(operator: Actor, clientId: string, enabled: boolean): Promise<ApplicationView>;
  /** Replaces the whole list. */
  updateRedirectUrls(operator: Actor, clientId: string, urls: readonly string[]): Promise<ApplicationView>;
  /** Limits it to clients, from now on and for tokens that there are; null = no limit. VALIDATION_ERROR for an operator's application. */
  limitToClients(operator: Actor, clientId: string, clientRefs: readonly string[] | null): Promise<ApplicationView>;
  /** Demands access tokens that are bound to its key, or no longer. When the demand begins, the grants that it holds end. */
  setDpopBound(operator: Actor, clientId: string, isBound: boolean): Promise<ApplicationView>;
  /** Existing tokens and grants keep their scopes. VALIDATION_ERROR for an operator's application. */
  addScopes(operator: Actor, clientId: string, scopes: readonly string[]): Promise<ApplicationView>;
}
