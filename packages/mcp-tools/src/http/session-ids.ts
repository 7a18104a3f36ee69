import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { andThen, type MaybePromise } from "@org/http";

/** A key that signs session ids. `id` is 1 to 40 characters of `A-Za-z0-9_-`; `key` at least 32 random bytes. */
export interface SessionKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Owner of a session: an application and its tenant, regardless of token or grant. */
export interface SessionOwner {
  readonly application_id: string;
  readonly tenant_id: string | null;
}

/** Result of `initialize`. */
export interface NegotiatedSession {
  readonly protocolVersion: string;
  /** The client's capabilities, as declared. */
  readonly capabilities: unknown;
}

/** Ids of legacy sessions. A signed id contains everything known about its session, so any replica can serve it. */
export interface SessionIds {
  /** Issues a new id in visible ASCII, as the transport requires. */
  issue(owner: SessionOwner, session: NegotiatedSession): string;
  /**
   * Whether the id belongs to the owner and has not ended. One that is past its time counts too: some clients never initialize
   * again after a 404, and the access token has been verified anyway.
   */
  isLive(id: string, owner: SessionOwner): MaybePromise<boolean>;
  /** Returns the same session's id with a new expiry when the given one has less than half of its time left, else null. */
  renew(id: string, owner: SessionOwner): string | null;
  /** Whether the client of a live session can show URLs to its user, a capability since 2025-11-25. */
  showsUrls(id: string): boolean;
  /** Whether the client of a live session can show forms to its user, a capability since 2025-06-18. */
  showsForms(id: string): boolean;
  /** Ends the session for all replicas. False when it was not a live session of the owner. */
  end(id: string, owner: SessionOwner): Promise<boolean>;
}

/**
 * MCP sessions that clients have ended, shared by all replicas: the deny list behind `DELETE /mcp`. It identifies a session by the
 * nonce in its id, which gives no access on its own.
 */
export interface EndedSessions {
  /** Records a session as ended. It may be forgotten after `expiresAt`, when its id has expired anyway. Idempotent. */
  end(nonce: string, expiresAt: Date): Promise<void>;
  /**
   * Whether the session has ended. Called for every request with a session id, so it should answer from memory. Another replica
   * may be a few seconds late; the one that took the DELETE may not.
   */
  isEnded(nonce: string): MaybePromise<boolean>;
}

/** How long an id is valid until it is renewed, and an ended session remembered at least. */
const LIFE_SECONDS = 30 * 86_400;
/** Number of cached ids whose signature need not be verified again, oldest dropped first: about 3 MB. */
const CACHE_SIZE = 10_000;
const PREFIX = "wcm1";
/** Prefix, key id, nonce, protocol version, capability flags, expiry (Unix seconds), MAC. */
const SHAPE = /^(wcm1\.([\w-]{1,40})\.([\w-]{22})\.[\d-]{10}\.(?:[a-z]+|-)\.(\d{1,12}))\.([\w-]{43})$/;

/**
 * Fixed keys, or a function that is called on each use, so that keys can rotate while the server runs. It returns the same array until
 * they do.
 */
export type SessionKeys = readonly SessionKey[] | (() => readonly SessionKey[]);

/** Imported session keys. */
interface SessionKeyRing {
  readonly given: readonly SessionKey[];
  readonly byId: ReadonlyMap<string, KeyObject>;
  readonly signing: { readonly id: string; readonly key: KeyObject };
}

/** Returns a function that gives the current keys, imported once. @throws Error for unsuitable keys */
export function sessionKeyRing(keys: SessionKeys): () => SessionKeyRing {
  const current = typeof keys === "function" ? keys : () => keys;
  let ring = ringOf(current());
  return () => {
    const given = current();
    if (given !== ring.given) ring = ringOf(given);
    return ring;
  };
}

function ringOf(given: readonly SessionKey[]): SessionKeyRing {
  const byId = new Map(given.map(({ id, key }) => [id, createSecretKey(key)]));
  const [first] = byId;
  if (!first || byId.size !== given.length) throw new Error("session ids need at least one key, and each key id once");
  if (given.some(({ id, key }) => !/^[\w-]{1,40}$/.test(id) || key.length < 32))
    throw new Error("a session key is too short or its id is malformed");
  return { given, byId, signing: { id: first[0], key: first[1] } };
}

