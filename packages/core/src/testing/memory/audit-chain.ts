import { CHAIN_BEGIN, contentHash, linkHash, refusedAt } from "../../audit-chain.js";
import type { AuditChain, ChainedEntry } from "../../ports/audit-chain.js";
import type { OwnedAuditEntry } from "../../ports/audit-log.js";
import type { AuditLine } from "../../schemas/audit.js";
import { compareText } from "./state.js";

/** {@link AuditChain} over lines that are somewhere else; `remove` deletes one there. */
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
