import type { Actor } from "../ports/actor.js";

/** Switches the applications of a tenant on and off. The authorization server keeps the switch. */
export interface TenantAccess {
  /** Ids of the tenants that are switched off. */
  disabled(): Promise<ReadonlySet<string>>;
  /** Switching off ends every grant: refresh tokens immediately, access tokens within 5 s on every replica. */
  setEnabled(tenantId: string, enabled: boolean, by: Actor): Promise<void>;
}
