import { type FeedLack, FeedRefusal, utcDay } from "@org/provider-kit";
import type { Key, Message, PrivateKey, PublicKey } from "openpgp";
import type { Bounds, Room } from "./bounds.js";
import { boundPackets, type PacketBounds } from "./packet-bounds.js";

/** An armoured public key of a permitted signer, and until when we accept it, regardless of its own expiry. */
export interface SignerKey {
  readonly public_key: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** The keys that open PGP messages, and the signers we accept. */
export interface PgpKeys {
  /**
   * The installation's private keys, armoured, without passphrases: those with one of these key ids (16 hex digits, upper case); null = all, for a
   * message that does not name its recipients. Called only when a message needs them.
   */
  own(keyIds: readonly string[] | null): Promise<readonly string[]>;
  readonly signers: readonly SignerKey[];
  /** Only messages signed by one of `signers` are accepted. */
  readonly mustBeSigned: boolean;
}

/** The content of a PGP message. */
export interface OpenedMessage {
  readonly bytes: Uint8Array;
  /** One of the signers signed it. */
  readonly isSigned: boolean;
  /** What is odd about its signature. */
  readonly warning: string | null;
}

/** The most recipients of a message. Trying one of our keys takes milliseconds per recipient. */
const MAX_RECIPIENTS = 100;
/** The most recipients without a key id: each of our keys is tried for each of them. */
const MAX_HIDDEN_RECIPIENTS = 5;

/** How far a custodian's clock may be ahead of ours. */
const MAX_SKEW_MS = 10 * 60 * 1000;

/**
 * Decrypts a PGP message (RFC 9580; the output of GnuPG), armoured or binary, and verifies its signature if signers are known. The message must have
 * integrity protection, and keys must be valid: an expired or revoked key neither opens nor signs.
 * @param place the place of the message, for refusals
 * @throws FeedRefusal
 */
export async function openPgpMessage(
  bytes: Uint8Array,
  place: string,
  { keys, now, bounds }: { readonly keys: PgpKeys; readonly now: Date; readonly bounds: Bounds },
): Promise<OpenedMessage> {
  // A megabyte of code that most installations never need.
  const pgp = await import("openpgp");
  const refuse: Refuse = (reason, lack) => new FeedRefusal(place, reason, lack);
  const room = bounds.room(place, bytes.byteLength);
  const packets = boundPackets(pgp, refuse);
  const config = { maxDecompressedMessageSize: room.bytes, ...packets.config };
  const message = await readMessage(pgp, bytes, refuse, { room, packets, config });
  const signers = await Promise.all(
    keys.signers.map(async ({ public_key, ...known }) => ({
      ...known,
      key: await pgp.readKey({ armoredKey: public_key }),
    })),
  );
  const options = {
    message,
    verificationKeys: signers.map(({ key }) => key as PublicKey),
    format: "binary" as const,
    date: new Date(now.getTime() + MAX_SKEW_MS),
    config,
  };
  const isEncrypted = message.packets.some((packet) => ENCRYPTED.has(packetTag(packet)));
  const decryptionKeys = isEncrypted ? await keysFor(pgp, message, keys.own, now, refuse) : [];
  const opened = await (isEncrypted ? pgp.decrypt({ ...options, decryptionKeys }) : pgp.verify(options)).catch(
    (error: Error) => {
      throw boundMet(error, room, packets) ?? refuse(openingFault(error));
    },
  );
  const content = opened.data as Uint8Array;
  bounds.count(place, bytes.byteLength, content.byteLength);
  const verdict = await verdictOn(opened.signatures, signers, now);
  if (verdict.fault !== null) throw refuse(verdict.fault, verdict.isInvalid ? "signature" : undefined);
  const isSigned = verdict.signedBy !== null;
  if (keys.mustBeSigned && !isSigned)
    throw refuse(verdict.unknown ?? "is not signed; files of this custodian have to be", "signature");
  const warning =
    signers.length > 0 && !isSigned ? (verdict.unknown ?? "is not signed, as its sender's files can be") : null;
  return { bytes: content, isSigned, warning };
}

type Pgp = typeof import("openpgp");
type Refuse = (reason: string, lack?: FeedLack) => FeedRefusal;
type AnyMessage = Message<Uint8Array>;

/** Packets of encrypted data: without integrity protection, with it, and the variant of GnuPG 2.3. */
const NO_INTEGRITY = 9;
const ENCRYPTED: ReadonlySet<number> = new Set([NO_INTEGRITY, 18, 20]);

/** Matches what openpgp reports for a message that exceeds the size limit; for bzip2 the message comes from another library. */
const TOO_LARGE = /maximum|exceed/i;

async function readMessage(
  pgp: Pgp,
  bytes: Uint8Array,
  refuse: Refuse,
  { room, packets, config }: { readonly room: Room; readonly packets: PacketBounds; readonly config: object },
): Promise<AnyMessage> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isArmoured = text.subarray(0, 2_000).includes("-----BEGIN PGP");
  if (isArmoured && text.subarray(0, 2_000).includes("-----BEGIN PGP SIGNED MESSAGE"))
    throw refuse(
      "is signed in clear, which changes line ends and blanks; have it signed as a message (gpg --sign --encrypt)",
    );
  if (isArmoured && text.indexOf("-----BEGIN PGP", text.indexOf("-----BEGIN PGP") + 1) >= 0)
    throw refuse("holds more than one PGP message; have each in a file of its own");
  if (isArmoured && !/-----END PGP MESSAGE-----\s*$/.test(text.subarray(-200).toString("latin1")))
    throw refuse("is a PGP message that is cut off, or that something follows");
  try {
    const message = isArmoured
      ? await pgp.readMessage({ armoredMessage: text.toString("latin1"), config })
      : await pgp.readMessage({ binaryMessage: bytes, config });
    return message as AnyMessage;
  } catch (error) {
    const bound = boundMet(error as Error, room, packets);
    throw bound ?? refuse(`is a PGP message that is damaged: ${short((error as Error).message)}`);
  }
}

