import { type Actor, auditEntry, CoreError } from "@org/core";
import { createTestRuntime } from "@org/core/testing";
import * as pgp from "openpgp";
import { afterAll, beforeEach, expect, it } from "vitest";
import { openContainer } from "../containers/open-container.js";
import type { FeedKeyRecord } from "../ports/feed-key-store.js";
import { hasArchivePrograms, openGnuPg } from "../testing/gnupg.js";
import { createMemorySourceStores } from "../testing/memory-source-stores.js";
import { createFeedKeys, type FeedKeys } from "./feed-keys.js";
import { createKeyRing } from "./key-ring.js";

const operator: Actor = { application_id: "operator", trace_id: null, address: null };
const statement = Buffer.from(":20:statement\r\n".repeat(20));
const DAY_MS = 86_400_000;

let stores: ReturnType<typeof createMemorySourceStores>;
let runtime: ReturnType<typeof createTestRuntime>;
let keys: FeedKeys;
let tried = 0;
beforeEach(() => begin());

function begin(start?: Date): void {
  stores = createMemorySourceStores();
  runtime = createTestRuntime(start);
  tried = 0;
  const exists = async ({ owner }: { owner: string }) => owner !== "nobody";
  const onOpened = async () => {
    tried += 1;
    return { retried: 2, taken: 1 };
  };
  keys = createFeedKeys({ store: stores.keys, runtime, exists, onOpened });
}

const make = (name = "Wealth Connect", days = 0) => keys.generate(operator, { name, algorithm: "curve25519", days });
const publicKey = async (fingerprint: string) => (await keys.show({ fingerprint })).public_key;
const source = { source: "custodian" };

/** A custodian's key, created now. */
async function custodianKey(change: { passphrase?: string } = {}) {
  const made = await pgp.generateKey({
    userIDs: [{ name: "Custodian", email: "files@custodian.example" }],
    type: "ecc",
    date: runtime.clock(),
    format: "object",
    ...change,
  });
  const { privateKey, publicKey } = made as unknown as { privateKey: pgp.PrivateKey; publicKey: pgp.PublicKey };
  return {
    privateKey,
    private: privateKey.armor(),
    public: publicKey.armor(),
    fingerprint: publicKey.getFingerprint(),
  };
}

async function encrypted(armoredKey: string, signingKeys?: pgp.PrivateKey): Promise<Uint8Array> {
  const written = await pgp.encrypt({
    message: await pgp.createMessage({ binary: statement }),
    encryptionKeys: await pgp.readKey({ armoredKey }),
    ...(signingKeys && { signingKeys }),
    format: "binary",
    date: runtime.clock(),
  } as Parameters<typeof pgp.encrypt>[0]);
  return written as unknown as Uint8Array;
}

async function opened(bytes: Uint8Array): Promise<readonly unknown[]> {
  const ring = createKeyRing({ store: stores.keys, vault: runtime.vault });
  const signing = await ring.signersFor([{ kind: "source", owner: "custodian" }]);
  const { files } = await openContainer(
    { name: "a.pgp", bytes },
    { keys: { ...signing, own: ring.ownKeys }, now: runtime.clock() },
  );
  return files.map((file) => Buffer.from(file.bytes).equals(statement));
}

/**
 * Sets the clock to the machine's, which GnuPG uses: keys and messages made by either must not lie in the future for the other. Generating an RSA key
 * takes seconds.
 */
const catchUp = () => runtime.advance(Math.max(0, Date.now() - runtime.clock().getTime()));

const code = (wanted: string) => ({ name: "CoreError", code: wanted });

it("[C-9.270] every key that is in force opens what is encrypted for it, and its private half is shown nowhere", async () => {
  const [one, other] = [await make(), await make("Another", 730)];
  for (const { fingerprint } of [one, other])
    expect(await opened(await encrypted(await publicKey(fingerprint)))).toEqual([true]);
  expect(one).toMatchObject({ kind: "own", state: "live", algorithm: "Ed25519Legacy", expires_at: null });
  expect(other).toMatchObject({ user_ids: ["Another"], expires_at: "2028-03-01T09:00:00.000Z" });
  const shown = JSON.stringify([await keys.list(), await keys.show({ fingerprint: one.fingerprint }), stores.entries]);
  expect(shown).not.toContain("PRIVATE KEY");
  const [first] = await stores.keys.sealed([]);
  expect(first).toBeUndefined();
  for (const { fingerprint, sealed_private_key } of await stores.keys.sealed(null))
    expect(await runtime.vault.open(sealed_private_key, { purpose: "feed-key", row: fingerprint })).toContain(
      "PRIVATE KEY",
    );
  expect(stores.entries.map(({ action, object_id }) => [action, object_id])).toEqual([
    ["feed_key.generate", one.fingerprint],
    ["feed_key.generate", other.fingerprint],
  ]);
});

