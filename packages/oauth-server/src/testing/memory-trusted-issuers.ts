import type { TrustedIssuerStore } from "../ports/trusted-issuer-store.js";
import { endGrants, type MemoryTables } from "./memory-tables.js";

/** Trusted issuers in memory. */
export function memoryTrustedIssuers(tables: MemoryTables): TrustedIssuerStore {
  const { trustedIssuers } = tables;
  const endGrantsUnder = (trustId: string, at: Date) => endGrants(tables, at, ({ secret_id }) => secret_id === trustId);
  return {
    async listTrustedIssuers() {
      return [...trustedIssuers.values()].sort((a, b) => (a.issuer < b.issuer ? -1 : 1));
    },
    async storeTrustedIssuer(trusted, atMost, replaces) {
      const before = trustedIssuers.get(trusted.issuer);
      if (before && before.tenant_id !== trusted.tenant_id) return { outcome: "other_owner" };
      if (replaces !== undefined && (before?.trust_id ?? null) !== replaces) return { outcome: "overtaken" };
      if (!before && trustedIssuers.size >= atMost) return { outcome: "full" };
      const kept = { ...trusted, created_at: before?.created_at ?? trusted.created_at };
      trustedIssuers.set(trusted.issuer, kept);
      const ended = before ? endGrantsUnder(before.trust_id, trusted.changed_at) : 0;
      return { outcome: "kept", trusted: kept, ended };
    },
    async removeTrustedIssuer(issuer, at) {
      const trusted = trustedIssuers.get(issuer);
      if (!trusted) return null;
      trustedIssuers.delete(issuer);
      return { trusted, ended: endGrantsUnder(trusted.trust_id, at) };
    },
  };
}
