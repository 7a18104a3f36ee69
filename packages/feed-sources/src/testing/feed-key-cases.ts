import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@org/core";
import { expect, it } from "vitest";
import type { FeedKeyRecord } from "../ports/feed-key-store.js";
import type { SourceStores } from "../ports/source-store.js";

const noon = new Date("2026-11-22T12:00:00.000Z");
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);

/** Registers the key cases with vitest. Calls `storesOf` when they run. */
export function feedKeyCases(storesOf: () => SourceStores): void {
  const keys = () => storesOf().keys;
  const keyOf = (change: Partial<FeedKeyRecord> = {}): FeedKeyRecord => {
    const fingerprint = randomUUID().replaceAll("-", "").toUpperCase();
    const facts = {
      fingerprint,
      key_ids: [fingerprint.slice(16), `B${fingerprint.slice(1, 16)}`],
      user_ids: ["Z\u00fcrich", ""],
      algorithm: "RSA 4096",
      created_at: new Date(0),
      expires_at: null,
      revoked_at: null,
      public_key: "public",
      added_at: noon,
    };
    return { ...facts, kind: "own", owner: "", ...change } as FeedKeyRecord;
  };
  const entry = (object_id = "x") => entryOf("feed_key.test", object_id);

  it("[C-9.270] keeps several own keys at once, finds them by their key ids, and replaces one with its private half or without", async () => {
    const one = keyOf();
    const other = keyOf({ added_at: later(1), expires_at: later(9) });
    await keys().keep(one, "sealed one", entry());
    await keys().keep(other, "sealed other", entry());
    const mine = async () =>
      (await keys().list()).filter(({ fingerprint }) => [one, other].some((key) => key.fingerprint === fingerprint));
    expect(await mine()).toEqual([one, other]);
    const found = { fingerprint: one.fingerprint, sealed_private_key: "sealed one" };
    for (const id of one.key_ids) expect(await keys().sealed([id, "0123456789ABCDEF"])).toEqual([found]);
    expect(await keys().sealed(["0123456789ABCDEF"])).toEqual([]);
    expect(await keys().sealed([])).toEqual([]);
    expect((await keys().sealed(null)).slice(-2)).toEqual([
      found,
      { fingerprint: other.fingerprint, sealed_private_key: "sealed other" },
    ]);
    await keys().keep({ ...one, revoked_at: later(5), added_at: later(6) }, null, entry());
    expect(await mine()).toEqual([{ ...one, revoked_at: later(5) }, other]);
    expect(await keys().sealed([one.key_ids[0] as string])).toEqual([found]);
    await keys().keep(other, "sealed again", entry());
    expect(await keys().sealed(other.key_ids)).toMatchObject([{ sealed_private_key: "sealed again" }]);
    for (const { fingerprint } of [one, other]) {
      expect(await keys().remove({ kind: "own", owner: "" }, fingerprint, entry())).toBe(true);
      expect(await keys().remove({ kind: "own", owner: "" }, fingerprint, entry())).toBe(false);
    }
    expect(await mine()).toEqual([]);
  });

  it("[C-14.126] changes a key and a rule only as they were seen", async () => {
    const key = keyOf();
    const isNew = (there: unknown) => there === null;
    const many = Array.from({ length: 5 }, () => keys().keep(key, "sealed", entry(), isNew));
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    const isLive = (there: FeedKeyRecord | null) => there?.revoked_at === null;
    expect(await keys().keep({ ...key, revoked_at: later(1) }, null, entry(), isLive)).toBe(true);
    expect(await keys().keep({ ...key, expires_at: later(9) }, null, entry(), isLive)).toBe(false);
    const mine = (await keys().list()).find(({ fingerprint }) => fingerprint === key.fingerprint);
    expect(mine).toEqual({ ...key, revoked_at: later(1) });
    const rule = { kind: "connector", owner: `che:${randomUUID()}`, must_be_signed: false, changed_at: noon } as const;
    const rules = Array.from({ length: 5 }, () => keys().require(rule, entry(), isNew));
    expect((await Promise.all(rules)).filter(Boolean)).toHaveLength(1);
    expect(await keys().require({ ...rule, must_be_signed: true }, entry(), isNew)).toBe(false);
    expect((await keys().rules()).find(({ owner }) => owner === rule.owner)).toEqual(rule);
    expect(
      await keys().require({ ...rule, must_be_signed: true }, entry(), (there) => there?.changed_at === null),
    ).toBe(false);
    await keys().remove({ kind: "own", owner: "" }, key.fingerprint, entry());
  });

  it("[C-9.271] knows which keys sign for a connector and for a source, and which of them have to", async () => {
    const { sources } = storesOf();
    const source = `s-${randomUUID().slice(0, 30)}`;
    const settings = { kind: "push" as const, sealed_settings: "sealed", is_enabled: true, due_at: null };
    await sources.keep({ source, ...settings, changed_at: noon }, entryOf("source.set", source));
    const ofSource = { kind: "source", owner: source } as const;
    const ofConnector = { kind: "connector", owner: `che:${source}` } as const;
    const first = keyOf(ofSource);
    const shared = { ...first, ...ofConnector, added_at: later(1) };
    for (const key of [shared, first]) await keys().keep(key, null, entry());
    expect(await keys().signing([ofSource])).toEqual({ keys: [first], mustBeSigned: false });
    expect(await keys().signing([ofConnector, ofSource])).toEqual({ keys: [first, shared], mustBeSigned: false });
    expect(await keys().signing([])).toEqual({ keys: [], mustBeSigned: false });
    expect(await keys().sealed(first.key_ids)).toEqual([]);
    await keys().require({ ...ofConnector, must_be_signed: true, changed_at: noon }, entry());
    expect((await keys().signing([ofSource])).mustBeSigned).toBe(false);
    expect((await keys().signing([ofSource, ofConnector])).mustBeSigned).toBe(true);
    await keys().require({ ...ofConnector, must_be_signed: false, changed_at: later(1) }, entry());
    await keys().require({ ...ofSource, must_be_signed: true, changed_at: later(1) }, entry());
    const rules = (await keys().rules()).filter(({ owner }) => owner.endsWith(source));
    expect(rules).toEqual([
      { ...ofConnector, must_be_signed: false, changed_at: later(1) },
      { ...ofSource, must_be_signed: true, changed_at: later(1) },
    ]);
    await sources.remove(source, entryOf("source.remove", source));
    expect(await keys().signing([ofSource])).toEqual({ keys: [], mustBeSigned: false });
    expect(await keys().remove(ofConnector, first.fingerprint, entry())).toBe(true);
  });
}

function entryOf(action: string, object_id: string): AuditEntry {
  const who = { actor: "operator", action, object_type: "feed_key", object_id };
  return { audit_id: randomUUID(), at: noon, ...who, trace_id: null, address: null, facts: {} };
}