it("a key is shown with the name that the standard gives to its curve", async () => {
  for (const [curve, name] of [
    ["nistP256", "NIST P-256"],
    ["nistP384", "NIST P-384"],
  ] as const) {
    const made = await pgp.generateKey({ type: "ecc", curve, userIDs: [{ name }], date: runtime.clock() });
    expect((await keys.importOwn(operator, { private_key: made.privateKey })).key.algorithm).toBe(name);
  }
});

it("[C-9.272] an imported key opens what waited for it; its passphrase is needed once and kept nowhere", async () => {
  const theirs = await custodianKey({ passphrase: "correct horse" });
  const waiting = await encrypted(theirs.public);
  await expect(opened(waiting)).rejects.toThrow(/none of our keys is that one/);
  const given = { private_key: theirs.private };
  for (const [body, reason] of [
    [given, "has a passphrase, which is needed"],
    [{ ...given, passphrase: "wrong" }, "has another passphrase"],
    [{ private_key: theirs.public }, "is no private key of PGP in ASCII armour"],
    [{ private_key: "nonsense" }, "is no private key of PGP in ASCII armour"],
  ] as const)
    await expect(keys.importOwn(operator, body)).rejects.toMatchObject({
      ...code("VALIDATION_ERROR"),
      details: [{ field: "private_key", message: reason }],
    });
  expect(tried).toBe(0);
  const taken = await keys.importOwn(operator, { ...given, passphrase: "correct horse" });
  expect(taken).toMatchObject({ key: { fingerprint: theirs.fingerprint.toUpperCase() }, retried: 2, taken: 1 });
  expect(await opened(waiting)).toEqual([true]);
  expect(JSON.stringify([stores.entries, await stores.keys.sealed(null)])).not.toContain("correct horse");
});

it("[C-9.273] the last key that opens files is not expired, revoked or removed unless it is forced", async () => {
  const one = await make();
  const last = { fingerprint: one.fingerprint.replace(/(.{4})/g, "$1 ").toLowerCase(), force: false };
  const soon = new Date(runtime.clock().getTime() + 10 * DAY_MS);
  for (const refused of [
    keys.expire(operator, { ...last, at: null }),
    keys.expire(operator, { ...last, at: soon }),
    keys.revoke(operator, last),
    keys.remove(operator, last),
  ])
    await expect(refused).rejects.toMatchObject(code("CONFLICT"));
  // A key that will have expired by then does not count.
  await make("Short", 5);
  await expect(keys.expire(operator, { ...last, at: soon })).rejects.toMatchObject(code("CONFLICT"));
  await make("Long");
  expect(await keys.expire(operator, { ...last, at: soon })).toMatchObject({
    state: "live",
    expires_at: soon.toISOString(),
  });
  const message = await encrypted(await publicKey(one.fingerprint));
  expect(await opened(message)).toEqual([true]);
  // The key itself states its expiry, so nobody encrypts for it any more.
  runtime.advance(10 * DAY_MS);
  await expect(encrypted(await publicKey(one.fingerprint))).rejects.toThrow(/expired/);
  await expect(opened(message)).rejects.toThrow(/our key [0-9A-F]{40}, for which it is encrypted, has expired/);
  await keys.remove(operator, { fingerprint: one.fingerprint, force: false });
  await expect(publicKey(one.fingerprint)).rejects.toMatchObject(code("NOT_FOUND"));
});

it("[C-9.273] a revoked key opens nothing, says so itself, and no older copy of it comes back", async () => {
  const ours = await custodianKey();
  await keys.importOwn(operator, { private_key: ours.private });
  const fingerprint = ours.fingerprint.toUpperCase();
  const message = await encrypted(ours.public);
  expect(await keys.revoke(operator, { fingerprint, force: true })).toMatchObject({ state: "revoked" });
  await expect(opened(message)).rejects.toThrow(/was revoked/);
  expect(await (await pgp.readKey({ armoredKey: await publicKey(fingerprint) })).isRevoked()).toBe(true);
  await expect(keys.importOwn(operator, { private_key: ours.private })).rejects.toMatchObject(code("CONFLICT"));
  await keys.remove(operator, { fingerprint, force: false });
  expect((await keys.list()).items).toEqual([]);
});

