import { invalid, invalidValue } from "../errors.js";
import { createPageTokens } from "../page-token.js";
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
  const tokens = createPageTokens(deps.mac);
  return {
    async list({ page_size, page_token, ...search }) {
      const found = await deps.storage.auditTrail.list({
        tenant_id: search.tenant_id,
        from: search.since ? (parseMoment(search.since)?.from ?? null) : null,
        before: search.until ? (parseMoment(search.until)?.before ?? null) : null,
        action: search.action ?? null,
        actor: search.actor ?? null,
        object_id: search.object_id ?? null,
        order: search.order,
        after: page_token == null ? null : placeOf(search, page_token),
        limit: page_size + 1,
      });
      const items = found.slice(0, page_size);
      const last = items.at(-1);
      const next = last && found.length > page_size ? tokens.issue(idOf(search), textOf(last)) : null;
      return { items: items.map(lineOf), next_page_token: next };
    },
  };

  function placeOf(search: object, token: string): AuditQuery["after"] {
    const [at, audit_id] = tokens.read(idOf(search), token)?.split(" ") ?? [];
    if (at === undefined || audit_id === undefined)
      throw invalid(invalidValue("page_token", "must be the next_page_token of the same query"));
    return { at: new Date(at), audit_id };
  }
}

/** What tells queries apart, whatever the order in which their fields came. */
function idOf(search: object): unknown {
  return ["audit", Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1))];
}

function textOf({ at, audit_id }: OwnedAuditEntry): string {
  return `${at.toISOString()} ${audit_id}`;
}

function lineOf({ at, ...entry }: OwnedAuditEntry): AuditLine {
  return { ...entry, facts: { ...entry.facts }, at: at.toISOString() };
}
