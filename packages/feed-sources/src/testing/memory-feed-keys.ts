import type { AuditEntry } from "@org/core";
import type { FeedKeyRecord, FeedKeyStore, KeyPlace, SigningRule } from "../ports/feed-key-store.js";

/** {@link FeedKeyStore} in memory, with `forget` for removed sources. */
export function memoryFeedKeys(note: (entry: AuditEntry) => boolean): FeedKeyStore & { forget(place: KeyPlace): void } {
  let kept: { record: FeedKeyRecord; sealed: string | null }[] = [];
  let rules: SigningRule[] = [];
  const isSame = (a: KeyPlace, b: KeyPlace) => a.kind === b.kind && a.owner === b.owner;
  const oldestFirst = () =>
    [...kept].sort(
      ({ record: a }, { record: b }) =>
        Number(a.added_at) - Number(b.added_at) || compare(a.fingerprint, b.fingerprint) || compare(keyOf(a), keyOf(b)),
    );

  return {
    list: async () => oldestFirst().map(({ record }) => record),
    rules: async () => [...rules].sort((a, b) => compare(keyOf(a), keyOf(b))),
    async signing(signers) {
      const isWanted = (place: KeyPlace) => signers.some((signer) => isSame(signer, place));
      return {
        keys: oldestFirst().flatMap(({ record }) => (isWanted(record) ? record : [])),
        mustBeSigned: rules.some((rule) => rule.must_be_signed && isWanted(rule)),
      };
    },
    sealed: async (keyIds) =>
      oldestFirst().flatMap(({ record: { fingerprint, key_ids }, sealed }) =>
        sealed !== null && (keyIds === null || key_ids.some((id) => keyIds.includes(id)))
          ? { fingerprint, sealed_private_key: sealed }
          : [],
      ),
    async keep(record, sealed, entry, precondition = () => true) {
      const before = kept.find(
        (known) => isSame(known.record, record) && known.record.fingerprint === record.fingerprint,
      );
      if (!precondition(before?.record ?? null)) return false;
      const added_at = before?.record.added_at ?? record.added_at;
      kept = [
        ...kept.filter((known) => known !== before),
        { record: { ...record, added_at }, sealed: sealed ?? before?.sealed ?? null },
      ];
      return note(entry);
    },
    async remove(place, fingerprint, entry) {
      const left = kept.filter(({ record }) => !isSame(record, place) || record.fingerprint !== fingerprint);
      if (left.length === kept.length) return false;
      kept = left;
      return note(entry);
    },
    async require(rule, entry, precondition = () => true) {
      if (!precondition(rules.find((known) => isSame(known, rule)) ?? null)) return false;
      rules = [...rules.filter((known) => !isSame(known, rule)), rule];
      return note(entry);
    },
    forget(place) {
      kept = kept.filter(({ record }) => !isSame(record, place));
      rules = rules.filter((rule) => !isSame(rule, place));
    },
  };
}

function keyOf({ kind, owner }: KeyPlace): string {
  return `${kind} ${owner}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
