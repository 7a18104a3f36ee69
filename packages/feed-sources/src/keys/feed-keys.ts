import {
  type Actor,
  type AuditedAction,
  auditEntry,
  CoreError,
  conflict,
  contentVersion,
  ifVersion,
  invalid,
  invalidValue,
  type Runtime,
  versionConflict,
} from "@org/core";
import type { FeedKeyRecord, FeedKeyStore, KeyPlace, Signer, SigningRule } from "../ports/feed-key-store.js";
import { sealedFor } from "./key-ring.js";
import {
  expireOwnKey,
  makeOwnKey,
  type OwnKeyAlgorithm,
  type OwnPgpKey,
  PgpKeyError,
  readOwnKey,
  readSignerKey,
  revokeOwnKey,
} from "./pgp-key.js";

/** Whose signatures are meant; exactly one of the two. */
export interface SignerTarget {
  readonly connector_id?: string | undefined;
  readonly source?: string | undefined;
}

/** Which key is meant; without connector or source, one of the installation's own. */
export interface KeyTarget extends SignerTarget {
  readonly fingerprint: string;
  /** The version that the caller has seen; CONFLICT if the key has changed since. */
  readonly version?: number | undefined;
}

/** The most keys, including expired and revoked ones. */
const MAX_KEYS = 200;

type Deps = {
  readonly store: FeedKeyStore;
  readonly runtime: Pick<Runtime, "clock" | "vault" | "newId">;
  /** Whether the connector or source exists. */
  readonly exists: (signer: Signer) => Promise<boolean>;
  /** Called after a change that may make held files readable; retries them. */
  readonly onOpened?: (operator: Actor) => Promise<{ readonly retried: number; readonly taken: number }>;
};

/**
 * PGP keys as operators manage them. Private keys are sealed and never shown. Every function throws CoreError NOT_FOUND for an unknown key, connector
 * or source.
 */
export type FeedKeys = ReturnType<typeof createFeedKeys>;

