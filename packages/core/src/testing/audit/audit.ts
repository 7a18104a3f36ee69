import { CHAIN_BEGIN, contentHash, linkHash, refusedAt } from "../../audit/audit-chain.js";
import type { AuditChain, ChainedEntry } from "../../audit/audit-chain-store.js";
import type { AuditLine } from "../../audit/audit-line.js";
import type { AuditLog, AuditQuery, OwnedAuditEntry } from "../../ports/audit-log.js";
import { compareText, insert, type TenantState } from "../state.js";

/** {@link AuditLog} over a draft; `audit_id` is time-ordered, so it gives the order. */
export function memoryAudit(state: TenantState): AuditLog {
  return {
    async append(entry) {
      insert(state.audit, entry.audit_id, { ...entry });
    },

    async list({ limit, before }) {
      return [...state.audit.values()]
        .filter((entry) => before === undefined || compareText(entry.audit_id, before) < 0)
        .sort((a, b) => compareText(b.audit_id, a.audit_id))
        .slice(0, limit);
    },
  };
}

/** The lines that a query asks for, in its order. */
export function selectLines(lines: readonly OwnedAuditEntry[], query: AuditQuery): OwnedAuditEntry[] {
  const { tenant_id, from, before, action, actor, object_id, trace_id, order, after, limit } = query;
  const sign = order === "newest" ? -1 : 1;
  const compare = (a: Pick<OwnedAuditEntry, "at" | "audit_id">, b: typeof a) =>
    sign * (a.at.getTime() - b.at.getTime() || compareText(a.audit_id, b.audit_id));
  return lines
    .filter((line) => tenant_id === undefined || line.tenant_id === tenant_id)
    .filter(({ at }) => (from === null || at >= from) && (before === null || at < before))
    .filter((line) => action === null || line.action === action)
    .filter((line) => actor === null || line.actor === actor)
    .filter((line) => object_id === null || line.object_id === object_id)
    .filter((line) => trace_id === null || line.trace_id === trace_id)
    .filter((line) => after === null || compare(line, after) > 0)
    .sort(compare)
    .slice(0, limit);
}

/** {@link AuditChain} over lines that are stored elsewhere; `remove` deletes one there. */
export function memoryAuditChain(
  lines: () => readonly OwnedAuditEntry[],
  remove: (line: OwnedAuditEntry) => void,
): AuditChain {
  const places: Omit<ChainedEntry, "entry">[] = [];
  const unplaced = () => {
    const placed = new Set(places.map(({ audit_id }) => audit_id));
    return lines()
      .filter(({ audit_id }) => !placed.has(audit_id))
      .sort((a, b) => a.at.getTime() - b.at.getTime() || compareText(a.audit_id, b.audit_id));
  };
  const entryOf = (id: string) => lines().find(({ audit_id }) => audit_id === id) ?? null;

  return {
    async seal(limit) {
      const taken = unplaced().slice(0, limit);
      for (const entry of taken) {
        const line = lineOf(entry);
        const sequence = places.length + 1;
        const refused = refusedAt(line);
        const hash = linkHash(places.at(-1)?.hash ?? CHAIN_BEGIN.hash, sequence, refused, contentHash(line));
        const refused_at = refused === null ? null : entry.at;
        places.push({ sequence, hash, audit_id: entry.audit_id, refused_at, content_hash: null });
      }
      return taken.length;
    },
    async head() {
      const last = places.at(-1);
      const waiting = unplaced().length;
      return { last: last ? { sequence: last.sequence, hash: last.hash, sealed_at: new Date(0) } : null, waiting };
    },
    async page({ after, limit }) {
      const before = places[after - 1];
      return {
        after: before ? { sequence: before.sequence, hash: before.hash } : null,
        items: places.slice(after, after + limit).map((place) => ({ ...place, entry: entryOf(place.audit_id) })),
        strangers: [],
      };
    },
    async eraseRefusals(before, limit) {
      const old = places.filter(
        ({ refused_at, content_hash }) => refused_at !== null && refused_at < before && content_hash === null,
      );
      for (const place of old.slice(0, limit)) {
        const entry = entryOf(place.audit_id);
        places[place.sequence - 1] = { ...place, content_hash: entry ? contentHash(lineOf(entry)) : "" };
        if (entry) remove(entry);
      }
      return Math.min(old.length, limit);
    },
    waiting: async (limit) => unplaced().slice(0, limit),
    async placesOf({ from, before }) {
      const isIn = (fits: (at: Date) => boolean) => (place: { audit_id: string }) => {
        const entry = entryOf(place.audit_id);
        return entry !== null && fits(entry.at);
      };
      const first = places.findIndex(isIn((at) => from !== null && at >= from));
      const last = places.findLastIndex(isIn((at) => before !== null && at < before));
      return { after: first < 0 ? null : first, through: last < 0 ? null : last + 1 };
    },
  };
}

function lineOf({ at, ...entry }: OwnedAuditEntry): AuditLine {
  return { ...entry, facts: { ...entry.facts }, at: at.toISOString() };
}
