import { createPager } from "../pager.js";
import type { AuditQuery, OwnedAuditEntry } from "../ports/audit-log.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import type { AuditLine, AuditSearch } from "../schemas/audit.js";
import { parseMoment } from "../schemas/moment.js";

/** The audit trail as an operator reads it. */
export interface AuditReading {
  /**
   * A page in the order asked for. Pages are bound to the place in time where the one before ended: lines that are added
   * meanwhile shift nothing. A token of another query, or a damaged one, is a fault of `page_token`.
   * @throws CoreError VALIDATION_ERROR
   */
  list(search: AuditSearch): Promise<{ items: readonly AuditLine[]; next_page_token: string | null }>;
}

export function createAuditReading(deps: { storage: Pick<Storage, "auditTrail">; mac: Runtime["mac"] }): AuditReading {
  const page = createPager(deps.mac);
  return {
    async list({ page_size, page_token, ...search }) {
      const { rows, next_page_token } = await page({
        query: idOf(search),
        token: page_token,
        size: page_size,
        rows: (after, limit) =>
          deps.storage.auditTrail.list({
            tenant_id: search.tenant_id,
            from: search.since ? (parseMoment(search.since)?.from ?? null) : null,
            before: search.until ? (parseMoment(search.until)?.before ?? null) : null,
            action: search.action ?? null,
            actor: search.actor ?? null,
            object_id: search.object_id ?? null,
            trace_id: search.trace_id ?? null,
            order: search.order,
            after,
            limit,
          }),
        keyOf: ({ at, audit_id }) => `${at.toISOString()} ${audit_id}`,
        readKey: placeOf,
      });
      return { items: rows.map(lineOf), next_page_token };
    },
  };
}

function placeOf(text: string): AuditQuery["after"] {
  const [at, audit_id] = text.split(" ");
  return at === undefined || audit_id === undefined ? null : { at: new Date(at), audit_id };
}

/** What tells queries apart, whatever the order in which their fields came. */
function idOf(search: object): unknown {
  return ["audit", Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1))];
}

function lineOf({ at, ...entry }: OwnedAuditEntry): AuditLine {
  return { ...entry, facts: { ...entry.facts }, at: at.toISOString() };
}