it("[C-9.271] a custodian's key verifies for its source or connector, and what revokes it stays", async () => {
  const own = await make();
  const theirs = await custodianKey();
  const message = await encrypted(await publicKey(own.fingerprint), theirs.privateKey);
  const require = (must_be_signed: boolean) => keys.require(operator, { ...source, must_be_signed });
  await expect(require(true)).rejects.toMatchObject(code("CONFLICT"));
  for (const [body, wanted] of [
    [{ public_key: theirs.public }, "VALIDATION_ERROR"],
    [{ public_key: theirs.public, ...source, connector_id: "che:bank" }, "VALIDATION_ERROR"],
    [{ public_key: theirs.public, source: "nobody" }, "NOT_FOUND"],
    [{ public_key: theirs.private, ...source }, "VALIDATION_ERROR"],
    [{ public_key: "nonsense", ...source }, "VALIDATION_ERROR"],
  ] as const)
    await expect(keys.trust(operator, body)).rejects.toMatchObject(code(wanted));
  await keys.trust(operator, { public_key: theirs.public, connector_id: "che:bank" });
  await expect(require(true)).rejects.toMatchObject(code("CONFLICT"));
  expect((await keys.trust(operator, { public_key: theirs.public, ...source })).key).toMatchObject({
    kind: "custodian",
    ...source,
  });
  expect(await require(true)).toMatchObject({ signing: { ...source, must_be_signed: true }, retried: 0 });
  expect(await opened(message)).toEqual([true]);
  await expect(opened(await encrypted(await publicKey(own.fingerprint)))).rejects.toThrow(/is not signed/);
  const target = { fingerprint: theirs.fingerprint, ...source };
  for (const refused of [
    keys.remove(operator, { ...target, force: false }),
    keys.revoke(operator, { ...target, force: false }),
    keys.expire(operator, { ...target, at: null, force: false }),
  ])
    await expect(refused).rejects.toMatchObject(code("CONFLICT"));
  const next = await custodianKey();
  await keys.trust(operator, { public_key: next.public, ...source });
  await keys.expire(operator, { ...target, at: null, force: false });
  await expect(opened(message)).rejects.toThrow(/which has expired on 2026-03-02/);
  // The custodian sends the same key with its revocation; an older copy does not undo it.
  const { publicKey: revoked } = await pgp.revokeKey({
    key: next.privateKey,
    format: "armored",
    date: runtime.clock(),
  });
  await expect(keys.trust(operator, { public_key: revoked, connector_id: "che:bank" })).rejects.toMatchObject(
    code("VALIDATION_ERROR"),
  );
  expect((await keys.trust(operator, { public_key: revoked, ...source })).key).toMatchObject({ state: "revoked" });
  expect((await keys.trust(operator, { public_key: next.public, ...source })).key).toMatchObject({ state: "revoked" });
  expect(await require(false)).toMatchObject({ retried: 2, taken: 1 });
});

it("keys that are not there, and too many, are refused", async () => {
  const nobody = { fingerprint: "0123456789ABCDEF0123456789ABCDEF01234567", force: false };
  for (const refused of [
    keys.show(nobody),
    keys.revoke(operator, nobody),
    keys.remove(operator, { ...nobody, ...source }),
  ])
    await expect(refused).rejects.toBeInstanceOf(CoreError);
  const { added_at: _, ...view } = await make();
  const [record] = await stores.keys.list();
  for (let n = 1; record && n < 200; n += 1)
    await stores.keys.keep(
      { ...record, fingerprint: `${n}` },
      "sealed",
      stores.entries[0] as (typeof stores.entries)[number],
    );
  await expect(make()).rejects.toMatchObject({
    ...code("RATE_LIMITED"),
    limit: { name: "feed_keys", value: 200 },
  });
  expect(view.state).toBe("live");
});

const real = hasArchivePrograms() ? it : it.skip;
let custodian: ReturnType<typeof openGnuPg> | null = null;
afterAll(() => custodian?.close());