/** The refusal for a message that is too large or has too many packets; null = it failed for another reason. */
function boundMet({ message }: Error, room: Room, packets: PacketBounds): FeedRefusal | null {
  return packets.refusal() ?? (TOO_LARGE.test(message) ? room.refusal : null);
}

/** Our valid keys for which a message is encrypted. */
async function keysFor(
  pgp: Pgp,
  message: AnyMessage,
  ownKeys: PgpKeys["own"],
  now: Date,
  refuse: Refuse,
): Promise<PrivateKey[]> {
  if (message.packets.some((packet) => packetTag(packet) === NO_INTEGRITY))
    throw refuse("is encrypted without protection of its integrity (MDC), so that anybody may have changed it");
  const recipients = message.getEncryptionKeyIDs();
  if (recipients.length === 0)
    throw refuse("is encrypted with a password, which is not tried; have it encrypted for our key");
  if (recipients.length > MAX_RECIPIENTS) throw refuse(`is encrypted for more than ${MAX_RECIPIENTS} keys`);
  if (recipients.filter(isHidden).length > MAX_HIDDEN_RECIPIENTS)
    throw refuse(`is encrypted for more than ${MAX_HIDDEN_RECIPIENTS} keys that it does not name`);
  const named = recipients.some(isHidden) ? null : recipients.map((id) => id.toHex().toUpperCase());
  const own = await Promise.all((await ownKeys(named)).map((armoredKey) => pgp.readPrivateKey({ armoredKey })));
  const faults: string[] = [];
  const usable: PrivateKey[] = [];
  for (const key of own) {
    const wanted = recipients.find((id) => isHidden(id) || key.getKeyIDs().some((known) => known.equals(id)));
    if (wanted === undefined) continue;
    const fault = await faultOf(key, now, async () => {
      await key.getEncryptionKey(isHidden(wanted) ? undefined : wanted, now);
    });
    if (fault === null) usable.push(key);
    else faults.push(`our key ${shown(key)}, for which it is encrypted, ${fault}`);
  }
  if (usable.length > 0) return usable;
  const others = recipients.map((id) => (isHidden(id) ? "somebody unnamed" : id.toHex().toUpperCase())).slice(0, 5);
  const [fault] = faults;
  if (fault !== undefined) throw refuse(fault, "valid_key");
  throw refuse(`is encrypted for ${others.join(", ")}, and none of our keys is that one`, "key");
}