/**
 * @param path of the endpoint: a session is not live at another one
 * @param keys the first signs, all verify, so that keys can be rotated
 */
export function createSessionIds(deps: {
  path: string;
  keys: SessionKeys;
  clock: () => Date;
  ended: EndedSessions;
}): SessionIds {
  const ring = sessionKeyRing(deps.keys);
  const cache = new Map<string, Verified>();

  return {
    issue(owner, { protocolVersion, capabilities }) {
      return sign(owner, [randomBytes(16).toString("base64url"), protocolVersion, flagsOf(capabilities)]);
    },
    isLive(id, owner) {
      const session = verified(id, owner);
      return session !== null && andThen(deps.ended.isEnded(session.nonce), (isEnded) => !isEnded);
    },
    renew(id, owner) {
      const session = verified(id, owner);
      if (!session || session.expiresAt.getTime() - deps.clock().getTime() > (LIFE_SECONDS * 1000) / 2) return null;
      // Nonce, protocol version and capability flags stay.
      return sign(owner, id.split(".").slice(2, 5));
    },
    showsUrls(id) {
      const [, , , version, flags] = id.split(".");
      return version === "2025-11-25" && (flags?.includes("u") ?? false);
    },
    showsForms(id) {
      const [, , , version, flags = ""] = id.split(".");
      const declared = flags.includes("f") || (flags.includes("e") && !flags.includes("u"));
      return declared && (version === "2025-06-18" || version === "2025-11-25");
    },
    async end(id, owner) {
      const session = verified(id, owner);
      if (!session || (await deps.ended.isEnded(session.nonce))) return false;
      // Longer than any id of this session that was issued so far.
      await deps.ended.end(session.nonce, new Date(deps.clock().getTime() + LIFE_SECONDS * 1000));
      return true;
    },
  };

  function sign(owner: SessionOwner, parts: readonly string[]): string {
    const expires = Math.floor(deps.clock().getTime() / 1000) + LIFE_SECONDS;
    const signed = [PREFIX, ring().signing.id, ...parts, expires].join(".");
    return `${signed}.${macOf(ring().signing.key, signed, owner, deps.path).toString("base64url")}`;
  }

  function verified(id: string, owner: SessionOwner): Verified | null {
    const known = cache.get(id);
    return known && isSame(known, owner) ? known : verify(id, owner);
  }

  function verify(id: string, owner: SessionOwner): Verified | null {
    const [, signed = "", keyId = "", nonce = "", expires = "", mac = ""] = SHAPE.exec(id) ?? [];
    const key = ring().byId.get(keyId);
    if (!key || !timingSafeEqual(macOf(key, signed, owner, deps.path), Buffer.from(mac, "base64url"))) return null;
    const { application_id, tenant_id } = owner;
    const session = { application_id, tenant_id, nonce, expiresAt: new Date(Number(expires) * 1000) };
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= CACHE_SIZE) cache.delete(oldest);
    cache.set(id, session);
    return session;
  }
}

/** A verified id and its owner. */
interface Verified extends SessionOwner {
  readonly nonce: string;
  readonly expiresAt: Date;
}

function isSame(a: SessionOwner, b: SessionOwner): boolean {
  return a.application_id === b.application_id && a.tenant_id === b.tenant_id;
}

/** Owner and path are signed but not included in the id, so the id does not verify under another one. */
function macOf(key: KeyObject, signed: string, { application_id, tenant_id }: SessionOwner, path: string): Buffer {
  return createHmac("sha256", key)
    .update(`${signed}\n${application_id}\n${tenant_id ?? ""}\n${path}`)
    .digest();
}

/**
 * Encodes the declared capabilities that a server may ever use: elicitation, by URL and by form, roots, sampling, tasks.
 * Elicitation without either is by form.
 */
function flagsOf(capabilities: unknown): string {
  const declared = new Set(Object.keys(objectOf(capabilities)));
  const elicitation = objectOf(objectOf(capabilities).elicitation);
  const flags = [
    declared.has("elicitation") && "e",
    "url" in elicitation && "u",
    "form" in elicitation && "f",
    declared.has("roots") && "r",
    declared.has("sampling") && "s",
    declared.has("tasks") && "t",
  ];
  return flags.filter(Boolean).join("") || "-";
}

function objectOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}
