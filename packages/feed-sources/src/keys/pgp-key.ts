import { utcDay } from "@org/provider-kit";
import type { Key, PrivateKey, PublicKey } from "openpgp";
import { printableName } from "../file-names.js";
import type { PgpKeyFacts } from "../ports/feed-key-store.js";

/** A key pair of the installation: its public facts, and its armoured private half without a passphrase. */
export interface OwnPgpKey {
  readonly facts: PgpKeyFacts;
  readonly private_key: string;
}

/** Why a key is not accepted, in words for the person who gave it. */
export class PgpKeyError extends Error {
  override readonly name = "PgpKeyError";
  constructor(
    message: string,
    /** The field at fault, if known. */
    readonly field: "name" | "email" | null = null,
  ) {
    super(message);
  }
}

/** The algorithms for new key pairs. */
export const ownKeyAlgorithms = ["curve25519", "rsa4096"] as const;
export type OwnKeyAlgorithm = (typeof ownKeyAlgorithms)[number];

const SECONDS_OF_DAY = 24 * 60 * 60;

/**
 * Generates a key pair for which files are encrypted. Both algorithms produce version 4 keys, which GnuPG 2.0 and BouncyCastle can read.
 * @param options.algorithm `rsa4096` is for custodians whose programs do not support elliptic curves
 * @param options.days until it expires; 0 = never
 * @throws PgpKeyError on `name` or `email` if they are not allowed in a user id
 */
export async function makeOwnKey(options: {
  readonly name: string;
  readonly email: string | undefined;
  readonly algorithm: OwnKeyAlgorithm;
  readonly days: number;
  readonly now: Date;
}): Promise<OwnPgpKey> {
  const pgp = await import("openpgp");
  const { name, email, algorithm, days, now } = options;
  requireUserIdPart("name", "cannot stand in a PGP user id");
  requireUserIdPart("email", "is no e-mail address that a PGP user id can hold");
  const { privateKey } = await pgp.generateKey({
    ...(algorithm === "rsa4096" ? { type: "rsa", rsaBits: 4096 } : { type: "ecc", curve: "ed25519Legacy" }),
    userIDs: [{ name, ...(email !== undefined && { email }) }],
    date: wholeSecond(now),
    keyExpirationTime: days * SECONDS_OF_DAY,
    format: "object",
  });
  return ownKeyOf(privateKey, now);

  function requireUserIdPart(field: "name" | "email", words: string): void {
    try {
      pgp.UserIDPacket.fromObject({ [field]: options[field] });
    } catch {
      throw new PgpKeyError(words, field);
    }
  }
}

/**
 * Reads an armoured private key and removes its passphrase. @throws PgpKeyError if it is no private key, the passphrase is wrong, or it cannot
 * decrypt
 */
export async function readOwnKey(armoured: string, passphrase: string | undefined, now: Date): Promise<OwnPgpKey> {
  const pgp = await import("openpgp");
  const key = await pgp.readPrivateKey({ armoredKey: armoured }).catch(() => {
    throw new PgpKeyError("is no private key of PGP in ASCII armour");
  });
  const open = key.isDecrypted() ? key : await unlocked(key);
  await refuseUnusable(open, now, "nothing can be decrypted with this key", async () => {
    await open.getEncryptionKey(undefined, now);
    await open.getDecryptionKeys(undefined, now);
  });
  return ownKeyOf(open, now);

  async function unlocked(locked: PrivateKey): Promise<PrivateKey> {
    if (passphrase === undefined) throw new PgpKeyError("has a passphrase, which is needed");
    return pgp.decryptKey({ privateKey: locked, passphrase }).catch(() => {
      throw new PgpKeyError("has another passphrase");
    });
  }
}

/**
 * Makes a key pair expire at a given time, recorded in the key itself: programs that import its public half stop encrypting for it then. @throws
 * PgpKeyError if its user ids cannot be rewritten, as with keys of some other programs
 */
export async function expireOwnKey(armoured: string, at: Date, now: Date): Promise<OwnPgpKey> {
  const pgp = await import("openpgp");
  const key = await pgp.readPrivateKey({ armoredKey: armoured });
  const seconds = Math.floor((at.getTime() - key.getCreationTime().getTime()) / 1_000);
  const userIDs = key.users.flatMap(({ userID }) => (userID === null ? [] : partsOf(userID)));
  const { privateKey } = await pgp
    // Zero seconds would mean no expiry.
    .reformatKey({
      privateKey: key,
      userIDs,
      keyExpirationTime: Math.max(1, seconds),
      date: wholeSecond(now),
      format: "object",
    })
    .catch(() => {
      throw new PgpKeyError("cannot be signed again as it would have to be; revoke or remove it");
    });
  return ownKeyOf(privateKey, now);
}