export function createFeedKeys({ store, runtime, exists, onOpened }: Deps) {
  const { clock, vault } = runtime;

  return {
    /** Keys oldest first; signing rules by name. */
    async list() {
      const [keys, rules] = [await store.list(), await store.rules()];
      const items = keys.map((record) => keyView(record, clock()));
      return {
        items,
        signing: rules.map(ruleView),
      };
    },
    /** A key with its armoured public half. */
    async show(target: KeyTarget) {
      const record = await find(target);
      return { ...keyView(record, clock()), public_key: record.public_key };
    },
    /** Generates a key pair. Existing keys keep opening files until they are removed. @throws CoreError VALIDATION_ERROR on `name` or `email` */
    async generate(
      operator: Actor,
      wish: { name: string; email?: string | undefined; algorithm: OwnKeyAlgorithm; days: number },
    ) {
      await refuseMany();
      const { name, email, algorithm, days } = wish;
      const made = await makeOwnKey({ name, email, algorithm, days, now: clock() }).catch(refuseAs("name"));
      return keyView(await storeOwn(operator, "feed_key.generate", made), clock());
    },
    /** Imports an existing private key, and retries held files. The passphrase is not stored. @throws CoreError VALIDATION_ERROR on `private_key` */
    async importOwn(operator: Actor, given: { private_key: string; passphrase?: string | undefined }) {
      const key = await readOwnKey(given.private_key, given.passphrase, clock()).catch(refuseAs("private_key"));
      const known = (await store.list()).find(isKey(own, key.facts.fingerprint));
      if (!known) await refuseMany();
      // An older copy must not undo the revocation.
      if (known && keyState(known, clock()) === "revoked")
        throw conflict("key_revoked", "this key was revoked here; make another one");
      const view = keyView(await storeOwn(operator, "feed_key.import", key), clock());
      return { key: view, ...(await opened(operator)) };
    },
    /** What a public key says of itself; nothing is stored. @throws CoreError VALIDATION_ERROR on `public_key` */
    async read({ public_key }: { public_key: string }) {
      const facts = await readSignerKey(public_key, clock()).catch(refuseAs("public_key"));
      return keyFacts(facts);
    },
    /**
     * Trusts a custodian's public key for the files of a connector or a source, and retries held files. If the key is known, both copies count: a
     * revocation in either of them stays. @throws CoreError VALIDATION_ERROR on `public_key`
     */
    async trust(operator: Actor, { public_key, ...target }: { public_key: string } & SignerTarget) {
      const signer = await signerOf(target);
      const keys = await store.list();
      const knownAs = (fingerprint: string) => keys.find(isKey(signer, fingerprint));
      const facts = await readSignerKey(
        public_key,
        clock(),
        (fingerprint) => knownAs(fingerprint)?.public_key ?? null,
      ).catch(refuseAs("public_key"));
      const before = knownAs(facts.fingerprint);
      if (!before) await refuseMany();
      const revoked_at = before?.revoked_at ?? facts.revoked_at;
      const record: FeedKeyRecord = { ...facts, ...signer, revoked_at, added_at: clock() };
      const entry = entryOf(operator, "feed_key.trust", facts.fingerprint, targetOf(signer));
      // The version of the copy that was read; otherwise a concurrent revocation would be undone.
      const version = before ? keyVersion(before) : 0;
      if (!(await store.keep(record, null, entry, ifVersion(version, keyVersion)))) throw versionConflict("key");
      return { key: keyView(record, clock()), ...(await opened(operator)) };
    },
    /**
     * Sets when a key expires, now at the earliest. An own key then states this expiry itself, so its public half must be sent to custodians again.
     * @throws CoreError CONFLICT if no other key would remain, unless forced
     */
    async expire(operator: Actor, { at, force, ...target }: KeyTarget & { at: Date | null; force: boolean }) {
      const record = await find(target);
      const now = clock();
      const moment = at === null || at < now ? now : at;
      if (record.revoked_at !== null) throw conflict("key_revoked", "this key was revoked already");
      await refuseLast(record, moment, force);
      const facts = { until: moment.toISOString(), ...targetOf(record) };
      return change(operator, "feed_key.expire", record, facts, {
        ofOwn: (armoured) => expireOwnKey(armoured, moment, now),
        ofSigner: { expires_at: moment },
      });
    },
    /**
     * Revokes a key permanently: it opens and verifies nothing from now on. @throws CoreError CONFLICT if no other key would remain, unless forced
     */
    async revoke(operator: Actor, { force, ...target }: KeyTarget & { force: boolean }) {
      const record = await find(target);
      const now = clock();
      if (record.revoked_at !== null) return keyView(record, now);
      await refuseLast(record, now, force);
      return change(operator, "feed_key.revoke", record, targetOf(record), {
        ofOwn: (armoured) => revokeOwnKey(armoured, now),
        ofSigner: { revoked_at: now },
      });
    },
    /**
     * Deletes a key. Files encrypted for an own key can no longer be opened. @throws CoreError CONFLICT if no other key would remain, unless forced
     */
    async remove(operator: Actor, { force, ...target }: KeyTarget & { force: boolean }): Promise<void> {
      const record = await find(target);
      await refuseLast(record, clock(), force);
      const entry = entryOf(operator, "feed_key.remove", record.fingerprint, targetOf(record));
      if (!(await store.remove(placeOf(record), record.fingerprint, entry))) throw unknownKey();
    },
    /**
     * Sets whether files of a connector or source must be signed; if they no longer must, retries held files. @throws CoreError CONFLICT if there is
     * no key that could sign, or the rule has changed since `version`
     */
    async require(
      operator: Actor,
      { must_be_signed, version, ...target }: SignerTarget & { must_be_signed: boolean; version?: number | undefined },
    ) {
      const signer = await signerOf(target);
      const now = clock();
      const { keys } = await store.signing([signer]);
      if (must_be_signed && !keys.some((key) => keyState(key, now) === "live"))
        throw conflict("no_key_in_force", "no key of this custodian is in force: trust one first");
      const facts = { must_be_signed, ...targetOf(signer) };
      const entry = entryOf(operator, "feed_key.require", signer.owner, facts);
      const rule = { ...signer, must_be_signed, changed_at: now };
      if (!(await store.require(rule, entry, ifVersion(version, ruleVersion)))) throw versionConflict("rule", version);
      return { signing: ruleView(rule), ...(must_be_signed ? nothingTried : await opened(operator)) };
    },
  };

  async function storeOwn(
    operator: Actor,
    action: AuditedAction,
    { facts, private_key }: OwnPgpKey,
  ): Promise<FeedKeyRecord> {
    const record: FeedKeyRecord = { ...facts, ...own, added_at: clock() };
    const sealed = await vault.seal(private_key, sealedFor(facts.fingerprint));
    await store.keep(record, sealed, entryOf(operator, action, facts.fingerprint, { algorithm: facts.algorithm }));
    return record;
  }

  async function change(
    operator: Actor,
    action: AuditedAction,
    record: FeedKeyRecord,
    noted: Readonly<Record<string, string>>,
    {
      ofOwn,
      ofSigner,
    }: {
      ofOwn: (armoured: string) => Promise<OwnPgpKey>;
      ofSigner: Partial<Pick<FeedKeyRecord, "expires_at" | "revoked_at">>;
    },
  ) {
    const { fingerprint, added_at } = record;
    const isUnchanged = ifVersion(keyVersion(record), keyVersion);
    const entry = entryOf(operator, action, fingerprint, noted);
    if (record.kind !== "own") {
      const changed = { ...record, ...ofSigner };
      if (!(await store.keep(changed, null, entry, isUnchanged))) throw versionConflict("key");
      return keyView(changed, clock());
    }
    const [key] = (await store.sealed(record.key_ids)).filter((one) => one.fingerprint === fingerprint);
    if (!key) throw unknownKey();
    const armoured = await vault.open(key.sealed_private_key, sealedFor(fingerprint));
    const { facts, private_key } = await ofOwn(armoured).catch((error: unknown) => {
      if (error instanceof PgpKeyError) throw conflict("key_unusable", `this key ${error.message}`);
      throw error;
    });
    const changed: FeedKeyRecord = { ...facts, ...own, added_at };
    const sealed = await vault.seal(private_key, sealedFor(fingerprint));
    if (!(await store.keep(changed, sealed, entry, isUnchanged))) throw versionConflict("key");
    return keyView(changed, clock());
  }

  async function find(target: KeyTarget): Promise<FeedKeyRecord> {
    const { connector_id, source, fingerprint } = target;
    const place = connector_id === undefined && source === undefined ? own : signerIn(target);
    const found = (await store.list()).find(isKey(place, fingerprint.replace(/[\s:]/g, "").toUpperCase()));
    if (!found) throw unknownKey();
    if (ifVersion(target.version, keyVersion)?.(found) === false) throw versionConflict("key");
    return found;
  }

  /** @throws CoreError VALIDATION_ERROR unless exactly one is named, NOT_FOUND */
  async function signerOf(target: SignerTarget): Promise<Signer> {
    const signer = signerIn(target);
    if (!(await exists(signer))) throw new CoreError("NOT_FOUND", `there is no ${signer.kind} with this name`);
    return signer;
  }

  /** An own key is the last if no other opens files; a custodian's if files must be signed and no other key can verify them. */
  async function refuseLast(record: FeedKeyRecord, at: Date, force: boolean): Promise<void> {
    if (force || keyState(record, at) !== "live") return;
    const keys = (await store.list()).filter(
      (key) => isSamePlace(key, record) && key.fingerprint !== record.fingerprint,
    );
    if (keys.some((key) => keyState(key, at) === "live")) return;
    if (record.kind === "own")
      throw conflict("last_key", "this is the last key that opens files; make another one first, or force it");
    if ((await store.signing([record])).mustBeSigned)
      throw conflict(
        "last_signing_key",
        "files have to be signed, and no other key of this custodian is in force: trust another one first, or force it",
      );
  }

  async function refuseMany(): Promise<void> {
    if ((await store.list()).length >= MAX_KEYS)
      throw new CoreError("RATE_LIMITED", "there are too many keys; remove some that count no longer", {
        limit: { name: "feed_keys", value: MAX_KEYS },
      });
  }

  async function opened(operator: Actor) {
    return (await onOpened?.(operator)) ?? nothingTried;
  }

  function entryOf(
    operator: Actor,
    action: AuditedAction,
    id: string,
    facts: Readonly<Record<string, string | boolean>> = {},
  ) {
    return auditEntry(runtime, operator, action, "feed_key", id, facts);
  }
}

