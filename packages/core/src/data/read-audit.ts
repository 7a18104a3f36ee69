import { auditEntry } from "../audit-entry.js";
import type { TenantActor } from "../ports/actor.js";
import type { OwnedAuditEntry } from "../ports/audit-log.js";
import type { Runtime } from "../ports/runtime.js";
import { MAX_LISTED_SOURCES, type SourceState } from "./data-reader.js";
import type { Product } from "./snapshot-store.js";

const HOUR_MS = 60 * 60 * 1_000;
/** Maximum number of reads that are kept. Beyond it the oldest are forgotten and may be recorded again within their hour. */
const MAX_NOTED = 50_000;

/** Records in the audit trail who reads which connection's data: one line an hour for each grant, tool and connection. */
export interface ReadAudit {
  /**
   * Records a read that was answered, without waiting or failing. Connections without data are skipped. A read over more than {@link
   * MAX_LISTED_SOURCES} connections gets a single line with their number.
   * @param unlisted how many connections were read besides `sources`
   */
  note(
    actor: TenantActor,
    read: AuditedRead,
    sources: readonly Pick<SourceState, "credentials_token" | "as_of">[],
    unlisted: number,
  ): void;
}

/** What is read: rows, or a figure over them. */
export type AuditedRead = Product | "history" | "holdings-at" | "summary" | "performance" | "income" | "gains" | "why";

/** The tools that read it; the endpoints of the REST API where there is none. */
const tools: Readonly<Record<AuditedRead, string>> = {
  portfolio: "svc-portfolios",
  investment: "svc-investments",
  transaction: "svc-investment-transactions",
  history: "wealth-history",
  "holdings-at": "holdings-at",
  summary: "wealth-summary",
  performance: "wealth-performance",
  income: "wealth-income",
  gains: "gains",
  why: "wealth-why",
};

/**
 * A {@link ReadAudit} that passes lines to `record`, which must neither wait nor throw. Recorded reads are kept in this process only,
 * so every replica may write a line of its own.
 */
export function createReadAudit(deps: {
  runtime: Pick<Runtime, "clock" | "newId">;
  record: (line: OwnedAuditEntry) => void;
}): ReadAudit {
  const { runtime, record } = deps;
  /** When each read was recorded, in ms; the oldest first. */
  const noted = new Map<string, number>();

  return {
    note(actor, read, sources, unlisted) {
      const tool = tools[read];
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
