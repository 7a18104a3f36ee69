import type { Storage } from "@org/core";
import type { AuditEvent } from "@org/oauth-server";
import type { Logger } from "./log.js";

const FLUSH_MS = 500;
const MAX_WAITING = 10_000;

/** Events that come with every token are logged; those that change who may do what are kept in the tenant's audit trail too. */
const kept = (action: AuditEvent["action"]) =>
  !["grant.issued", "grant.refreshed", "grant.replayed", "grant.refused"].includes(action);

/**
 * Takes the authorization server's events off its request path: each is logged at once, and those of a tenant that change
 * something are written to its audit trail a moment later, in order.
 */
export function createAuditTrail(deps: { storage: Storage; newId: () => string; log: Logger }) {
  let waiting: AuditEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, FLUSH_MS);
  timer.unref();

  return {
    audit(event: AuditEvent): void {
      deps.log.info({ audit: event }, event.action);
      if (event.tenant_id !== null && kept(event.action) && waiting.length < MAX_WAITING) waiting.push(event);
    },
    /** Writes what waits and stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      flush();
      await writing;
    },
  };

  function flush(): void {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    writing = writing
      .then(() => write(batch))
      .catch((error: unknown) => deps.log.error({ err: error, events: batch.length }, "audit trail not written"));
  }

  async function write(batch: readonly AuditEvent[]): Promise<void> {
    for (const tenantId of new Set(batch.map((event) => event.tenant_id as string)))
      await deps.storage.inTenant(tenantId, async ({ audit }) => {
        for (const event of batch.filter((one) => one.tenant_id === tenantId))
          await audit.append({
            audit_id: deps.newId(),
            at: event.at,
            actor: event.actor ?? event.client_id ?? "system",
            action: event.action,
            object_type: event.grant_id === null ? "application" : "grant",
            object_id: event.grant_id ?? event.application_id ?? "",
            trace_id: event.trace_id,
            address: event.address,
            facts: { client_id: event.client_id, detail: event.detail },
          });
      });
  }
}
