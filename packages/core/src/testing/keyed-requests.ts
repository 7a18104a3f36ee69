import type { KeyedRequests, RequestClaim } from "../ports/keyed-requests.js";

interface Row {
  claim_id: string;
  request_hash: string;
  answer: string | null;
  leased_until: Date;
  expires_at: Date;
}

/** {@link KeyedRequests} in memory: no answer of it is ever lost, and whether something was changed is not looked at. */
export function createMemoryKeyedRequests(): KeyedRequests {
  const rows = new Map<string, Row>();
  const idOf = ({ owner, key }: Pick<RequestClaim, "owner" | "key">) => JSON.stringify([owner, key]);
  const own = (claim: RequestClaim) => {
    const row = rows.get(idOf(claim));
    return row?.claim_id === claim.claim_id ? row : undefined;
  };
  return {
    async claim(request, { now, leased_until, expires_at }) {
      const held = rows.get(idOf(request));
      if (held && held.expires_at > now && (held.leased_until > now || held.answer !== null))
        return { request_hash: held.request_hash, answer: held.answer, isAbandoned: false };
      const { claim_id, request_hash } = request;
      rows.set(idOf(request), { claim_id, request_hash, answer: null, leased_until, expires_at });
      return null;
    },
    async renew(claim, leasedUntil) {
      const row = own(claim);
      if (row) row.leased_until = leasedUntil;
    },
    run: (_claim, work) => ({ result: work(), hasChanged: () => false }),
    async answer(claim, sealed) {
      const row = own(claim);
      if (row) row.answer = sealed;
    },
    async release(claim) {
      if (own(claim)) rows.delete(idOf(claim));
    },
  };
}