/** `live`: the key counts now. */
export type KeyState = "live" | "expired" | "revoked";

/** The state of a key at a given time. */
export function keyState(
  { expires_at, revoked_at }: Pick<FeedKeyRecord, "expires_at" | "revoked_at">,
  at: Date,
): KeyState {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= at ? "expired" : "live";
}

const own = { kind: "own", owner: "" } as const;
const nothingTried = { retried: 0, taken: 0 };

/** A key as operators see it; times are RFC 3339. */
function keyView(record: FeedKeyRecord, now: Date) {
  const { kind, revoked_at, added_at } = record;
  return {
    ...keyFacts(record),
    kind: kind === "own" ? ("own" as const) : ("custodian" as const),
    connector_id: null,
    source: null,
    ...targetOf(record),
    state: keyState(record, now),
    revoked_at: revoked_at?.toISOString() ?? null,
    added_at: added_at.toISOString(),
    version: keyVersion(record),
  };
}

/** What a key says of itself. */
function keyFacts({
  fingerprint,
  user_ids,
  algorithm,
  created_at,
  expires_at,
}: Pick<FeedKeyRecord, "fingerprint" | "user_ids" | "algorithm" | "created_at" | "expires_at">) {
  return {
    fingerprint,
    user_ids: [...user_ids],
    algorithm,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  };
}

