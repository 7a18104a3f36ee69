import type { Uuid } from "@org/core";
import type { DisabledReason } from "@org/events";
import type { Db } from "../transactions.js";

/** Stops sending to an endpoint, which the caller has locked, and withdraws its waiting deliveries. */
export async function disableEndpoint(
  db: Db,
  tenantId: string,
  endpointId: Uuid,
  disabled_reason: DisabledReason,
  now: Date,
): Promise<void> {
  await db
    .updateTable("webhook_endpoints")
    .set({ is_enabled: false, disabled_reason, disabled_at: now, due_at: null, lease: null, lease_until: null })
    .where("tenant_id", "=", tenantId)
    .where("endpoint_id", "=", endpointId)
    .execute();
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "withdrawn", due_at: null })
    .where("tenant_id", "=", tenantId)
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "pending")
    .execute();
}