real(
  "[C-9.270] GnuPG imports what is exported and encrypts for it; its own keys are imported with their passphrase",
  async () => {
    begin(new Date());
    custodian = openGnuPg();
    const { gpg } = custodian;
    const quickly = ["--pinentry-mode", "loopback", "--passphrase", "secret", "--quick-generate-key"];
    gpg("", ...quickly, "Custodian <files@custodian.example>", "future-default", "default", "never");
    const signing = [
      "--pinentry-mode",
      "loopback",
      "--passphrase",
      "secret",
      "--sign",
      "-u",
      "files@custodian.example",
    ];
    catchUp();
    await keys.trust(operator, {
      public_key: gpg("", "--armor", "--export", "files@custodian.example").toString(),
      ...source,
    });
    await keys.require(operator, { ...source, must_be_signed: true });
    for (const algorithm of ["curve25519", "rsa4096"] as const) {
      const { fingerprint } = await keys.generate(operator, {
        name: "Wealth",
        email: "feeds@wealth.example",
        algorithm,
        days: 30,
      });
      gpg(await publicKey(fingerprint), "--import");
      const file = gpg(statement, ...signing, "--encrypt", "-r", fingerprint);
      catchUp();
      expect(await opened(file), algorithm).toEqual([true]);
    }
    const exported = gpg(
      "",
      "--pinentry-mode",
      "loopback",
      "--passphrase",
      "secret",
      "--armor",
      "--export-secret-keys",
    );
    await keys.importOwn(operator, { private_key: exported.toString(), passphrase: "secret" });
    const signed = gpg(statement, ...signing, "--encrypt", "-r", "files@custodian.example");
    const unsigned = gpg(statement, "--encrypt", "-r", "files@custodian.example");
    catchUp();
    expect(await opened(signed)).toEqual([true]);
    await expect(opened(unsigned)).rejects.toThrow(/is not signed/);
  },
);

it("[C-9.271] where there is no room for further keys, those that are there are still taken back, expired and renewed; removing one makes room", async () => {
  const custodian = await custodianKey();
  const further = await custodianKey();
  const { key: trusted } = await keys.trust(operator, { public_key: custodian.public, ...source });
  const mine = await make();
  const [record] = (await stores.keys.list()).filter(({ fingerprint }) => fingerprint === trusted.fingerprint);
  for (let index = 2; index < 200; index += 1) {
    const fingerprint = index.toString(16).toUpperCase().padStart(40, "0");
    const entry = auditEntry(runtime, operator, "feed_key.trust", "feed_key", fingerprint, {});
    await stores.keys.keep({ ...(record as FeedKeyRecord), fingerprint }, null, entry);
  }
  const refused = { ...code("RATE_LIMITED"), limit: { name: "feed_keys", value: 200 } };
  await expect(make("One more")).rejects.toMatchObject(refused);
  await expect(keys.importOwn(operator, { private_key: further.private })).rejects.toMatchObject(refused);
  await expect(keys.trust(operator, { public_key: further.public, ...source })).rejects.toMatchObject(refused);

  const { publicKey: revoked } = await pgp.revokeKey({
    key: custodian.privateKey,
    date: runtime.clock(),
    format: "armored",
  });
  const { key } = await keys.trust(operator, { public_key: revoked, ...source });
  expect(key).toMatchObject({ fingerprint: trusted.fingerprint, state: "revoked" });
  const another = { fingerprint: "2".padStart(40, "0"), ...source };
  expect(await keys.revoke(operator, { ...another, force: false })).toMatchObject({ state: "revoked" });
  const { fingerprint } = mine;
  expect(await keys.revoke(operator, { fingerprint, force: true })).toMatchObject({ state: "revoked" });

  await keys.remove(operator, { ...another, force: false });
  const taken = await keys.trust(operator, { public_key: further.public, ...source });
  expect(taken.key).toMatchObject({ state: "live" });
});

it.each(["a b@bank.example", "desk@bank.example.", "desk", "desk@bank\\.example"])(
  "[C-9.270] %j is no e-mail address of a key, and the refusal names the field",
  async (email) => {
    const wish = { name: "Bank", email, algorithm: "curve25519", days: 0 } as const;
    const refused = { code: "VALIDATION_ERROR", details: [expect.objectContaining({ field: "email" })] };
    await expect(keys.generate(operator, wish)).rejects.toMatchObject(refused);
  },
);