/** The result of verifying a message's signatures. */
interface Verdict {
  readonly signedBy: string | null;
  /** A signature is present and wrong, so nothing of the message is used. */
  readonly fault: string | null;
  /** The fault is that the signer's key is no longer accepted. */
  readonly isInvalid?: true;
  /** Why none of the signatures counts. */
  readonly unknown: string | null;
}

async function verdictOn(
  signatures: Awaited<ReturnType<Pgp["verify"]>>["signatures"],
  signers: readonly KnownSigner[],
  now: Date,
): Promise<Verdict> {
  let signedBy: string | null = null;
  let unknown: string | null = null;
  for (const { keyID, verified } of signatures) {
    // The same key may be registered twice, and be accepted only once.
    const known = signers.filter(({ key }) => key.getKeyIDs().some((id) => id.equals(keyID)));
    const found = known.find((each) => invalidityOf(each, now) === null) ?? known[0];
    const outcome = await verified.then(
      () => null,
      (error: Error) => error.message,
    );
    if (found === undefined) {
      unknown = `is signed with key ${keyID.toHex().toUpperCase()}, which is none of those that are trusted for it`;
      continue;
    }
    const signer = found.key;
    const invalid =
      invalidityOf(found, now) ??
      (await faultOf(signer, now, async () => {
        await signer.getSigningKey(keyID, now);
      }));
    if (invalid !== null)
      return { signedBy, unknown, isInvalid: true, fault: `is signed with key ${shown(signer)}, which ${invalid}` };
    if (outcome !== null)
      return { signedBy, unknown, fault: `has a wrong signature of key ${shown(signer)}: ${short(outcome)}` };
    signedBy = shown(signer);
  }
  return { signedBy, unknown, fault: null };
}

interface KnownSigner extends Omit<SignerKey, "public_key"> {
  readonly key: Key;
}

/** Why operators no longer accept a key; null = they do. */
function invalidityOf({ expires_at, revoked_at }: KnownSigner, now: Date): string | null {
  if (revoked_at !== null) return "was revoked";
  return expires_at !== null && expires_at <= now ? `has expired on ${utcDay(expires_at)}` : null;
}

/** Why a key cannot be used at this time; null = it can. */
async function faultOf(key: Key, now: Date, use: () => Promise<void>): Promise<string | null> {
  if (await key.isRevoked(undefined, undefined, now)) return "was revoked";
  const until = await key.getExpirationTime();
  if (until instanceof Date && until <= now) return `has expired on ${utcDay(until)}`;
  return use().then(
    () => null,
    (error: Error) => `cannot be used: ${short(error.message)}`,
  );
}

function openingFault({ message }: Error): string {
  if (/Modification detected|authentication|Authentication/.test(message))
    return "was changed on its way: its integrity is broken";
  if (/not authenticated|[Mm]issing MDC|unauthenticated/.test(message))
    return "is encrypted without protection of its integrity (MDC), so that anybody may have changed it";
  return `cannot be decrypted: ${short(message.replace(/^Error (?:decrypting message|verifying signed message): /, ""))}`;
}

/** Whether a message hides which key it is encrypted for. */
function isHidden(id: { toHex(): string }): boolean {
  return /^0+$/.test(id.toHex());
}

function shown(key: Key): string {
  return key.getFingerprint().toUpperCase();
}

function packetTag(packet: object): number {
  return Number((packet.constructor as { tag?: number }).tag);
}

function short(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}