function partsOf({ name, comment, email }: { name: string; comment: string; email: string }) {
  return { name, ...(comment !== "" && { comment }), ...(email !== "" && { email }) };
}

/** Revokes a key pair, recorded in the key itself. */
export async function revokeOwnKey(armoured: string, now: Date): Promise<OwnPgpKey> {
  const pgp = await import("openpgp");
  const key = await pgp.readPrivateKey({ armoredKey: armoured });
  const { privateKey } = await pgp.revokeKey({ key, date: wholeSecond(now), format: "object" });
  return ownKeyOf(privateKey, now);
}

/**
 * Reads an armoured public key for verifying signatures.
 * @param known the copy of the same key given earlier; what either copy states holds, so that an older copy cannot undo a revocation
 * @throws PgpKeyError if it is no public key, or cannot sign now; a `known` key may be revoked or expired
 */
export async function readSignerKey(
  armoured: string,
  now: Date,
  known: (fingerprint: string) => string | null = () => null,
): Promise<PgpKeyFacts> {
  const pgp = await import("openpgp");
  const keys = await pgp.readKeys({ armoredKeys: armoured }).catch(() => []);
  const [given, another] = keys;
  if (given === undefined) throw new PgpKeyError("is no public key of PGP in ASCII armour");
  if (another !== undefined) throw new PgpKeyError("holds more than one key; give them one by one");
  if (given.isPrivate()) throw new PgpKeyError("is a private key, which only its owner may have");
  const before = known(fingerprintOf(given));
  if (before !== null) {
    const key: PublicKey = await pgp.readKey({ armoredKey: before });
    return factsOf(await key.update(given, now), now);
  }
  await refuseUnusable(given, now, "nothing can be signed with this key", async () => {
    await given.getSigningKey(undefined, now);
  });
  return factsOf(given, now);
}

async function refuseUnusable(key: Key, now: Date, what: string, use: () => Promise<void>): Promise<void> {
  if (await key.isRevoked(undefined, undefined, now)) throw new PgpKeyError("was revoked");
  const until = await key.getExpirationTime();
  if (until instanceof Date && until <= now) throw new PgpKeyError(`has expired on ${utcDay(until)}`);
  await use().catch((error: Error) => {
    throw new PgpKeyError(`${what}: ${error.message.replace(/[^\x20-\x7e]/g, "?").slice(0, 200)}`);
  });
}

async function ownKeyOf(key: PrivateKey, now: Date): Promise<OwnPgpKey> {
  return { facts: await factsOf(key, now), private_key: key.armor() };
}

async function factsOf(key: Key, now: Date): Promise<PgpKeyFacts> {
  const until = await key.getExpirationTime();
  const { algorithm, bits, curve } = key.getAlgorithmInfo();
  const name = curve ?? algorithm;
  return {
    fingerprint: fingerprintOf(key),
    key_ids: key.getKeyIDs().map((id) => id.toHex().toUpperCase()),
    user_ids: key
      .getUserIDs()
      .map((id) => printableName(id.slice(0, 200)))
      .slice(0, 10),
    algorithm:
      bits === undefined
        ? (standardNames[name] ?? name)
        : `${algorithm.replace(/[A-Z].*$/s, "").toUpperCase()} ${bits}`,
    created_at: key.getCreationTime(),
    expires_at: until instanceof Date ? until : null,
    revoked_at: (await key.isRevoked(undefined, undefined, now)) ? now : null,
    public_key: key.toPublic().armor(),
  };
}

/** Curves and algorithms as named in RFC 9580 §9.1 and §9.2, where OpenPGP.js names them differently. */
const standardNames: Readonly<Record<string, string>> = {
  ed25519: "Ed25519",
  ed25519Legacy: "Ed25519Legacy",
  ed448: "Ed448",
  nistP256: "NIST P-256",
  nistP384: "NIST P-384",
  nistP521: "NIST P-521",
};

function fingerprintOf(key: Key): string {
  return key.getFingerprint().toUpperCase();
}

/** PGP times have whole seconds; something written in the same second must not appear older than its key. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000);
}
