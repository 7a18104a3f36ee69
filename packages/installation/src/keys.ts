import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKeyring, type Keyring, parseKeyring } from "@org/keyring";
import type { SecretHashKey } from "@org/oauth-server";
import type { ServerKeys } from "@org/storage-postgres";
import type { Config } from "./config.js";
import { makeFolder } from "./make-folder.js";

type KeySettings = Pick<Config, "dataDir" | "encryptionKeys">;

/**
 * The keyring from `ENCRYPTION_KEYS`. An embedded installation without keys gets its first one, in `DATA_DIR` (mode 0600).
 * @throws KeyringError when the keys are invalid
 */
export function keyringOf(config: KeySettings): Keyring {
  return createKeyring(parseKeyring(encryptionKeysOf(config)));
}

/** The file with the encryption keys of an embedded installation. */
export function encryptionKeysFile({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "encryption-keys");
}

/** A first value for ENCRYPTION_KEYS. */
export function firstEncryptionKey(): string {
  return newKey("k1");
}

/**
 * A new entry for ENCRYPTION_KEYS, with an id that none of `keys` has: `k` and the next number.
 * @throws KeyringError when `keys` is invalid
 */
export function newEncryptionKey(keys: string): string {
  const numbers = parseKeyring(keys).map(({ id }) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return newKey(`k${Math.max(...numbers) + 1}`);
}

/**
 * Adds a new key as the first one in the file of an embedded installation; a server uses it after its next start. The file is
 * replaced atomically. Returns the ids in the new order.
 * @throws KeyringError when the file contains invalid keys
 */
export function addEncryptionKey(config: Pick<Config, "dataDir">): readonly string[] {
  const file = encryptionKeysFile(config);
  const before = readFileSync(file, "utf8").trim();
  const after = `${newEncryptionKey(before)},${before}`;
  const unfinished = `${file}.new`;
  const descriptor = openSync(unfinished, "w", 0o600);
  try {
    writeFileSync(descriptor, `${after}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  return parseKeyring(after).map(({ id }) => id);
}

function encryptionKeysOf(config: KeySettings): string {
  if (config.encryptionKeys !== undefined) return config.encryptionKeys;
  const file = encryptionKeysFile(config);
  if (!existsSync(file)) {
    makeFolder(config.dataDir);
    writeFileSync(file, `${firstEncryptionKey()}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
}

function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}

/** The server's own keys that can be rotated, by the names they are stored under. */
const ROTATABLE_KEYS = ["secret-hash", "mcp-session", "webhook-signature"] as const;

/** One of {@link ROTATABLE_KEYS}. */
type RotatableKey = (typeof ROTATABLE_KEYS)[number];

/** One version of a key as operators see it. */
export interface ServerKeyInfo {
  readonly name: RotatableKey;
  readonly version: number;
  /** Null = from the beginning. */
  readonly active_from: Date | null;
  /** Whether new hashes and ids use it. */
  readonly active: boolean;
}

/**
 * The installation's own keys, 32 bytes each. They are independent of ENCRYPTION_KEYS and stored encrypted under them, so that
 * rotating ENCRYPTION_KEYS invalidates nothing (contract §9). Of rotatable keys the first is active and all are accepted; the
 * array stays the same until they change.
 */
export interface InstallationKeys {
  /** For hashes of client secrets and refresh tokens, in the form that the authorization server takes. */
  secretHash(): readonly SecretHashKey[];
  /** For MCP session ids. */
  mcpSession(): readonly { readonly id: string; readonly key: Uint8Array }[];
  /** Seeds of the Ed25519 keys that sign deliveries of events; a replaced one still signs until `until`. */
  webhookSignature(): readonly {
    readonly key: Uint8Array;
    readonly active_from: Date | null;
    readonly until: Date | null;
  }[];
  /** For identities of bank users, and page tokens. */
  readonly identity: Uint8Array;
  list(): readonly ServerKeyInfo[];
  /** Loads keys that other servers have added. */
  reload(): Promise<void>;
  /**
   * Creates the next version of a key, which becomes active a minute later, when every server has loaded it. Does nothing while
   * a version is waiting to become active.
   */
  rotate(name: RotatableKey): Promise<void>;
}

/** Loads the installation's keys, creating each once; replicas that start at the same time all get the same ones. */
export async function loadInstallationKeys(
  store: ServerKeys,
  keyring: Keyring,
  clock: () => Date,
): Promise<InstallationKeys> {
  const contextOf = (row: string) => ({ purpose: "server-key", row });
  const sealedKey = (row: string) => keyring.seal(randomBytes(32).toString("base64"), contextOf(row));
  const open = async (row: string, sealed: string) => Buffer.from(await keyring.open(sealed, contextOf(row)), "base64");
  let rows = await store.list();
  const missing = [...ROTATABLE_KEYS, "identity"].filter((name) => !rows.some((row) => row.name === name));
  for (const name of missing) await store.loadOrCreate(name, () => sealedKey(name));
  if (missing.length > 0) rows = await store.list();
  const identity = await open("identity", rows.find(({ name }) => name === "identity")?.sealed as string);

  const versions = new Map<string, KeyVersion>();
  let generation = 0;
  const add = async (found: typeof rows) => {
    for (const { name: row, sealed, active_from } of found) {
      const [, name, version = "1"] = ROW.exec(row) ?? [];
      if (name === undefined || versions.has(row)) continue;
      const key = await open(row, sealed);
      versions.set(row, { name: name as RotatableKey, version: Number(version), active_from, key });
      generation += 1;
    }
  };
  const reload = async () => add(await store.list());
  const current = <Key>(name: RotatableKey, keyOf: (version: KeyInUse) => Key, recognisedSeconds: number) => {
    let known: { keys: readonly Key[]; generation: number; until: number } | undefined;
    return (): readonly Key[] => {
      const now = clock().getTime();
      if (known?.generation === generation && now < known.until) return known.keys;
      const { inUse, until } = keysAt(name, [...versions.values()], now, recognisedSeconds);
      known = { keys: inUse.map(keyOf), generation, until };
      return known.keys;
    };
  };
  await add(rows);
  return {
    secretHash: current("secret-hash", ({ version, key }) => ({ version, key }), Number.POSITIVE_INFINITY),
    mcpSession: current("mcp-session", ({ version, key }) => ({ id: `s${version}`, key }), SESSION_SECONDS),
    webhookSignature: current(
      "webhook-signature",
      ({ key, active_from, until }) => ({ key, active_from, until }),
      WEBHOOK_OVERLAP_SECONDS,
    ),
    identity,
    reload,
    list: () => {
      const now = clock().getTime();
      return ROTATABLE_KEYS.flatMap((name) => {
        const [active] = keysAt(name, [...versions.values()], now, Number.POSITIVE_INFINITY).inUse;
        return [...versions.values()]
          .filter((one) => one.name === name)
          .sort((a, b) => a.version - b.version)
          .map(({ version, active_from }) => ({ name, version, active_from, active: version === active?.version }));
      });
    },
    async rotate(name) {
      await reload();
      const latest = [...versions.values()].filter((one) => one.name === name).sort((a, b) => b.version - a.version)[0];
      const now = clock().getTime();
      if (!latest || (latest.active_from && latest.active_from.getTime() > now)) return;
      const row = `${name}.${latest.version + 1}`;
      await store.add(row, await sealedKey(row), new Date(now + KNOWN_BEFORE_SECONDS * 1000));
      await reload();
    },
  };
}

interface KeyVersion {
  readonly name: RotatableKey;
  readonly version: number;
  readonly active_from: Date | null;
  readonly key: Buffer;
}

interface KeyInUse extends KeyVersion {
  /** When it stops being accepted, once it has a successor. */
  readonly until: Date | null;
}

/** The versions of a key in use at a time, the active one first, and until when that holds. */
function keysAt(name: RotatableKey, all: readonly KeyVersion[], now: number, recognisedSeconds: number) {
  const newest = all.filter((one) => one.name === name).sort((a, b) => b.version - a.version);
  const from = ({ active_from }: KeyVersion) => active_from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const active = newest.find((one) => from(one) <= now);
  const goneAt = (one: KeyVersion) => {
    const next = newest.findLast((other) => other.version > one.version);
    return next ? from(next) + recognisedSeconds * 1000 : Number.POSITIVE_INFINITY;
  };
  const others = newest.filter((one) => one !== active && goneAt(one) > now);
  const changes = newest.flatMap((one) => [from(one), goneAt(one)]).filter((time) => time > now);
  const inUse = (active ? [active, ...others] : others).map((one): KeyInUse => {
    const gone = goneAt(one);
    return { ...one, until: Number.isFinite(gone) ? new Date(gone) : null };
  });
  return { inUse, until: Math.min(Number.POSITIVE_INFINITY, ...changes) };
}

/** A key's first version has no number, as before keys could be rotated. */
const ROW = /^(secret-hash|mcp-session|webhook-signature)(?:\.(\d{1,3}))?$/;
/** Several times as long as a server takes to reload the keys. */
const KNOWN_BEFORE_SECONDS = 60;
/** Receivers that configure a public key by hand have a week to add the next one. */
const WEBHOOK_OVERLAP_SECONDS = 7 * 86_400;
/** A day longer than the lifetime of MCP sessions. */
const SESSION_SECONDS = 31 * 86_400;
