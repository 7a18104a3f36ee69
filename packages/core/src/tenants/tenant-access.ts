import type { Actor } from "../ports/actor.js";

/** The switch that lets the applications of a tenant in; the authorization server keeps it. */
export interface TenantAccess {
  /** Ids of the tenants that are switched off. */
  disabled(): Promise<ReadonlySet<string>>;
  /** Switching off ends every grant: refresh tokens at once, access tokens within 5 s on every replica. */
  setEnabled(tenantId: string, enabled: boolean, by: Actor): Promise<void>;
}
