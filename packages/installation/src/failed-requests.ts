import type { OwnedAuditEntry } from "@org/core";
import type { AccessRecord } from "@org/http";

/** What the audit trail keeps of a request that failed by a fault of the server: nothing of what was asked, and nobody's name or address. */
export type FailedRequest = Pick<AccessRecord, "method" | "route" | "status" | "trace_id" | "tenant_id" | "defect">;

/** Requests that are kept singly within an hour, of all and of one tenant (or of callers without one). */
const KEPT = { all: 300, tenant: 60 };
const HOUR_MS = 60 * 60_000;

/** Chooses which failed requests get a line of their own, so that a fault that everybody meets does not fill the trail, and counts the others. */
export function createFailedRequests({ newId, clock }: { readonly newId: () => string; readonly clock: () => Date }) {
  const kept = new Map<string | null, number>();
  let total = 0;
  let begun = Number.NEGATIVE_INFINITY;
  let leftOut: { count: number; readonly since: Date } | null = null;

  return {
    /** The line of a request; null when it is only counted. */
    add({ method, route, status, trace_id, tenant_id, defect }: FailedRequest): OwnedAuditEntry | null {
      const at = clock();
      if (at.getTime() - begun >= HOUR_MS) {
        begun = at.getTime();
        total = 0;
        kept.clear();
      }
      const own = kept.get(tenant_id) ?? 0;
      if (total >= KEPT.all || own >= KEPT.tenant) {
        leftOut ??= { count: 0, since: at };
        leftOut.count += 1;
        return null;
      }
      total += 1;
      kept.set(tenant_id, own + 1);
      const facts = { name: `${method} ${route ?? "other"}`, status, defect: defect ?? null };
      return lineOf("request.failed", at, route ?? "other", { tenant_id, trace_id, facts });
    },
    /** One line for those that were only counted, once a minute is over, or now without `now`; null if there are none. */
    take(windowMs: number, now?: Date): OwnedAuditEntry | null {
      if (leftOut === null || (now !== undefined && now.getTime() - leftOut.since.getTime() < windowMs)) return null;
      const { count, since } = leftOut;
      leftOut = null;
      return lineOf("request.left_out", since, "other", { tenant_id: null, trace_id: null, facts: { count } });
    },
  };

  function lineOf(
    action: "request.failed" | "request.left_out",
    at: Date,
    object_id: string,
    more: Pick<OwnedAuditEntry, "tenant_id" | "trace_id" | "facts">,
  ): OwnedAuditEntry {
    return { audit_id: newId(), at, actor: "system", action, object_type: "route", object_id, address: null, ...more };
  }
}
