import { auditEntry } from "../audit-entry.js";
import type { TenantActor } from "../ports/actor.js";
import type { OwnedAuditEntry } from "../ports/audit-log.js";
import { MAX_LISTED_SOURCES, type SourceState } from "../ports/data-reader.js";
import type { Runtime } from "../ports/runtime.js";
import type { Product } from "../ports/snapshot-store.js";

const HOUR_MS = 60 * 60 * 1_000;
/** Reads that are remembered; beyond it the oldest are forgotten, and may be written down once more within their hour. */
const MAX_NOTED = 50_000;

/** Tells the audit trail who reads which connection's data, once an hour for each grant, tool and connection. */
export interface ReadAudit {
  /**
   * Notes a read that was answered. It neither waits nor fails; connections that have no data yet are left out. A read over more than
   * {@link MAX_LISTED_SOURCES} has one line, which says how many.
   * @param unlisted how many connections were read besides `sources`
   */
  note(actor: TenantActor, product: Product, sources: readonly SourceState[], unlisted: number): void;
}

const tools: Readonly<Record<Product, string>> = {
  portfolio: "svc-portfolios",
  investment: "svc-investments",
  transaction: "svc-investment-transactions",
};

/**
 * A {@link ReadAudit} that hands lines to `record`, which must neither wait nor throw. What was written down is remembered in this
 * process: every replica may write a line of its own.
 */
export function createReadAudit(deps: {
  runtime: Pick<Runtime, "clock" | "newId">;
  record: (line: OwnedAuditEntry) => void;
}): ReadAudit {
  const { runtime, record } = deps;
  /** When a read was written down, in ms; the oldest first. */
  const noted = new Map<string, number>();

  return {
    note(actor, product, sources, unlisted) {
      const tool = tools[product];
      const reader = `${actor.grant_id ?? actor.application_id} ${tool}`;
      const write = (objectType: string, objectId: string, connections?: number) => {
        const facts = { tool, grant_id: actor.grant_id ?? null, ...(connections !== undefined && { connections }) };
        record({
          tenant_id: actor.tenant_id,
          ...auditEntry(runtime, actor, "data.read", objectType, objectId, facts),
        });
      };
      const now = runtime.clock().getTime();
      if (unlisted > 0 || sources.length > MAX_LISTED_SOURCES) {
        if (isNew(`${reader} *`, now)) write("tenant", actor.tenant_id, sources.length + unlisted);
        return;
      }
      for (const { credentials_token, as_of } of sources)
        if (as_of !== null && isNew(`${reader} ${credentials_token}`, now)) write("connection", credentials_token);
    },
  };

  function isNew(key: string, now: number): boolean {
    const last = noted.get(key);
    if (last !== undefined && now - last < HOUR_MS) return false;
    noted.delete(key);
    noted.set(key, now);
    if (noted.size > MAX_NOTED) noted.delete(noted.keys().next().value as string);
    return true;
  }
}