/** Changes with another copy of the key, its expiry and its revocation; the private half changes with the public one. */
function keyVersion({ public_key, expires_at, revoked_at }: FeedKeyRecord): number {
  return contentVersion(public_key, expires_at, revoked_at);
}

function ruleView({ must_be_signed, changed_at, ...signer }: SigningRule) {
  const version = ruleVersion({ must_be_signed, changed_at, ...signer });
  return { ...targetOf(signer), must_be_signed, changed_at: changed_at.toISOString(), version };
}

function ruleVersion({ must_be_signed, changed_at }: SigningRule): number {
  return contentVersion(must_be_signed, changed_at);
}

function targetOf({ kind, owner }: KeyPlace): { connector_id?: string; source?: string } {
  if (kind === "own") return {};
  return kind === "connector" ? { connector_id: owner } : { source: owner };
}

function signerIn({ connector_id, source }: SignerTarget): Signer {
  if ((connector_id === undefined) === (source === undefined))
    throw invalid(invalidValue("connector_id", "exactly one of connector_id and source is required"));
  return connector_id === undefined
    ? { kind: "source", owner: source as string }
    : { kind: "connector", owner: connector_id };
}

function placeOf({ kind, owner }: KeyPlace): KeyPlace {
  return { kind, owner } as KeyPlace;
}

function isSamePlace(a: KeyPlace, b: KeyPlace): boolean {
  return a.kind === b.kind && a.owner === b.owner;
}

function isKey(place: KeyPlace, fingerprint: string) {
  return (record: FeedKeyRecord) => isSamePlace(record, place) && record.fingerprint === fingerprint;
}

function refuseAs(field: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PgpKeyError)) throw error;
    throw invalid(invalidValue(error.field ?? field, error.message));
  };
}

function unknownKey(): CoreError {
  return new CoreError("NOT_FOUND", "there is no key with this fingerprint");
}
