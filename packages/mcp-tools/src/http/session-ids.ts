import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

/** A key that signs session ids. `id` is 1 to 40 characters of `A-Za-z0-9_-`; `key` at least 32 random bytes. */
export interface SessionKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Whom a session belongs to: an application and its tenant, whatever token or grant it uses. */
export interface SessionOwner {
  readonly application_id: string;
  readonly tenant_id: string | null;
}

/** What `initialize` settled. */
export interface NegotiatedSession {
  readonly protocolVersion: string;
  /** Capabilities of the client, as it declared them. */
  readonly capabilities: unknown;
}

/** Ids of legacy sessions: all that is known of a session is in its signed id, so that any replica serves it. */
export interface SessionIds {
  /** A new id, visible ASCII as the transport asks. */
  issue(owner: SessionOwner, session: NegotiatedSession): string;
  /** Whether the id is one of the owner's, not expired and not ended. */
  isLive(id: string, owner: SessionOwner): boolean | Promise<boolean>;
  /** Whether the client of a live session shows URLs to its user, which it could first declare in 2025-11-25. */
  showsUrls(id: string): boolean;
  /** Whether the client of a live session has its user fill in forms, which it could first declare in 2025-06-18. */
  showsForms(id: string): boolean;
  /** Ends the session for all replicas. False when it was not a live session of the owner. */
  end(id: string, owner: SessionOwner): Promise<boolean>;
}

/**
 * MCP sessions that clients have ended, shared by all replicas: the deny list behind `DELETE /mcp`. A session is known by the
 * nonce in its id, which alone opens nothing.
 */
export interface EndedSessions {
  /** Notes a session as ended. It may be forgotten after `expiresAt`, when its id has expired anyway. Repeating changes nothing. */
  end(nonce: string, expiresAt: Date): Promise<void>;
  /**
   * Whether the session has ended. Asked on every request with a session id, so it should answer from memory: another replica
   * may be a few seconds late, the one that took the DELETE may not.
   */
  isEnded(nonce: string): boolean | Promise<boolean>;
}

/** Some clients never initialise again after a 404, so a session lives long. */
const LIFE_SECONDS = 30 * 86_400;
/** Ids whose signature need not be computed again, those used first dropped first: about 3 MB. */
const CACHE_SIZE = 10_000;
const PREFIX = "wcm1";
/** Prefix, key id, nonce, protocol version, capability flags, expiry (Unix seconds), MAC. */
const SHAPE = /^(wcm1\.([\w-]{1,40})\.([\w-]{22})\.[\d-]{10}\.(?:[a-z]+|-)\.(\d{1,12}))\.([\w-]{43})$/;

/** Keys as they are, or asked for at each use, so that they can be rotated while the server works; the same array until then. */
export type SessionKeys = readonly SessionKey[] | (() => readonly SessionKey[]);

/** Session keys ready for use. */
interface SessionKeyRing {
  readonly given: readonly SessionKey[];
  readonly byId: ReadonlyMap<string, KeyObject>;
  readonly signing: { readonly id: string; readonly key: KeyObject };
}

/** Returns the keys at each call, imported once. @throws Error for unfit keys */
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

/** @param keys the first signs, all verify, so that keys can be rotated */
export function createSessionIds(deps: { keys: SessionKeys; clock: () => Date; ended: EndedSessions }): SessionIds {
  const ring = sessionKeyRing(deps.keys);
  const cache = new Map<string, Verified>();

  return {
    issue(owner, { protocolVersion, capabilities }) {
      const expires = Math.floor(deps.clock().getTime() / 1000) + LIFE_SECONDS;
      const nonce = randomBytes(16).toString("base64url");
      const signed = [PREFIX, ring().signing.id, nonce, protocolVersion, flagsOf(capabilities), expires].join(".");
      return `${signed}.${macOf(ring().signing.key, signed, owner).toString("base64url")}`;
    },
    isLive(id, owner) {
      const session = verified(id, owner);
      if (!session) return false;
      const ended = deps.ended.isEnded(session.nonce);
      return typeof ended === "boolean" ? !ended : ended.then((isEnded) => !isEnded);
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
      await deps.ended.end(session.nonce, session.expiresAt);
      return true;
    },
  };

  function verified(id: string, owner: SessionOwner): Verified | null {
    const known = cache.get(id);
    const session = known && isSame(known, owner) ? known : verify(id, owner);
    return session && session.expiresAt > deps.clock() ? session : null;
  }

  function verify(id: string, owner: SessionOwner): Verified | null {
    const [, signed = "", keyId = "", nonce = "", expires = "", mac = ""] = SHAPE.exec(id) ?? [];
    const key = ring().byId.get(keyId);
    if (!key || !timingSafeEqual(macOf(key, signed, owner), Buffer.from(mac, "base64url"))) return null;
    const { application_id, tenant_id } = owner;
    const session = { application_id, tenant_id, nonce, expiresAt: new Date(Number(expires) * 1000) };
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= CACHE_SIZE) cache.delete(oldest);
    cache.set(id, session);
    return session;
  }
}

/** An id that has been verified, and for whom. */
interface Verified extends SessionOwner {
  readonly nonce: string;
  readonly expiresAt: Date;
}

function isSame(a: SessionOwner, b: SessionOwner): boolean {
  return a.application_id === b.application_id && a.tenant_id === b.tenant_id;
}

/** The owner is signed but not written into the id: under another owner the id does not verify. */
function macOf(key: KeyObject, signed: string, { application_id, tenant_id }: SessionOwner): Buffer {
  return createHmac("sha256", key)
    .update(`${signed}\n${application_id}\n${tenant_id ?? ""}`)
    .digest();
}

/**
 * What the client declared of the capabilities that a server may ever use: elicitation, by URL and by form, roots, sampling, tasks.
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
